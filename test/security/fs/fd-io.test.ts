// Whose a file of the state directory is, and that texts are read and written whole, however little the disk takes or
// gives at a time.
import fs, { closeSync, openSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FileFacts } from '../../../src/security/fs/ambient-fs.ts';
import { isOurs, readText, writeAll } from '../../../src/security/fs/fd-io.ts';
import { withoutUsers } from '../../harness/without-users.ts';
import { place } from '../fixture.ts';
import { slowDisk } from './disk.ts';

afterEach(() => vi.restoreAllMocks());

const FACTS: FileFacts = {
  ...{ kind: 'file', dev: 1n, ino: 1n, mtimeNs: 0n, ctimeNs: 0n },
  ...{ sizeBytes: 1, mode: 0o100600, links: 1, uid: 1000, gid: 0 },
};

describe('a file is ours', () => {
  it.each([
    { is: true, why: 'of our user', facts: {} },
    { is: true, why: 'that others may read', facts: { mode: 0o100644 } },
    { is: false, why: 'of another user', facts: { uid: 1001 } },
    { is: false, why: 'that is a folder', facts: { kind: 'directory' } as const },
    { is: false, why: 'that its group may write', facts: { mode: 0o100620 } },
    { is: false, why: 'that others may write', facts: { mode: 0o100602 } },
    { is: false, why: 'of another user that others may write', facts: { uid: 1001, mode: 0o100602 } },
  ])('$is: one $why', ({ is, facts }) => {
    vi.spyOn(process, 'geteuid').mockReturnValue(1000);
    expect(isOurs({ ...FACTS, ...facts })).toBe(is);
  });

  it('where the system knows no users, if it is a file', () => {
    withoutUsers();
    expect(isOurs({ ...FACTS, mode: 0o100666 })).toBe(true);
    expect(isOurs({ ...FACTS, kind: 'symlink' })).toBe(false);
  });
});

/** A descriptor of a file with that in it. */
function fileWith(text: string): { readonly fd: number; readonly path: string } {
  const path = place().write('text', text);
  const fd = openSync(path, 'r+');
  onTestFinished(() => closeSync(fd));
  return { fd, path };
}

describe('a text', () => {
  it.each([1, 3, 100])('is read from where it is asked for to where it ends: %d bytes at a time', (most) => {
    const { fd } = fileWith('one ä 😀 two');
    slowDisk(most);
    expect(readText(fd, 15, 0)).toBe('one ä 😀 two');
    expect(fs.readSync).toHaveBeenCalledTimes(Math.ceil(15 / most));
    expect(readText(fd, 7, 4)).toBe('ä 😀');
    expect(readText(fd, 100, 12)).toBe('two');
    expect(readText(fd, 0, 4)).toBe('');
    expect(readText(fd, -1, 4)).toBe('');
  });

  it.each([1, 3, 100])('is written to its last byte: %d bytes at a time', (most) => {
    const { fd, path } = fileWith('');
    slowDisk(most);
    writeAll(fd, 'one ä 😀 two');
    writeAll(fd, '');
    writeAll(fd, '!');
    expect(readFileSync(path, 'utf8')).toBe('one ä 😀 two!');
  });

  it.each([262_143, 262_144, 262_145, 900_000])('is written whole: %d bytes', (size) => {
    const { fd, path } = fileWith('');
    // Two bytes each, and one that leaves the number odd where it is.
    const text = 'ä'.repeat(size >> 1) + (size % 2 === 1 ? 'x' : '');
    writeAll(fd, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('is written without what was written before it', () => {
    const { fd, path } = fileWith('');
    for (const text of ['long before', 'now', '']) writeAll(fd, text);
    expect(readFileSync(path, 'utf8')).toBe('long beforenow');
  });
});
