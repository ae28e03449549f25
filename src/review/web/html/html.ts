// Makes HTML in which no text can become markup. A value stands in text or in a double-quoted attribute of a template, and is escaped
// for that context. A template with a value anywhere else throws. Characters that are invisible, or move or reorder text, are shown
// as <U+XXXX> in another colour.

import { TAB_SIGN } from '../../../security/text/columns.ts';
import { visible } from '../../../security/text/visible.ts';
import { contextsIn } from './template-context.ts';

const KEY: unique symbol = Symbol('Html');

export class Html {
  readonly #markup: string;

  /** @internal Made by `html` and `styleElement` only. */
  constructor(key: typeof KEY, markup: string) {
    if (key !== KEY) throw new TypeError('an Html is made by html`…` only');
    this.#markup = markup;
    Object.freeze(this);
  }

  /** True only for an object that this module made; a look-alike answers false. */
  static isGenuine(value: unknown): value is Html {
    return typeof value === 'object' && value !== null && #markup in value;
  }

  toString(): string {
    return this.#markup;
  }
}

type Part = string | number | Html | readonly Html[];

export function html(statics: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const holes = contextsIn(statics);
  const filled = parts.map((part, index) => {
    const hole = holes[index];
    if (hole === 'text') return textMarkup(part);
    return attributeMarkup(part, hole === 'address');
  });
  return new Html(KEY, statics.map((text, index) => text + (filled[index] ?? '')).join(''));
}

export const NOTHING = html``;

/** Makes an element of a style sheet of the program. Throws for one that could end its own element. */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new TypeError('a style sheet holds no "<"');
  return new Html(KEY, `<style>${css}</style>`);
}

function textMarkup(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  const pieces: readonly unknown[] = Array.isArray(part) ? part : [part];
  if (!pieces.every(Html.isGenuine)) throw new TypeError('only text and Html can stand in a page');
  return pieces.join('');
}

function attributeMarkup(part: Part, isAddress: boolean): string {
  if (typeof part !== 'string' && typeof part !== 'number')
    throw new TypeError('only text can stand in an attribute');
  // This refuses "javascript:" and "//elsewhere", because our pages link only to each other.
  if (isAddress && !/^(?:\/(?:[\w-]+\/)*[\w-]*|#[\w-]+)$/u.test(String(part)))
    throw new TypeError('a link leads to a page of this server only');
  return escaped(String(part));
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES.get(character) ?? '');
}

const ESCAPE_OR_TAB = /(<U\+[0-9A-F]{4,6}>|\t)/u;

/** Makes the hidden characters of a text visible. Characters that were made visible before stay as they are. */
export function visibleHtml(text: string): Html {
  const pieces = visiblePlain(text).split(ESCAPE_OR_TAB);
  return html`${pieces.map((piece, index) =>
    index % 2 === 1
      ? html`<span class="unseen" title="A character that cannot be seen">${piece === '\t' ? `${TAB_SIGN}\t` : piece}</span>`
      : html`${piece}`,
  )}`;
}

/** Makes the hidden characters of a text visible as plain text, for titles and attributes. */
export function visiblePlain(text: string): string {
  return (
    text
      .split(ESCAPE_OR_TAB)
      .map((piece, index) => (index % 2 === 1 ? piece : visible(piece)))
      .join('')
      // A browser would drop the \r of a \r\n.
      .replaceAll('\r', '<U+000D>')
  );
}
