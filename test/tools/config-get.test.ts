// config_get through a client: exact slices, outlines without values, JSON values.
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { toolServer } from '../harness/tool-server.ts';

const SERVICE = `# the web service
server:
  # head
  host: localhost   # keep
  ports:
  - 80
  -  443 # tls
  "quoted.key": 'it''s'
  text: |
    one
      two

last: {a: 1, b: [x, "y"]}`;

const MULTI = `kind: Deployment
metadata: {name: web}
---
kind: Service
metadata:
  name: web
  labels: {n: 1, on: true, none: null}
---
# nothing but a comment
...
---
- list
`;

const VALUES = `base: &base {k: 1, deep: {x: 1}}
merged:
  <<: *base
  k: 2
both:
  <<: [{a: 1}, {a: 2, b: 2}]
alias: *base
__proto__: {polluted: yes}
constructor: 1
numbers: [12345678901234567890, 1.10, 0o17, 0x1F, 1e3, .inf, -0, +3]
words: [null, ~, '', true, "true", no, 2024-01-01, 1_000]
tagged: [!!str 5, !!int "5", !secret x]
empty:
`;

const FILES = {
  'service.yaml': SERVICE,
  'multi.yaml': MULTI,
  'values.yaml': VALUES,
  'crlf.yaml': '\uFEFFa: 1\r\nb:\r\n  c: 2\r\n  d: 3',
  'empty.yaml': '',
  'config.json': '{\n  "a": [1, 2.50, "\\u00e9"],\n  "b": {}\n}',
  'bidi.yaml': '"\u202Ekey": 1\n"b\\u0007ell": 2\n" \u2028": 3\n---\n"\u202Eother": 1\n',
  'bomb.yaml': bomb(),
  'loop.yaml': 'a: &a [*a]\nb: *nowhere\n',
  'complex.yaml': '? [complex]\n: 1\n',
  'keys.yaml': 'dup: 1\ndup: 2\n',
};

function bomb(): string {
  const levels = Array.from({ length: 20 }, (_, i) => {
    return `l${i}: &l${i} [${i === 0 ? 'x' : Array.from({ length: 9 }, () => `*l${i - 1}`).join(', ')}]`;
  });
  return `${levels.join('\n')}\n`;
}

const server = toolServer({ files: FILES });

const Place = z.strictObject({
  ok: z.literal(true),
  file: z.string(),
  doc: z.number(),
  path: z.string(),
  kind: z.enum(['scalar', 'alias', 'mapping', 'sequence']),
  line: z.number(),
  end_line: z.number(),
  view: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const Source = Place.extend({ source: z.string() });
const Value = Place.extend({ value: z.json() });
const Outline = z.looseObject({ view: z.literal('outline'), sha256: z.string(), outline: z.string() });

async function valueAt(file: string, path = '', more = {}): Promise<unknown> {
  const { text, data } = await server.ok('config_get', { file, path, view: 'value', ...more });
  Value.parse(data);
  // Not as zod copies it: that would leave out a key named __proto__.
  const value = data['value'];
  expect(JSON.parse(text)).toEqual(value);
  return value;
}

describe('source', () => {
  test.each([
    { path: 'server.host', source: 'localhost', kind: 'scalar', lines: [4, 4], why: 'without the comment' },
    {
      path: 'server.ports',
      source: '  - 80\n  -  443',
      kind: 'sequence',
      lines: [6, 7],
      why: 'a block list',
    },
    { path: '/server/ports/0', source: '80', kind: 'scalar', lines: [6, 6], why: 'a pointer' },
    { path: '$.last.b', source: '[x, "y"]', kind: 'sequence', lines: [13, 13], why: 'a flow list' },
    {
      path: 'server.text',
      source: '|\n    one\n      two',
      kind: 'scalar',
      lines: [9, 11],
      why: 'a block scalar',
    },
  ])('$path: $why', async ({ path, source, kind, lines }) => {
    const { text, data } = await server.ok('config_get', { file: 'service.yaml', path });
    const reply = Source.parse(data);
    expect({ text, source: reply.source, kind: reply.kind }).toEqual({ text: source, source, kind });
    expect([reply.line, reply.end_line]).toEqual(lines);
    expect({ file: reply.file, doc: reply.doc, view: reply.view }).toEqual({
      file: 'service.yaml',
      doc: 0,
      view: 'source',
    });
  });

  it('keeps line breaks and leaves out the byte order mark', async () => {
    const whole = await server.ok('config_get', { file: 'crlf.yaml' });
    expect(whole.text).toBe('a: 1\r\nb:\r\n  c: 2\r\n  d: 3');
    expect((await server.ok('config_get', { file: 'crlf.yaml', path: 'b' })).text).toBe('  c: 2\r\n  d: 3');
  });

  it('is empty for an implicit null and for an empty file', async () => {
    expect((await server.ok('config_get', { file: 'values.yaml', path: 'empty' })).text).toBe('');
    expect((await server.ok('config_get', { file: 'empty.yaml' })).text).toBe('');
  });

  it('gives the alias, not what it means', async () => {
    const { data } = await server.ok('config_get', { file: 'values.yaml', path: 'alias' });
    expect(Source.parse(data)).toMatchObject({ source: '*base', kind: 'alias' });
  });

  test.each([
    { path: 'alias.deep.x', source: '1', from: 'base.deep.x', steps: 1, why: 'through an alias' },
    { path: '/alias/k', source: '1', from: 'base.k', steps: 1, why: 'by pointer' },
    { path: 'merged.deep', source: '{x: 1}', from: 'base.deep', steps: 2, why: 'through a merge' },
  ])('gives $path $why, and how to change it here or there', async ({ path, source, from, steps }) => {
    const { data } = await server.ok('config_get', { file: 'values.yaml', path });
    expect(data).toMatchObject({ source, path: from });
    expect(data['note']).toContain(`It comes from ${from}`);
    const next = z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }));
    const offered = next.parse(data['next']);
    expect(offered).toHaveLength(steps);
    for (const { tool, arguments: args } of offered) await server.ok(tool, args);
  });
});

describe('a whole file', () => {
  it('has its header, its last comments and all of its documents', async () => {
    const { text, data } = await server.ok('config_get', { file: 'multi.yaml' });
    expect(text).toBe(MULTI);
    expect(data).toMatchObject({ documents: 4, source: MULTI, path: '', line: 1 });
    expect((await server.ok('config_get', { file: 'service.yaml' })).text).toBe(SERVICE);
  });

  it('is put back without a change, and changed without a second header', async () => {
    const text = '# DO NOT EDIT\n---\n# about a\na: 1\nb: 2\n# end\n';
    const file = server.fresh(text);
    const { data } = await server.ok('config_get', { file });
    const same = await server.ok('config_set', { file, path: '', value: data['source'] });
    expect(same.text).toContain('o change');
    const value = text.replace('a: 1', 'a: 3');
    const changed = await server.ok('config_set', { file, path: '', value });
    await server.ok('config_apply', { preview_id: changed.data['preview_id'] });
    expect(server.disk(file)).toBe(value);
  });
});

describe('doc', () => {
  const DEPLOYMENT = 'kind: Deployment\nmetadata: {name: web}';
  test.each([
    { doc: 0, index: 0, why: 'an index' },
    { doc: -4, index: 0, why: 'an index from the end' },
    { doc: -1, index: 3, why: 'the last' },
    { doc: { kind: 'Service' }, index: 1, why: 'a matcher' },
    { doc: { kind: 'Deployment', 'metadata.name': 'web' }, index: 0, why: 'a matcher of two' },
    { doc: { 'metadata.labels.n': 1 }, index: 1, why: 'a number' },
    { doc: { '/metadata/labels/none': null }, index: 1, why: 'null, by pointer' },
    { doc: { '[0]': 'list' }, index: 3, why: 'an item of a list' },
  ])('$doc: $why', async ({ doc, index }) => {
    const { data, text } = await server.ok('config_get', { file: 'multi.yaml', doc });
    expect(Source.parse(data).doc).toBe(index);
    if (index === 0) expect(text).toBe(DEPLOYMENT);
  });

  test.each([
    { doc: { 'metadata.name': 'web' }, code: 'DOCUMENT_AMBIGUOUS', why: 'two match' },
    { doc: { kind: 'Nope' }, code: 'NODE_NOT_FOUND', why: 'none matches' },
    { doc: 4, code: 'NODE_NOT_FOUND', why: 'past the end' },
    { doc: { 'a..b': 1 }, code: 'NODE_PATH_INVALID', why: 'no path' },
  ])('$doc is refused: $why', async ({ doc, code }) => {
    const error = await server.refused('config_get', {
      file: 'multi.yaml',
      ...(doc === undefined ? {} : { doc }),
    });
    expect(error.code).toBe(code);
    if (code === 'NODE_PATH_INVALID') return;
    expect(error.details?.split('\n')).toEqual(
      expect.arrayContaining([
        'doc 0: Deployment/web',
        'doc 1: Service/web',
        'doc 2: scalar',
        'doc 3: sequence',
      ]),
    );
  });
});

describe('outline', () => {
  it('shows keys, kinds, lines and sizes, and no value', async () => {
    const { text, data } = await server.ok('config_get', { file: 'service.yaml', view: 'outline' });
    expect(Outline.parse(data).outline).toBe(text);
    for (const secret of ['localhost', '443', "it''s", 'one']) {
      expect(JSON.stringify([text, data])).not.toContain(secret);
    }
    expect(text).toMatch(/^\(root\) \{2\} 2-13\n {2}server \{4\} 4-11\n {4}host 4\n {4}ports \[2\] 6-7\n/);
  });

  it('shows what identifies an item, and a short list as it is written', async () => {
    const file = server.fresh('l:\n- name: web\n  ports: [80, 443]\n- id: 7\n- x: 1\n');
    const { text } = await server.ok('config_get', { file, view: 'outline' });
    expect(text.split('\n').map((line) => line.trim())).toEqual([
      '(root) {1} 1-5',
      'l [3] 2-5',
      '[0] name=web {2} 2-3',
      'name 2',
      'ports [80, 443] 3',
      '[1] id=7 {1} 4',
      'id 4',
      '[2] {1} 5',
      'x 5',
    ]);
  });

  it('shows deceptive keys escaped', async () => {
    const { text, data } = await server.ok('config_get', { file: 'bidi.yaml', view: 'outline' });
    const shown = JSON.stringify(data) + text;
    for (const hidden of ['\u202E', '\u2028', '\u0007']) expect(shown).not.toContain(hidden);
    for (const path of ['["\\u202ekey"]', '["b\\u0007ell"]', '[" \\u2028"]'])
      await server.ok('config_get', { file: 'bidi.yaml', doc: 0, path });
  });
});

describe('value', () => {
  it('follows aliases and merge keys; own keys win, and of several the first', async () => {
    expect(await valueAt('values.yaml', 'merged')).toEqual({ deep: { x: 1 }, k: 2 });
    expect(await valueAt('values.yaml', 'both')).toEqual({ a: 1, b: 2 });
    expect(await valueAt('values.yaml', 'alias')).toEqual({ k: 1, deep: { x: 1 } });
  });

  it('gives __proto__ and constructor as keys like others', async () => {
    const value = await valueAt('values.yaml');
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual({ polluted: 'yes' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(value).toHaveProperty('constructor', 1);
  });

  it('types scalars by the core schema, and gives as text what JSON has no number for', async () => {
    expect(await valueAt('values.yaml', 'numbers')).toEqual([
      '12345678901234567890',
      1.1,
      15,
      31,
      1000,
      '.inf',
      0,
      3,
    ]);
    expect(await valueAt('values.yaml', 'words')).toEqual([
      ...[null, null, '', true],
      ...['true', 'no', '2024-01-01', '1_000'],
    ]);
    expect(await valueAt('values.yaml', 'tagged')).toEqual(['5', 5, 'x']);
    expect(await valueAt('values.yaml', 'empty')).toBeNull();
    expect(await valueAt('empty.yaml')).toBeNull();
  });

  test.each([
    {
      file: 'bomb.yaml',
      path: 'l19',
      code: 'LIMIT_EXCEEDED',
      why: 'an alias bomb costs no more than its budget',
    },
    { file: 'loop.yaml', path: 'a', code: 'TYPE_MISMATCH', why: 'a node within itself' },
    { file: 'loop.yaml', path: 'b', code: 'ANCHOR_IN_USE', why: 'an alias of nothing' },
    { file: 'complex.yaml', path: '', code: 'UNSUPPORTED_FORMAT', why: 'a key that is a list' },
    { file: 'keys.yaml', path: 'dup', code: 'DUPLICATE_KEY', why: 'which of the two' },
  ])('$file $path is refused: $why', async ({ file, path, code }) => {
    expect((await server.refused('config_get', { file, path, view: 'value' })).code).toBe(code);
  });
});
