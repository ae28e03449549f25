// What requests write as node paths: selectors, equal keys, and the spellings of other tools where they mean one thing.
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { resolvePath } from '../../../src/adapters/tree/resolve-path.ts';
import { DEFAULT_LIMITS, printNodePath } from '../../../src/security/index.ts';
import { refusalOf } from '../../security/fixture.ts';

const TEXT = `spec:
  replicas: 1
  containers:
  - name: web
    image: a
    env:
    - {name: LOG LEVEL, value: x}
    - {name: "1.10", value: y}
  - name: sidecar
    image: a
  ports: [80, http]
  labels: {app.kubernetes.io/name: web, foo: 1, 0: zero}
  "a/b": slash
  empty: []
  x.y: dots
  images: [{name: lib.db}, {name: lib/web, tag: 1}]
.hidden: {script: x}
hidden: {script: y}
.only: {script: z}
dup: 1
dup: {a: 2}
base: &base {list: [{name: n}]}
copy: *base
items:
- metadata: {name: first}
- metadata: {name: second}
`;

function resolve(path: string, creates = false, text = TEXT): string {
  const stream = FORMATS.yaml.parse(text, DEFAULT_LIMITS);
  const [document] = stream.documents;
  if (document === undefined) throw new Error('a stream has a document');
  return printNodePath(resolvePath({ stream, document }, path, creates));
}

describe('means one node', () => {
  test.each([
    { path: 'spec.containers[name=web].image', is: 'spec.containers[0].image', why: 'an item by its field' },
    { path: 'spec.containers[name=sidecar]', is: 'spec.containers[1]', why: 'the last step' },
    { path: 'spec.containers[ name = "web" ]', is: 'spec.containers[0]', why: 'blanks around the parts' },
    {
      path: 'spec.containers[0].env[name="LOG LEVEL"]',
      is: 'spec.containers[0].env[0]',
      why: 'a text in quotes',
    },
    {
      path: "spec.containers[0].env[name='LOG LEVEL']",
      is: 'spec.containers[0].env[0]',
      why: 'in single quotes',
    },
    { path: 'spec.containers[0].env[name=1.10]', is: 'spec.containers[0].env[1]', why: 'text, not a number' },
    {
      path: 'spec.containers[?(@.name=="web")].image',
      is: 'spec.containers[0].image',
      why: 'as JSONPath writes it',
    },
    { path: 'items[metadata.name=second]', is: 'items[1]', why: 'a field further down' },
    { path: 'spec.ports[.=http]', is: 'spec.ports[1]', why: 'an item that is the text' },
    { path: 'spec.containers.0.image', is: 'spec.containers[0].image', why: 'digits below a list' },
    {
      path: '/spec/containers/0/image',
      is: 'spec.containers[0].image',
      why: "a pointer's digits below a list",
    },
    { path: '/spec/labels/0', is: 'spec.labels.0', why: 'and as a key' },
    { path: 'spec.labels.0', is: 'spec.labels.0', why: 'digits that are a key' },
    {
      path: 'spec/containers/0/image',
      is: 'spec.containers[0].image',
      why: 'a pointer without its first slash',
    },
    { path: 'spec/containers[1]/image', is: 'spec.containers[1].image', why: 'slashes and brackets' },
    { path: 'spec.a/b', is: 'spec["a/b"]', why: 'an existing key of that spelling' },
    {
      path: 'spec.labels.app.kubernetes.io/name',
      is: 'spec.labels["app.kubernetes.io/name"]',
      why: 'a key with dots',
    },
    { path: '$.spec.replicas', is: 'spec.replicas', why: 'the dollar' },
    { path: '.spec.replicas', is: 'spec.replicas', why: 'the leading dot' },
    { path: '.hidden.script', is: '[".hidden"].script', why: 'a key that begins with a dot wins' },
    { path: '.only.script', is: '[".only"].script', why: 'and where no other is there' },
    { path: 'dup[#2].a', is: 'dup[#2].a', why: 'the second of two equal keys' },
    { path: 'spec.labels.new.key/x', is: 'spec.labels.new["key/x"]', why: 'nothing of it exists' },
    { path: 'spec/replica', is: 'spec.replica', why: 'what is not created is looked for' },
    { path: '/list/-', is: 'list.-', why: 'the end of a list' },
    { path: 'spec["x/y"]', is: 'spec["x/y"]', why: 'a slash in quotes belongs to the key' },
    { path: "spec['x/y']", is: 'spec["x/y"]', why: 'also in single quotes' },
    { path: 'spec/images[name="lib/web"]/tag', is: 'spec.images[1].tag', why: 'or to the text of an item' },
  ])('$path: $why', ({ path, is }) => {
    expect(resolve(path)).toBe(is);
  });
});

describe('refuses', () => {
  test.each([
    {
      path: 'spec.containers[name=api].image',
      code: 'NODE_NOT_FOUND',
      says: 'no item with name=api. Items: web, sidecar',
      near: [],
    },
    {
      path: 'spec.containers[name=wb]',
      code: 'NODE_NOT_FOUND',
      says: 'Items: web',
      near: ['spec.containers[name=web]'],
    },
    {
      path: 'spec.containers[name=sidcar].image',
      code: 'NODE_NOT_FOUND',
      says: 'Items: web',
      near: ['spec.containers[name=sidecar].image'],
    },
    {
      path: 'spec.containers[id=web]',
      code: 'NODE_NOT_FOUND',
      says: 'No item has id: use an index from 0 to 1',
      near: [],
    },
    {
      path: 'spec.images[name=lib/db]',
      code: 'NODE_NOT_FOUND',
      says: 'Items: lib.db, lib/web',
      near: ['spec.images[name=lib.db]', 'spec.images[name=lib/web]'],
    },
    { path: 'spec.empty[name=web]', code: 'NODE_NOT_FOUND', says: 'The list is empty', near: [] },
    {
      path: 'spec.containers[image=a].name',
      code: 'NODE_AMBIGUOUS',
      says: '2 have image=a',
      near: ['spec.containers[0].name', 'spec.containers[1].name'],
    },
    { path: 'spec[name=replicas]', code: 'TYPE_MISMATCH', says: 'it is a mapping', near: ['spec.replicas'] },
    { path: 'nothing[name=x]', code: 'NODE_NOT_FOUND', says: 'nothing stands there', near: undefined },
    { path: 'dup', code: 'DUPLICATE_KEY', says: 'on lines 20, 21', near: ['dup[#1]', 'dup[#2]'] },
    { path: '/dup/a', code: 'DUPLICATE_KEY', says: 'on lines 20, 21', near: ['dup[#1].a', 'dup[#2].a'] },
    {
      path: 'spec/new',
      code: 'NODE_AMBIGUOUS',
      says: 'it can be spec.new or one key',
      near: ['spec.new', '["spec/new"]'],
    },
    {
      path: 'copy.list[name=n].name',
      code: 'ALIAS_CROSSED',
      says: 'the alias *base',
      near: ['base.list[name=n].name'],
    },
    { path: 'spec.containers[*].image', code: 'NODE_PATH_INVALID', says: 'several nodes', near: undefined },
    { path: '**.image', code: 'NODE_PATH_INVALID', says: 'several nodes', near: undefined },
  ])('$path: $says', ({ path, code, says, near }) => {
    const refusal = refusalOf(() => resolve(path, true));
    expect(refusal?.code).toBe(code);
    expect(refusal?.message).toContain(says);
    expect(refusal?.clues.nearestPaths).toEqual(near);
    for (const each of near ?? []) expect(() => resolve(each, true)).not.toThrow();
  });
});

test('a hostile path costs no more than it is long', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: v\n`).join('');
  for (const path of [
    `${'a.'.repeat(127)}b`,
    `${'['.repeat(4_000)}`,
    `a[${'x='.repeat(2_000)}`,
    `${'/a'.repeat(127)}`,
    `a${'/b'.repeat(126)}`,
  ])
    refusalOf(() => resolve(path, true, keys));
});
