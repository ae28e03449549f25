// create_file and delete_file through a client: previewed, applied, undone, and refused with a way out.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const server = toolServer();

const at = (file: string) => join(server.root, file);
const edit = (...edits: readonly Readonly<Record<string, unknown>>[]) => ({ edits });
let count = 0;
const unused = (ending = 'yaml') => `new-${count++}.${ending}`;

async function applied(preview: Readonly<Record<string, unknown>>) {
  return (await server.ok('config_apply', { preview_id: preview['preview_id'] })).data;
}

describe('create_file', () => {
  it('shows the file against /dev/null and its folders, makes exactly that, and is undone', async () => {
    const file = `n${count}/m/${unused()}`;
    const preview = await server.ok(
      'config_edit',
      edit(
        { op: 'create_file', file, content: '# prod\nreplicas: 2\n' },
        { op: 'set', file, path: 'replicas', json: 3 },
      ),
    );
    expect(preview.text).toContain(`--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,2 @@\n+# prod\n+replicas: 3\n`);
    const [outer] = file.split('/');
    expect(preview.text).toContain(`The file is in new folders: ${outer}, ${outer}/m.`);
    expect(existsSync(at(`${outer}`))).toBe(false);
    const change = await applied(preview.data);
    expect(server.disk(file)).toBe('# prod\nreplicas: 3\n');
    const undo = { change_id: change['change_id'], dry_run: false };
    expect((await server.ok('config_revert', undo)).text).toContain('+++ /dev/null');
    expect([existsSync(at(file)), existsSync(at(`${outer}/m`))]).toEqual([false, true]);
    expect((await server.ok('config_revert', undo)).text).toMatch(/^No change/);
  });

  it.each([
    { why: 'read by all', given: 0o755, file: 0o644, folder: 0o755 },
    { why: 'written by a group', given: 0o775, file: 0o644, folder: 0o755 },
    { why: 'of its owner alone', given: 0o700, file: 0o600, folder: 0o700 },
  ])(
    'gives a file, and a folder made for one, no more than a folder $why',
    async ({ given, file, folder }) => {
      const parent = `n${count++}`;
      mkdirSync(at(parent));
      chmodSync(at(parent), given);
      const files = [`${parent}/a.yaml`, `${parent}/m/b.yaml`];
      const made = edit(...files.map((one) => ({ op: 'create_file', file: one, content: 'a: 1\n' })));
      await server.ok('config_edit', { ...made, dry_run: false });
      const modes = [...files, `${parent}/m`].map((one) => statSync(at(one)).mode & 0o777);
      expect(modes).toEqual([file, file, folder]);
    },
  );

  it('is not undone once the file has changed', async () => {
    const file = unused();
    const { data } = await server.ok('config_edit', {
      ...edit({ op: 'create_file', file, content: 'a: 1\n' }),
      dry_run: false,
    });
    server.write(file, 'a: 2\n');
    const { code } = await server.refused('config_revert', { change_id: data['change_id'] });
    expect([code, server.disk(file)]).toEqual(['FILE_CHANGED', 'a: 2\n']);
  });

  it('is refused where a file has come since the preview', async () => {
    const file = unused();
    const { data } = await server.ok('config_edit', edit({ op: 'create_file', file, content: 'a: 1\n' }));
    server.write(file, 'theirs: 1\n');
    const { code } = await server.refused('config_apply', { preview_id: data['preview_id'] });
    expect([code, server.disk(file)]).toEqual(['FILE_EXISTS', 'theirs: 1\n']);
  });

  const THERE = 'there.yaml';
  const REFUSED = [
    { why: 'a file', edits: [{ op: 'create_file', file: THERE, content: '' }], code: 'FILE_EXISTS' },
    {
      why: 'another case',
      edits: [{ op: 'create_file', file: 'There.yaml', content: '' }],
      code: 'FILE_EXISTS',
    },
    {
      why: 'two spellings in one batch',
      edits: ['q/a.yaml', 'Q/b.yaml'].map((file) => ({ op: 'create_file', file, content: '' })),
      code: 'FILE_EXISTS',
    },
    {
      why: 'text that is not valid',
      edits: [{ op: 'create_file', file: 'x.yaml', content: 'a: [' }],
      code: 'VALUE_INVALID',
    },
    {
      why: 'a key twice',
      edits: [{ op: 'create_file', file: 'x.yaml', content: 'a: 1\na: 2\n' }],
      code: 'VALUE_INVALID',
    },
    {
      why: 'JSON that is not valid',
      edits: [{ op: 'create_file', file: 'x.json', content: '' }],
      code: 'VALUE_INVALID',
    },
    {
      why: 'half a character',
      edits: [{ op: 'create_file', file: 'x.yaml', content: 'a: \ud800' }],
      code: 'VALUE_INVALID',
    },
    { why: 'a denied name', edits: [{ op: 'create_file', file: '.env', content: '' }], code: 'PATH_DENIED' },
    {
      why: 'a name that is not allowed',
      edits: [{ op: 'create_file', file: 'x.sh', content: '' }],
      code: 'PATH_DENIED',
    },
    {
      why: 'a way out',
      edits: [{ op: 'create_file', file: 'a/../../x.yaml', content: '' }],
      code: 'PATH_INVALID',
    },
    {
      why: 'a file that is deleted in the same batch',
      edits: [
        { op: 'delete_file', file: THERE },
        { op: 'create_file', file: THERE, content: '' },
      ],
      code: 'ARGUMENT_INVALID',
    },
    {
      why: 'a pattern',
      edits: [{ op: 'create_file', file: '*.yaml', content: '' }],
      code: 'ARGUMENT_INVALID',
    },
    ...[
      { op: 'delete_file', from: 'other' },
      { op: 'delete_file', doc: 5 },
      { op: 'replace_text', old_text: '1', new_text: '2', from: 'other' },
      { op: 'replace_text', old_text: '1', new_text: '2', path: '', doc: 5 },
      { op: 'add_document', json: 1, from: 'other' },
      { op: 'add_document', json: 1, doc: 0 },
      { op: 'delete_document', doc: 0, from: 'other' },
    ].map((edit) => ({
      why: `a condition that ${edit.op} would not look at`,
      edits: [{ file: THERE, ...edit }],
      code: 'ARGUMENT_INVALID',
    })),
  ];
  it.each(REFUSED)('is refused for $why [SRV-1]', async ({ edits, code }) => {
    server.write(THERE, 'a: 1\n');
    expect((await server.refused('config_edit', { edits, dry_run: false })).code).toBe(code);
    expect(server.disk(THERE)).toBe('a: 1\n');
  });
});

describe('delete_file', () => {
  it('shows all that goes, deletes exactly that, and undone gives back its bytes and its mode', async () => {
    const text = '\uFEFFa: [1 # broken\r\n';
    const file = server.fresh(text);
    chmodSync(at(file), 0o640);
    const preview = await server.ok('config_edit', edit({ op: 'delete_file', file }));
    expect(preview.text).toContain(`--- a/${file}\n+++ /dev/null\n@@ -1 +0,0 @@\n`);
    const change = await applied(preview.data);
    expect(existsSync(at(file))).toBe(false);
    const undo = await server.ok('config_revert', { change_id: change['change_id'] });
    await applied(undo.data);
    expect(readFileSync(at(file), 'utf8')).toBe(text);
    expect(statSync(at(file)).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['its bytes', (path: string) => writeFileSync(path, 'b: 1\n')],
    ['its mode', (path: string) => chmodSync(path, 0o600)],
  ])('is refused where %s changed since the preview', async (_, act) => {
    const file = server.fresh('a: 1\n');
    chmodSync(at(file), 0o644);
    const { data } = await server.ok('config_edit', edit({ op: 'delete_file', file }));
    act(at(file));
    const { code, text } = await server.refused('config_apply', { preview_id: data['preview_id'] });
    expect([code, existsSync(at(file))]).toEqual(['FILE_CHANGED', true]);
    // Nobody compares them, so nobody says how they differ.
    expect(text).not.toContain('comments or layout only');
  });

  it('is not undone where another file has taken its place', async () => {
    const file = server.fresh('a: 1\n');
    const { data } = await server.ok('config_edit', { ...edit({ op: 'delete_file', file }), dry_run: false });
    server.write(file, 'theirs: 1\n');
    expect((await server.refused('config_revert', { change_id: data['change_id'] })).code).toBe(
      'FILE_CHANGED',
    );
    rmSync(at(file));
    await server.ok('config_revert', { change_id: data['change_id'], dry_run: false });
    expect(server.disk(file)).toBe('a: 1\n');
  });
});

it('what a batch does to files of all kinds is applied and undone as one', async () => {
  const [changed, gone, made] = [server.fresh('a: 1\n'), server.fresh('b: 1\n'), unused('json')];
  const { data } = await server.ok('config_edit', {
    ...edit(
      { op: 'set', file: changed, path: 'a', json: 2 },
      { op: 'delete_file', file: gone },
      { op: 'create_file', file: made, content: '{"c": 1}\n' },
    ),
    dry_run: false,
  });
  expect([server.disk(changed), existsSync(at(gone)), server.disk(made)]).toEqual([
    'a: 2\n',
    false,
    '{"c": 1}\n',
  ]);
  await server.ok('config_revert', { change_id: data['change_id'], dry_run: false });
  expect([server.disk(changed), server.disk(gone), existsSync(at(made))]).toEqual([
    'a: 1\n',
    'b: 1\n',
    false,
  ]);
});
