// `merge`: several keys in one operation, as JSON Merge Patch and Helm's value files mean it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { findNode, type Json, type Operation } from '../../../src/adapters/index.ts';
import { Refusal } from '../../../src/security/index.ts';
import { attempt, edited, type Language, parse } from '../editing/attempt.ts';

const VALUES = `# head
image:
  repository: web # ours
  tag: "1.4"  # pinned
replicas: 2
resources: {} # none yet
ports: [80, 443]
`;

interface Merging {
  readonly why: string;
  readonly before: string;
  readonly patch: Pick<Operation, 'value' | 'json'>;
  readonly path?: string;
  readonly after: string;
  readonly language?: Language;
}

const MERGING: readonly Merging[] = [
  {
    why: 'keys are set one by one, mappings key by key, and the others and all comments stay',
    before: VALUES,
    patch: { json: { image: { tag: '1.5' }, replicas: 3, ports: [8080] } },
    after: VALUES.replace('"1.4"', '"1.5"').replace('2\n', '3\n').replace('[80, 443]', '[8080]'),
  },
  {
    why: 'null takes a key away, and says nothing of one that is not there',
    before: VALUES,
    patch: { json: { image: { tag: null, none: null }, none: null } },
    after: VALUES.replace('  tag: "1.4"  # pinned\n', ''),
  },
  {
    why: 'a mapping that is missing comes without its nulls',
    before: 'a: 1\n',
    patch: { json: { b: { c: 1, d: null }, e: { f: null } } },
    after: 'a: 1\nb:\n  c: 1\ne: {}\n',
  },
  {
    why: 'a scalar, a list and null give way to a mapping, and the other way round',
    before: 'a: 1\nb:\n  - 1\nc:\nd:\n  x: 1\n',
    patch: { json: { a: { x: 1 }, b: { x: 1 }, c: { x: 1 }, d: 'd' } },
    after: 'a:\n  x: 1\nb:\n  x: 1\nc:\n  x: 1\nd: d\n',
  },
  {
    why: 'an empty mapping changes none that is there',
    before: VALUES,
    patch: { json: { image: {}, resources: {} } },
    after: VALUES,
  },
  {
    why: 'a fragment is used as it is, with its comments where they are of new keys',
    before: 'a: 1 # one\nb: {c: 1}\n',
    patch: { value: '# of a\na: 0x2\n# of new\nnew: &n  # n\n  k: v   # v\nb: {d: "2"}\nlast: 3 # three' },
    after: 'a: 0x2 # one\nb: {c: 1, d: "2"}\n# of new\nnew: &n  # n\n  k: v   # v\nlast: 3 # three\n',
  },
  {
    why: 'below a path, which may be missing, with CRLF and without a last line break',
    before: 'a: 1\r\nb:\r\n  c: 1',
    patch: { json: { x: 1, w: { z: 2 } } },
    path: 'b.d',
    after: 'a: 1\r\nb:\r\n  c: 1\r\n  d:\r\n    x: 1\r\n    w:\r\n      z: 2',
  },
  {
    why: 'JSON',
    before: '{\n  "a": {"b": 1, "c": 2},\n  "d": 1.10\n}\n',
    patch: { json: { a: { b: null, c: 3 }, d: 2 } },
    after: '{\n  "a": {"c": 3},\n  "d": 2\n}\n',
    language: 'json',
  },
  {
    why: 'a merge key and an alias',
    before: 'x: &x {k: 1}\nb:\n  c: 1\n',
    patch: { value: 'b:\n  <<: *x\n  d: *x\n' },
    after: 'x: &x {k: 1}\nb:\n  <<: *x\n  c: 1\n  d: *x\n',
  },
];

test.each(MERGING)('$why', ({ before, patch, path = '', after, language }) => {
  expect(edited(before, { op: 'merge', path, ...patch }, language)).toBe(after);
});

test.each([
  { why: 'a list', before: 'a: 1\n', path: '', patch: { json: [1] }, code: 'VALUE_INVALID' },
  { why: 'a list into', before: 'a: [1]\n', path: 'a', patch: { json: { x: 1 } }, code: 'TYPE_MISMATCH' },
  { why: 'text', before: 'a: 1\n', path: '', patch: { value: 'a' }, code: 'VALUE_INVALID' },
  {
    why: 'through an alias',
    before: 'a: &a {b: 1}\nc: *a\n',
    path: '',
    patch: { json: { c: { b: 2 } } },
    code: 'ALIAS_CROSSED',
  },
  {
    why: 'an anchor away that is used',
    before: 'a: &a {b: 1}\nc: *a\n',
    path: '',
    patch: { json: { a: null } },
    code: 'ANCHOR_IN_USE',
  },
])('does not merge $why', ({ before, path, patch, code }) => {
  const outcome = attempt(before, { op: 'merge', path, ...patch });
  expect(outcome instanceof Refusal && outcome.code).toBe(code);
});

describe('for any two values', () => {
  const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.constantFrom('x', 'no', 'a b'));
  const key = fc.constantFrom('a', 'b', 'c', 'd e', '<');
  const { mapping } = fc.letrec<{ any: Json; mapping: Record<string, Json> }>((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, leaf, fc.array(leaf, { maxLength: 2 }), tie('mapping')),
    mapping: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  }));

  test.each(['yaml', 'json'] as const)('the result is what RFC 7396 says: %s', (language) => {
    fc.assert(
      fc.property(mapping, mapping, (target, patch) => {
        const before = `${JSON.stringify(target, null, 2)}\n`;
        const after = edited(before, { op: 'merge', path: '', json: patch }, language);
        const file = { format: FORMATS[language], stream: parse(after, language) };
        expect(findNode(file, '', 0).value()).toEqual(merged(target, patch));
      }),
      { seed: 42, numRuns: 100 },
    );
  });
});

/** As the RFC writes it. */
function merged(target: Json | undefined, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isOther = typeof target !== 'object' || target === null || Array.isArray(target);
  const result: Record<string, Json> = {};
  if (!isOther) Object.assign(result, target);
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete result[name];
    else result[name] = merged(result[name], part);
  }
  return result;
}
