// From a path to the node: what is found, what is missing, and what is refused instead of guessed.
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { locate, locateExisting } from '../../../src/adapters/tree/locate.ts';
import { sliceOf } from '../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS, parseNodePath, printNodePath } from '../../../src/security/index.ts';
import { refusalOf } from '../../security/fixture.ts';

const TEXT = `on: 1
1: one
1.0: float
2024-01-01: date
~: tilde
"quoted": q
'single': s
"esc\\u0061ped": e
"on2": x
null: n
? complex key
: c
? [a, b]
: list key
list:
- x
- {deep: [1, 2]}
empty:
anchor: &a {k: v}
alias: *a
dup: 1
dup: 2
a.b: dotted
? |
  block
: b
`;

function documentOf(text: string) {
  const [document] = FORMATS.yaml.parse(text, DEFAULT_LIMITS).documents;
  if (document === undefined) throw new Error('a stream has a document');
  return document;
}

function find(path: string, text = TEXT) {
  return locate(documentOf(text), parseNodePath(path));
}

describe('finds', () => {
  test.each([
    { path: 'on', slice: '1', why: 'a key is its source text, not a boolean' },
    { path: '1', slice: 'one', why: 'nor a number' },
    { path: '["1.0"]', slice: 'float', why: '1.0 is another key than 1' },
    { path: '2024-01-01', slice: 'date', why: 'nor a date' },
    { path: '~', slice: 'tilde', why: 'nor null' },
    { path: 'null', slice: 'n', why: 'and null is another than ~' },
    { path: 'quoted', slice: 'q', why: 'quoted keys by what they say' },
    { path: 'single', slice: 's', why: 'single quotes too' },
    { path: 'escaped', slice: 'e', why: 'escapes decoded' },
    { path: 'complex key', slice: 'c', why: 'explicit keys' },
    { path: '["block\\n"]', slice: 'b', why: 'even a block scalar as a key' },
    { path: 'list[1].deep[-1]', slice: '2', why: 'down and from the end' },
    { path: '/1', slice: 'one', why: "a pointer's digits in a mapping" },
    { path: '["a.b"]', slice: 'dotted', why: 'dots in quotes' },
    { path: 'alias', slice: '*a', why: 'the alias itself' },
    { path: 'empty', slice: '', why: 'an empty value' },
    { path: 'dup[#1]', slice: '1', why: 'the first of two equal keys' },
    { path: 'dup[#2]', slice: '2', why: 'and the second' },
    { path: 'on[#1]', slice: '1', why: 'the only one' },
  ])('$path: $why', ({ path, slice }) => {
    const located = find(path);
    expect(located.missing).toEqual([]);
    expect(sliceOf(TEXT, located.node)).toBe(slice);
    expect(find(printNodePath(located.path)).node).toEqual(located.node);
    expect(located.steps).toHaveLength(located.path.length);
  });
});

describe('says how far the path goes', () => {
  test.each([
    { path: 'nothing.below', found: '', missing: 'nothing.below' },
    { path: 'anchor.x.y', found: 'anchor', missing: 'x.y' },
    { path: 'list[2].a', found: 'list', missing: '[2].a' },
    { path: 'list[-3]', found: 'list', missing: '[-3]' },
    { path: '/list/-', found: 'list', missing: '-' },
    { path: 'empty.a[0]', found: 'empty', missing: 'a[0]' },
    { path: 'a.b', found: '', missing: 'a.b' },
    { path: 'dup[#3]', found: '', missing: 'dup[#3]' },
    { path: 'On', found: '', missing: 'On' },
  ])('$path', ({ path, found, missing }) => {
    const located = find(path);
    expect([printNodePath(located.path), printNodePath(located.missing)]).toEqual([found, missing]);
  });
});

describe('refuses', () => {
  test.each([
    { path: 'dup', code: 'DUPLICATE_KEY', why: 'which of the two' },
    { path: 'dup.x', code: 'DUPLICATE_KEY', why: 'on the way too' },
    { path: 'alias.k', code: 'ALIAS_CROSSED', why: 'what stands there belongs to another node' },
    { path: 'anchor[0]', code: 'TYPE_MISMATCH', why: 'an index in a mapping' },
    { path: 'list.x', code: 'TYPE_MISMATCH', why: 'a key in a list' },
    { path: 'on.x', code: 'TYPE_MISMATCH', why: 'below a scalar' },
  ])('$path: $why', ({ path, code }) => {
    expect(() => find(path)).toThrow(expect.objectContaining({ code }));
  });
});

describe('suggests paths that exist', () => {
  const NESTED = 'spec:\n  replicas: 1\n  template: {name: x}\nspice: 2\nlist: [1]\n"a.b": {c: 1}\n';
  test.each([
    { path: 'spec.replica', nearest: ['spec.replicas'] },
    { path: 'sepc.replicas', nearest: ['spec.replicas'] },
    { path: 'sepc.nothing', nearest: ['spec'] },
    { path: 'list[1]', nearest: [] },
    { path: 'a.b', nearest: ['["a.b"]'] },
    { path: 'qqq', nearest: [] },
  ])('$path', ({ path, nearest }) => {
    const refusal = refusalOf(() => locateExisting(documentOf(NESTED), parseNodePath(path), 'get'));
    expect(refusal?.code).toBe('NODE_NOT_FOUND');
    expect(refusal?.clues.nearestPaths?.slice(0, 1)).toEqual(nearest);
    for (const suggested of refusal?.clues.nearestPaths ?? [])
      expect(find(suggested, NESTED).missing).toEqual([]);
    if (nearest[0] !== undefined) expect(refusal?.message).toContain(`Nearest: ${nearest[0]}`);
  });
});
