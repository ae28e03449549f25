// What operations may create on their way: collections out of nothing, out of null, and below keys that are missing.
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/adapters/index.ts';
import { Refusal } from '../../../src/security/index.ts';
import { attempt, edited, type Language } from '../editing/attempt.ts';

interface Growing {
  readonly why: string;
  readonly before: string;
  readonly operation: Operation;
  readonly after: string;
  readonly language?: Language;
}

const SPEC = 'spec:\n  a: 1 # one\n';
const DEFAULTS = 'x: &x {k: 1}\nsvc:\n  image: a\n';

const GROWING: readonly Growing[] = [
  {
    why: 'append makes a list of a key that is missing',
    before: SPEC,
    operation: { op: 'append', path: 'spec.volumes', json: { name: 'v' } },
    after: `${SPEC}  volumes:\n    - name: v\n`,
  },
  {
    why: 'a new list stands beside its key where the file has them so',
    before: `l:\n- 1\n${SPEC}`,
    operation: { op: 'append', path: 'spec.volumes', value: 'name: v\nb: 1' },
    after: `l:\n- 1\n${SPEC}  volumes:\n  - name: v\n    b: 1\n`,
  },
  {
    why: 'append makes the keys above the list where it is asked to',
    before: SPEC,
    operation: { op: 'append', path: 'spec.x.volumes', value: 'v', create: true },
    after: `${SPEC}  x:\n    volumes:\n      - v\n`,
  },
  {
    why: 'a new list in flow style stands in brackets',
    before: 'spec: {a: 1}\n',
    operation: { op: 'append', path: 'spec.volumes', value: '- a\n- b' },
    after: 'spec: {a: 1, volumes: [[a, b]]}\n',
  },
  {
    why: 'append makes a list of an explicit null, and its comment stays',
    before: 'spec: ~ # why\r\nb: 1',
    operation: { op: 'append', path: 'spec', value: 'a: 1\nb: 2' },
    after: 'spec: # why\r\n  - a: 1\r\n    b: 2\r\nb: 1',
  },
  {
    why: 'a new table of an array has its keys as far in as the tables beside it',
    before: '[[r]]\n  a = 1\n',
    operation: { op: 'append', path: 'r', json: { a: 2 } },
    after: '[[r]]\n  a = 1\n\n[[r]]\n  a = 2\n',
    language: 'toml',
  },
  {
    why: 'insert makes a mapping of a key that is missing',
    before: SPEC,
    operation: { op: 'insert', path: 'spec.env', key: 'A', json: 'x' },
    after: `${SPEC}  env:\n    A: x\n`,
  },
  {
    why: 'and a list, where it is asked for its first item',
    before: SPEC,
    operation: { op: 'insert', path: 'spec.env', index: 0, json: 'x' },
    after: `${SPEC}  env:\n    - x\n`,
  },
  {
    why: 'set makes a mapping of an explicit null',
    before: 'a: null # c\nb: ~\nc:\n',
    operation: { op: 'set', path: 'a.x', json: 1 },
    after: 'a: # c\n  x: 1\nb: ~\nc:\n',
  },
  {
    why: 'the anchor of a null stays, a tag of scalars goes',
    before: 'a: &k !!null null\nb: *k\n',
    operation: { op: 'set', path: 'a.x', json: 1 },
    after: 'a: &k\n  x: 1\nb: *k\n',
  },
  {
    why: 'a document that is null',
    before: '--- ~ # c\n',
    operation: { op: 'set', path: 'a', json: 1 },
    after: '--- # c\na: 1\n',
  },
  {
    why: 'null in JSON',
    before: '{"a": null, "b": [null]}',
    operation: { op: 'set', path: 'b[0].x.z', json: 1 },
    after: '{"a": null, "b": [{"x": {"z": 1}}]}',
    language: 'json',
  },
  {
    why: 'null in JSON as a list',
    before: '{"a": null}',
    operation: { op: 'append', path: 'a', json: 1 },
    after: '{"a": [1]}',
    language: 'json',
  },
  {
    why: 'a merge key is written without quotes, before the keys that it gives defaults to',
    before: DEFAULTS,
    operation: { op: 'set', path: 'svc.<<', value: '*x' },
    after: 'x: &x {k: 1}\nsvc:\n  <<: *x\n  image: a\n',
  },
  {
    why: 'or at the place that it is given',
    before: DEFAULTS,
    operation: { op: 'insert', path: 'svc', key: '<<', after: 'image', value: '*x' },
    after: `${DEFAULTS}  <<: *x\n`,
  },
  {
    why: 'a merge key of a mapping that is missing',
    before: 'x: &x {k: 1}\n',
    operation: { op: 'set', path: 'svc.<<', value: '*x' },
    after: 'x: &x {k: 1}\nsvc:\n  <<: *x\n',
  },
  {
    why: 'JSON has no merge key',
    before: '{"b": {"a": 1}}',
    operation: { op: 'set', path: 'b.<<', json: 'x' },
    after: '{"b": {"a": 1, "<<": "x"}}',
    language: 'json',
  },
];

test.each(GROWING)('$why', ({ before, operation, after, language }) => {
  expect(edited(before, operation, language)).toBe(after);
});

test.each<{ why: string; before: string; operation: Operation; code: string; advice?: string }>([
  {
    why: 'keys above the list, unless it is asked for',
    before: SPEC,
    operation: { op: 'append', path: 'spec.x.volumes', value: 'v' },
    code: 'NODE_NOT_FOUND',
    advice: 'Give "create": true',
  },
  {
    why: 'the list itself where it must not',
    before: SPEC,
    operation: { op: 'append', path: 'spec.volumes', value: 'v', create: false },
    code: 'NODE_NOT_FOUND',
    advice: 'Give "create": true',
  },
  {
    why: 'an item of a list that is missing',
    before: SPEC,
    operation: { op: 'append', path: 'spec.list[0].x', value: 'v', create: true },
    code: 'NODE_NOT_FOUND',
  },
  {
    why: 'a second item of a new list',
    before: SPEC,
    operation: { op: 'insert', path: 'spec.env', index: 1, json: 'x' },
    code: 'NODE_NOT_FOUND',
  },
  {
    why: 'a key beside one that is not there',
    before: SPEC,
    operation: { op: 'insert', path: 'spec.env', key: 'A', before: 'B', json: 'x' },
    code: 'NODE_NOT_FOUND',
  },
  {
    why: 'a list out of an empty mapping',
    before: 'a: {}\n',
    operation: { op: 'append', path: 'a', json: 1 },
    code: 'TYPE_MISMATCH',
  },
  {
    why: 'anything below a word that only looks like null',
    before: 'a: "null"\n',
    operation: { op: 'set', path: 'a.x', json: 1 },
    code: 'TYPE_MISMATCH',
  },
  {
    why: 'a merge of an alias of a list',
    before: 'x: &x [{k: 1}]\nb:\n  c: 1\n',
    operation: { op: 'insert', path: 'b', key: '<<', value: '*x' },
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'a merge of a scalar',
    before: DEFAULTS,
    operation: { op: 'set', path: 'svc.<<', json: 'x' },
    code: 'VALUE_INVALID',
  },
])('does not create $why', ({ before, operation, code, advice = '' }) => {
  const outcome = attempt(before, operation);
  if (!(outcome instanceof Refusal)) throw new Error(`it became ${outcome.after}`);
  expect(outcome.code).toBe(code);
  expect(outcome.clues.advice?.join(' ') ?? '').toContain(advice);
});
