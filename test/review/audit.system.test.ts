// What happens to previews stands in the audit trail, by hashes and paths and without values; and where it
// cannot be recorded, it does not happen.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  AuditTrail,
  canonicalJson,
  finishedChanges,
  openStateDir,
  sha256Hex,
  verifyTrail,
} from '../../src/security/index.ts';
import { FILES, preview, SET, SET_TEXT, type Stage, stage } from '../harness/previews.ts';
import { fullIdIn } from '../harness/state.ts';
import { trailOf } from '../harness/trail.ts';
import { KEEPS_ALL } from '../security/store/ground.ts';

function verdict({ root, state }: Stage) {
  const dir = openStateDir(state, [{ name: undefined, dir: root }]);
  onTestFinished(() => dir.close());
  return verifyTrail(dir.audit, finishedChanges(dir.changes, dir.previews));
}

const TRAIL = 'audit/audit-000001.jsonl';

it('records each step with who, which hashes, which paths and by whose word, and no value [AUD-5]', async () => {
  const at = stage();
  const server = await at.start(['--approval', 'preview']);
  const id = await preview(server, { ...SET, json: 'canary-value' });
  const { data } = await server.ok('config_apply', { preview_id: id });
  await server.refused('config_apply', { preview_id: id });
  await server.refused('config_set', { ...SET, dry_run: false });
  const trail = trailOf(at);
  const change_id = fullIdIn(at.state, String(data['change_id']));
  expect(trail).toMatchObject([
    {
      action: 'propose',
      outcome: 'kept',
      file: 'a.yaml',
      preview: id,
      paths: ['a'],
      caller: { name: 'test-client', version: '1.0.0' },
    },
    {
      action: 'commit',
      outcome: 'intent',
      preview: id,
      change_id,
      confirmed_by: 'preview',
      caller: { name: 'test-client', version: '1.0.0' },
    },
    { action: 'commit', outcome: 'applied', preview: id, change_id, paths: ['a'] },
    { action: 'config_apply', outcome: 'refused', preview: id, code: 'PREVIEW_USED' },
    { action: 'config_set', outcome: 'refused', file: 'a.yaml', code: 'PREVIEW_REQUIRED' },
  ]);
  expect(trail.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(JSON.stringify(trail)).not.toContain('canary-value');
  expect(verdict(at)).toMatchObject({ isWhole: true, records: 5 });
  // The ordinary log holds the end of the trail at each record: whoever writes one anew has to write both.
  const end = String(verdict(at).sha256);
  expect(server.log()).toContain(`"trail_sha256":"${end}"`);
});

it.each([
  { why: 'edited', change: (text: string) => text.replace('"applied"', '"refused"'), how: 'edited' },
  { why: 'removed', change: (text: string) => text.split('\n').toSpliced(1, 1).join('\n'), how: 'dropped' },
  {
    why: 'cut off',
    change: (text: string) => `${text.split('\n').slice(0, -2).join('\n')}\n`,
    how: 'tail cut',
  },
])('tells that a record was $why (AUDI-005) [AUD-5]', async ({ change, how }) => {
  const at = stage();
  const server = await at.start();
  await server.ok('config_apply', { preview_id: await preview(server) });
  await server.close();
  const file = join(at.state, TRAIL);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  expect(verdict(at)).toMatchObject({ isWhole: false, damage: { how } });
});

it('tells that the whole trail was taken away, though something was applied (AUDI-005)', async () => {
  const at = stage();
  const server = await at.start();
  await server.ok('config_apply', { preview_id: await preview(server) });
  await server.close();
  for (const name of readdirSync(join(at.state, 'audit'))) rmSync(join(at.state, 'audit', name));
  expect(verdict(at)).toMatchObject({ isWhole: false, records: 0, damage: { how: 'file missing' } });
});

it('tells that a trail was cut together with its head, and applies nothing any more (AUDI-005) [APR-5]', async () => {
  const at = stage();
  const [running, stopped] = [await at.start(), await at.start()];
  const [first, second] = [await preview(running), await preview(running, { ...SET, json: 8 })];
  const [file, head] = [join(at.state, TRAIL), join(at.state, 'audit/head.json')];
  const before = [readFileSync(file), readFileSync(head)];
  await running.ok('config_apply', { preview_id: first });
  await stopped.close();
  const after = at.disk('a.yaml');
  writeFileSync(file, before[0] ?? '');
  writeFileSync(head, before[1] ?? '');
  // What is kept of the changes tells, and so does what a server that runs has read.
  expect(verdict(at)).toMatchObject({ isWhole: false, damage: { how: 'commit missing', seq: 3 } });
  for (const server of [running, await at.start()]) {
    expect((await server.refused('config_apply', { preview_id: first })).code).toMatch(
      /IO_ERROR|PREVIEW_USED|FILE_CHANGED/u,
    );
    at.write('a.yaml', FILES['a.yaml']);
    const error = await server.refused('config_apply', { preview_id: second });
    expect(error.code).toBe('IO_ERROR');
    expect(error.message).toContain('config-airlock audit verify');
    expect((await server.refused('config_set', { ...SET, dry_run: false })).code).toBe('IO_ERROR');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    at.write('a.yaml', after);
  }
});

it('tells at the next start how a change ended whose last record a power cut took [AUD-6]', async () => {
  const at = stage();
  const server = await at.start();
  await server.ok('config_apply', { preview_id: await preview(server) });
  await server.close();
  const file = join(at.state, TRAIL);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.at(-1)).toContain('"outcome":"applied"');
  const left = `${lines.slice(0, -1).join('\n')}\n`;
  const end = {
    v: 1,
    file: 1,
    seq: lines.length - 1,
    sha256: sha256Hex(lines.at(-2) ?? ''),
    size: left.length,
  };
  writeFileSync(file, left);
  writeFileSync(join(at.state, 'audit/head.json'), canonicalJson(end));
  expect(verdict(at)).toMatchObject({ isWhole: true, records: lines.length - 1 });
  await (await at.start()).close();
  const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1);
  for (const part of ['"action":"recover"', '"outcome":"applied"', `"seq":${lines.length}`])
    expect(last).toContain(part);
  expect(verdict(at)).toMatchObject({ isWhole: true, records: lines.length, notes: [] });
});

it('tells of a preview that was applied twice [APR-5]', () => {
  const at = stage();
  const dir = openStateDir(at.state, [{ name: undefined, dir: at.root }]);
  onTestFinished(() => dir.close());
  const trail = new AuditTrail({
    folder: dir.audit,
    lock: () => dir.lock(),
    now: () => new Date(),
    ...KEEPS_ALL,
  });
  const record = (preview: string, change_id: string) =>
    trail.append(() => [{ action: 'commit', outcome: 'applied', preview, change_id }]);
  record('one', 'a');
  // Of two files.
  record('one', 'a');
  record('two', 'b');
  expect(verifyTrail(dir.audit)).toMatchObject({ isWhole: true, records: 3 });
  record('one', 'c');
  expect(verifyTrail(dir.audit)).toMatchObject({ isWhole: false, damage: { how: 'applied twice', seq: 4 } });
});

it.for<{ why: string; spoil: (at: Stage) => (() => void) | undefined }>([
  {
    why: 'the trail is cut',
    spoil: ({ state }) => {
      const whole = readFileSync(join(state, TRAIL));
      truncateSync(join(state, TRAIL), 10);
      return () => writeFileSync(join(state, TRAIL), whole);
    },
  },
  {
    why: 'a folder stands in the place of the trail',
    spoil: ({ state, place }) => {
      renameSync(join(state, TRAIL), join(place, 'kept'));
      mkdirSync(join(state, TRAIL));
      return () => {
        rmSync(join(state, TRAIL), { recursive: true });
        renameSync(join(place, 'kept'), join(state, TRAIL));
      };
    },
  },
  {
    why: 'the head is not readable',
    spoil: ({ state }) => {
      const head = readFileSync(join(state, 'audit/head.json'));
      writeFileSync(join(state, 'audit/head.json'), '{}');
      return () => writeFileSync(join(state, 'audit/head.json'), head);
    },
  },
  { why: 'nobody may write to it', spoil: ({ state }) => closed(join(state, TRAIL)) },
])('does nothing that it cannot record: $why (AUDI-003) [AUD-5]', async ({ spoil }, { skip }) => {
  const at = stage();
  const server = await at.start();
  const id = await preview(server);
  const mend = spoil(at);
  if (mend === undefined) return skip('nothing here can close a folder to root');
  try {
    const error = await server.refused('config_apply', { preview_id: id });
    expect(['IO_ERROR', 'PERMISSION_DENIED']).toContain(error.code);
    for (const dry_run of [true, false]) {
      const { code } = await server.refused('config_set', { ...SET, dry_run });
      expect(['IO_ERROR', 'PERMISSION_DENIED']).toContain(code);
    }
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    expect(readdirSync(join(at.state, 'changes'))).toEqual([]);
    expect(readdirSync(join(at.state, 'previews'))).toEqual([`${id}.json`]);
  } finally {
    mend();
  }
  // Nothing came of it, so the preview was not used up.
  await server.ok('config_apply', { preview_id: id });
  expect(at.disk('a.yaml')).toBe(SET_TEXT);
});

/** A file that nobody, not even root, may write to; undefined where that cannot be arranged. */
function closed(file: string): (() => void) | undefined {
  if (process.getuid?.() !== 0) {
    chmodSync(file, 0o400);
    return () => chmodSync(file, 0o600);
  }
  const open = () => spawnSync('chattr', ['-i', file]);
  return spawnSync('chattr', ['+i', file]).status === 0 ? open : undefined;
}
