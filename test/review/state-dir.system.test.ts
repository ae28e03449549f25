// The state directory as an operator meets it: the server does not start on one that others could look into,
// exchange, or reach through a root; and says so in one line.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FILES, preview, SET, type Stage, stage } from '../harness/previews.ts';
import { startProcess } from '../harness/start-process.ts';
import { keptIn, withDatabase } from '../harness/state.ts';
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
  expect(existsSync(join(at.place, 'xdg/config-airlock/state.db'))).toBe(true);
  await expect(startProcess({ root: at.root, env: { AIRLOCK_STATE_DIR: '', HOME: '' } })).rejects.toThrow(
    '--state-dir',
  );
});

it('keeps what it keeps for its owner alone, also where the file was made by somebody with other habits [APR-8]', async () => {
  const at = stage();
  mkdirSync(at.state, { mode: 0o700 });
  const server = await at.start();
  await server.ok('config_set', SET);
  const modes = readdirSync(at.state).map((name) => statSync(join(at.state, name)).mode & 0o777);
  expect(modes.length).toBeGreaterThan(1);
  expect(new Set(modes)).toEqual(new Set([0o600, 0o700]));
});

it.for<{ why: string; put: (file: string, place: string) => void }>([
  { why: 'a folder', put: (file) => mkdirSync(file) },
  {
    why: 'a link',
    put: (file, place) => {
      writeFileSync(join(place, 'elsewhere'), '', { mode: 0o600 });
      symlinkSync(join(place, 'elsewhere'), file);
    },
  },
])(
  'with $why in the place of the database stops the start, and it is left alone [APR-8]',
  async ({ put }) => {
    const at = stage();
    mkdirSync(at.state, { mode: 0o700 });
    put(join(at.state, 'state.db'), at.place);
    await expect(at.start()).rejects.toThrow('"state.db" in it is no file of this program');
    expect(readdirSync(at.state)).toEqual(['state.db']);
  },
);

it.each([
  { when: 'before any call', isUsed: false },
  { when: 'after the first call', isUsed: true },
])('is held from the start on: another in its place is not written to, $when [APR-8]', async ({ isUsed }) => {
  const at = stage();
  const server = await at.start();
  if (isUsed) await server.ok('config_list', {});
  const moved = join(at.place, 'moved');
  renameSync(at.state, moved);
  mkdirSync(at.state, { mode: 0o700 });
  expect((await server.refused('config_set', SET)).code).toBe('IO_ERROR');
  expect((await server.refused('config_set', { ...SET, dry_run: false })).code).toBe('IO_ERROR');
  expect([readdirSync(at.state), at.disk('a.yaml')]).toEqual([[], FILES['a.yaml']]);
  expect([keptIn(moved, 'previews'), keptIn(moved, 'changes')]).toEqual([[], []]);
  renameSync(at.state, join(at.place, 'decoy'));
  renameSync(moved, at.state);
  if (isUsed) await server.ok('config_set', SET);
});

it('that is removed while it serves is told to the operator and the log, and passes for no preview that never was [APR-8]', async () => {
  const at = stage();
  const server = await at.start(['--approval', 'preview']);
  const id = await preview(server);
  // Afterwards the place is there again, and still not the one that is held.
  rmSync(at.state, { recursive: true });
  mkdirSync(at.state, { mode: 0o700 });
  for (const [tool, args] of [
    ['config_apply', { preview_id: id }],
    ['config_set', SET],
  ] as const) {
    const error = await server.refused(tool, args);
    expect(error).toMatchObject({ code: 'IO_ERROR' });
    expect(error.message).toMatch(/the state was removed, replaced or put back.* The operator should/u);
  }
  const told = server.log().match(/"event":"state_unusable","code":"IO_ERROR"/gu) ?? [];
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect([readdirSync(at.state), at.disk('a.yaml')]).toEqual([[], FILES['a.yaml']]);
});

/** As somebody does who can write the database, and minds none of its rules. */
const sql =
  (...statements: readonly string[]) =>
  (state: string): void =>
    withDatabase(state, (database) => {
      for (const statement of statements) database.run(statement);
    });
const exchanged = (column: string) =>
  `UPDATE trail SET ${column} = (SELECT ${column} FROM trail AS other WHERE other.seq = 7 - trail.seq) WHERE seq IN (3, 4)`;

it.each([
  {
    why: 'two records and their hashes changed places',
    damage: sql(exchanged('body'), exchanged('sha256')),
  },
  { why: 'one is missing', damage: sql('DELETE FROM trail WHERE seq = 2') },
  { why: 'nothing is left of it', damage: sql('DELETE FROM trail') },
  {
    why: 'the change that it knows of was given another end',
    damage: sql("UPDATE previews SET state = 'open' WHERE begun IS NOT NULL"),
  },
  {
    why: 'nothing is left of its database',
    damage: (state: string) => {
      for (const end of ['', '-wal']) writeFileSync(join(state, `state.db${end}`), 'nothing'.repeat(1_000));
    },
  },
  { why: 'it is of a newer version', damage: sql("UPDATE identity SET value = '99' WHERE name = 'version'") },
])(
  'a server that starts with a damaged trail goes on, lets read and writes nothing: $why [APR-5]',
  async ({ why, damage }) => {
    const at = stage();
    const before = await at.start(['--approval', 'preview']);
    await before.ok('config_apply', { preview_id: await preview(before) });
    const id = await preview(before, { file: 'b.yaml', path: 'x', json: 2 });
    await before.close();
    damage(at.state);
    const server = await at.start(['--approval', 'preview']);
    await eventually(() => expect(server.log()).toContain('"event":"recovery_waiting","code":"IO_ERROR"'));
    await server.ok('config_list', {});
    await server.ok('config_get', { file: 'b.yaml' });
    for (const [tool, args] of [
      ['config_apply', { preview_id: id }],
      ['config_set', { file: 'b.yaml', path: 'x', json: 3 }],
      ['config_history', {}],
    ] as const) {
      const error = await server.refused(tool, args);
      expect(error).toMatchObject({ code: 'IO_ERROR' });
      expect(error.message).toContain(
        why.includes('newer') ? 'should start that version' : 'config-airlock audit verify',
      );
      expect(error.details).toBe('Tell the operator: no call can mend this');
    }
    expect(at.disk('b.yaml')).toBe(FILES['b.yaml']);
  },
);
