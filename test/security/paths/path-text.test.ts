import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SafePath } from '../../../src/security/index.ts';
import { runs } from '../../harness/runs.ts';
import { codeOf, refusalOf } from '../fixture.ts';

const parse = (text: string) => SafePath.parse(text, [undefined]);

describe('a file argument', () => {
  it('is refused for every control or invisible character, and the message shows none [CON-1]', () => {
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code));
    for (const character of [...controls, '\u202e', '\u2028', '\ufe0f', '\ud800']) {
      if (/[ -~]/u.test(character)) continue;
      const refusal = refusalOf(() => parse(`a${character}b.yaml`));
      expect([character, refusal?.code]).toEqual([character, 'PATH_INVALID']);
      expect(refusal?.message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Cs}\p{M}]/u);
    }
  });

  it('comes back out as it went in, and holds no component that could climb', () => {
    const names = fc.string({ unit: 'binary', maxLength: 8 });
    const texts = fc.array(fc.oneof(names, fc.constantFrom('..', '.', '', 'a', '.git', '~')), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('/');
        if (codeOf(() => parse(text)) !== 'no error') return;
        const path = parse(text);
        expect(path.components.join('/')).toBe(text);
        for (const name of path.components) {
          expect(['', '.', '..']).not.toContain(name);
          expect(name).not.toMatch(/[/\\:\0]/);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('with named roots', () => {
  const named = (text: string) => SafePath.parse(text, ['web', 'db']);

  it('a path names its root', () => {
    const path = named('@web/a/b.YAML');
    expect([path.root, path.components.join('/'), path.extension, path.toString()]).toEqual([
      'web',
      'a/b.YAML',
      'yaml',
      '@web/a/b.YAML',
    ]);
  });

  it.each([
    { input: '@nope/a.yaml', code: 'PATH_OUTSIDE_ROOT', why: 'an unknown root' },
    { input: '@WEB/a.yaml', code: 'PATH_OUTSIDE_ROOT', why: 'names of roots are exact' },
    { input: 'a.yaml', code: 'PATH_INVALID', why: 'no root' },
    { input: '@web', code: 'PATH_INVALID', why: 'no file' },
    { input: '@web/', code: 'PATH_INVALID', why: 'no file' },
    { input: '@web//etc/passwd', code: 'PATH_INVALID', why: 'absolute behind the name' },
    { input: '@web/../db/a.yaml', code: 'PATH_INVALID', why: 'climbs from root to root' },
    { input: '@web/.git/config', code: 'PATH_DENIED', why: 'the denylist sees behind the name' },
  ])('$input is $code: $why', ({ input, code }) => {
    const refusal = refusalOf(() => named(input));
    expect(refusal?.code).toBe(code);
    if (code !== 'PATH_DENIED' && !input.includes('//') && !input.includes('..') && input !== '@web/') {
      expect(refusal?.message).toContain('@web, @db');
    }
  });
});
