import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/security/paths/glob.ts';
import { runs } from '../../harness/runs.ts';

const matches = (pattern: string, path: string) => compileGlob(pattern)(path.split('/'));

describe('a pattern of a request', () => {
  it.each([
    { pattern: '**/*.yaml', path: 'a.yaml', is: true, why: '** takes no folder as well' },
    { pattern: '**/*.yaml', path: 'a/b/c.yaml', is: true, why: '** takes several' },
    { pattern: '*.yaml', path: 'a/b.yaml', is: false, why: '* stays within a name' },
    { pattern: 'a/**', path: 'a/b/c.yaml', is: true, why: '** at the end' },
    { pattern: 'a/**/c.yaml', path: 'a/c.yaml', is: true, why: '** in the middle takes none' },
    { pattern: '*.{yaml,yml}', path: 'a.yml', is: true, why: 'alternatives' },
    { pattern: '{a,b/c}/x.yaml', path: 'b/c/x.yaml', is: true, why: 'alternatives may hold folders' },
    { pattern: 'v?.yaml', path: 'v1.yaml', is: true, why: '? is one character' },
    { pattern: 'v?.yaml', path: 'v😀.yaml', is: true, why: '? is a whole character' },
    { pattern: '*.yaml', path: '.hidden.yaml', is: true, why: 'dots are nothing special' },
    { pattern: 'A.yaml', path: 'a.yaml', is: false, why: 'case counts' },
  ])('$pattern on $path is $is: $why', ({ pattern, path, is }) => {
    expect(matches(pattern, path)).toBe(is);
  });

  it('agrees with picomatch on what both understand', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'ab',
      '*',
      '?',
      'a*',
      '*b',
      'a?',
      '{a,b}',
      'x{a,bb}',
      '*a*',
      '.a',
      '**',
    );
    const name = fc.stringMatching(/^[abx.]{1,4}$/).filter((text) => !/^\.+$/.test(text));
    // A final ** is left out: picomatch lets "a/**" match "a", but not "*/**" match "a".
    const last = part.filter((text) => text !== '**');
    const patterns = fc
      .tuple(fc.array(part, { maxLength: 3 }), last)
      .map(([parts, end]) => [...parts, end].join('/'));
    const paths = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(matches(pattern, path)).toBe(picomatch(pattern, { dot: true, noext: true })(path));
      }),
      { numRuns: runs(5000) },
    );
  });

  it('takes steps in proportion to pattern and path, whatever they are [SRV-16]', () => {
    // Backtracking would take about 250^8 steps here: this would not end.
    expect(matches('*a*a*a*a*a*a*a*b', 'a'.repeat(250))).toBe(false);
    expect(compileGlob('**/a/**/a/**/a/**/a/**/a/**/a/**/b')(Array.from({ length: 64 }, () => 'a'))).toBe(
      false,
    );
  });
});
