// How far the sweep goes, what it asks the disk for, and that nothing which the system refuses stops it.
import fs, { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import type { DirectoryEntry } from '../../../src/security/fs/ambient-fs.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { lookForLeftovers, sweep } from '../../../src/security/writer/sweep.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { leftovers, place } from '../fixture.ts';
import { dead } from '../locking/lockable.ts';
import { withoutUsers } from '../store/ground.ts';
import { counted, type Heed } from './counted.ts';
import { logIn, told } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const TEMP = `.config-airlock-${'0123456789ab'.repeat(2)}.new`;
const BREAKER = `${LOCK_NAME}.${'0'.repeat(32)}`;
const SWEPT = (count: number) => ({ level: 'warn', event: 'leftovers_swept', count });

function prepared(heed: Heed = () => {}, isVisible: (path: readonly string[]) => boolean = () => true) {
  const here = place(memoryDisk());
  const directory = pinRoot('fd-walk', here.root);
  onTestFinished(() => directory.close());
  const root = { name: undefined, directory: counted(directory, heed) };
  const log = logIn(here, 'sweep');
  return {
    ...here,
    directory,
    sweep: () => sweep([root], isVisible, { isOver: () => false, log }),
    look: () => lookForLeftovers([root], isVisible, log),
    said: () => told(here, 'sweep'),
  };
}

const refusing = (code: string) => (): never => {
  throw Object.assign(new Error(code), { errno: -1, code });
};

describe('the sweep', () => {
  it('goes 64 folders deep, and no deeper', () => {
    const here = prepared();
    const deep = join(here.root, ...Array.from({ length: 64 }, () => 'd'));
    mkdirSync(join(deep, 'd'), { recursive: true });
    for (const folder of [deep, join(deep, 'd')]) writeFileSync(join(folder, TEMP), '');
    const open = readdirSync('/proc/self/fd').length;
    here.sweep();
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
    expect([leftovers(deep), leftovers(join(deep, 'd'))]).toEqual([[], [TEMP]]);
    expect(here.said()).toEqual([SWEPT(1)]);
  });

  it.each([
    { entries: 49_999, limits: [50_000, 1] },
    { entries: 50_000, limits: [50_000] },
  ])('looks at 50,000 names of a root, of which $entries are in its first folder', ({ entries, limits }) => {
    const here = prepared();
    mkdirSync(join(here.root, 'd'));
    const asked: number[] = [];
    const file: DirectoryEntry = { name: 'f', hint: 'file' };
    const many = Array.from({ length: entries - 1 }, () => file);
    vi.spyOn(Object.getPrototypeOf(here.directory), 'entries').mockImplementation((limit) => {
      asked.push(Number(limit));
      return { entries: [...many, { name: 'd', hint: 'directory' }], complete: true };
    });
    here.sweep();
    expect(asked.slice(0, 3)).toEqual(limits);
  });

  it('enters what is a folder or may be one, where a commit could have been', () => {
    const entered: string[] = [];
    const asked: string[] = [];
    const here = prepared(
      (call, name) => {
        if (call === 'enter') entered.push(name);
      },
      (path) => {
        asked.push(path.join('/'));
        return path[0] !== 'hidden';
      },
    );
    mkdirSync(join(here.root, 'folder/inner'), { recursive: true });
    const hints = {
      folder: 'directory',
      hidden: 'directory',
      gone: 'directory',
      unknown: 'unknown',
      file: 'file',
      link: 'symlink',
      fifo: 'other',
    } as const;
    const listed = Object.entries(hints).map(([name, hint]) => ({ name, hint }));
    vi.spyOn(here.directory, 'entries').mockReturnValue({ entries: listed, complete: true });
    here.sweep();
    expect(entered).toEqual(['folder', 'inner', 'gone', 'unknown']);
    expect(asked).toEqual(['folder', 'folder/inner', 'hidden', 'gone', 'unknown']);
    expect(here.said()).toEqual([]);
  });

  it.each([
    { names: [TEMP], asks: true, left: [], count: 1 },
    { names: [BREAKER], asks: true, left: [], count: 1 },
    { names: [TEMP, BREAKER, `.config-airlock-${'f'.repeat(24)}.draft`], asks: true, left: [], count: 3 },
    { names: ['.config-airlock.yaml'], asks: false, left: ['.config-airlock.yaml'], count: 0 },
    { names: ['.config-airlock.yaml', TEMP], asks: true, left: ['.config-airlock.yaml'], count: 1 },
    { names: ['a.yaml', 'b.config-airlock.lock'], asks: false, left: [], count: 0 },
  ])('of $names leaves $left, and takes the lock first', ({ names, asks, left, count }) => {
    const links: string[] = [];
    const here = prepared((call, name) => {
      if (call === 'link' || call === 'unlink') links.push(`${call} ${name.split(' ').at(-1)}`);
    });
    for (const name of names) here.write(`root/${name}`, 'half');
    here.sweep();
    expect(leftovers(here.root).sort()).toEqual([...left].sort());
    expect(here.said().filter(({ event }) => event === 'leftovers_swept')).toEqual(
      count > 0 ? [SWEPT(count)] : [],
    );
    expect(links[0]).toBe(asks ? `link ${LOCK_NAME}` : undefined);
    expect(links.at(-1)).toBe(asks ? `unlink ${LOCK_NAME}` : undefined);
  });

  it('waits for nobody', () => {
    const wait = vi.spyOn(Atomics, 'wait');
    const here = prepared();
    here.write(`root/${TEMP}`, 'half');
    here.write(`root/${LOCK_NAME}`, JSON.stringify(thisProcess()));
    here.sweep();
    expect(leftovers(here.root).sort()).toEqual([TEMP, LOCK_NAME].sort());
    expect([here.said(), wait.mock.calls]).toEqual([[], []]);
  });

  it.each([
    { why: 'breaks the lock of one file', lock: dead(), left: [] },
    {
      why: 'leaves that of a batch which is not over, and what lies beside it',
      lock: dead({ batch: { change: 'c'.repeat(43), state: 'ab'.repeat(16) } }),
      left: [TEMP, LOCK_NAME],
    },
  ])('$why', ({ lock, left }) => {
    const here = prepared();
    here.write(`root/${LOCK_NAME}`, JSON.stringify(lock));
    here.write(`root/${TEMP}`, 'half');
    here.sweep();
    expect(leftovers(here.root).sort()).toEqual([...left].sort());
  });

  it.each([
    { call: 'entries', left: [TEMP, TEMP], count: 0 },
    { call: 'enter', left: [], count: 1 },
    { call: 'look', left: [TEMP, TEMP], count: 0 },
    { call: 'unlink', left: [TEMP, TEMP], count: 0 },
    { call: 'createExclusive', left: [TEMP, TEMP], count: 0 },
  ])('goes on where the system refuses $call', ({ call, left, count }) => {
    const here = prepared((made, name) => {
      if (made === call && (call !== 'unlink' || name === TEMP) && (call !== 'look' || name === TEMP))
        refusing('EACCES')();
    });
    for (const name of [TEMP, `d/${TEMP}`]) here.write(`root/${name}`, 'half');
    here.sweep();
    const found = ['', 'd'].flatMap((folder) => leftovers(join(here.root, folder)));
    expect(found).toEqual(call === 'enter' ? [TEMP] : left);
    expect(here.said()).toEqual(count > 0 ? [SWEPT(count)] : []);
  });

  it('hides no fault of ours, and keeps no lock for it', () => {
    const here = prepared((call, name) => {
      if (call === 'look' && name === TEMP) throw new TypeError('a fault');
    });
    here.write(`root/${TEMP}`, 'half');
    expect(here.sweep).toThrow('a fault');
    expect(leftovers(here.root)).toEqual([TEMP]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'leaves alone what belongs to another, and asks nobody where there are no users',
    () => {
      const here = prepared();
      here.write(`root/${TEMP}`, 'half');
      vi.spyOn(process, 'geteuid').mockReturnValue(4_321);
      chownSync(here.write('log.jsonl', '', 0o600), 4_321, 4_321);
      here.sweep();
      expect([leftovers(here.root), here.said()]).toEqual([[TEMP], []]);
      vi.restoreAllMocks();
      withoutUsers();
      here.sweep();
      expect(leftovers(here.root)).toEqual([]);
    },
  );
});

describe('a look for leftovers', () => {
  it.each([
    { why: 'the lock of the dead', name: LOCK_NAME, text: JSON.stringify(dead()), waits: true },
    { why: 'the lock of the living', name: LOCK_NAME, text: JSON.stringify(thisProcess()), waits: false },
    { why: 'a temporary file', name: TEMP, text: 'half', waits: false },
  ])('tells of $why: $waits, and touches nothing', ({ name, text, waits }) => {
    const changes: string[] = [];
    const here = prepared((call) => {
      if (/create|link|rename|sync/u.test(call)) changes.push(call);
    });
    for (const folder of ['', 'd/', 'd/e/']) {
      here.write(`root/${folder}${name}`, text);
      here.write(`root/${folder}${TEMP}`, 'half');
    }
    here.look();
    const said = { level: 'warn', event: 'recovery_waiting', reason: 'read_only', count: 3 };
    expect([changes, here.said()]).toEqual([[], waits ? [said] : []]);
  });

  it('goes on where it may not look', () => {
    const here = prepared();
    here.write(`root/${LOCK_NAME}`, JSON.stringify(dead()));
    here.write(`root/d/${LOCK_NAME}`, JSON.stringify(dead()));
    const real = fs.openSync;
    let looks = 0;
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
      const isLock = String(path).endsWith(LOCK_NAME);
      if (isLock) looks += 1;
      return isLock && looks === 1 ? refusing('EACCES')() : real(path, ...rest);
    });
    here.look();
    expect(here.said()).toMatchObject([{ count: 1 }]);
  });
});
