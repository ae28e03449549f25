// `move` and `copy`: a part with its comments and its style, to another place of the same file.
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/adapters/index.ts';
import { Refusal } from '../../../src/security/index.ts';
import { attempt, edited, type Language } from '../editing/attempt.ts';

interface Transfer {
  readonly why: string;
  readonly before: string;
  readonly operation: Operation;
  readonly after: string;
  readonly language?: Language;
}

const COMPOSE = `services:
  # the web
  web: # front
    image: "web:1"   # pinned
    command: |
      run
        it
  db:
    image: db
volumes: {}
`;
const WEB = `  # the web
  web: # front
    image: "web:1"   # pinned
    command: |
      run
        it
`;
const LIST = 'l:\n# one\n- a: 1\n  b: 1\n- two # 2\n- three\n';

const TRANSFERS: readonly Transfer[] = [
  ...(
    [
      ['a: &x 1\nb: *x\n', 'a: &x 1\nb: *x\nc: 1\n'],
      ['a: &x !!str 1 # c\n', 'a: &x !!str 1 # c\nc: !!str 1 # c\n'],
      ['a: &x # c\n  d: &y 1\n', 'a: &x # c\n  d: &y 1\nc: # c\n  d: 1\n'],
      ['a: {d: &x [1]}\n', 'a: {d: &x [1]}\nc: {d: [1]}\n'],
      ['o: &o 1\na: [&x 1, *o]\n', 'o: &o 1\na: [&x 1, *o]\nc: [1, *o]\n'],
    ] as const
  ).map(([before, after]) => {
    const operation = { op: 'copy', path: 'a', to: '', key: 'c' } as const;
    return { why: `a copy goes without anchors: ${before}`, before, operation, after };
  }),
  ...(
    [
      ['its path', { after: 'r[1]' }, 'bac'],
      ['a path from the end', { after: '[-1]' }, 'bca'],
      ['its pointer', { after: '/r/1' }, 'bac'],
      ['a field', { before: '[alert=c]' }, 'bac'],
      ['the text of a field', { after: 'c' }, 'bca'],
      ['the item itself', { after: 'a' }, 'abc'],
    ] as const
  ).map(([by, place, order]) => {
    const items: Record<string, string> = {
      a: '- alert: a\n',
      b: '# b\n- alert: b\n  for: 1m\n',
      c: '- alert: c\n',
    };
    const listed = (names: string) => `r:\n${[...names].map((name) => items[name]).join('')}`;
    const operation = { op: 'move', path: 'r[0]', to: 'r', ...place } as const;
    return {
      why: `an item beside another, named by ${by}`,
      before: listed('abc'),
      operation,
      after: listed(order),
    };
  }),
  {
    why: 'an item up, beside a text',
    before: 'l: [a, b, c]\n',
    operation: { op: 'move', path: 'l[2]', to: 'l', before: 'b' },
    after: 'l: [a, c, b]\n',
  },
  {
    why: 'a copy right behind an item of another list, above the comment of the next',
    before: 'x: [1]\nl:\n  - a\n  # b\n  - b\n',
    operation: { op: 'copy', path: 'x[0]', to: 'l', after: 'a' },
    after: 'x: [1]\nl:\n  - a\n  - 1\n  # b\n  - b\n',
  },
  {
    why: 'a new item beside another',
    before: 'c:\n- name: a\n  v: 1\n\n# b\n- name: b\n',
    operation: { op: 'insert', path: 'c', after: 'a', value: 'name: x\nv: 2' },
    after: 'c:\n- name: a\n  v: 1\n\n- name: x\n  v: 2\n\n# b\n- name: b\n',
  },
  {
    why: 'a new item of the root before another',
    before: '- name: a\n- name: b\n',
    operation: { op: 'insert', path: '', before: '[name=b]', value: 'name: x' },
    after: '- name: a\n- name: x\n- name: b\n',
  },
  {
    why: 'a text that is an item before one that only looks like a selector',
    before: "l: [a, '[0]', c]\n",
    operation: { op: 'move', path: 'l[2]', to: 'l', before: '[0]' },
    after: "l: [a, c, '[0]']\n",
  },
  {
    why: 'a copy under another key has the comments and the style of the first',
    before: COMPOSE,
    operation: { op: 'copy', path: 'services.web', to: 'services', key: 'web2' },
    after: COMPOSE.replace('volumes', `${WEB.replace('web:', 'web2:')}volumes`),
  },
  {
    why: 'an item of a template whose first line could be taken for a key above the others',
    language: 'template',
    before: 'p:\n  - port: {{ .p }}\n    name: a\nb: 1\n',
    operation: { op: 'copy', path: 'p[0]', to: '', key: 'q' },
    after: 'p:\n  - port: {{ .p }}\n    name: a\nb: 1\nq:\n  port: {{ .p }}\n  name: a\n',
  },
  {
    why: 'a text that keeps its blank lines comes with as many',
    before: 'a: |+\n  x\n\nb: [y]\n',
    operation: { op: 'copy', path: 'a', to: 'b', index: 0 },
    after: 'a: |+\n  x\n\nb: ["x\\n\\n", y]\n',
  },
  {
    why: 'a table with the comment behind its header',
    language: 'toml',
    before: '[t] # hi\na = 1\n[t.sub] # sub\nx = 1\n',
    operation: { op: 'copy', path: 't', to: '', key: 'u' },
    after: '[t] # hi\na = 1\n[t.sub] # sub\nx = 1\n[u] # hi\na = 1\n[u.sub] # sub\nx = 1\n',
  },
  {
    why: 'and one of an array',
    language: 'toml',
    before: '[[t]] # hi\na = 1\n',
    operation: { op: 'copy', path: 't[0]', to: 't' },
    after: '[[t]] # hi\na = 1\n\n[[t]] # hi\na = 1\n',
  },
  {
    why: 'beside a neighbour that is named',
    before: COMPOSE,
    operation: { op: 'copy', path: 'services.web', to: 'services', key: 'web2', after: 'web' },
    after: COMPOSE.replace('  db:', `${WEB.replace('web:', 'web2:')}  db:`),
  },
  {
    why: 'keys of one mapping change their order',
    before: COMPOSE,
    operation: { op: 'move', path: 'services.db', to: 'services', before: 'web' },
    after: `services:\n  db:\n    image: db\n${WEB}volumes: {}\n`,
  },
  {
    why: 'to the top of the file, indented anew',
    before: COMPOSE,
    operation: { op: 'move', path: 'services.web', to: '', before: 'services' },
    after: `${WEB.replaceAll(/^ {2}/gm, '')}services:\n  db:\n    image: db\nvolumes: {}\n`,
  },
  {
    why: 'into an empty mapping, which grows',
    before: 'a:\n  # c\n  k:\n    - 1\nb: {}\n',
    operation: { op: 'copy', path: 'a.k', to: 'b' },
    after: 'a:\n  # c\n  k:\n    - 1\nb:\n  # c\n  k:\n    - 1\n',
  },
  {
    why: 'into null',
    before: 'a:\n  k: 1 # c\nb:\n',
    operation: { op: 'copy', path: 'a.k', to: 'b' },
    after: 'a:\n  k: 1 # c\nb:\n  k: 1 # c\n',
  },
  {
    why: 'the only part leaves an empty mapping',
    before: 'a:\n  k: 0x1 # c\nb:\n  x: 1\n',
    operation: { op: 'move', path: 'a.k', to: 'b', key: 'K' },
    after: 'a: {}\nb:\n  x: 1\n  K: 0x1 # c\n',
  },
  {
    why: 'the items of a list change their order: the index is that afterwards',
    before: LIST,
    operation: { op: 'move', path: 'l[0]', to: 'l', index: 1 },
    after: 'l:\n- two # 2\n# one\n- a: 1\n  b: 1\n- three\n',
  },
  {
    why: 'an item goes to the end of its list',
    before: LIST,
    operation: { op: 'move', path: 'l[1]', to: 'l' },
    after: 'l:\n# one\n- a: 1\n  b: 1\n- three\n- two # 2\n',
  },
  {
    why: 'an item behind one that goes is still the one that is meant',
    before: 'l:\n- x\n- k:\n  - a\n',
    operation: { op: 'move', path: 'l[0]', to: 'l[1].k' },
    after: 'l:\n- k:\n  - a\n  - x\n',
  },
  {
    why: 'an item becomes an entry, and its comment goes with it',
    before: `${LIST}m:\n  x: 1\n`,
    operation: { op: 'move', path: 'l[0]', to: 'm', key: 'k' },
    after: 'l:\n- two # 2\n- three\nm:\n  x: 1\n  # one\n  k:\n    a: 1\n    b: 1\n',
  },
  {
    why: 'an entry becomes an item',
    before: 'm:\n  # c\n  k: {a: 1}   # d\nl:\n  - 1\n',
    operation: { op: 'copy', path: 'm.k', to: 'l' },
    after: 'm:\n  # c\n  k: {a: 1}   # d\nl:\n  - 1\n  # c\n  - {a: 1} # d\n',
  },
  {
    why: 'into brackets, on one line',
    before: 'm:\n  k:\n    a: 1\n    b: [x]\nf: {c: 1}\n',
    operation: { op: 'copy', path: 'm.k', to: 'f' },
    after: 'm:\n  k:\n    a: 1\n    b: [x]\nf: {c: 1, k: {a: 1, b: [x]}}\n',
  },
  {
    why: 'to another document',
    before: '# f\n\na:\n  # c\n  k: &x 1\n  l: *x\n  z: 0\n---\nb: 1\n',
    operation: { op: 'move', path: 'a', doc: 0, to: '', to_doc: 1, key: 'aa' },
    after: '# f\n\n{}\n---\nb: 1\naa:\n  # c\n  k: &x 1\n  l: *x\n  z: 0\n',
  },
  {
    why: 'with CRLF and without a last line break',
    before: 'a:\r\n  k: |\r\n    x\r\n    y\r\n  l: 1\r\nb:\r\n    c: 2',
    operation: { op: 'move', path: 'a.k', to: 'b' },
    after: 'a:\r\n  l: 1\r\nb:\r\n    c: 2\r\n    k: |\r\n      x\r\n      y\r\n',
  },
  {
    why: 'where it stands already nothing changes',
    before: COMPOSE,
    operation: { op: 'move', path: 'services.web', to: 'services' },
    after: COMPOSE,
  },
  {
    why: 'in JSON',
    before: '{\n  "a": {\n    "k": {\n      "x": 1.10\n    },\n    "l": 1\n  },\n  "b": {}\n}\n',
    operation: { op: 'move', path: 'a.k', to: '', key: 'c', before: 'b' },
    after: '{\n  "a": {\n    "l": 1\n  },\n  "c": {\n    "x": 1.10\n  },\n  "b": {}\n}\n',
    language: 'json',
  },
  {
    why: 'in a list of JSON',
    before: '{"a": [1, {"b": 2}, 3]}',
    operation: { op: 'move', path: 'a[2]', to: 'a', index: 0 },
    after: '{"a": [3, 1, {"b": 2}]}',
    language: 'json',
  },
  {
    why: 'an alias that means the same there',
    before: 'x: &x 1\na:\n  k: *x\nb:\n  c: 1\n',
    operation: { op: 'copy', path: 'a.k', to: 'b' },
    after: 'x: &x 1\na:\n  k: *x\nb:\n  c: 1\n  k: *x\n',
  },
];

test.each(TRANSFERS)('$why', ({ before, operation, after, language }) => {
  expect(edited(before, operation, language)).toBe(after);
});

test.each<{ why: string; before: string; operation: Operation; code: string }>([
  { why: 'the root', before: 'a: {}\n', operation: { op: 'move', path: '', to: 'a' }, code: 'TYPE_MISMATCH' },
  {
    why: 'a node into itself',
    before: 'a:\n  b: {}\n',
    operation: { op: 'move', path: 'a', to: 'a.b' },
    code: 'TYPE_MISMATCH',
  },
  {
    why: 'to a place that is not there',
    before: 'a:\n  b: {}\n',
    operation: { op: 'move', path: 'a.b', to: 'c' },
    code: 'NODE_NOT_FOUND',
  },
  {
    why: 'to a key that is taken',
    before: 'a: {k: 1}\nb: {k: 2}\n',
    operation: { op: 'move', path: 'a.k', to: 'b' },
    code: 'DUPLICATE_KEY',
  },
  {
    why: 'an item into a mapping without a key',
    before: 'a: [1]\nb: {}\n',
    operation: { op: 'move', path: 'a[0]', to: 'b' },
    code: 'VALUE_INVALID',
  },
  {
    why: 'an anchor away from its aliases',
    before: 'a:\n  k: &x 1\n  l: 1\nb: {c: *x}\n',
    operation: { op: 'move', path: 'a.k', to: 'b' },
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'an anchor twice into one document, with its alias',
    before: 'a:\n  k: {l: &x 1, m: *x}\nb: {}\n',
    operation: { op: 'copy', path: 'a.k', to: 'b' },
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'an alias before its anchor',
    before: 'b:\n  c: 1\nx: &x 1\nk: *x\n',
    operation: { op: 'move', path: 'k', to: 'b' },
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'an alias to another document',
    before: 'x: &x 1\nk: *x\n---\nb: &x 2\n',
    operation: { op: 'copy', path: 'k', doc: 0, to: '', to_doc: 1 },
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'an alias that would mean a later node of that name',
    before: 'x: &x 1\nk: *x\ny: &x 2\nb:\n  c: 1\n',
    operation: { op: 'copy', path: 'k', to: 'b' },
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'beside an item that is not there',
    before: 'l: [a, b]\n',
    operation: { op: 'move', path: 'l[0]', to: 'l', after: 'c' },
    code: 'NODE_NOT_FOUND',
  },
  {
    why: 'beside one of several items',
    before: 'l: [{n: a}, {m: a}, b]\n',
    operation: { op: 'move', path: 'l[2]', to: 'l', before: 'a' },
    code: 'NODE_NOT_FOUND',
  },
  {
    why: 'beside an item of another list',
    before: 'l: [a, b]\nm: [c]\n',
    operation: { op: 'move', path: 'l[0]', to: 'l', after: 'm[0]' },
    code: 'NODE_NOT_FOUND',
  },
  {
    why: 'a new item beside a key, without one of its own',
    before: 'a: {b: 1}\n',
    operation: { op: 'insert', path: 'a', after: 'b', json: 1 },
    code: 'TYPE_MISMATCH',
  },
  {
    why: 'a key that carries an anchor',
    before: '&k a: 1\nb: {c: *k}\n',
    operation: { op: 'move', path: 'a', to: 'b' },
    code: 'KEY_IS_SHARED',
  },
])('does not go: $why', ({ before, operation, code }) => {
  const outcome = attempt(before, operation);
  expect(outcome instanceof Refusal ? outcome.code : outcome.after).toBe(code);
});
