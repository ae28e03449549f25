// Finding 15.2: the operator's patterns against a second, naive matcher: nothing that it denies is let through, and nothing is allowed
// that it does not allow.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileAllow, compileDeny, compileSchema } from '../../src/security/paths/operator-pattern.ts';
import { escapesOf } from '../harness/figures.ts';
import { runs } from '../harness/runs.ts';
import { codeOf, place } from './fixture.ts';

const ONE = [{ name: undefined }];
const denies = (pattern: string, path: string) => compileDeny([pattern], ONE)(path.split('/'));

describe('what an operator denied stays denied [DIS-5]', () => {
  it.each([
    { pattern: '{**/secrets.yaml,**/keys.yaml}', path: 'secrets.yaml', why: 'braces around two stars' },
    { pattern: '{**/secrets.yaml,**/keys.yaml}', path: 'a/b/keys.yaml', why: 'and below' },
    { pattern: '{prod/**,**/private/**}', path: 'private/x.yaml', why: 'two stars in the second choice' },
    { pattern: '{a/**,b}/*.yaml', path: 'a/x.yaml', why: 'two stars in the first choice' },
    { pattern: '{a,{b,c/**}}/x.yaml', path: 'c/x.yaml', why: 'and in an inner one' },
    { pattern: 'Stra?e/**', path: 'Straße/x.yaml', why: 'a letter that folds to two behind a question mark' },
    {
      pattern: 'Straße/**',
      path: 'STRASSE/x.yaml',
      why: 'a letter that folds to two, by its other spelling',
    },
    { pattern: '[a-z]x/**', path: 'Ax/y.yaml', why: 'a class, in the other case' },
    { pattern: '[A-Z]x/**', path: 'ax/y.yaml', why: 'the same the other way round' },
    { pattern: 'prod/**', path: 'ＰＲＯＤ/y.yaml', why: 'full width' },
  ])('$pattern denies $path: $why', ({ pattern, path }) => {
    expect(denies(pattern, path)).toBe(true);
    expect(compileSchema(pattern.includes('/') ? pattern : `${pattern}/**`, ONE)(path.split('/'))).toBe(true);
  });

  it.each(['x[A-_]y', '[Z-a]', 'a[ß]b', '[ǆ].yaml', 'a[ﬃ]b'])(
    '%s stops the start: folding would take letters out',
    (pattern) => {
      expect(codeOf(() => place().open('fd-walk', { deny: [pattern] }))).toBe('StartError');
    },
  );
});

/** Straight from what the words say: slow, and without any code or library in common. */
function naive(pattern: string, path: string): boolean {
  const group = /\{([^{}]*)\}/u.exec(pattern);
  if (group !== null) {
    const [whole, inside = ''] = group;
    const end = group.index + whole.length;
    return inside
      .split(',')
      .some((choice) => naive(pattern.slice(0, group.index) + choice + pattern.slice(end), path));
  }
  return covers(pattern.split('/'), path.split('/'));
}

function covers([part, ...parts]: readonly string[], names: readonly string[]): boolean {
  if (part === undefined) return names.length === 0;
  if (part === '**')
    return covers(parts, names) || (names.length > 0 && covers([part, ...parts], names.slice(1)));
  const [name, ...rest] = names;
  return name !== undefined && fits(part, name) && covers(parts, rest);
}

function fits(part: string, name: string): boolean {
  if (part === '') return name === '';
  if (part.startsWith('*')) return fits(part.slice(1), name) || (name !== '' && fits(part, name.slice(1)));
  const set = /^\[([^\]]*)\]/u.exec(part);
  const [first = ''] = name;
  if (first === '') return false;
  if (set === null) return (part[0] === '?' || part[0] === first) && fits(part.slice(1), name.slice(1));
  return (set[1] ?? '').includes(first) && fits(part.slice(set[0].length), name.slice(1));
}

const LETTERS = ['a', 'b', 'A', 'B', 'x', 'é', 'ß', '.'];
const nameOf = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 3 })
  .map((letters) => letters.join(''));
const pathOf = fc.array(nameOf, { minLength: 1, maxLength: 4 });
const partOf = fc.oneof(
  { weight: 1, arbitrary: fc.constant('**') },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...LETTERS, '*', '?', '[ab]', '{a,b}', '{a,x*}', '{a,ab,?}'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((pieces) => pieces.join('')),
  },
  { weight: 1, arbitrary: fc.constantFrom('{**,a}', '{a/**,b}', '{**/a,**/b}', '{a,{b,x/**}}') },
);
const patternOf = fc.array(partOf, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
/** Half of the paths are made of the pattern's own text, so that many match. */
const casesOf = patternOf.chain((pattern) => {
  const own = patternOf.map((other) =>
    `${pattern}/${other}`
      .replaceAll(/\*\*\/?|[{}*]|,[^}]*/gu, '')
      .replaceAll(/\[ab\]|\?/gu, 'a')
      .split('/')
      .slice(0, pattern.split('/').length)
      .filter((name) => name !== ''),
  );
  return fc.tuple(fc.constant(pattern), fc.array(fc.oneof(pathOf, own), { minLength: 10, maxLength: 10 }));
});

/** Of letters that have one capital: what folds to several letters is several to a question mark. */
function inCapitals(name: string): string {
  return Array.from(name, (letter) => (letter === 'ß' ? letter : letter.toUpperCase())).join('');
}

function compiled<Test>(compile: () => Test): Test | undefined {
  try {
    return compile();
  } catch {
    return undefined;
  }
}

it('agrees with the naive matcher on 10,000 random patterns and 100,000 paths, but for what is safe [DIS-5]', () => {
  let [asked, denied, allowed] = [0, 0, 0];
  const escapes: string[] = [];
  const check = (pattern: string, paths: readonly (readonly string[])[]): void => {
    const deny = compiled(() => compileDeny([pattern], ONE));
    const allow = compiled(() => compileAllow([pattern], ONE));
    for (const names of paths) {
      // No path has a name that ends with a dot.
      if (names.length === 0 || names.some((name) => name.endsWith('.'))) continue;
      asked += 1;
      const above = names.map((_, index) => names.slice(0, index + 1).join('/'));
      if (deny !== undefined && above.some((path) => naive(pattern, path))) {
        denied += 1;
        for (const spelling of [names, names.map(inCapitals), names.map((name) => name.normalize('NFD'))])
          if (!deny(spelling)) escapes.push(`${pattern} on ${spelling.join('/')}`);
      }
      if (allow?.(names) === true) {
        allowed += 1;
        if (!naive(pattern, names.join('/'))) escapes.push(`${pattern} on ${names.join('/')}`);
      }
    }
  };
  fc.assert(
    fc.property(casesOf, ([pattern, paths]) => check(pattern, paths)),
    { numRuns: runs(10_000), seed: 20261122 },
  );
  expect(escapesOf('patterns', 3 * denied + allowed, escapes)).toEqual([]);
  expect(Math.min(denied, allowed)).toBeGreaterThan(0.03 * asked);
});
