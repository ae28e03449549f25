// Patterns in config_edit through a client: what they match, what keeps them in bounds, and the bytes on the disk.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const workflow = (name: string) => `name: ${name}
on: push
jobs:
  build:
    steps:
    - uses: actions/checkout@v3   # keep
    - run: make
  test:
    steps:
    - uses: "actions/checkout@v3"
    - uses: actions/setup-node@v3
`;
const KINDS = `kind: Deployment
metadata:
  name: a
---
kind: Service
metadata:
  name: a
---
kind: Deployment
metadata:
  name: b
  labels:
    app: b
`;

const server = toolServer();

let folders = 0;

/** The files in a folder of their own; answers its name. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = `bulk${folders++}`;
  mkdirSync(join(server.root, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(server.root, folder, name), text);
  return folder;
}

const Preview = z.looseObject({ preview_id: z.string(), summary: z.string() });

type Edit = Readonly<Record<string, unknown>>;

async function previewed(folder: string, edits: readonly Edit[]) {
  const { data, text } = await server.ok('config_edit', {
    edits: edits.map(({ file, ...edit }) => ({ file: `${folder}/${file ?? 'f.yaml'}`, ...edit })),
  });
  return { ...Preview.parse(data), text };
}

/** What stands in f.yaml after the edits. */
async function written(contents: string, ...edits: readonly Edit[]): Promise<string> {
  const folder = folderOf({ 'f.yaml': contents });
  const { preview_id } = await previewed(folder, edits);
  await server.ok('config_apply', { preview_id });
  return server.disk(`${folder}/f.yaml`);
}

describe('a value with * or ? that stands there as a whole', () => {
  const CRONS = { 'a.yaml': 'a: {cron: "0 0 * * 0"}\n', 'b.yaml': 'a: {cron: 0 0 * * *}\n' };
  const RULES = { 'f.yaml': 'verbs: [get, "*"]\nis: ["?", x]\n' };
  test.each<{ files: Readonly<Record<string, string>>; edit: Edit; changed: string; says: string }>([
    {
      files: CRONS,
      edit: { file: '*.yaml', op: 'set', path: 'a.cron', from: '0 0 * * *', json: 'x' },
      changed: '1 path in 1 file',
      says: 'the value "0 0 * * *" occurs as a whole, so only that is meant. As a pattern it is written "0 0 ** * *".',
    },
    {
      files: CRONS,
      edit: { file: '*.yaml', op: 'set', path: 'a.cron', from: '0 0 ** * *', json: 'x' },
      changed: '2 paths in 2 files',
      says: '',
    },
    {
      files: CRONS,
      edit: { file: '*.yaml', op: 'set', path: 'a.cron', from: '0 0 \\* \\* \\*', json: 'x' },
      changed: '1 path in 1 file',
      says: '',
    },
    {
      files: RULES,
      edit: { op: 'set', path: 'verbs[*]', from: '*', json: 'list' },
      changed: '1 path in 1 file',
      says: 'the value "*" occurs as a whole',
    },
    {
      files: RULES,
      edit: { op: 'set', path: 'verbs[*]', from: 'g*', json: 'x:$&' },
      changed: '1 path in 1 file',
      says: '"$&" is written as it is, and not as a part of the old value. Did you mean the old value? Then send one edit for each place.',
    },
    {
      files: RULES,
      edit: { op: 'set', path: 'is[*]', from: '?', json: 'list' },
      changed: '1 path in 1 file',
      says: 'As a pattern it is written "*".',
    },
  ])('$edit', async ({ files, edit, changed, says }) => {
    const { text } = await previewed(folderOf(files), [edit]);
    expect(text).toContain(`Preview: ${changed};`);
    expect(text).toContain(says);
  });
});

it('skips a template that is nothing but actions, and says so', async () => {
  const files = {
    'a.yaml': 'metadata: {}\n',
    'b.yaml': '{{- range .Values.extra }}\n{{ toYaml . }}\n{{- end }}\n',
  };
  const edit = { file: '*.yaml', op: 'set', path: 'metadata.labels', json: { a: 'b' }, create: true };
  const { text } = await previewed(folderOf(files), [edit]);
  expect(text).toContain('Preview: 1 path in 1 file;');
  expect(text).toContain('b.yaml (nothing but template actions)');
});

describe('a path with stars', () => {
  const LIST = 'l:\n- {n: a, v: 1}\n- {n: b, v: 1}\n- {n: c, v: 2}\nd: {l: [1, 2]}\n';
  test.each<{ why: string; text: string; edits: readonly Edit[]; is: string }>([
    {
      why: 'sets a field of every item',
      text: LIST,
      edits: [{ op: 'set', path: 'l[*].v', json: 3 }],
      is: LIST.replaceAll(/v: \d/g, 'v: 3'),
    },
    {
      why: 'sets what stands within another match before that',
      text: 'x:\n  x: 1\n  b: 1\n',
      edits: [{ op: 'set', path: '**.x', json: { x: 1, b: 2 } }],
      is: 'x:\n  x: 1\n  b: 2\n',
    },
    {
      why: 'with one value only',
      text: LIST,
      edits: [{ op: 'set', path: 'l.*.v', from: '1', json: 3, expect: 2 }],
      is: LIST.replaceAll('v: 1', 'v: 3'),
    },
    {
      why: 'with any of the values that a pattern names, as they are meant',
      text: 'l: [a@1, "a@2", b@1, 12, 1]\n',
      edits: [
        { op: 'set', path: 'l[*]', from: 'a@*', json: 'a@3', expect: 2 },
        { op: 'set', path: 'l[*]', from: '1?', json: 3, expect: 1 },
      ],
      is: 'l: [a@3, "a@3", b@1, 3, 1]\n',
    },
    {
      why: 'sets what is missing, and leaves what is there',
      text: LIST.replace(', v: 2', ''),
      edits: [{ op: 'set', path: 'l[*].v', json: 3, if_missing: true, expect: 3 }],
      is: LIST.replace('v: 2', 'v: 3'),
    },
    {
      why: 'merges what is missing only, at every depth of the value, and takes nothing away',
      text: 'a: {s: {x: 1, q: null}, t: 1}\nb: {s: }\nc: {u: 1}\n',
      edits: [
        { op: 'merge', path: '*.s', json: { x: 2, q: 2, z: { w: 1 }, t: null }, if_missing: true, expect: 3 },
      ],
      is: 'a: {s: {x: 1, q: null, z: {w: 1}}, t: 1}\nb: {s: {x: 2, q: 2, z: {w: 1}} }\nc: {u: 1, s: {x: 2, q: 2, z: {w: 1}}}\n',
    },
    {
      why: 'inserts a key where it is missing, in its place',
      text: 'l:\n- a: 1\n  c: 1\n- a: 2\n  b: 9\n  c: 2\n',
      edits: [{ op: 'insert', path: 'l[*]', key: 'b', after: 'a', json: 5, if_missing: true }],
      is: 'l:\n- a: 1\n  b: 5\n  c: 1\n- a: 2\n  b: 9\n  c: 2\n',
    },
    {
      why: 'merges into mappings that are made',
      text: 'l:\n- a: 1\n- a: 2\n  s:\n    x: 1\n',
      edits: [{ op: 'merge', path: 'l[*].s', json: { q: 2 }, create: true, expect: 2 }],
      is: 'l:\n- a: 1\n  s:\n    q: 2\n- a: 2\n  s:\n    x: 1\n    q: 2\n',
    },
    {
      why: 'sets every item of a list of scalars, where missing keys are made as well',
      text: 'l: [1, 2]\n',
      edits: [{ op: 'set', path: 'l[*]', json: 3, create: true, expect: 2 }],
      is: 'l: [3, 3]\n',
    },
    {
      why: 'deletes several items of one list',
      text: LIST,
      edits: [{ op: 'delete', path: 'l[v=1]', expect: 2 }],
      is: LIST.replace('- {n: a, v: 1}\n- {n: b, v: 1}\n', ''),
    },
    {
      why: 'renames and comments',
      text: LIST,
      edits: [
        { op: 'rename', path: 'l[*].n', new_key: 'name' },
        { op: 'comment', path: 'l[*]', place: 'line_end', comment: 'x' },
      ],
      is: LIST.replaceAll('n:', 'name:').replaceAll(/(\{name.*\})/g, '$1 # x'),
    },
    {
      why: 'sees what earlier edits have made',
      text: LIST,
      edits: [
        { op: 'append', path: 'l', value: '{n: d, v: 9}' },
        { op: 'set', path: '**.v', json: 0, expect: 4 },
      ],
      is: LIST.replaceAll(/v: \d/g, 'v: 0').replace('d: {l', '- {n: d, v: 0}\nd: {l'),
    },
    {
      why: 'appends to every list of a name, at every depth',
      text: LIST,
      edits: [{ op: 'append', path: 'd.**.l', json: 3 }],
      is: LIST.replace('[1, 2]', '[1, 2, 3]'),
    },
    {
      why: 'chooses among two equal keys',
      text: 'a: {t: 1, t: 2}\n',
      edits: [{ op: 'set', path: '**.t', from: '2', json: 3 }],
      is: 'a: {t: 1, t: 3}\n',
    },
    {
      why: 'makes a missing key at every depth, only in what the key before it names',
      text: 'm: {n: 1}\nc:\n- r: {q: 1}\n- r: {limits: 2}\n- x: 1\n',
      edits: [{ op: 'set', path: '**.r.limits', json: 3, create: true, expect: 2 }],
      is: 'm: {n: 1}\nc:\n- r: {q: 1, limits: 3}\n- r: {limits: 3}\n- x: 1\n',
    },
    {
      why: 'makes no key in every mapping there is',
      text: LIST,
      edits: [{ op: 'set', path: '**.v', json: 3, create: true, expect: 3 }],
      is: LIST.replaceAll(/v: \d/g, 'v: 3'),
    },
    {
      why: 'makes a key with a star in it that is quoted',
      text: 'a: {web-1: 1}\n',
      edits: [{ op: 'set', path: 'a["web-*"]', json: 3, create: true, expect: 1 }],
      is: 'a: {web-1: 1, web-*: 3}\n',
    },
    {
      why: 'makes a key with a star that is no part of a name',
      text: 'a: {b: 1}\n',
      edits: [{ op: 'set', path: 'a.@/*', json: 3 }],
      is: 'a: {b: 1, "@/*": 3}\n',
    },
    {
      why: 'labels every Deployment, with the keys that are missing',
      text: KINDS,
      edits: [
        { op: 'set', doc: 'Deployment/*', path: 'metadata.labels.team', json: 'x', create: true, expect: 2 },
      ],
      is: KINDS.replace('  name: a\n---', '  name: a\n  labels:\n    team: x\n---').replace(
        '    app: b\n',
        '    app: b\n    team: x\n',
      ),
    },
  ])('$why', async ({ text, edits, is }) => {
    expect(await written(text, ...edits)).toBe(is);
  });
});

describe('files by a pattern', () => {
  const FILES = { 'a.yaml': workflow('a'), 'b.yaml': workflow('b'), 'c.yaml': 'x: 1\n', 'd.yaml': 'x: [1\n' };
  const pin = {
    op: 'set',
    file: '*.yaml',
    path: '**.uses',
    from: 'actions/checkout@v3',
    json: 'actions/checkout@v4',
  };

  it('changes what matches in all of them, names what cannot be read, and is undone whole', async () => {
    const folder = folderOf(FILES);
    const { summary, text, preview_id } = await previewed(folder, [{ ...pin, expect: 4 }]);
    expect(summary).toContain('4 paths in 2 files');
    expect(text).toContain(`1 file could not be read and was not edited: ${folder}/d.yaml (SYNTAX_INVALID)`);
    const { data } = await server.ok('config_apply', { preview_id });
    expect(server.disk(`${folder}/b.yaml`)).toBe(workflow('b').replaceAll('checkout@v3', 'checkout@v4'));
    const undone = await server.ok('config_revert', { change_id: data['change_id'] });
    await server.ok('config_apply', { preview_id: undone.data['preview_id'] });
    expect(server.disk(`${folder}/a.yaml`)).toBe(FILES['a.yaml']);
  });

  test.each<{ why: string; edit: Edit; code: string; says: readonly string[] }>([
    {
      why: 'fewer than expected',
      edit: { ...pin, expect: 5 },
      code: 'NODE_NOT_FOUND',
      says: ['4 nodes match in 2 files, and 5 are expected', 'a.yaml:6 jobs.build.steps[0].uses'],
    },
    {
      why: 'more than expected',
      edit: { ...pin, expect: 3 },
      code: 'NODE_AMBIGUOUS',
      says: ['4 nodes match in 2 files, and 3 are expected'],
    },
    {
      why: 'no node has the value',
      edit: { ...pin, from: 'actions/checkout@v2' },
      code: 'NODE_NOT_FOUND',
      says: ['0 nodes match. Values there: actions/checkout@v3, actions/setup-node@v3'],
    },
    {
      why: 'no node has the path',
      edit: { ...pin, path: 'steps[*].uses' },
      code: 'NODE_NOT_FOUND',
      says: ['There is: jobs.build.steps[0].uses'],
    },
    {
      why: 'no such file',
      edit: { ...pin, file: '*.yml' },
      code: 'FILE_NOT_FOUND',
      says: ['no file matches it'],
    },
  ])('is refused: $why', async ({ edit, code, says }) => {
    const folder = folderOf(FILES);
    const edits = [{ ...edit, file: `${folder}/${edit['file']}` }];
    const error = await server.refused('config_edit', { edits });
    expect(error.code).toBe(code);
    for (const words of says) expect(error.text).toContain(words);
    if (error.again?.tool !== undefined) await server.ok(error.again.tool, error.again.arguments);
  });

  it.each([
    { op: 'set', path: 'spec.items[*].limits', json: { cpu: 1 } },
    { op: 'append', path: 'spec.tolerations', json: 'spot' },
  ])('leads on to what makes the missing keys: $op', async (edit) => {
    const folder = folderOf({ 'a.yaml': 'spec:\n  items:\n  - name: a\n' });
    const edits = [{ ...edit, file: `${folder}/*.yaml` }];
    const { code, again } = await server.refused('config_edit', { edits });
    expect(code).toBe('NODE_NOT_FOUND');
    expect(again?.arguments).toEqual({ edits: [{ ...edits[0], create: true }] });
    await server.ok('config_edit', again?.arguments);
    const everywhere = [{ ...edits[0], path: '**.limits' }];
    const other = await server.refused('config_edit', { edits: everywhere });
    expect(JSON.stringify(other.again)).not.toContain('create');
  });

  it('says that at every depth only a last key is made', async () => {
    const folder = folderOf({ 'a.yaml': 'a: {b: 1}\n' });
    const edit = { op: 'set', file: `${folder}/a.yaml`, path: '**.limits', json: 1, create: true };
    expect((await server.refused('config_edit', { edits: [edit] })).text).toContain('At every depth (**)');
  });

  it.each([{ file: '*.yaml', create: true }, { file: 'a.yaml' }])(
    'takes a part of a name for no new key: %o',
    async ({ file, ...more }) => {
      const folder = folderOf({ 'a.yaml': 's:\n  proxy: {a: 1}\n' });
      const edits = [{ op: 'set', file: `${folder}/${file}`, path: 's.prox*.restart', json: 'x', ...more }];
      const { code, text, again } = await server.refused('config_edit', { edits });
      expect(code).toBe('NODE_AMBIGUOUS');
      expect(text).toContain('* stands for a whole key');
      expect(text).toContain('Paths that may be meant: s.proxy.restart, s["prox*"].restart');
      expect(again?.do).toBe('Use s.proxy.restart, if that is meant');
      await server.ok('config_edit', again?.arguments);
    },
  );

  it.each([
    { op: 'merge', path: 'l[*].s', json: { y: 2 } },
    { op: 'append', path: 'l[*].s', json: 1 },
    { op: 'set', path: 'l[*].s', json: 1 },
    { op: 'insert', path: 'l[*].s', key: 'k', json: 1 },
  ])('counts the places that lack the last key, and says where: $op', async (edit) => {
    const list = edit.op === 'append' ? '[]' : '{}';
    const folder = folderOf({
      'a.yaml': `l:\n- s: ${list}\n- b: 1\n`,
      'b.yaml': `l:\n- s: ${list}\n- c: 1\n- d: 1\n`,
    });
    const { text } = await server.ok('config_edit', { edits: [{ ...edit, file: `${folder}/*.yaml` }] });
    expect(text).toContain(
      `3 places of edits[0] lack the last key of l[*].s and were left alone: ${folder}/a.yaml:3 l[1], ${folder}/b.yaml:3 l[1], ${folder}/b.yaml:4 l[2]. To make it there as well send create: true.`,
    );
    const made = [{ ...edit, file: `${folder}/*.yaml`, create: true, expect: 5 }];
    expect((await server.ok('config_edit', { edits: made })).text).not.toContain('left alone');
  });

  it.each([
    {
      path: 'metadata.team',
      texts: ['metadata: {name: a}\n', 'values: 1\n', 'values: 2\n'],
      says: 'In 2 files the parent of metadata.team did not exist and is added: F/b.yaml, F/c.yaml. Did you mean only the files that have it?',
    },
    {
      path: 'l[*].spec.team',
      texts: ['l: [{spec: {a: 1}}]\n', 'l: [{b: 1}]\n', 'x: 1\n'],
      says: 'In 1 file the parent of l[*].spec.team did not exist and is added: F/b.yaml. Did you mean only the files that have it?',
    },
    {
      path: 'metadata.team',
      texts: ['a: 1\n', 'b: 1\n'],
      says: 'In 2 files the parent of metadata.team did not exist and is added: F/a.yaml, F/b.yaml.',
    },
    { path: 'metadata.team', texts: ['metadata: {}\n', 'metadata:\n  name: a\n'], says: undefined },
  ])('says in which files it makes the parent of $path, and asks if others have it: $texts', async (row) => {
    const { path, texts, says } = row;
    const named = texts.map((text, index) => [`${'abc'[index]}.yaml`, text]);
    const folder = folderOf(Object.fromEntries(named));
    const edit = { op: 'set', file: `${folder}/*.yaml`, path, json: 'x', create: true };
    const { text, data } = await server.ok('config_edit', { edits: [edit] });
    if (says === undefined) expect(text).not.toContain('the parent of');
    else expect(data['warnings']).toContainEqual(says.replaceAll('F/', `${folder}/`));
    const call = { edits: [edit], dry_run: false };
    if (says?.includes('Did you mean') !== true) await server.ok('config_edit', call);
    else expect((await server.refused('config_edit', call)).code).toBe('PREVIEW_REQUIRED');
  });

  it('makes no document a thing that it is not, for what is missing is made below what is there', async () => {
    const folder = folderOf({ 'a.yaml': 'metadata: {name: a}\n', 'b.yaml': 'values: 1\n' });
    const edit = { op: 'set', file: `${folder}/*.yaml`, path: 'metadata.team', json: 'x', if_missing: true };
    const { text } = await server.ok('config_edit', { edits: [edit] });
    expect(text).toContain('1 path in 1 file');
    expect(text).not.toContain('b.yaml');
  });

  it('is refused beyond --max-matches, which the operator raises', async () => {
    const few = await ownToolServer({ flags: ['--max-matches', '3'] });
    few.write('l.yaml', 'a: [1, 2, 3]\nb: [1, 2, 3, 4]\n');
    const all = (path: string) => ({ edits: [{ op: 'set', file: 'l.yaml', path, json: 9 }] });
    expect((await few.ok('config_edit', all('a[*]'))).text).toContain('3 paths');
    const { code, text } = await few.refused('config_edit', all('b[*]'));
    expect([code, text.includes('--max-matches')]).toEqual(['LIMIT_EXCEEDED', true]);
  });
});

describe('one node is wanted', () => {
  it('config_set takes no pattern, and says what does', async () => {
    const folder = folderOf({ 'a.yaml': workflow('a') });
    const path = 'jobs.*.steps[0].uses';
    const { code, text } = await server.refused('config_set', { file: `${folder}/a.yaml`, path, json: 'x' });
    expect(code).toBe('NODE_PATH_INVALID');
    expect(text).toContain('config_edit');
  });

  it.each(['f.yaml', '*.yaml'])('leads on to the item of a list that has the value: %s', async (name) => {
    const folder = folderOf({ 'f.yaml': 's:\n  e:\n  - HOST=db\n  - B=1\n' });
    const edit = { op: 'set', file: `${folder}/${name}`, path: 's.e', from: 'HOST=db', json: 'HOST=x' };
    const { text, again } = await server.refused('config_edit', { edits: [edit] });
    expect(text).toContain('It is an item of the list there: s.e');
    expect(again?.arguments).toEqual({ edits: [{ ...edit, path: 's.e[*]' }] });
    expect((await server.ok('config_edit', again?.arguments)).text).toContain('+  - HOST=x');
  });

  it('an edit of one node can name the value that it has', async () => {
    const file = server.fresh('a: 1\n');
    await server.ok('config_edit', { edits: [{ op: 'set', file, path: 'a', from: 1, json: 2 }] });
    const { text } = await server.refused('config_edit', {
      edits: [{ op: 'set', file, path: 'a', from: '3', json: 2 }],
    });
    expect(text).toContain('Values there: 1');
  });
});

describe('an item that is named by a part of its text', () => {
  const STEP = 'jobs.*.steps[uses=actions/checkout*].name';
  const other = workflow('a').replace('v3   # keep', 'v4');

  it('is selected where no item has the text itself', async () => {
    const text = await written(other, { op: 'set', path: STEP, value: 'get', create: true });
    expect(text.match(/name: get/gu)).toHaveLength(2);
  });

  it('is what a new item goes beside; lists without it are left alone and named', async () => {
    const folder = folderOf({ 'f.yaml': `${other}  lint:\n    steps:\n    - run: lint\n` });
    const place = { path: 'jobs.*.steps', after: '[uses=actions/checkout*]' };
    const { text } = await previewed(folder, [{ op: 'insert', ...place, json: { run: 'x' } }]);
    expect(text.match(/^\+ {4}- run: x$/gmu)).toHaveLength(2);
    expect(text).toContain(
      `1 place of edits[0] lacks what the new part goes beside, [uses=actions/checkout*], and was left alone: ${folder}/f.yaml:14 jobs.lint.steps.`,
    );
  });
});
