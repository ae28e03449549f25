// A lock whose owner stands in the folder already: one link for each lock, and every promise of a lock all the same.
import fs, {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import type { Containment } from '../../../src/security/containment/held.ts';
import { hasDeadLock, lockFolder } from '../../../src/security/locking/lock.ts';
import { parseOwner, thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LockOwnerFile } from '../../../src/security/locking/lock-owner-file.ts';
import { isTempName, LOCK_NAME } from '../../../src/security/paths/own-names.ts';
import { CONTAINMENTS, codeOf, leftovers, place } from '../fixture.ts';
import { counted, type Heed } from '../writer/counted.ts';
import { dead } from './lockable.ts';

afterEach(() => vi.restoreAllMocks());

function prepared(heed: Heed = () => {}, containment: Containment = 'fd-walk') {
  const here = place();
  const directory = pinRoot(containment, here.root);
  const told = counted(directory, heed);
  const ownerFile = new LockOwnerFile(told);
  onTestFinished(() => {
    ownerFile.forget();
    directory.close();
  });
  const lock = (waitMs = 0) => lockFolder(told, { waitMs, recover: () => true, ownerFile });
  const file = join(here.root, LOCK_NAME);
  const drafts = () => leftovers(here.root).filter(isTempName);
  const nonceOf = (name: string) => parseOwner(readFileSync(join(here.root, name), 'utf8'))?.nonce;
  return { ...here, directory, ownerFile, lock, file, drafts, nonceOf };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code, errno: -1 });
}

describe.each(CONTAINMENTS)('the lock of an owner who stands in the folder (%s)', (containment) => {
  it('is had by one at a time, gone afterwards, and the same file each time', () => {
    const calls: string[] = [];
    const { lock, file, drafts, root, ownerFile } = prepared((call) => calls.push(call), containment);
    lock().release();
    const [before, count] = [drafts(), calls.filter((call) => call === 'createExclusive').length];
    const again = lock();
    expect(statSync(file, { bigint: true }).ino).toBe(
      statSync(join(root, before[0] ?? ''), { bigint: true }).ino,
    );
    expect([again.isHeld(), codeOf(() => lock())]).toEqual([true, 'BUSY']);
    expect(existsSync(file)).toBe(true);
    again.release();
    again.release();
    expect([again.isHeld(), existsSync(file), drafts()]).toEqual([false, false, before]);
    expect([before.length, count, calls.filter((call) => call === 'createExclusive').length]).toEqual([
      1, 1, 1,
    ]);
    ownerFile.forget();
    expect(leftovers(root)).toEqual([]);
  });
});

describe('the lock of an owner who stands in the folder', () => {
  it('has its text on the disk before it comes into being', () => {
    const calls: string[] = [];
    const { fsyncSync } = fs;
    vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
      calls.push('sync');
      fsyncSync(fd);
    });
    const { lock } = prepared((call) => calls.push(call));
    lock().release();
    expect(calls.filter((call) => ['createExclusive', 'sync', 'link'].includes(call))).toEqual([
      'createExclusive',
      'sync',
      'link',
    ]);
  });

  it('that was deleted by hand is known to be gone, and its release leaves the next one alone', () => {
    const { lock, file } = prepared();
    const first = lock();
    rmSync(file);
    expect(first.isHeld()).toBe(false);
    const text = JSON.stringify(thisProcess());
    writeFileSync(file, text);
    expect(first.isHeld()).toBe(false);
    first.release();
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('comes as soon as before where the file of the owner was swept', () => {
    const { lock, root, drafts } = prepared();
    lock().release();
    const [swept = ''] = drafts();
    rmSync(join(root, swept));
    const held = lock();
    expect([held.isHeld(), drafts().length, drafts().includes(swept)]).toEqual([true, 1, false]);
    held.release();
  });

  it.each(['link', 'hold'])('is not had where somebody keeps sweeping, before each %s', (call) => {
    let root = '';
    let tries = 0;
    const here = prepared((now) => {
      if (now !== call) return;
      tries += 1;
      for (const name of leftovers(root).filter(isTempName)) rmSync(join(root, name));
    });
    root = here.root;
    expect(codeOf(() => here.lock())).toBe('BUSY');
    expect([tries >= 2, leftovers(root)]).toEqual([true, []]);
  });

  it('says so where the folder is gone', () => {
    const { lock, root, ownerFile } = prepared();
    lock().release();
    rmSync(root, { recursive: true });
    expect(() => lock()).toThrow('ENOENT');
    expect(ownerFile.forget()).toBeUndefined();
  });

  it('of the dead is broken, though its text stands there still', () => {
    const { lock, root, file, directory } = prepared();
    const left = join(root, `.config-airlock-${'0'.repeat(24)}.draft`);
    writeFileSync(left, JSON.stringify(dead()));
    linkSync(left, file);
    expect(hasDeadLock(directory)).toBe(true);
    const held = lock();
    expect([held.isHeld(), existsSync(left)]).toEqual([true, true]);
    held.release();
  });

  it('is broken by the next one, under another nonce, where the disk does not let go of it', () => {
    const { lock, file, nonceOf, drafts } = prepared();
    const held = lock();
    const before = nonceOf(LOCK_NAME);
    const { unlinkSync } = fs;
    vi.spyOn(fs, 'unlinkSync').mockImplementation((path) => {
      if (String(path).endsWith(LOCK_NAME)) throw failure('EIO');
      unlinkSync(path);
    });
    held.release();
    expect(existsSync(file)).toBe(true);
    vi.restoreAllMocks();
    const next = lock();
    expect([next.isHeld(), drafts().length, nonceOf(LOCK_NAME) === before]).toEqual([true, 1, false]);
    next.release();
    expect(existsSync(file)).toBe(false);
  });

  it('is broken by the next one where it came into being and the disk said otherwise', () => {
    const { lock, file } = prepared();
    const { linkSync: link } = fs;
    vi.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
      link(from, to);
      throw failure('EIO');
    });
    expect(() => lock()).toThrow('EIO');
    expect(existsSync(file)).toBe(true);
    vi.restoreAllMocks();
    lock().release();
    expect(existsSync(file)).toBe(false);
  });

  it('leaves nothing where its text cannot be written, and comes once it can be', () => {
    const { lock, root } = prepared();
    vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
      throw failure('ENOSPC');
    });
    expect(() => lock()).toThrow('ENOSPC');
    expect(leftovers(root)).toEqual([]);
    vi.restoreAllMocks();
    lock().release();
  });

  it('holds its text open, and nothing once it is forgotten', () => {
    const { lock, root, ownerFile, nonceOf, drafts } = prepared();
    const open = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${root}/`);
        } catch {
          return false;
        }
      }).length;
    lock().release();
    lock().release();
    expect(open()).toBe(1);
    const nonce = nonceOf(drafts()[0] ?? '');
    expect([ownerFile.forget(), ownerFile.forget()]).toEqual([nonce, undefined]);
    expect([open(), leftovers(root)]).toEqual([0, []]);
  });
});
