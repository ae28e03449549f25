// Which level all changes of a file come to: the strictest of their findings, at least the bound. What each change has, and
// why, is in findings.test.ts; which nodes a rule is about, in match-path.test.ts.
import { expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import {
  compileRules,
  type FileFacts,
  type Json,
  judge,
  type Level,
  loadEngines,
  nearestAllowed,
  whatPasses,
} from '../../../src/security/index.ts';
import { factsOf } from './json-facts.ts';

async function levelOf(policy: string, facts: FileFacts, least: Level = 'direct') {
  const read = await readPolicy(policy);
  await loadEngines(read);
  const { level, findings } = judge(
    facts,
    compileRules(read),
    read.rules.map(() => 'yes'),
    least,
  );
  return { level, rules: findings.map(({ rule }) => rule?.id ?? 'default') };
}

const rule = (text: string, usual: Level = 'preview') =>
  `default: ${usual}\nrules:\n  - { id: r, ${text} }\n`;

/** By rule `r` where it names one, else by the default, which is preview. */
const CASES: readonly {
  readonly why: string;
  readonly rule: string;
  readonly before: Json;
  readonly after: Json;
  readonly level: Level;
}[] = [
  {
    why: 'a node of the type that the rule is about',
    rule: "paths: '**.image', type: mapping, then: human",
    before: { image: { tag: 1 } },
    after: { image: { tag: 2 } },
    level: 'human',
  },
  {
    why: 'a node of another type',
    rule: "paths: '**.image', type: mapping, then: human",
    before: { image: 'a' },
    after: { image: 'b' },
    level: 'preview',
  },
  {
    why: 'a node that has the type before it',
    rule: "paths: '**.image', type: mapping, then: human",
    before: { image: { tag: 1 } },
    after: { image: 'b' },
    level: 'human',
  },
  {
    why: 'a node that has the type after it',
    rule: "paths: '**.image', type: list, then: human",
    before: { image: 'a' },
    after: { image: ['b'] },
    level: 'human',
  },
  {
    why: 'what must be there goes',
    rule: 'paths: a.b, required: true, then: direct, else: deny',
    before: { a: { b: 1, c: 1 } },
    after: { a: { c: 1 } },
    level: 'deny',
  },
  {
    why: 'what must be there stays beside a change, which the rule does not name',
    rule: 'paths: a.b, required: true, then: direct, else: deny',
    before: { a: { b: 1, c: 1 } },
    after: { a: { b: 1, c: 2 } },
    level: 'preview',
  },
  {
    why: 'what must be there changes',
    rule: 'paths: a.b, required: true, then: direct, else: deny',
    before: { a: { b: 1 } },
    after: { a: { b: 2 } },
    level: 'direct',
  },
  {
    why: 'an item comes without what it must have',
    rule: "paths: 'a[*].b', required: true, then: direct, else: deny",
    before: { a: [{ b: 1 }] },
    after: { a: [{ b: 1 }, { c: 1 }] },
    level: 'deny',
  },
  {
    why: 'what must be there was never there',
    rule: 'paths: a.b, required: true, then: direct, else: deny',
    before: { a: { c: 1 } },
    after: { a: { c: 2 } },
    level: 'preview',
  },
  {
    why: 'all of it goes with what must be there',
    rule: 'paths: a.b, required: true, then: direct, else: deny',
    before: { a: { b: 1 }, c: 1 },
    after: { c: 1 },
    level: 'deny',
  },
  {
    why: 'an added number is near to the one that is meant where none stands',
    rule: 'paths: a, change: { max_step: 2, absent: 1 }, then: direct, else: human',
    before: { b: 1 },
    after: { a: 3, b: 1 },
    level: 'direct',
  },
  {
    why: 'an added number is too far from it',
    rule: 'paths: a, change: { max_step: 2, absent: 1 }, then: direct, else: human',
    before: { b: 1 },
    after: { a: 4, b: 1 },
    level: 'human',
  },
  {
    why: 'an added number is compared with nothing',
    rule: 'paths: a, change: { max_step: 2 }, then: direct, else: human',
    before: { b: 1 },
    after: { a: 2, b: 1 },
    level: 'human',
  },
  {
    why: 'a quantity is within its bounds',
    rule: 'paths: a, value: { quantity: { max: 1Gi } }, then: direct, else: deny',
    before: { a: '1Gi' },
    after: { a: '1024Mi' },
    level: 'direct',
  },
  {
    why: 'a quantity is beyond them',
    rule: 'paths: a, value: { quantity: { max: 1Gi } }, then: direct, else: deny',
    before: { a: '1Gi' },
    after: { a: '1.1Gi' },
    level: 'deny',
  },
  {
    why: 'a text is no quantity',
    rule: 'paths: a, value: { quantity: { max: 1Gi } }, then: direct, else: deny',
    before: { a: '1Gi' },
    after: { a: 'lots' },
    level: 'deny',
  },
  {
    why: 'a quantity is dangerous, and so is what is none',
    rule: 'paths: a, value: { quantity: { min: 1Gi } }, then: deny, else: direct',
    before: { a: '1Mi' },
    after: { a: 'lots' },
    level: 'deny',
  },
  {
    why: 'a rule names it',
    rule: 'paths: a, then: direct',
    before: { a: 1 },
    after: { a: 2 },
    level: 'direct',
  },
  {
    why: 'a rule names one of two',
    rule: 'paths: a, then: direct',
    before: { a: 1, b: 1 },
    after: { a: 2, b: 2 },
    level: 'preview',
  },
  {
    why: 'its parent goes',
    rule: 'paths: a.b, then: deny',
    before: { a: { b: 1 } },
    after: {},
    level: 'deny',
  },
  {
    why: 'its parent becomes a scalar',
    rule: 'paths: a.b, then: deny',
    before: { a: { b: 1 } },
    after: { a: 1 },
    level: 'deny',
  },
  {
    why: 'it becomes a mapping',
    rule: 'paths: a, value: { maximum: 9 }, then: direct',
    before: { a: 1 },
    after: { a: { b: 1 } },
    level: 'deny',
  },
  {
    why: 'an item is renamed and changed',
    rule: 'paths: "c[name=web].image", then: deny',
    before: { c: [{ name: 'web', image: 'x:1' }] },
    after: { c: [{ name: 'wep', image: 'x:2' }] },
    level: 'deny',
  },
  {
    why: 'its document leaves the rule',
    rule: 'doc: { kind: A }, paths: spec, then: deny',
    before: { kind: 'A', spec: 1 },
    after: { kind: 'B', spec: 2 },
    level: 'deny',
  },
];

it.each(CASES)('the level is $level where $why [POL-1]', async ({ rule: text, before, after, level }) => {
  expect((await levelOf(rule(text), factsOf(before, after))).level).toBe(level);
});

it('no rule and no default ask a person, also for no finding [POL-1]', async () => {
  expect((await levelOf('rules: []', factsOf({ a: 1 }, { a: 2 }))).level).toBe('human');
  expect((await levelOf('default: client', { documents: [], changes: [] })).level).toBe('client');
});

it('what a dangerous value must be decides before what cannot be compared [POL-2]', async () => {
  const policy = rule('paths: a, value: { minimum: 10 }, change: { max_step: 2 }, then: human, else: client');
  expect((await levelOf(policy, factsOf({}, { a: 5 }))).level).toBe('client');
  expect((await levelOf(policy, factsOf({}, { a: 15 }))).level).toBe('human');
});

it('a lower bound holds for all that rules let pass [POL-1]', async () => {
  const facts = factsOf({ a: 1 }, { a: 2 });
  expect(await levelOf(rule('paths: a, then: direct'), facts, 'client')).toEqual({
    level: 'client',
    rules: ['r'],
  });
  expect((await levelOf(rule('paths: a, then: deny'), facts, 'client')).level).toBe('deny');
});

it('offers no value that a rule about dangerous ones names [POL-1]', async () => {
  const [read] = (
    await readPolicy(rule('paths: a, value: { minimum: 10, maximum: 20 }, then: deny, else: direct'))
  ).rules;
  if (read === undefined) throw new Error('the policy has a rule');
  expect(nearestAllowed(read, { before: 'unclear', after: { value: 25 } })).toBeUndefined();
  expect(whatPasses(read)).toBe('anything but at least 10, at most 20');
});
