// The right to bring a folder in order, and locks that a power cut left without a word.
import fs, {
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasDeadLock, takeOver } from '../../../src/security/locking/lock.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { codeOf } from '../fixture.ts';
import { dead, prepared } from './lockable.ts';

afterEach(() => vi.restoreAllMocks());

const HOUR_MS = 3_600_000;
const INTENT = {
  folder: { path: ['d'] },
  files: [{ name: 'a.yaml', base: 'a'.repeat(64), result: 'b'.repeat(64) }],
  batch: '0123456789ab'.repeat(2),
};

describe('the right to bring a folder in order', () => {
  it.each([true, false])(
    'is a lock where there was none, which goes either way (in order: %s)',
    (isRecovered) => {
      const { directory, lock, names } = prepared();
      const staleLock = takeOver(directory);
      expect(staleLock?.intent).toBeUndefined();
      expect(names()).toEqual([LOCK_NAME]);
      expect(codeOf(() => lock())).toBe('BUSY');
      staleLock?.release(isRecovered);
      expect(names()).toEqual([]);
    },
  );

  it('is not had while somebody is at work', () => {
    const { directory, lock, stands } = prepared();
    const own = lock();
    expect(takeOver(directory)).toBeUndefined();
    own.release();
    stands('mine\n');
    expect(takeOver(directory)).toBeUndefined();
  });

  it.each([true, false])('is had by one, with what the dead was at (in order: %s)', (isRecovered) => {
    const { directory, stands, names } = prepared();
    stands(dead({ intent: INTENT }));
    const staleLock = takeOver(directory);
    expect(staleLock?.intent).toMatchObject(INTENT);
    expect(names()).toHaveLength(2);
    expect(takeOver(directory)).toBeUndefined();
    staleLock?.release(isRecovered);
    expect(names()).toEqual(isRecovered ? [] : [LOCK_NAME]);
  });

  it('goes though the dead lock does not', () => {
    const { directory, stands, names, root } = prepared();
    stands(dead({ intent: INTENT }));
    const staleLock = takeOver(directory);
    const real = fs.unlinkSync;
    vi.spyOn(fs, 'unlinkSync').mockImplementation((path) => {
      if (String(path).endsWith(LOCK_NAME)) throw Object.assign(new Error('EIO'), { errno: -1, code: 'EIO' });
      real(path);
    });
    expect(() => staleLock?.release(true)).toThrow('EIO');
    expect(names()).toEqual([LOCK_NAME]);
    expect(readFileSync(join(root, LOCK_NAME), 'utf8')).toContain('"batch"');
  });
});

describe('a lock without a word', () => {
  const afterRestart = () => {
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + process.uptime() * 1_000 + 10_000 * HOUR_MS);
  };

  it.each(['', '\0', '\0'.repeat(600)])('is of before a power cut: %j', (text) => {
    const { lock, directory, stands, names, file } = prepared();
    stands(text);
    expect(hasDeadLock(directory)).toBe(false);
    afterRestart();
    expect(hasDeadLock(directory)).toBe(true);
    const key = statSync(file, { bigint: true }).ino.toString(16).padStart(32, '0');
    const links: string[] = [];
    lock({}, (call, name) => {
      if (call === 'link') links.push(name.split(' ')[1] ?? '');
    }).release();
    expect(links).toEqual([LOCK_NAME, `${LOCK_NAME}.${key}`, LOCK_NAME]);
    expect(names()).toEqual([]);
  });

  it.each([
    { why: 'says something', act: (file: string) => writeFileSync(file, ' ') },
    { why: 'ends with something', act: (file: string) => writeFileSync(file, '\0\0x') },
    { why: 'begins with something', act: (file: string) => writeFileSync(file, 'x\0') },
    { why: 'has a second name', act: (file: string) => linkSync(file, `${file}-2`) },
    {
      why: 'is a link',
      act: (file: string) => {
        unlinkSync(file);
        symlinkSync('gone', file);
      },
    },
    {
      why: 'is a folder',
      act: (file: string) => {
        unlinkSync(file);
        mkdirSync(file);
      },
    },
  ])('is not one of ours where it $why', ({ act }) => {
    const { lock, directory, stands, file } = prepared();
    stands('');
    act(file);
    afterRestart();
    expect(hasDeadLock(directory)).toBe(false);
    expect(codeOf(() => lock())).toBe('BUSY');
  });

  it("is nobody's where it went while it was looked at", () => {
    const { directory, stands, file } = prepared();
    stands('');
    afterRestart();
    vi.spyOn(directory, 'look').mockImplementation(() => {
      unlinkSync(file);
      return undefined;
    });
    expect(hasDeadLock(directory)).toBe(false);
  });
});
