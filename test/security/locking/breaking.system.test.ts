// Who gets a lock, and what becomes of the one before: each step alone, in one process.
import fs, { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lockFolder } from '../../../src/security/locking/lock.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { codeOfLater, refusalOfLater } from '../fixture.ts';
import type { Heed } from '../writer/counted.ts';
import { dead, prepared } from './lockable.ts';

afterEach(() => vi.restoreAllMocks());

const failing = (name: 'unlinkSync', code: string, isMeant: (path: string) => boolean) => {
  const real = fs[name];
  return vi.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
    if (isMeant(String(args[0]))) throw Object.assign(new Error(code), { errno: -1, code });
    return Reflect.apply(real, fs, args);
  });
};

describe('a lock', () => {
  const LIVES = 'Cannot write: another config-airlock is writing in this folder. Try again in a moment.';
  const DAMAGED =
    'Cannot write: .config-airlock.lock in the folder of the file is not a lock of this program, or is damaged. The operator should look at it and delete it.';
  it.each([
    { why: 'of one who lives', text: thisProcess(), says: LIVES },
    { why: 'of nobody', text: 'mine\n', says: DAMAGED },
  ])('$why is left alone, and whoever wants it is told so', async ({ text, says }) => {
    const { file, lock, stands, names } = prepared();
    stands(text);
    const refusal = await refusalOfLater(() => lock());
    expect([refusal?.code, refusal?.message]).toEqual(['BUSY', says]);
    expect(refusal?.clues).toEqual({
      advice: [
        'If no other server is running, the operator can delete .config-airlock.lock in the folder of the file.',
      ],
    });
    expect(names()).toEqual([LOCK_NAME]);
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it('is waited for, in small steps, for two seconds and no more', async () => {
    const { directory, stands } = prepared();
    stands(thisProcess());
    let looked = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => 666 * looked++);
    expect(await codeOfLater(() => lockFolder(directory))).toBe('BUSY');
    // Once for the start, and once after each try: three times it slept.
    expect(looked).toBe(5);
    looked = 0;
    expect(await codeOfLater(() => lockFolder(directory, 666))).toBe('BUSY');
    expect(looked).toBe(2);
  });
});

describe('a dead lock', () => {
  it.each([
    { breakers: 7, is: 'no error' },
    { breakers: 8, is: 'BUSY' },
  ])('of whose breakers $breakers died as well: $is', async ({ breakers, is }) => {
    const { file, lock, stands, names } = prepared();
    let last = dead();
    stands(last);
    for (let level = 0; level < breakers; level += 1) {
      const next = dead();
      writeFileSync(`${file}.${last.nonce}`, JSON.stringify(next));
      last = next;
    }
    const before = names();
    expect(await codeOfLater(async () => (await lock()).release())).toBe(is);
    expect(names()).toEqual(is === 'BUSY' ? before : []);
  });

  it('that became another meanwhile is left to whoever made that one', async () => {
    const { lock, stands, names, file } = prepared();
    const [first, second] = [dead(), dead()];
    stands(first);
    const heed: Heed = (call, name) => {
      if (call === 'link' && name.endsWith(first.nonce)) stands(second);
    };
    expect(await codeOfLater(() => lock(heed))).toBe('BUSY');
    expect(names()).toEqual([LOCK_NAME]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ nonce: second.nonce });
  });
});

describe('a lock that the disk would not let go of', () => {
  it('is broken by the next, though its owner lives', async () => {
    const { lock, names } = prepared();
    failing('unlinkSync', 'EIO', (path) => path.endsWith(LOCK_NAME));
    (await lock()).release();
    expect(names()).toEqual([LOCK_NAME]);
    vi.restoreAllMocks();
    (await lock()).release();
    expect(names()).toEqual([]);
  });
});
