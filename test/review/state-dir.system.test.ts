// The state directory as an operator meets it: the server does not start on one that others could look into,
// exchange, or reach through a root; and says so in one line.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recogniseMessage } from '../../src/adapters/index.ts';
import { FILES, preview, SET, type Stage, stage } from '../harness/previews.ts';
import { startProcess } from '../harness/start-process.ts';
import { fullIdIn } from '../harness/state.ts';
import { eventually } from '../harness/wait.ts';

const isRoot = process.geteuid?.() === 0;

const PLACES: readonly { why: string; at: (stage: Stage) => string; says: string; needsRoot?: true }[] = [
  { why: 'inside a root', at: ({ root }) => join(root, 'state'), says: 'overlap' },
  { why: 'around a root', at: ({ place }) => place, says: 'overlap' },
  {
    why: 'inside a root by another name of it',
    at: ({ root, place }) => {
      symlinkSync(root, join(place, 'alias'));
      return join(place, 'alias', 'state');
    },
    says: 'overlap',
  },
  {
    why: 'a link',
    at: ({ place }) => {
      mkdirSync(join(place, 'real'), { mode: 0o700 });
      symlinkSync('real', join(place, 'link'));
      return join(place, 'link');
    },
    says: 'symbolic link',
  },
  {
    why: 'open to others',
    at: ({ place }) => {
      mkdirSync(join(place, 'open'));
      chmodSync(join(place, 'open'), 0o755);
      return join(place, 'open');
    },
    says: 'mode 0700',
  },
  {
    why: "somebody else's",
    at: ({ place }) => {
      mkdirSync(join(place, 'foreign'), { mode: 0o700 });
      chownSync(join(place, 'foreign'), 65_534, 65_534);
      return join(place, 'foreign');
    },
    says: 'another user',
    needsRoot: true,
  },
];

it.for(PLACES)('$why stops the start [APR-8]', async ({ at: placeOf, says, needsRoot }, { skip }) => {
  if (needsRoot === true && !isRoot) skip('only root can give a folder away');
  const at = stage();
  const before = readdirSync(at.root);
  const started = startProcess({ root: at.root, state: placeOf(at) });
  await expect(started).rejects.toThrow(/^The server did not start: config-airlock: [^\n]+\n$/u);
  await expect(started).rejects.toThrow(says);
  expect(readdirSync(at.root)).toEqual(before);
});

it('is made for its owner alone, where the environment says, and by default where programs keep their state', async () => {
  const at = stage();
  const server = await startProcess({ root: at.root, env: { AIRLOCK_STATE_DIR: '', HOME: at.place } });
  const made = join(at.place, '.local/state/config-airlock');
  expect(statSync(made).mode & 0o777).toBe(0o700);
  await server.close();
  const env = { AIRLOCK_STATE_DIR: '', HOME: '/nonexistent', XDG_STATE_HOME: join(at.place, 'xdg') };
  await (await startProcess({ root: at.root, env })).close();
  expect(existsSync(join(at.place, 'xdg/config-airlock/previews'))).toBe(true);
  await expect(startProcess({ root: at.root, env: { AIRLOCK_STATE_DIR: '', HOME: '' } })).rejects.toThrow(
    '--state-dir',
  );
});

it('may hold folders in the place of what is kept: they are left alone, and the rest is served', async () => {
  const at = stage();
  const strangers = ['previews', 'changes', 'texts'].flatMap((folder) =>
    ['.json', ''].map((ending) => join(at.state, folder, 'x'.repeat(43) + ending)),
  );
  await (await at.startProcess()).close();
  for (const stranger of strangers) mkdirSync(stranger);
  const server = await at.startProcess();
  await server.ok('config_apply', { preview_id: await preview(server) });
  await server.close();
  await (await at.startProcess()).close();
  expect(strangers.filter((stranger) => !existsSync(stranger))).toEqual([]);
});

it('is held from the start on: another in its place is not written to [APR-8]', async () => {
  const at = stage();
  const server = await at.startProcess();
  renameSync(at.state, join(at.place, 'moved'));
  mkdirSync(at.state, { mode: 0o700 });
  const { data } = await server.ok('config_set', SET);
  const id = String(data['preview_id']);
  expect(readdirSync(at.state)).toEqual([]);
  expect(readdirSync(join(at.place, 'moved/previews'))).toEqual([
    `${fullIdIn(join(at.place, 'moved'), id)}.json`,
  ]);
  renameSync(at.state, join(at.place, 'decoy'));
  renameSync(join(at.place, 'moved'), at.state);
});

it('that is removed while it serves is told to the operator and the log, and passes for no preview that never was [APR-8]', async () => {
  const at = stage();
  const server = await at.startProcess(['--approval', 'preview']);
  const id = await preview(server);
  // Afterwards the place is there again, and still not the one that is held.
  rmSync(at.state, { recursive: true });
  mkdirSync(at.state, { mode: 0o700 });
  for (const [tool, args] of [
    ['config_apply', { preview_id: id }],
    ['config_set', SET],
  ] as const) {
    const error = await server.refused(tool, args);
    expect(error).toMatchObject({ code: 'IO_ERROR', category: 'system' });
    expect(recogniseMessage(error.message)).toBe('IO_ERROR');
    expect(error.message).toMatch(/the state directory.* was removed.* The operator should/u);
  }
  const told = server.log().match(/"event":"state_unusable","code":"IO_ERROR"/gu) ?? [];
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
});

const records = (change: (lines: readonly string[]) => readonly string[]) => (text: string) =>
  change(text.split('\n')).join('\n');

it.each([
  { why: 'two records changed places', damage: records(([a = '', b = '', ...more]) => [b, a, ...more]) },
  { why: 'one record is there twice', damage: records(([first = '', ...more]) => [first, first, ...more]) },
  { why: 'the last record is torn', damage: (text: string) => text.slice(0, -5) },
  { why: 'one byte is another', damage: (text: string) => text.replace('"seq":2', '"seq":3') },
  { why: 'nothing is left of it', damage: () => '' },
])(
  'a server that starts with a damaged trail goes on, lets read and writes nothing: $why [APR-5]',
  async ({ damage }) => {
    const at = stage();
    const before = await at.startProcess(['--approval', 'preview']);
    await before.ok('config_apply', { preview_id: await preview(before) });
    const id = await preview(before, { file: 'b.yaml', path: 'x', json: 2 });
    await before.close();
    const trail = join(at.state, 'audit/audit-000001.jsonl');
    writeFileSync(trail, damage(readFileSync(trail, 'utf8')));
    const server = await at.startProcess(['--approval', 'preview']);
    // With the client connected and no call made: it must not end the process either.
    await eventually(() => expect(server.log()).toContain('"event":"recovery_waiting","code":"IO_ERROR"'));
    await server.ok('config_list', {});
    await server.ok('config_get', { file: 'b.yaml' });
    for (const [tool, args] of [
      ['config_apply', { preview_id: id }],
      ['config_set', { file: 'b.yaml', path: 'x', json: 3 }],
      ['config_history', {}],
    ] as const) {
      const error = await server.refused(tool, args);
      expect(error).toMatchObject({ code: 'IO_ERROR', retryable: false });
      expect(error.message).toContain('config-airlock audit verify');
      expect(error.suggestions).toEqual(['Tell the operator: no call can mend this']);
      expect(recogniseMessage(error.message)).toBe('IO_ERROR');
    }
    expect(at.disk('b.yaml')).toBe(FILES['b.yaml']);
  },
);
