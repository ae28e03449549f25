// Whether two patterns have a path in common: examples of it are matched by both, by another matcher.
import { describe, expect, it } from 'vitest';
import { commonPaths } from '../../../src/security/paths/common-paths.ts';
import { compileRulePattern } from '../../../src/security/paths/operator-pattern.ts';

const ROOTS = [{ name: undefined }];

describe('two patterns [POL-4]', () => {
  it.each([
    ['**', '**/*.yaml'],
    ['**', '**'],
    ['**/**', '*.yaml'],
    ['**', '**/templates/**/*.tpl'],
    ['**', 'a/**/b/**/c.yaml'],
    ['a/**', '**/*.yaml'],
    ['**/a/**', '**/b/**'],
    ['**/a.yaml', '**'],
    ['a/**', 'a/b/**/c.yaml'],
    ['*.yaml', 'a*.y?ml'],
  ])('%s and %s have some', (one, other) => {
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      const found = commonPaths(a, b);
      expect(found.length).toBeGreaterThan(0);
      for (const path of found)
        for (const pattern of [a, b]) expect(compileRulePattern(pattern, ROOTS).isExact(path)).toBe(true);
    }
  });

  it.each([
    ['a/**', 'b/**'],
    ['**/*.yaml', '**/*.json'],
    ['a/*.yaml', '*.yaml'],
    ['**/a.yaml', 'a/**/b.yaml'],
  ])('%s and %s have none', (one, other) => {
    expect([...commonPaths(one, other), ...commonPaths(other, one)]).toEqual([]);
  });
});
