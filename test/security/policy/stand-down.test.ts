// After a person's no the rules that ask nobody stand down: for the same nodes, however the change comes about the next time.
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import {
  compileRules,
  type FileFacts,
  judge,
  type LeafChange,
  type Level,
  type StandDown,
  touchedNodes,
} from '../../../src/security/index.ts';
import { factsOf } from './json-facts.ts';

const no = (...touched: readonly string[]): StandDown => ({
  ...{ preview: 'p', by: 'ann', until: '2026-01-02T00:00:00.000Z', touched },
});

async function levelOf(
  facts: FileFacts,
  noes: readonly StandDown[],
  { rule = 'direct', asks = 'human' }: { readonly rule?: Level; readonly asks?: 'client' | 'human' } = {},
) {
  const policy = await readPolicy(`default: ${rule}\nrules: []\n`);
  return judge({ ...facts, refused: { asks, noes } }, compileRules(policy), [], 'direct');
}

const leaf = (change: Partial<LeafChange>): FileFacts => ({
  documents: [{ before: undefined, after: undefined }],
  changes: [{ op: 'replace', doc: 0, path: [], ...change }],
});

interface Case {
  readonly why: string;
  readonly said: readonly string[];
  readonly facts: FileFacts;
  readonly level: Level;
}

const at = (level: Level, cases: readonly Omit<Case, 'level'>[]): readonly Case[] =>
  cases.map((one) => ({ ...one, level }));

const CASES: readonly Case[] = [
  ...at('human', [
    { why: 'the same node again', said: ['/a/b'], facts: factsOf({ a: { b: 1 } }, { a: { b: 2 } }) },
    { why: 'another value for it', said: ['/a'], facts: factsOf({ a: 1 }, { a: 'x' }) },
    { why: 'a node below it', said: ['/a'], facts: factsOf({ a: { b: 1 } }, { a: { b: 2 } }) },
    { why: 'the parent goes', said: ['/a/b'], facts: factsOf({ a: { b: 1 } }, {}) },
    { why: 'the parent becomes a scalar', said: ['/a/b/c'], facts: factsOf({ a: { b: {} } }, { a: 1 }) },
    { why: 'the key is renamed away', said: ['/a'], facts: factsOf({ a: 1 }, { z: 1 }) },
    { why: 'the key is renamed back', said: ['/a'], facts: factsOf({ z: 1 }, { a: 1 }) },
    { why: 'the key in capitals', said: ['/a'], facts: factsOf({ A: 1 }, { A: 2 }) },
    {
      why: 'the key in another form of Unicode',
      said: ['/\u00e9'],
      facts: factsOf({ 'e\u0301': 1 }, { 'e\u0301': 2 }),
    },
    { why: 'a key with a slash', said: ['/a~1b'], facts: factsOf({ 'a/b': 1 }, { 'a/b': 2 }) },
    { why: 'a key with a tilde', said: ['/a~01'], facts: factsOf({ 'a~1': 1 }, { 'a~1': 2 }) },
    {
      why: 'another item of the list',
      said: ['/a/3/b'],
      facts: factsOf({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }),
    },
    { why: 'the same path in another document', said: ['/a'], facts: leaf({ doc: 0, path: ['a'] }) },
    { why: 'a comment of it', said: ['/a'], facts: leaf({ op: 'comment', path: ['a'] }) },
    { why: 'the layout of the document', said: ['/a'], facts: leaf({ op: 'layout' }) },
    { why: 'what differs nobody can tell', said: ['/a/b'], facts: leaf({ isVague: true, path: ['a'] }) },
    { why: 'the file is deleted', said: ['/a'], facts: leaf({ op: 'delete', doc: undefined }) },
    { why: 'the file is created', said: ['/a'], facts: leaf({ op: 'create', doc: undefined }) },
    { why: 'lines of the file change', said: ['/a'], facts: leaf({ op: 'text', doc: undefined }) },
    { why: 'anything after a no to the whole file', said: [''], facts: factsOf({ b: 1 }, { b: 2 }) },
    { why: 'a list that becomes a mapping', said: ['/a/0'], facts: factsOf({ a: {} }, { a: { x: 1 } }) },
    { why: 'a key where an item was', said: ['/a/0'], facts: leaf({ path: ['a', 'x'] }) },
    { why: 'a mapping that becomes a list', said: ['/a/x'], facts: factsOf({ a: [1] }, { a: [2] }) },
    { why: 'an item behind the tenth', said: ['/a/10'], facts: leaf({ path: ['a', 12] }) },
    {
      why: 'lines of the file, after a no of which nobody knows what it was about',
      said: [],
      facts: leaf({ op: 'text', doc: undefined }),
    },
    { why: 'one of two nodes', said: ['/a', '/b'], facts: factsOf({ b: 1 }, { b: 2 }) },
  ]),
  ...at('direct', [
    { why: 'another node', said: ['/a'], facts: factsOf({ a: 1, b: 1 }, { a: 1, b: 2 }) },
    { why: 'a node whose name only begins so', said: ['/a'], facts: factsOf({ ab: 1 }, { ab: 2 }) },
    { why: 'a node beside it', said: ['/a/b'], facts: factsOf({ a: { c: 1 } }, { a: { c: 2 } }) },
    {
      why: 'a mapping with the key after the slash',
      said: ['/a~1b'],
      facts: factsOf({ a: { b: 1 } }, { a: { b: 2 } }),
    },
    {
      why: 'another field of the item',
      said: ['/a/0/b'],
      facts: factsOf({ a: [{ c: 1 }] }, { a: [{ c: 2 }] }),
    },
    { why: 'a key that ends in digits', said: ['/v2'], facts: factsOf({ v3: 1 }, { v3: 2 }) },
    { why: 'a key that begins with digits', said: ['/2v'], facts: factsOf({ '3v': 1 }, { '3v': 2 }) },
    { why: 'a key without a letter', said: ['/a/'], facts: factsOf({ a: { x: 1 } }, { a: { x: 2 } }) },
    {
      why: 'another key after one without a letter',
      said: ['/a/x'],
      facts: factsOf({ a: { '': 1 } }, { a: { '': 2 } }),
    },
  ]),
];

describe('after a no, a person is asked where', () => {
  it.each(CASES)('$why: $level [POL-8]', async ({ said, facts, level }) => {
    const { level: is, findings } = await levelOf(facts, [no(...said)]);
    expect(is).toBe(level);
    const because = findings.map(({ standDown }) => standDown?.touched);
    expect(because).toContainEqual(level === 'human' ? said : undefined);
  });

  it.each<{ rule: Level; asks: 'client' | 'human'; is: Level }>([
    { rule: 'direct', asks: 'human', is: 'human' },
    { rule: 'preview', asks: 'human', is: 'human' },
    { rule: 'client', asks: 'human', is: 'human' },
    { rule: 'human', asks: 'human', is: 'human' },
    { rule: 'deny', asks: 'human', is: 'deny' },
    { rule: 'direct', asks: 'client', is: 'client' },
    { rule: 'preview', asks: 'client', is: 'client' },
    { rule: 'client', asks: 'client', is: 'client' },
    { rule: 'deny', asks: 'client', is: 'deny' },
  ])('the rules say $rule and $asks can be asked: $is', async ({ rule, asks, is }) => {
    const { level, findings } = await levelOf(factsOf({ a: 1 }, { a: 2 }), [no('/a')], { rule, asks });
    expect(level).toBe(is);
    expect(findings.map(({ standDown }) => standDown !== undefined)).toEqual([is !== rule]);
  });

  it('the reason is the no that holds longest', async () => {
    const noes = ['2026-01-02', '2026-01-04', '2026-01-03'].map((until) => ({ ...no('/a'), until }));
    const { findings } = await levelOf(factsOf({ a: 1 }, { a: 2 }), noes);
    expect(findings.map(({ standDown }) => standDown?.until)).toEqual(['2026-01-04']);
  });
});

describe('what a no is about', () => {
  it('is each node that differs, as a pointer', () => {
    const facts = factsOf(
      { a: { 'x/y': 1, '~': 1 }, b: [{ c: 1 }] },
      { a: { 'x/y': 2, '~': 2 }, b: [{ c: 2 }] },
    );
    expect(touchedNodes(facts)).toEqual(['/a/x~1y', '/a/~0', '/b/0/c']);
  });

  it('is the whole file where it is about no document', () => {
    expect(touchedNodes(leaf({ doc: undefined, op: 'text' }))).toEqual(['']);
    expect(touchedNodes(leaf({ op: 'layout' }))).toEqual(['']);
  });

  it('is what many have in common, and never less than they are', () => {
    const wide = (value: number) =>
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, value]));
    expect(touchedNodes(factsOf({ a: wide(1), b: 1 }, { a: wide(2), b: 2 }))).toEqual(['/a', '/b']);
    expect(touchedNodes(factsOf(wide(1), wide(2)))).toEqual(['']);
    const [one, two] = [wide(1), wide(2)].map((all) => Object.fromEntries(Object.entries(all).slice(1)));
    expect(touchedNodes(factsOf(one, two)).length).toBe(100);
  });
});
