// The folders of one commit: each is held once, all are locked in one order, and each lock says where the journal is.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { SafePath } from '../../../src/security/index.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { Folders } from '../../../src/security/writer/folders.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { leftovers, place, refusalOf } from '../fixture.ts';
import { recoveryIn } from './ground.ts';
import { ground, plain } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const HASHES = { base: 'a'.repeat(64), result: 'b'.repeat(64) };

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
  const hold = (file: string) => folders.hold(SafePath.parse(file, ['one', 'two']), HASHES);
  const recovery = recoveryIn(here, rootOf(SafePath.parse('@one/a.yaml', ['one', 'two'])));
  const locked: string[] = [];
  for (const { name, directory } of roots) {
    const real = directory.link.bind(directory);
    vi.spyOn(directory, 'link').mockImplementation((from, to) => {
      locked.push(name);
      real(from, to);
    });
  }
  const lockOf = (name: string) => JSON.parse(readFileSync(join(here.root, name, LOCK_NAME), 'utf8'));
  return { ...here, folders, hold, lockAll: () => folders.lockAll(recovery), locked, lockOf };
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
        const first = order[0] === 'one' ? 0 : 1;
        const journal = { folder: { root: order[0], path: [] }, ino: String(ino[first]) };
        for (const name of order)
          expect(lockOf(name)).toMatchObject({
            intent: { folder: { root: name, path: [] }, files: [{ name: 'a.yaml', ...HASHES }], journal },
          });
        folders.release();
        expect(order.flatMap((name) => leftovers(join(root, name)))).toEqual([]);
        vi.restoreAllMocks();
      }
    },
  );

  it('are held once each, and a file of the same folder has names of its own', () => {
    const here = ground(['d/a.yaml', 'd/b.yaml', 'd/e/c.yaml']);
    const open = readdirSync('/proc/self/fd').length;
    const folders = new Folders(() => here.directory);
    const held = here.files.map((file) => folders.hold(SafePath.parse(file, [undefined]), HASHES));
    expect(readdirSync('/proc/self/fd')).toHaveLength(open + 2);
    expect(held[0]?.directory).toBe(held[1]?.directory);
    expect(held.map(({ newName }) => plain(newName))).toEqual(['.0.new', '.1.new', '.0.new']);
    expect(held.map(({ oldName }) => plain(oldName))).toEqual(['.0.old', '.1.old', '.0.old']);
    expect(held.map(({ newName }) => newName.slice(0, 40))).toEqual(
      held.map(({ oldName }) => oldName.slice(0, 40)),
    );
    folders.release();
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
    expect(folders.commitPoint(() => true)).toBeDefined();
  });

  it('of one file need no journal, and of none nothing', () => {
    const here = ground(['d/a.yaml']);
    const folders = new Folders(() => here.directory);
    expect(folders.commitPoint(() => true)).toBeUndefined();
    folders.lockAll(recoveryIn(here, here.directory));
    folders.hold(SafePath.parse('d/a.yaml', [undefined]), HASHES);
    expect(folders.commitPoint(() => true)).toBeUndefined();
    folders.lockAll(recoveryIn(here, here.directory));
    const lock = JSON.parse(readFileSync(join(here.root, 'd', LOCK_NAME), 'utf8'));
    expect(lock).toMatchObject({ intent: { folder: { path: ['d'] } } });
    expect(lock).not.toHaveProperty('intent.journal');
    folders.release();
    expect(leftovers(join(here.root, 'd'))).toEqual([]);
  });

  it('that left the root are not written to, though they are held', () => {
    const here = ground(['d/a.yaml']);
    const folders = new Folders(() => here.directory);
    const folder = folders.hold(SafePath.parse('d/a.yaml', [undefined]), HASHES);
    const message = 'Cannot write: the lock of the folder was taken away. Try again in a moment.';
    const where = { file: 'd/a.yaml' };
    expect(refusalOf(() => folder.requireInPlace())).toMatchObject({ code: 'BUSY', message, where });
    folders.lockAll(recoveryIn(here, here.directory));
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
