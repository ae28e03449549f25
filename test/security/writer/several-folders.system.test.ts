// The folders of one commit: each is held once, all are locked in one order, and each lock names its owner.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { SafePath } from '../../../src/security/index.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { Folders } from '../../../src/security/writer/folders.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { leftovers, place, refusalOf } from '../fixture.ts';
import { ground } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

/** Roots `one` and `two`, with those facts of their own instead of the real ones. */
function prepared(dev: readonly [bigint, bigint], ino: readonly [bigint, bigint]) {
  const here = place(memoryDisk());
  const roots = (['one', 'two'] as const).map((name, index) => {
    here.write(`root/${name}/a.yaml`, 'old\n');
    const directory = pinRoot('fd-walk', join(here.root, name));
    onTestFinished(() => directory.close());
    const facts = { ...directory.facts(), dev: dev[index] ?? 0n, ino: ino[index] ?? 0n };
    vi.spyOn(directory, 'facts').mockReturnValue(facts);
    return { name, directory };
  });
  const rootOf = (path: SafePath) => {
    const root = roots.find(({ name }) => name === path.root);
    if (root === undefined) throw new Error('there is no such root');
    return root.directory;
  };
  const folders = new Folders(rootOf);
  const hold = (file: string) => folders.hold(SafePath.parse(file, ['one', 'two']));
  const locked: string[] = [];
  for (const { name, directory } of roots) {
    const real = directory.link.bind(directory);
    vi.spyOn(directory, 'link').mockImplementation((from, to) => {
      locked.push(name);
      real(from, to);
    });
  }
  const lockOf = (name: string) => JSON.parse(readFileSync(join(here.root, name, LOCK_NAME), 'utf8'));
  return { ...here, folders, hold, lockAll: () => folders.lockAll(), locked, lockOf };
}

describe('the folders of a commit', () => {
  it.each([
    { dev: [1n, 2n], ino: [9n, 8n], order: ['one', 'two'] },
    { dev: [2n, 1n], ino: [8n, 9n], order: ['two', 'one'] },
    { dev: [1n, 1n], ino: [8n, 9n], order: ['one', 'two'] },
    { dev: [1n, 1n], ino: [9n, 8n], order: ['two', 'one'] },
  ] as const)(
    'are locked by device and number, whatever is asked for first: $order',
    ({ dev, ino, order }) => {
      for (const files of [
        ['@one/a.yaml', '@two/a.yaml'],
        ['@two/a.yaml', '@one/a.yaml'],
      ]) {
        const { folders, hold, lockAll, locked, lockOf, root } = prepared(dev, ino);
        for (const file of files) hold(file);
        lockAll();
        expect(locked).toEqual(order);
        for (const name of order) expect(lockOf(name)).toMatchObject({ pid: process.pid });
        folders.release();
        expect(order.flatMap((name) => leftovers(join(root, name)))).toEqual([]);
        vi.restoreAllMocks();
      }
    },
  );

  it('are held once each', () => {
    const here = ground(['d/a.yaml', 'd/b.yaml', 'd/e/c.yaml']);
    const open = readdirSync('/proc/self/fd').length;
    const folders = new Folders(() => here.directory);
    const held = here.files.map((file) => folders.hold(SafePath.parse(file, [undefined])));
    expect(readdirSync('/proc/self/fd')).toHaveLength(open + 2);
    expect(held[0]?.directory).toBe(held[1]?.directory);
    folders.release();
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
  });

  it('that left the root are not written to, though they are held', () => {
    const here = ground(['d/a.yaml']);
    const folders = new Folders(() => here.directory);
    const folder = folders.hold(SafePath.parse('d/a.yaml', [undefined]));
    const message = 'Cannot write: the lock of the folder was taken away. Try again in a moment.';
    const where = { file: 'd/a.yaml' };
    expect(refusalOf(() => folder.requireInPlace())).toMatchObject({ code: 'BUSY', message, where });
    folders.lockAll();
    folder.requireInPlace();
    vi.spyOn(folder.directory, 'isStillBelow').mockReturnValue(false);
    expect(refusalOf(() => folder.requireInPlace())).toMatchObject({
      code: 'FILE_CHANGED',
      message: 'Cannot write: the folder of the file was moved or replaced. Read the file again.',
      where,
    });
    folders.release();
  });
});
