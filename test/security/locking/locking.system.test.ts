// What docs/locking.md says of the lock, through servers that want to write: time decides nothing among the living, a death is seen
// at once, and a lock that is none of ours is left alone. Two processes that write at once are in writer/two-writers.system.test.ts.
import {
  linkSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SET, SET_TEXT, type Stage, stage } from '../../harness/previews.ts';
import { ISOLATED, startProcess } from '../../harness/start-process.ts';
import { startToolServer } from '../../harness/tool-server.ts';
import { eventually } from '../../harness/wait.ts';
import { leftovers } from '../fixture.ts';

const LOCK = '.config-airlock.lock';
const NOBODY = 4_194_304; // above the largest pid that Linux gives out
const WRITE = { ...SET, dry_run: false };

/** The owner that a lock of this process names, told from the system anew. */
const OWNER = {
  ...{ pid: process.pid, host: hostname(), nonce: '0'.repeat(32) },
  started: /\) (?:\S+ ){19}(\S+)/u.exec(readFileSync('/proc/self/stat', 'utf8'))?.[1] ?? '',
  boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  namespace: readlinkSync('/proc/self/ns/pid'),
};
const DEAD = { ...OWNER, pid: NOBODY };

interface Row {
  readonly why: string;
  /** The lock: its text, or what differs in the owner that it names. */
  readonly lock: string | object;
  /** Older than this run of the machine. */
  readonly isOld?: boolean;
  readonly more?: (lock: string, at: Stage) => void;
  readonly is: 'BUSY' | 'broken';
}

/** Of breakers that died as well, one behind the other. */
const breakers = (count: number) => (lock: string) => {
  const nonces = Array.from({ length: count + 1 }, (_, index) => index.toString(16).padStart(32, '0'));
  for (const [index, nonce] of nonces.slice(1).entries())
    writeFileSync(`${lock}.${nonces[index]}`, JSON.stringify({ ...DEAD, nonce }));
};

const ROWS: readonly Row[] = [
  { why: 'its owner lives', lock: {}, is: 'BUSY' },
  { why: 'its owner lives, and wrote it long ago', lock: {}, isOld: true, is: 'BUSY' },
  { why: 'nobody has the number of its owner', lock: { pid: NOBODY }, is: 'broken' },
  { why: 'that number belongs to a later process', lock: { started: '1' }, is: 'broken' },
  { why: 'its owner did not know when it was started', lock: { started: '' }, is: 'BUSY' },
  { why: 'it was made on another machine', lock: { pid: NOBODY, host: 'other' }, is: 'BUSY' },
  { why: 'it was made in another container', lock: { pid: NOBODY, namespace: 'pid:[1]' }, is: 'BUSY' },
  {
    why: 'it is of an earlier run of the machine',
    lock: { boot: 'the last one' },
    isOld: true,
    is: 'broken',
  },
  { why: 'another machine of this name made it now', lock: { pid: NOBODY, boot: 'x' }, is: 'BUSY' },
  { why: 'its owner did not know its run', lock: { pid: NOBODY, boot: '' }, isOld: true, is: 'BUSY' },
  { why: 'it is no lock of this program', lock: 'mine\n', is: 'BUSY' },
  { why: 'its owner has no number', lock: { pid: undefined }, is: 'BUSY' },
  { why: 'its owner has no host', lock: { pid: NOBODY, host: undefined }, is: 'BUSY' },
  { why: 'its owner has no nonce', lock: { pid: NOBODY, nonce: undefined }, is: 'BUSY' },
  { why: 'its nonce is a path', lock: { pid: NOBODY, nonce: `/${'0'.repeat(31)}` }, is: 'BUSY' },
  { why: 'a power cut took its contents', lock: '', isOld: true, is: 'broken' },
  { why: 'a power cut left only zeros', lock: '\0\0\0', isOld: true, is: 'broken' },
  { why: 'it is empty, and of this run', lock: '', is: 'BUSY' },
  { why: 'it is old and holds something else', lock: '\0x\0', isOld: true, is: 'BUSY' },
  {
    why: 'it is old and empty, and has a second name',
    ...{ lock: '', isOld: true, is: 'BUSY' },
    more: (lock, { root }) => linkSync(lock, join(root, 'second')),
  },
  {
    why: 'it is a link to an old and empty file',
    ...{ lock: '', isOld: true, is: 'BUSY' },
    more: (lock, { place }) => {
      linkSync(lock, join(place, 'empty'));
      unlinkSync(lock);
      symlinkSync(join(place, 'empty'), lock);
    },
  },
  { why: 'seven who would break it died as well', lock: DEAD, more: breakers(7), is: 'broken' },
  { why: 'eight who would break it died as well', lock: DEAD, more: breakers(8), is: 'BUSY' },
];

describe.skipIf(process.platform !== 'linux')('the lock of a folder', () => {
  async function tried({ lock, more }: Row): Promise<string> {
    const at = stage();
    const file = join(at.root, LOCK);
    writeFileSync(file, typeof lock === 'string' ? lock : JSON.stringify({ ...OWNER, ...lock }));
    more?.(file, at);
    const before = leftovers(at.root);
    const server = await at.start();
    const { isError, text } = await server.callTool('config_set', WRITE);
    if (!isError) return at.disk('a.yaml') === SET_TEXT && leftovers(at.root).length === 0 ? 'broken' : text;
    expect([at.disk('a.yaml'), leftovers(at.root)]).toEqual(['a: 1 # one\nb: 2\n', before]);
    expect(text).toContain(`the operator can delete ${LOCK} in the folder of the file`);
    return text.slice(0, text.indexOf(':'));
  }

  it('is broken where its owner is certainly dead, and left alone in any doubt [WRT-5]', async () => {
    for (const rows of [ROWS.filter(({ isOld }) => !isOld), ROWS.filter(({ isOld }) => isOld)]) {
      // As if the machine had been started again since.
      const later = Date.now() + uptime() * 1_000 + 60_000;
      if (rows[0]?.isOld) vi.spyOn(Date, 'now').mockReturnValue(later);
      // Whoever waits for a lock does so for two seconds: all of them at once.
      const found = await Promise.all(rows.map(async (row) => [row.why, await tried(row)]));
      expect(found).toEqual(rows.map(({ why, is }) => [why, is]));
    }
    vi.restoreAllMocks();
  });

  it('is left alone while its process is stopped in a commit, and is broken once that is killed [WRT-5]', async () => {
    const at = stage();
    const holder = await startProcess({
      ...{ root: at.root, program: ISOLATED },
      env: { SIGNAL_AT: `renameSync /a.yaml SIGSTOP` },
    });
    const ended = holder.callTool('config_set', WRITE).catch(() => undefined);
    const lock = join(at.root, LOCK);
    await eventually(() => {
      expect(readFileSync(`/proc/${holder.pid}/stat`, 'utf8')).toMatch(/\) T /u);
      expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: holder.pid, host: OWNER.host });
    });
    utimesSync(lock, 1, 1);
    const other = await startToolServer({ root: at.root });
    expect((await other.refused('config_set', WRITE)).code).toBe('BUSY');
    expect(at.disk('a.yaml')).toBe('a: 1 # one\nb: 2\n');
    await holder.kill();
    await ended;
    await other.ok('config_set', WRITE);
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
    await Promise.all([other.close(), holder.close()]);
  });
});
