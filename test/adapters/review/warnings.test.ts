// What a preview says beside its diff: each warning is brought about by an edit that a model would send.
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { describeEdit, type Operation, planOperation, runSync } from '../../../src/adapters/index.ts';
import { DEFAULT_LIMITS, splice } from '../../../src/security/index.ts';

const COMPOSE = [
  'x-env: &env',
  '  LOG_LEVEL: info',
  '  TZ: UTC',
  'x-base: &base',
  '  restart: always',
  '  environment:',
  '    <<: *env',
  '    A: 1',
  'web:',
  '  <<: *base',
  '  image: web',
  'db:',
  '  <<: *base',
  '  restart: "no"',
  '',
].join('\n');

const META = 'metadata:\n  annotations:\n    app.kubernetes.io/name: web\n  replicaCount: 2\n';

describe('a preview warns', () => {
  it.each<{ why: string; text: string; operation: Operation; says: string }>([
    {
      why: 'of a new key that hides a merged mapping whole',
      text: COMPOSE,
      operation: set('web.environment.TZ', 'Europe/Berlin'),
      says: 'web.environment: this new key hides the whole mapping with A, LOG_LEVEL, TZ that the merge (<<) supplied.',
    },
    {
      why: 'of a new key that hides a merged value',
      text: COMPOSE,
      operation: set('web.restart', 'never'),
      says: 'web.restart: this new key hides the value that the merge (<<) supplied.',
    },
    {
      why: 'of an own key that goes, so that the merged one shows',
      text: COMPOSE,
      operation: { op: 'delete', path: 'db.restart' },
      says: 'db.restart: with its own key gone, the one from the merge (<<) shows.',
    },
    {
      why: 'of a merge key that goes with all it supplied',
      text: COMPOSE,
      operation: { op: 'delete', path: 'web["<<"]' },
      says: 'web: these keys came from the merge (<<) that changes: restart, environment.',
    },
    {
      why: 'of an own key that goes before a list that is merged by its alias',
      text: 'one: &one {k: 1}\nlist: &l [*one, {n: 2}]\ninto: {<<: *l, n: 3}\n',
      operation: { op: 'delete', path: 'into.n' },
      says: 'into.n: with its own key gone, the one from the merge (<<) shows.',
    },
    {
      why: 'of what such a list supplied',
      text: 'one: &one {k: 1}\nlist: &l [*one, {n: 2}]\ninto: {<<: *l, n: 3}\n',
      operation: { op: 'delete', path: 'into["<<"]' },
      says: 'into: these keys came from the merge (<<) that changes: k.',
    },
    {
      why: 'of keys apart beside the key that holds them',
      text: META,
      operation: set('metadata.annotations["app"].kubernetes.io/name', 'w2'),
      says: 'metadata.annotations.app is a new key. Did you mean metadata.annotations["app.kubernetes.io/name"]?',
    },
    {
      why: 'of a key in another case',
      text: META,
      operation: set('metadata.replicacount', '3'),
      says: 'metadata.replicacount is a new key. Did you mean metadata.replicaCount?',
    },
    {
      why: 'of a letter that another one stands for, beside the key',
      text: 'image:\n  tag: "1"\n',
      operation: set('image.tаg', '2'),
      says: 'image.tаg is a new key. Did you mean image.tag?',
    },
    {
      why: 'of a digit in the place of a letter',
      text: 'admin: 1\n',
      operation: set('adm1n', '2'),
      says: 'adm1n is a new key. Did you mean admin?',
    },
    {
      why: 'of one letter for another',
      text: 'replicas: 1\n',
      operation: set('replicaz', '2'),
      says: 'replicaz is a new key. Did you mean replicas?',
    },
    {
      why: 'of a key that only looks like a well-known one',
      text: 'a: 1\n',
      operation: set('tımeout', '2'),
      says: 'tımeout is a new key. Did you mean timeout?',
    },
    {
      why: 'of one letter for another in a well-known key',
      text: 'a: 1\n',
      operation: set('replocas', '2'),
      says: 'replocas is a new key. Did you mean replicas?',
    },
    {
      why: 'of two letters swapped',
      text: 'image:\n  tag: "1"\n',
      operation: set('image.tga', '2'),
      says: 'image.tga is a new key. Did you mean image.tag?',
    },
    {
      why: 'of a null where empty text may be meant',
      text: 'a: 1\n',
      operation: set('a', ''),
      says: 'a: the value is null now. For empty text send json: "".',
    },
    {
      why: 'of a tag that goes with its value',
      text: 'secret: !vault abc\n',
      operation: { op: 'set', path: 'secret', json: 'plain', create: true },
      says: 'secret: the tag !vault goes with the old value. Put it into "value" to keep it.',
    },
    {
      why: 'of a quoted version that becomes a number',
      text: 'image:\n  tag: "1.10"\n',
      operation: set('image.tag', '1.11'),
      says: 'image.tag: was text ("1.10") and becomes a number (1.11). Did you mean "json": "1.11"?',
    },
    {
      why: 'of a switch of YAML 1.1 in the words of YAML 1.2, without a question',
      text: 'service:\n  enabled: yes\n',
      operation: { op: 'set', path: 'service.enabled', json: true },
      says: 'service.enabled: was text (yes) and becomes true or false (true).',
    },
    {
      why: 'of a switch in quotes',
      text: 'service:\n  enabled: "yes"\n',
      operation: { op: 'set', path: 'service.enabled', json: true },
      says: 'service.enabled: was text ("yes") and becomes true or false (true). Did you mean "json": "true"?',
    },
    {
      why: 'of a number that becomes a text',
      text: 'replicas: 3\n',
      operation: set('replicas', '"4"'),
      says: 'replicas: was a number (3) and becomes text ("4").',
    },
    {
      why: 'of a mapping that becomes a scalar',
      text: 'spec:\n  a: 1\n  b: 2\n  c: 3\n',
      operation: set('spec', 'x'),
      says: 'spec: a mapping of 3 keys becomes text. Did you mean one of its parts? See it with config_get and view "outline".',
    },
    {
      why: 'of a mapping none of whose keys stays',
      text: 'data:\n  a: 1\n  b: 2\n  c: 3\n',
      operation: { op: 'set', path: 'data', json: { d: 4 } },
      says: 'data: none of its 3 keys stays. Did you mean to add to them? Then use op "merge".',
    },
    {
      why: 'of a script that becomes a mapping',
      text: 'run: |\n  set -e\n  make\n',
      operation: set('run', 'start: {sh: make}'),
      says: 'run: was text (| set -e … (3 lines)) and becomes a mapping ({"start":{"sh":"make"}}). Did you mean a text? Then send it as "json".',
    },
    {
      why: 'of a new script of a ConfigMap that is a mapping',
      text: 'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: x\n',
      operation: set('data["run.sh"]', 'start: {sh: make}'),
      says: 'data["run.sh"]: becomes a mapping, where only texts can stand. Did you mean a text? Then send it as "json".',
    },
    {
      why: 'of a label that is no text',
      text: 'apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    a: x\n',
      operation: set('metadata.labels.v', '1.0'),
      says: 'metadata.labels.v: becomes a number, where only texts can stand. Did you mean "json": "1.0"?',
    },
    {
      why: 'of a value that says its key again',
      text: 'web:\n  image: a\n',
      operation: set('web.ports', 'ports:\n- 80'),
      says: 'web.ports: the value says the key ports again. Did you mean the value alone, without its key?',
    },
    {
      why: 'of a mapping that was sent as text',
      text: 'a: 1\n',
      operation: { op: 'set', path: 'limits', json: '{"cpu": 1}' },
      says: 'limits: a text. Did you mean the mapping that it spells? Then send it as "value".',
    },
    {
      why: 'of a list that was sent as text for another',
      text: 'ports:\n- 80\n',
      operation: { op: 'set', path: 'ports', json: '[80, 81]' },
      says: 'ports: a text. Did you mean the list that it spells? Then send it as "value".',
    },
    {
      why: 'of an item that begins with a dash of its own',
      text: 'env:\n- name: a\n- name: b\n',
      operation: { op: 'append', path: 'env', value: '- name: c' },
      says: 'env[2]: a list within the list, whose other items are none. Did you mean the item alone, without "- "?',
    },
    {
      why: 'of a key in another form of Unicode',
      text: 'caf\u00e9: 1\n',
      operation: set('cafe\u0301', '2'),
      says: 'cafe\u0301 is a new key. Did you mean caf\u00e9?',
    },
  ])('$why', ({ text, operation, says }) => {
    expect(warningsOf(text, operation)).toContain(says);
  });

  it.each<{ why: string; text: string; operation: Operation }>([
    { why: 'a key beside one with the next number', text: 'port1: 1\n', operation: set('port2', 'x') },
    { why: 'a key of its own', text: META, operation: set('metadata.labels.tier', 'front') },
    {
      why: 'a value under its own key in a merging mapping',
      text: COMPOSE,
      operation: set('db.restart', 'x'),
    },
    {
      why: 'an item behind one that goes',
      text: 'l: [1, x, 2, y]\n',
      operation: { op: 'delete', path: 'l[0]' },
    },
    { why: 'a number for a number', text: 'a: 1\n', operation: set('a', '2.5') },
    { why: 'a value for null', text: 'a: null\nb:\n', operation: set('b', '{x: 1}') },
    { why: 'a mapping for an empty one', text: 'a: {}\n', operation: set('a', 'x') },
    { why: 'a list of lists', text: 'l:\n- [1]\n', operation: { op: 'append', path: 'l', value: '- 2' } },
    { why: 'another key beside a merge', text: COMPOSE, operation: set('web.ports', '[x]') },
    {
      why: 'JSON for JSON',
      text: 'a: "[1]"\n',
      operation: { op: 'set', path: 'a', json: '[2]' },
    },
    {
      why: 'an annotation that is JSON',
      text: 'annotations: {}\n',
      operation: { op: 'set', path: 'annotations.patch', json: '{"a": 1}' },
    },
    {
      why: 'JSON in lines',
      text: 'a: 1\n',
      operation: { op: 'set', path: 'run', json: '[\n1\n]\n' },
    },
    { why: 'brackets that are no JSON', text: 'a: 1\n', operation: set('pattern', '"[0-9]"') },
    { why: 'a tag that stays', text: 'a: !t x\n', operation: set('a', '!t y') },
  ])('not of $why', ({ text, operation }) => {
    expect(warningsOf(text, operation)).toEqual([]);
  });
});

// With a list of merged keys for each mapping, 500 of them over 60,000 keys took 18 seconds and 1.8 GB.
it('looks over what hundreds of mappings merge at a bounded cost, and says where it stopped (finding 15.4)', () => {
  const keys = Array.from({ length: 30_000 }, (_, i) => `  k${i}: 1\n`).join('');
  const text = (merges: string) =>
    `a: &a\n${keys}b: &b {x: 1}\n${Array.from({ length: 400 }, (_, i) => `m${i}: {<<: ${merges}}\n`).join('')}`;
  const own = warningsOf(text('*a, k1: 2, z: 1'), set('', text('*a, z: 1')));
  expect(own).toContain('… and 380 more.');
  const other = warningsOf(text('*a'), set('', text('*b')));
  expect(other).toContain(
    'The merges (<<) bring in more than was looked over for keys that are hidden or uncovered.',
  );
});

function set(path: string, source: string): Operation {
  return { op: 'set', path, value: source, create: true };
}

function warningsOf(text: string, operation: Operation): string[] {
  const format = FORMATS.yaml;
  const base = { format, stream: format.parse(text, DEFAULT_LIMITS) };
  const { edits } = planOperation({ base, current: base, earlierChanges: [] }, operation, DEFAULT_LIMITS);
  const after = splice(text, edits);
  const result = { format, stream: format.parse(after, DEFAULT_LIMITS) };
  return [...runSync(describeEdit(base, result, { edits, isNoop: false })).warnings];
}
