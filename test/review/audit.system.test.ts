// What happens to previews stands in the audit trail, by hashes and paths and without values; what somebody does to the trail
// afterwards is found; and where it cannot be recorded, it does not happen.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type TrailVerdict, verifyTrail } from '../../src/security/audit/verify.ts';
import type { Event } from '../../src/state/event.ts';
import { FILES, preview, SET, SET_TEXT, type Stage, stage } from '../harness/previews.ts';
import { eventNow, keptIn, record, trailOf, withDatabase, withStore } from '../harness/state.ts';
import { openRaw } from '../state/raw-sqlite.ts';

function verdictOf({ state }: Stage): Promise<TrailVerdict> {
  return withStore(state, (store) => verifyTrail(store), { evenDamaged: true });
}

/** As somebody does who can write the database, and minds none of its rules. */
function spoil({ state }: Stage, ...statements: readonly string[]): void {
  withDatabase(state, (database) => {
    for (const sql of statements) database.run(sql);
  });
}

it('records each step with who, which hashes, which paths and by whose word, and no value [AUD-5]', async () => {
  const at = stage();
  const server = await at.start(['--approval', 'preview']);
  const id = await preview(server, { ...SET, json: 'canary-value' });
  await server.ok('config_apply', { preview_id: id });
  await server.refused('config_apply', { preview_id: id });
  await server.refused('config_set', { ...SET, dry_run: false });
  const trail = trailOf(at.state);
  const caller = { name: 'test-client', version: '1.0.0' };
  const [sha256, file] = [expect.stringMatching(/^[0-9a-f]{64}$/u), 'a.yaml'];
  const files = [{ file, paths: ['a'], base_sha256: sha256, result_sha256: sha256 }];
  const about = { about: id, files, caller };
  expect(trail).toMatchObject([
    { ...about, type: 'previewed' },
    { ...about, type: 'begun', confirmed_by: 'preview' },
    { ...about, type: 'applied', confirmed_by: 'preview' },
    { type: 'refused', tool: 'config_apply', named: id, code: 'PREVIEW_USED' },
    { type: 'refused', tool: 'config_set', files: [{ file }], code: 'PREVIEW_REQUIRED' },
  ]);
  expect(JSON.stringify(trail)).not.toContain('canary-value');
  const { sha256: end, ...verdict } = await verdictOf(at);
  expect(verdict).toEqual({ isWhole: true, records: 5 });
  // The ordinary log holds the end of the trail at each start and each change: whoever writes the trail anew has to write both.
  const logged = server.log().match(/(?<="trail_sha256":")\w+/gu) ?? [];
  expect(logged).toHaveLength(2);
  const hashes = withDatabase(at.state, (database) => database.all('SELECT seq, sha256 FROM trail'));
  expect(hashes.find(({ seq }) => seq === 3)).toMatchObject({ sha256: logged[1] });
  expect(hashes.at(-1)).toMatchObject({ seq: 5, sha256: end });
});

const LAST = '(SELECT max(seq) FROM trail)';

it.each([
  {
    why: 'was edited',
    sql: [`UPDATE trail SET body = replace(body, '"applied"', '"unknown"') WHERE seq = 3`],
    damage: { how: 'edited', seq: 3 },
  },
  { why: 'was removed', sql: ['DELETE FROM trail WHERE seq = 2'], damage: { how: 'missing', seq: 2 } },
  {
    why: 'was cut off',
    sql: [`DELETE FROM trail WHERE seq = ${LAST}`],
    damage: { how: 'change missing', seq: 3 },
  },
  {
    why: 'was taken away with all others',
    sql: ['DELETE FROM trail'],
    damage: { how: 'change missing', seq: 1 },
  },
])('tells that a record $why (AUDI-005) [AUD-5]', async ({ sql, damage }) => {
  const at = stage();
  const server = await at.start();
  await server.ok('config_apply', { preview_id: await preview(server) });
  await server.close();
  expect(trailOf(at.state)).toHaveLength(3);
  spoil(at, ...sql);
  expect(await verdictOf(at)).toMatchObject({ isWhole: false, damage });
});

it.each([
  {
    why: 'cut, with the change that it recorded',
    putBack: (at: Stage) =>
      spoil(at, 'DELETE FROM trail WHERE seq > 2', 'DELETE FROM previews WHERE begun IS NOT NULL'),
  },
  {
    why: 'replaced by an older one',
    putBack: ({ state, place }: Stage) => {
      for (const end of ['', '-wal', '-shm'])
        if (existsSync(join(state, `state.db${end}`)))
          renameSync(join(state, `state.db${end}`), join(place, `newer${end}`));
      renameSync(join(place, 'older'), join(state, 'state.db'));
    },
  },
])(
  'a state that is put back is found by a server that runs, which writes nothing any more: $why (AUDI-005) [APR-5]',
  async ({ putBack }) => {
    const at = stage();
    const running = await at.start();
    const [first, second] = [await preview(running), await preview(running, { ...SET, json: 8 })];
    withDatabase(at.state, (database) => database.run('VACUUM INTO ?', join(at.place, 'older')));
    await running.ok('config_apply', { preview_id: first });
    at.write('a.yaml', FILES['a.yaml']);
    putBack(at);
    const again = await running.refused('config_apply', { preview_id: first });
    expect(['IO_ERROR', 'PREVIEW_NOT_FOUND']).toContain(again.code);
    for (const [tool, args] of [
      ['config_apply', { preview_id: second }],
      ['config_set', { ...SET, dry_run: false }],
      ['config_set', SET],
    ] as const) {
      const error = await running.refused(tool, args);
      expect(error.code).toBe('IO_ERROR');
      expect(error.message).toContain('config-airlock audit verify');
    }
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    await running.ok('config_get', { file: 'a.yaml' });
    // After a restart only the log, kept elsewhere, tells: its end is not in this trail.
    const logged = running.log().match(/(?<="event":"change_recorded".*"trail_sha256":")\w+/u)?.[0];
    expect(logged).toBeDefined();
    expect((await verdictOf(at)).sha256).not.toBe(logged);
  },
);

const ONCE = { type: 'begun', confirmed_by: 'preview' } as const;
it.each<{ why: string; events: readonly Pick<Event, 'type' | 'confirmed_by'>[]; damage?: object }>([
  { why: 'twice', events: [ONCE, ONCE], damage: { how: 'applied twice', seq: 2 } },
  { why: 'twice, after it was undone', events: [ONCE, { type: 'rolled_back' }, ONCE] },
  {
    why: 'though it was rejected',
    events: [{ type: 'rejected' }, ONCE],
    damage: { how: 'applied though rejected', seq: 2 },
  },
  {
    why: 'without the approval that it names',
    events: [{ type: 'begun', confirmed_by: 'human' }],
    damage: { how: 'applied without approval', seq: 1 },
  },
  {
    why: 'and ended twice',
    events: [ONCE, { type: 'rolled_back' }, { type: 'applied' }],
    damage: { how: 'ended twice', seq: 3 },
  },
])('tells of a preview that was applied $why [APR-5]', async ({ events, damage }) => {
  const at = stage();
  await (await at.start()).close();
  for (const event of events) await record(at.state, () => eventNow({ ...event, about: '0'.repeat(52) }));
  expect(await verdictOf(at)).toMatchObject({ isWhole: damage === undefined, ...(damage && { damage }) });
});

/** Answers how it is mended. */
type Harm = (at: Stage) => (() => void) | undefined;

const swapped =
  (put: (file: string) => void): Harm =>
  ({ state, place }) => {
    const [file, kept] = [join(state, 'state.db'), join(place, 'kept')];
    renameSync(file, kept);
    put(file);
    return () => {
      renameSync(file, join(place, 'other'));
      renameSync(kept, file);
    };
  };

it.for<{ why: string; harm: Harm; code?: string; isUnrepeatable?: true }>([
  {
    why: 'the end of the trail is another',
    harm: (at) => {
      spoil(at, `UPDATE trail SET body = body || ' ' WHERE seq = ${LAST}`);
      return () => spoil(at, `UPDATE trail SET body = trim(body) WHERE seq = ${LAST}`);
    },
  },
  { why: 'another state stands in its place', harm: swapped((file) => writeFileSync(file, '')) },
  {
    why: 'nobody may write to it',
    code: 'NO_SPACE',
    harm: ({ state }) => closed(join(state, 'state.db-wal')),
  },
  {
    why: 'another process is writing to it for long',
    code: 'BUSY',
    harm: ({ state }) => {
      const database = openRaw(join(state, 'state.db'));
      database.exec('BEGIN IMMEDIATE');
      return () => database.close();
    },
  },
])(
  'does nothing that it cannot record: $why (AUDI-003) [AUD-5]',
  async ({ harm, code = 'IO_ERROR' }, { skip }) => {
    const at = stage();
    const server = await at.start();
    const id = await preview(server);
    const mend = harm(at);
    if (mend === undefined) return skip('nothing here can close a file to root');
    try {
      for (const [tool, args] of [
        ['config_apply', { preview_id: id }],
        ['config_set', SET],
        ['config_set', { ...SET, dry_run: false }],
      ] as const)
        expect((await server.refused(tool, args)).code).toBe(code);
      expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
      await server.ok('config_get', { file: 'a.yaml' });
    } finally {
      mend();
    }
    expect([keptIn(at.state, 'changes'), keptIn(at.state, 'previews')]).toEqual([[], [id]]);
    // Nothing came of it, so the preview was not used up.
    await server.ok('config_apply', { preview_id: id });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  },
);

it.skipIf(process.getuid?.() !== 0)(
  'does nothing that it cannot record: its disk is full (AUDI-003) [AUD-5]',
  async ({ skip }) => {
    const at = stage();
    mkdirSync(at.state, { mode: 0o700 });
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'airlock-test', at.state]).status !== 0)
      return skip('nothing can be mounted here');
    onTestFinished(() => {
      spawnSync('umount', ['-l', at.state]);
    });
    const server = await at.start();
    const id = await preview(server);
    const filler = join(at.state, 'filler');
    const file = openSync(filler, 'w', 0o600);
    for (const size of [100_000, 1_000])
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
    closeSync(file);
    // What a page of the database still had room for is used up by then.
    const large = { file: 'b.yaml', path: 'x', value: 'x'.repeat(100_000) };
    for (const [tool, args] of [
      ['config_set', SET],
      ['config_set', { ...large, dry_run: false }],
      ['config_apply', { preview_id: id }],
    ] as const)
      expect((await server.refused(tool, args)).code).toBe('NO_SPACE');
    expect([at.disk('a.yaml'), at.disk('b.yaml')]).toEqual([FILES['a.yaml'], FILES['b.yaml']]);
    await server.ok('config_get', { file: 'a.yaml' });
    rmSync(filler);
    await server.ok('config_apply', { preview_id: id });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
    expect(await verdictOf(at)).toMatchObject({ isWhole: true });
  },
);

/** A file that nobody, not even root, may write to; undefined where that cannot be arranged. */
function closed(file: string): (() => void) | undefined {
  const open = () => spawnSync('chattr', ['-i', file]);
  return spawnSync('chattr', ['+i', file]).status === 0 ? open : undefined;
}
