// The parts of the disk's only door that no other test sees at work.
import fs, { closeSync, openSync, readlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  ambientFileSystemType,
  ambientFreeBytes,
  beginSync,
  O_DIRECTORY,
  O_NOFOLLOW,
  O_NONBLOCK,
} from '../../../src/security/fs/ambient-fs.ts';
import { eventually } from '../../harness/wait.ts';
import { place } from '../fixture.ts';

it('a walk opens with the flags of the platform', () => {
  const { O_DIRECTORY: directory, O_NOFOLLOW: noFollow, O_NONBLOCK: nonBlock } = fs.constants;
  expect([O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK]).toEqual([directory ?? 0, noFollow ?? 0, nonBlock ?? 0]);
});

/** Flushes that are begun from now on, none of which ends before the test says so. */
async function heldUp() {
  // Those of the tests before this one have to end first: they count as under way.
  await eventually(() => expect(process.getActiveResourcesInfo()).not.toContain('FSReqCallback'));
  const begun: { readonly own: number; readonly end: () => void }[] = [];
  const sync = vi.spyOn(fs, 'fsync').mockImplementation((own, done) => {
    begun.push({ own, end: () => done(null) });
  });
  const close = vi.spyOn(fs, 'close');
  const { write } = place();
  const file = write('root/a.yaml', 'a: 1\n');
  const fd = openSync(file, 'r');
  onTestFinished(() => {
    for (const { end } of begun.splice(0)) end();
    closeSync(fd);
    sync.mockRestore();
    close.mockRestore();
  });
  return { begun, close, file, fd };
}

describe.skipIf(process.platform !== 'linux')('a flush that is begun ahead', () => {
  it('is one of the same file, by a descriptor of its own that is closed after it', async () => {
    const { begun, close, file, fd } = await heldUp();
    beginSync(fd);
    const [flush] = begun.splice(0);
    expect(flush?.own).not.toBe(fd);
    expect(readlinkSync(`/proc/self/fd/${flush?.own}`)).toBe(file);
    expect(close).not.toHaveBeenCalled();
    flush?.end();
    expect(close.mock.calls.map(([own]) => own)).toEqual([flush?.own]);
  });

  it('is left out where 32 are under way, and where there is nothing to be opened', async () => {
    const { begun, fd } = await heldUp();
    for (let n = 0; n < 40; n += 1) beginSync(fd);
    expect(begun).toHaveLength(32);
    begun.shift()?.end();
    for (let n = 0; n < 3; n += 1) beginSync(fd);
    expect(begun).toHaveLength(32);
    for (const { end } of begun.splice(0)) end();
    beginSync(1_000_000);
    expect(begun).toEqual([]);
  });
});

it('a file system says its kind and what is free of it, or nothing where it cannot', () => {
  const { root } = place();
  const asked = vi.spyOn(fs, 'statfsSync');
  onTestFinished(() => asked.mockRestore());
  asked.mockReturnValue({ ...fs.statfsSync(root), type: 9, bsize: 512, bavail: 3, blocks: 7 });
  expect([ambientFreeBytes(root), ambientFileSystemType(root)]).toEqual([{ free: 1_536, of: 3_584 }, 9]);
  asked.mockImplementation(() => {
    throw new Error('ENOSYS');
  });
  expect([ambientFreeBytes(root), ambientFileSystemType(root)]).toEqual([undefined, undefined]);
});
