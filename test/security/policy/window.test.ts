// Comparisons that count what was changed before: small allowed steps, and steps that nobody knows of, get no further than one.
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import {
  compileRules,
  type Json,
  judge,
  type Level,
  loadEngines,
  type Past,
} from '../../../src/security/index.ts';
import { dataOf, factsOf } from './json-facts.ts';

const [HOUR, NOW] = [3_600_000, 1_000 * 3_600_000];
/** How many hours ago, and from what to what. */
type Step = readonly [hours: number, from: Json | undefined, to: Json | undefined];

const at = (value: Json | undefined) => (value === undefined ? {} : { a: value });

function pastOf(steps: readonly Step[], knownSince = 0): Past {
  const changes = steps.map(([hours, from, to]) => ({
    at: NOW - hours * HOUR,
    before: dataOf(at(from)),
    after: dataOf(at(to)),
  }));
  return { now: NOW, knownSince, changes };
}

async function levelOf(change: string, from: Json | undefined, to: Json, past: Past | undefined) {
  const policy = await readPolicy(
    `rules:\n  - { id: r, paths: a, change: { ${change} }, then: direct, else: human }\n`,
  );
  await loadEngines(policy);
  const facts = factsOf(at(from), at(to));
  const documents = facts.documents.map((document) =>
    past === undefined ? document : { ...document, past: () => past },
  );
  return judge({ ...facts, documents }, compileRules(policy), ['yes'], 'direct').level;
}

const DAY = 'max_step: 20%, window: 24h';
const FIVE = 'max_step: 5, window: 24h';

const CASES: readonly {
  readonly why: string;
  readonly change: string;
  readonly steps?: readonly Step[];
  readonly knownSince?: number;
  readonly from: Json | undefined;
  readonly to: Json;
  readonly level: Level;
}[] = [
  { why: 'nothing was changed before', change: DAY, from: 100, to: 120, level: 'direct' },
  { why: 'the step itself is too large', change: DAY, from: 100, to: 121, level: 'human' },
  { why: 'it is too large downwards', change: DAY, from: 100, to: 79, level: 'human' },
  { why: 'of nothing no share is a step', change: DAY, from: 0, to: 1, level: 'human' },
  { why: 'a share of a negative number', change: DAY, from: -100, to: -120, level: 'direct' },
  { why: 'a text is no number', change: DAY, from: '100', to: 100, level: 'human' },
  { why: 'a second small step', change: DAY, steps: [[1, 100, 120]], from: 120, to: 121, level: 'human' },
  {
    why: 'a second step that stays near',
    change: DAY,
    steps: [[1, 100, 110]],
    from: 110,
    to: 120,
    level: 'direct',
  },
  {
    why: 'many small steps, the first long ago',
    change: FIVE,
    steps: [
      [1, 14, 15],
      [12, 12, 14],
      [23, 10, 12],
      [30, 5, 10],
    ],
    from: 15,
    to: 16,
    level: 'human',
  },
  {
    why: 'the value at the beginning of the window is near enough',
    change: FIVE,
    steps: [
      [1, 14, 15],
      [30, 5, 14],
    ],
    from: 15,
    to: 19,
    level: 'direct',
  },
  {
    why: 'up and down again, and further down',
    change: FIVE,
    steps: [
      [1, 15, 10],
      [2, 10, 15],
    ],
    from: 10,
    to: 9,
    level: 'human',
  },
  {
    why: 'the step was undone',
    change: FIVE,
    steps: [
      [1, 15, 10],
      [2, 10, 15],
    ],
    from: 10,
    to: 15,
    level: 'direct',
  },
  {
    why: 'somebody else has put it back in between, and the value stood all the same',
    change: FIVE,
    steps: [[1, 10, 15]],
    from: 10,
    to: 9,
    level: 'human',
  },
  {
    why: 'it is just outside the window',
    change: FIVE,
    steps: [[24, 1, 5]],
    from: 5,
    to: 10,
    level: 'direct',
  },
  { why: 'it is just inside', change: FIVE, steps: [[23.9, 1, 5]], from: 5, to: 10, level: 'human' },
  {
    why: 'the clock was set back, so that the change seems to come from the future',
    change: FIVE,
    steps: [[-48, 1, 5]],
    from: 5,
    to: 10,
    level: 'human',
  },
  {
    why: 'records within the window were dropped',
    change: FIVE,
    knownSince: NOW - HOUR,
    from: 5,
    to: 6,
    level: 'human',
  },
  {
    why: 'records from before the window were dropped',
    change: FIVE,
    knownSince: NOW - 24 * HOUR,
    from: 5,
    to: 6,
    level: 'direct',
  },
  {
    why: 'it was removed and added again',
    change: FIVE,
    steps: [
      [1, undefined, 5],
      [2, 5, undefined],
    ],
    from: 5,
    to: 6,
    level: 'human',
  },
  {
    why: 'it was created in the window',
    change: FIVE,
    steps: [[1, undefined, 5]],
    from: 5,
    to: 6,
    level: 'human',
  },
  {
    why: 'it was a text in between',
    change: FIVE,
    steps: [
      [1, 'x', 5],
      [2, 5, 'x'],
    ],
    from: 5,
    to: 6,
    level: 'human',
  },
  {
    why: 'a patch that is one to the value before too',
    change: 'semver: patch, window: 24h',
    steps: [[1, 'a:1.2.3', 'a:1.2.4']],
    from: 'a:1.2.4',
    to: 'a:1.2.5',
    level: 'direct',
  },
  {
    why: 'a patch of a minor that came an hour ago',
    change: 'semver: patch, window: 24h',
    steps: [[1, 'a:1.2.3', 'a:1.3.0']],
    from: 'a:1.3.0',
    to: 'a:1.3.1',
    level: 'human',
  },
  {
    why: 'back to the lower version of this morning',
    change: 'semver: not_lower, window: 24h',
    steps: [[1, 'a:1.2.3', 'a:1.3.0']],
    from: 'a:1.2.3',
    to: 'a:1.2.4',
    level: 'human',
  },
  {
    why: 'the third change where three are allowed',
    change: 'max_changes: 3, window: 24h',
    steps: [
      [1, 2, 3],
      [2, 1, 2],
    ],
    from: 3,
    to: 4,
    level: 'direct',
  },
  {
    why: 'the fourth',
    change: 'max_changes: 3, window: 24h',
    steps: [
      [1, 3, 4],
      [2, 2, 3],
      [3, 1, 2],
    ],
    from: 4,
    to: 5,
    level: 'human',
  },
  {
    why: 'changes of other nodes do not count',
    change: 'max_changes: 1, window: 24h',
    steps: [
      [1, 4, 4],
      [2, 4, 4],
    ],
    from: 4,
    to: 5,
    level: 'direct',
  },
  {
    why: 'one step too large, and few changes',
    change: `${FIVE}, max_changes: 9`,
    from: 1,
    to: 9,
    level: 'human',
  },
  {
    why: 'without a window the past does not count',
    change: 'max_step: 5',
    steps: [[1, 1, 5]],
    from: 5,
    to: 10,
    level: 'direct',
  },
];

describe('a window counts what was changed', () => {
  it.each(CASES)('$why [POL-7]', async ({ change, steps = [], knownSince, from, to, level }) => {
    expect(await levelOf(change, from, to, pastOf(steps, knownSince))).toBe(level);
  });

  it('and where nobody knows, nothing is within it', async () => {
    expect(await levelOf(FIVE, 5, 6, undefined)).toBe('human');
    expect(await levelOf('max_step: 5', 5, 6, undefined)).toBe('direct');
  });
});

describe('a policy does not start where a window', () => {
  it.each([
    { why: 'is no time', change: 'max_step: 5, window: 24', says: 'window: expected' },
    { why: 'has an unknown unit', change: 'max_step: 5, window: 24s', says: 'such as 30m' },
    { why: 'has no length', change: 'max_step: 5, window: 0h', says: 'such as 30m' },
    { why: 'is longer than a year', change: 'max_step: 5, window: 367d', says: 'at most 366d' },
    { why: 'counts nothing', change: 'window: 24h', says: 'what is counted' },
    { why: 'is of what must not change', change: 'unchanged: true, window: 24h', says: 'in any time' },
    { why: 'is left out of a count', change: 'max_changes: 3', says: 'it needs a window' },
    { why: 'counts half changes', change: 'max_changes: 1.5, window: 24h', says: 'a whole number' },
    { why: 'stands with a share of nothing', change: 'max_step: 0%, window: 24h', says: 'more than 0%' },
    {
      why: 'stands with a share that is none',
      change: 'max_step: "5 %", window: 24h',
      says: 'a number above 0',
    },
    {
      why: 'stands with versions and numbers',
      change: 'semver: patch, max_step: 5%',
      says: 'semver stands alone',
    },
    { why: 'stands with nothing at all', change: '', says: 'expected semver' },
  ])('$why', async ({ change, says }) => {
    const policy = `rules:\n  - { id: r, paths: a, change: { ${change} }, then: direct, else: human }\n`;
    await expect(readPolicy(policy)).rejects.toThrow(says);
  });
});

/** The versions of a document in the last hours, oldest first; the last two are the change that is judged. */
const LISTS: readonly { readonly why: string; readonly path: string; readonly of: readonly Json[] }[] = [
  {
    why: 'an item without a name comes in front of it',
    path: 'a[name=R].n',
    of: [
      [
        { name: 'R', n: 3 },
        { name: 'S', n: 5 },
      ],
      [
        { name: 'R', n: 5 },
        { name: 'S', n: 5 },
      ],
      [{ n: 5 }, { name: 'R', n: 5 }, { name: 'S', n: 5 }],
      [{ n: 5 }, { name: 'R', n: 7 }, { name: 'S', n: 5 }],
    ],
  },
  {
    why: 'the items change places',
    path: 'a[id=R].n',
    of: [
      [
        { id: 'R', n: 3 },
        { id: 'S', n: 5 },
      ],
      [
        { id: 'R', n: 5 },
        { id: 'S', n: 5 },
      ],
      [
        { id: 'S', n: 5 },
        { id: 'R', n: 5 },
      ],
      [
        { id: 'S', n: 5 },
        { id: 'R', n: 7 },
      ],
    ],
  },
  {
    why: 'items change places that are known by an index',
    path: 'a[0].n',
    of: [[{ name: 'R', n: 3 }], [{ name: 'R', n: 4 }], [{ name: 'S', n: 4 }], [{ name: 'S', n: 5 }]],
  },
  {
    why: 'it changes places in the change itself',
    path: 'a[*].n',
    of: [
      [{ n: 3 }, { n: 5 }],
      [{ n: 5 }, { n: 5 }],
      [{ n: 5 }, { n: 7 }, { n: 5 }],
    ],
  },
];

describe('the steps of an item of a list', () => {
  it.each(LISTS)('do not get further where $why [POL-7]', async ({ path, of }) => {
    const policy = await readPolicy(
      `default: direct\nrules:\n  - { id: r, paths: "${path}", ops: replace, change: { ${DAY.replace('20%', '2')} }, then: direct, else: human }\n`,
    );
    await loadEngines(policy);
    const versions = of.map((list): Json => ({ a: list }));
    const changes = versions.slice(1, -1).map((after, index) => ({
      at: NOW - HOUR,
      before: dataOf(versions[index]),
      after: dataOf(after),
    }));
    const facts = factsOf(versions.at(-2), versions.at(-1));
    const past = () => ({ now: NOW, knownSince: 0, changes });
    const documents = facts.documents.map((document) => ({ ...document, past }));
    expect(judge({ ...facts, documents }, compileRules(policy), ['yes'], 'direct').level).toBe('human');
    expect(judge(facts, compileRules(policy), ['no'], 'direct').level).toBe('direct');
  });

  it.each(['a[0].n', 'a[name=R].n', 'a[id=1].n'])(
    'count as those of a key where nothing moves: %s [POL-7]',
    async (path) => {
      const policy = await readPolicy(
        `rules:\n  - { id: r, paths: "${path}", change: { max_step: 2, window: 24h }, then: direct, else: human }\n`,
      );
      const [one, two, three] = [3, 4, 5].map((n): Json => ({ a: [{ name: 'R', id: 1, n, other: n }] }));
      const facts = factsOf(two, three);
      const changes = [{ at: NOW - HOUR, before: dataOf(one), after: dataOf(two) }];
      const past = () => ({ now: NOW, knownSince: 0, changes });
      const documents = facts.documents.map((document) => ({ ...document, past }));
      const { findings } = judge({ ...facts, documents }, compileRules(policy), ['yes'], 'direct');
      expect(findings.find(({ change }) => change.path.at(-1) === 'n')?.level).toBe('direct');
    },
  );
});
