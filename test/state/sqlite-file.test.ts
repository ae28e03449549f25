// What can be wrong with the file of an SQLite state: each is a fault of its kind, and none of them is written over.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateFault } from '../../src/state/driver.ts';
import { openSqlite } from '../../src/state/sqlite.ts';
import { openStore, type Store } from '../../src/state/store.ts';
import { memoryDisk } from '../harness/memory-disk.ts';
import { type TempRoot, tempRoot } from '../harness/temp-root.ts';
import { refused } from './events.mjs';
import { beginDirect, isFault, keep, requireWhole } from './ground.ts';
import { openRaw } from './raw-sqlite.ts';

let root: TempRoot;
let file: string;

beforeEach(() => {
  root = tempRoot({}, memoryDisk());
  file = join(root.dir, 'state.db');
});
afterEach(() => root.remove());

const opened = () => openStore(openSqlite({ file }));

/** With rows on many pages. */
async function filled(): Promise<void> {
  const store = await opened();
  for (let n = 0; n < 30; n += 1) {
    await keep(store, { texts: [`${n}`.padEnd(5_000, 'x')] });
    await beginDirect(store, { texts: [`${n}`.padEnd(5_000, 'y')] });
  }
  await store.close();
}

describe('a file that is no state', () => {
  it.each([
    { what: 'of something else', kind: 'damaged', make: () => writeFileSync(file, 'a: 1\n'.repeat(5_000)) },
    { what: 'of zeros', kind: 'damaged', make: () => writeFileSync(file, Buffer.alloc(8_192)) },
    { what: 'of another program', kind: 'damaged', make: () => tampered('CREATE TABLE notes (text TEXT)') },
    {
      ...{ what: 'of a later version', kind: 'newer' },
      make: async () => {
        await (await opened()).close();
        tampered("UPDATE identity SET value = '9' WHERE name = 'version'");
      },
    },
    { what: 'that is a folder', kind: 'unreachable', make: () => mkdirSync(file) },
    { what: 'in no folder', kind: 'unreachable', make: () => (file = join(root.dir, 'none', 'state.db')) },
  ])('$what is not opened, and stays as it is', async ({ kind, make }) => {
    await make();
    const before = bytesOf();
    await expect(async () => opened()).rejects.toMatchObject(isFault(kind));
    expect(bytesOf()).toEqual(before);
  });

  it('and is empty becomes one', async () => {
    writeFileSync(file, '');
    const store = await opened();
    expect((await keep(store)).answer).toBe('kept');
    await store.close();
  });
});

describe('a damaged file', () => {
  it.each([2, 4, 10])('that was cut to 1/%i is found', async (share) => {
    await filled();
    truncateSync(file, Math.floor(readFileSync(file).length / share));
    expect(await faultsOf(() => undefined)).toContain('damaged');
  });

  it('whose pages were overwritten is found as far as they are read, and never answers with something else', async () => {
    await filled();
    const bytes = readFileSync(file);
    let found = 0;
    for (let page = 1; page < bytes.length / 4_096; page += 3) {
      const damaged = Buffer.from(bytes);
      // These are letters: libsql ends the process where a text is no UTF-8.
      damaged.fill(0x61, page * 4_096, (page + 1) * 4_096);
      writeFileSync(file, damaged);
      const faults = await faultsOf(async (store) => {
        for (const { id } of [...(await store.waiting()), ...(await store.open())]) await store.find(id);
      });
      expect(faults.filter((kind) => kind !== 'damaged')).toEqual([]);
      found += faults.length > 0 ? 1 : 0;
    }
    expect(found).toBeGreaterThan(8);
  });
});

// A file system of its own, which only root can mount.
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mounts();

describe.runIf(canMount)('a full disk', () => {
  it('refuses what does not fit, keeps what it has, and goes on where there is room again', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'airlock-test', root.dir]);
    try {
      const store = await opened();
      const first = await keep(store);
      const filler = join(root.dir, 'filler');
      writeFileSync(filler, Buffer.alloc(2_000_000));
      const large = { texts: ['x'.repeat(3_000_000)] };
      for (const call of [() => keep(store, large), () => beginDirect(store, large)])
        await expect(call()).rejects.toMatchObject(isFault('full'));
      let written = 0;
      await expect(
        (async () => {
          for (; written < 10_000; written += 1) await store.append([refused(written)], true);
        })(),
      ).rejects.toMatchObject(isFault('full'));
      expect((await store.find(first.id))?.preview).toBeDefined();
      expect(await store.head()).toMatchObject({ seq: written + 1 });
      writeFileSync(filler, '');
      expect((await keep(store)).answer).toBe('kept');
      expect(await requireWhole(store)).toMatchObject({ seq: written + 2 });
      await store.close();
    } finally {
      execFileSync('umount', ['-l', root.dir]);
    }
  });
});

function mounts(): boolean {
  const { dir, remove } = tempRoot();
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'airlock-test', dir], { stdio: 'ignore' });
    execFileSync('umount', ['-l', dir]);
    return true;
  } catch {
    return false;
  } finally {
    remove();
  }
}

function tampered(sql: string): void {
  const database = openRaw(file);
  database.exec(sql);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

function bytesOf(): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The kinds of the faults that opening and reading meets; anything that is no fault of the state is thrown. */
async function faultsOf(read: (store: Store) => Promise<void> | undefined): Promise<readonly string[]> {
  const kinds: string[] = [];
  const collect = async (work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StateFault)) throw error;
      kinds.push(error.kind);
    }
  };
  let store: Store | undefined;
  await collect(async () => {
    store = await opened();
    await read(store);
    await requireWhole(store);
  });
  await store?.close();
  return kinds;
}
