// Templates are shown texts that want to be markup, and templates in which they could be.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Html, html, visibleHtml } from '../../../../src/review/web/html/html.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></textarea></style><svg onload=alert(1)>',
  '&lt;b&gt; &#60;',
  '<!-- -->',
  '{{alert(1)}}',
];

describe('a text in a page', () => {
  it.each(HOSTILE)('stays text: %s', (text) => {
    expect(`${html`<p>${text}</p>`}`).toMatch(/^<p>[^<>"']*<\/p>$/u);
    expect(`${html`<p title="${text}">x</p>`}`).toMatch(/^<p title="[^<>"']*">x<\/p>$/u);
    expect(decoded(`${html`${text}`}`)).toBe(text);
  });

  it('comes back whole, whatever it is [WEB-4]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const inside = `${html`<b title="${text}">${text}</b>`}`;
        expect(inside.match(/[<>]/gu)).toHaveLength(4);
        expect(inside.match(/"/gu)).toHaveLength(2);
        expect(decoded(`${html`${text}`}`)).toBe(text);
      }),
    );
  });

  it.each([
    { text: 'a\u202eb', shows: 'U+202E', why: 'reorders what follows' },
    { text: 'a\u200bb', shows: 'U+200B', why: 'is invisible' },
    { text: 'a\u001b[31mb', shows: 'U+001B', why: 'begins a terminal code' },
    { text: 'a\u2028b', shows: 'U+2028', why: 'ends a line for some' },
    { text: 'a\r\nb', shows: 'U+000D', why: 'ends a line in another way' },
    { text: 'a<U+202E>b', shows: 'U+202E', why: 'was made visible before' },
  ])('is shown with $shows for what $why', ({ text, shows }) => {
    const markup = `${visibleHtml(text)}`;
    expect(markup).toContain('<span class="unseen"');
    expect(markup).toContain(shows);
    expect(markup.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  it('has its tabs seen (finding 3 of the attacks) [WEB-4]', () => {
    expect(`${visibleHtml('a\tb\n')}`).toMatch(/^a<span class="unseen"[^>]*>⇥\t<\/span>b\n$/u);
  });
});

describe('a template', () => {
  const text = 'x';
  it.each([
    { why: 'a hole in an attribute without quotes', make: () => html`<p title=${text}>` },
    { why: 'a hole in single quotes', make: () => html`<p title='${text}'></p>` },
    { why: 'a hole among attributes', make: () => html`<p ${text}></p>` },
    { why: 'a hole in a handler', make: () => html`<p onclick="${text}"></p>` },
    { why: 'a hole in a style', make: () => html`<p style="${text}"></p>` },
    { why: 'a hole in a script', make: () => html`<script>${text}</script>` },
    { why: 'a style sheet', make: () => html`<style>${text}</style>` },
    { why: 'a frame', make: () => html`<iframe src="/x"></iframe>` },
    { why: 'a hole in a comment', make: () => html`<!-- ${text} -->` },
    { why: 'an end inside of a tag', make: () => html`<p title="x"` },
    { why: 'an address in pieces', make: () => html`<a href="/a/${text}">x</a>` },
    { why: 'a script as an address', make: () => html`<a href="${'javascript:alert(1)'}">x</a>` },
    { why: 'another host as an address', make: () => html`<a href="${'//evil.example/'}">x</a>` },
    { why: 'a backslash in an address', make: () => html`<a href="${'/\\evil.example'}">x</a>` },
    {
      why: 'another scheme to send a form to',
      make: () => html`<form action="${'https://evil.example'}"></form>`,
    },
    { why: 'markup in an attribute', make: () => html`<p title="${html`<b>x</b>`}"></p>` },
  ])('with $why does not run', ({ make }) => {
    expect(make).toThrow(TypeError);
  });

  it('takes markup only from templates', () => {
    const lookAlike: unknown = { toString: () => '<b>x</b>' };
    expect(() => html`<p>${[lookAlike] as never}</p>`).toThrow(TypeError);
    expect(() => html`<p>${lookAlike as never}</p>`).toThrow(TypeError);
    expect(() => Reflect.construct(Html, [Symbol('Html'), '<b>'])).toThrow(TypeError);
    expect(`${html`<p>${html`<b>${'<'}</b>`}</p>`}`).toBe('<p><b>&lt;</b></p>');
  });
});

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
]);

function decoded(markup: string): string {
  return markup.replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => ENTITIES.get(entity) ?? '');
}
