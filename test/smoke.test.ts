// The built command over stdio, as a host starts it: each tool once, and what only a process has. All else is tested in
// one process by `npm test`, and with kills, races and real clients by `npm run test:system`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../src/tools/index.ts';
import { CLI } from './harness/start-process.ts';
import { startToolProcess, type ToolServer } from './harness/tool-server.ts';

const FILES = {
  'a.yaml': 'replicas: 2 # two\nimage: web:1\n',
  'b.json': '{\n  "replicas": 2\n}\n',
  'c.toml': 'replicas = 2 # two\n',
  'd.jsonc': '{\n  // two\n  "replicas": 2\n}\n',
  'chart/templates/e.yaml': 'replicas: 2\nname: {{ .Values.name }}\n',
  'broken.yaml': 'a: [\n',
  '.env': 'A=1\n',
};
const REPLICAS = ['a.yaml', 'b.json', 'c.toml', 'd.jsonc', 'chart/templates/e.yaml'];

let server: ToolServer;
beforeAll(async () => {
  server = await startToolProcess({ files: FILES });
});
afterAll(() => server.close());

describe('the built command', () => {
  it('lists its tools', async () => {
    const names = (await server.listTools()).map(({ name }) => name);
    expect(names).toEqual(TOOLS.map(({ name }) => name));
  });

  it('lists the files, and not what is denied', async () => {
    const { text } = await server.ok('config_list');
    for (const file of REPLICAS) expect(text).toContain(file);
    expect(text).not.toContain('.env');
    expect((await server.refused('config_get', { file: '.env' })).code).toBe('PATH_DENIED');
  });

  it.each(REPLICAS)('reads and previews %s in its own thread', async (file) => {
    const before = server.disk(file);
    expect((await server.ok('config_get', { file, path: 'replicas', view: 'value' })).text).toContain('2');
    const { data, text } = await server.ok('config_set', { file, path: 'replicas', json: 3 });
    expect(data).toMatchObject({ dry_run: true });
    expect(text).toMatch(/^-.*\b2\b.*\n\+.*\b3\b/mu);
    expect(server.disk(file)).toBe(before);
  });

  it('searches, compares and validates', async () => {
    expect((await server.ok('config_search', { key: 'image' })).text).toContain('a.yaml');
    const sides = { a: { file: 'a.yaml' }, b: { file: 'b.json' } };
    expect((await server.ok('config_diff', sides)).text).toContain('image');
    const { data } = await server.ok('config_validate', { file: 'broken.yaml' });
    expect(data['valid']).toBe(false);
  });

  it('applies a batch once, knows it, and undoes it', async () => {
    const edits = [
      { op: 'set', file: 'a.yaml', path: 'replicas', json: 4 },
      { op: 'insert', file: 'b.json', path: '', key: 'added', json: true },
    ];
    const { data } = await server.ok('config_edit', { edits });
    const id = { preview_id: String(data['preview_id']) };
    const applied = await server.ok('config_apply', id);
    expect(server.disk('a.yaml')).toBe(FILES['a.yaml'].replace('replicas: 2', 'replicas: 4'));
    expect(server.disk('b.json')).toContain('"added": true');
    expect((await server.refused('config_apply', id)).code).toBe('PREVIEW_USED');
    const change = { change_id: String(applied.data['change_id']) };
    expect((await server.ok('config_history')).text).toContain(change.change_id);
    const undo = await server.ok('config_revert', change);
    await server.ok('config_apply', { preview_id: String(undo.data['preview_id']) });
    expect([server.disk('a.yaml'), server.disk('b.json')]).toEqual([FILES['a.yaml'], FILES['b.json']]);
  });

  it('explains itself and its errors', async () => {
    expect((await server.ok('explain_error', { code: 'FILE_CHANGED' })).data['known']).toBe(true);
    expect((await server.ok('list_capabilities')).text).toContain('yaml');
  });

  it('logs each call, and what it read nowhere', async () => {
    await server.ok('config_get', { file: 'a.yaml' });
    expect(server.log()).toContain('config_get');
    expect(server.log()).not.toContain('web:1');
  });
});

it.each(['v2-legacy', 'v2-modern'] as const)(
  'a client of %s is served, and --read-only holds',
  async (client) => {
    const flags = ['--read-only', '--max-file-size', '1000'];
    const other = await startToolProcess({ files: { 'a.yaml': 'a: 1\n' }, client, flags });
    try {
      expect((await other.ok('config_get', { file: 'a.yaml' })).text).toContain('a: 1');
      const refused = await other.refused('config_set', {
        file: 'a.yaml',
        path: 'a',
        json: 2,
        dry_run: false,
      });
      expect(refused.code).toBe('READ_ONLY');
    } finally {
      await other.close();
    }
  },
);

/** The command without a client: what it prints, and how it ends. */
function run(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere' };
  return spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', env, input: '' });
}

it.each([
  { args: ['--version'], status: 0, says: /^\d+\.\d+\.\d+\n$/u },
  { args: ['--rot', 'x'], status: 2, says: /^config-airlock: [^\n]*Did you mean --root\?[^\n]*\n$/u },
  { args: ['--root', '/nowhere/at/all'], status: 2, says: /^config-airlock: [^\n]+\n$/u },
])('$args end with exit code $status and one line', ({ args, status, says }) => {
  const ran = run(...args);
  expect([ran.status, ran.stdout + ran.stderr]).toEqual([status, expect.stringMatching(says)]);
});

it('ends when its input does, and leaves nothing in the root', () => {
  const before = readdirSync(server.root);
  const ran = run('--root', server.root, '--read-only', '--log-level', 'error');
  expect(ran).toMatchObject({ status: 0, signal: null, stdout: '', stderr: '' });
  expect(readdirSync(server.root)).toEqual(before);
});

it('previews an edit from the shell', () => {
  const ran = run('preview', 'a.yaml', 'replicas', '5', '--root', server.root, '--read-only');
  expect(ran.status).toBe(0);
  expect(ran.stdout).toContain('+replicas: 5 # two');
});
