// Who gets a lock, and what becomes of the one before: each step alone, in one process.
import fs, { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Batch } from '../../../src/security/locking/batch.ts';
import { hasDeadLock, lockFolder } from '../../../src/security/locking/lock.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { codeOf, refusalOf } from '../fixture.ts';
import type { Heed } from '../writer/counted.ts';
import { dead, prepared } from './lockable.ts';

afterEach(() => vi.restoreAllMocks());

const BATCH: Batch = { change: 'c'.repeat(43), state: '0123456789abcdef'.repeat(2) };
const OTHER: Batch = { ...BATCH, change: 'd'.repeat(43) };
const failing = (name: 'unlinkSync' | 'fsyncSync', code: string, isMeant: (path: string) => boolean) => {
  const real = fs[name];
  return vi.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
    if (isMeant(String(args[0]))) throw Object.assign(new Error(code), { errno: -1, code });
    return Reflect.apply(real, fs, args);
  });
};

describe('a lock', () => {
  it.each([
    { why: 'of one file', batch: undefined, flushes: 0 },
    { why: 'of a batch', batch: BATCH, flushes: 2 },
  ])(
    '$why says who has it and what for, in one line, and is flushed $flushes times',
    ({ batch, flushes }) => {
      const { file, lock } = prepared();
      const sync = vi.spyOn(fs, 'fsyncSync');
      const own = lock({ batch });
      expect(sync).toHaveBeenCalledTimes(flushes);
      const text = readFileSync(file, 'utf8');
      expect(text).toMatch(/^[^\n]*\n$/u);
      const { nonce: _nonce, ...owner } = thisProcess();
      const { nonce, ...said } = JSON.parse(text);
      expect(said).toEqual(batch === undefined ? owner : { ...owner, batch });
      expect(nonce).toMatch(/^[0-9a-f]{32}$/u);
      own.release();
    },
  );

  const LIVES = 'Cannot write: another config-airlock is writing in this folder. Try again in a moment.';
  const DAMAGED =
    'Cannot write: .config-airlock.lock in the folder of the file is not a lock of this program, or is damaged. The operator should look at it and delete it.';
  it.each([
    { why: 'of one who lives', text: thisProcess(), says: LIVES },
    { why: 'of a batch', text: { ...thisProcess(), batch: BATCH }, says: LIVES },
    { why: 'of a batch of no change', text: { ...dead(), batch: { ...BATCH, change: 'x' } }, says: DAMAGED },
    {
      why: 'of a batch kept nowhere',
      text: { ...dead(), batch: { ...BATCH, state: '../x' } },
      says: DAMAGED,
    },
    { why: 'of nobody', text: 'mine\n', says: DAMAGED },
  ])('$why is left alone, and whoever wants it is told so', ({ text, says }) => {
    const { file, lock, stands, names } = prepared();
    stands(text);
    const refusal = refusalOf(() => lock());
    expect([refusal?.code, refusal?.message]).toEqual(['BUSY', says]);
    expect(refusal?.clues).toEqual({
      advice: [
        'If no other server is running, the operator can delete .config-airlock.lock in the folder of the file.',
      ],
    });
    expect(names()).toEqual([LOCK_NAME]);
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it('that is gone when it is looked at was of one who lives', () => {
    const { file, lock, stands } = prepared();
    stands(thisProcess());
    let holds = 0;
    const heed: Heed = (call) => {
      if (call === 'hold') holds += 1;
      if (holds === 2) rmSync(file, { force: true });
    };
    expect(refusalOf(() => lock({}, heed))?.message).toBe(LIVES);
  });

  it('is waited for, in small steps, for two seconds and no more', () => {
    const { directory, lock, stands } = prepared();
    stands(thisProcess());
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const slept: unknown[] = [];
    let now = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(Atomics, 'wait').mockImplementation((_cell, index, value, ms) => {
      slept.push([index, value, ms]);
      now += 666;
      return 'timed-out';
    });
    expect(codeOf(() => lockFolder(directory, { isOver: () => true }))).toBe('BUSY');
    expect(slept).toEqual(Array.from({ length: 4 }, () => [0, 0, 7.5]));
    slept.length = 0;
    expect(codeOf(() => lock({ waitMs: 666 }))).toBe('BUSY');
    expect(slept).toHaveLength(1);
  });

  it('is had as soon as it is free', () => {
    const { file, lock, stands } = prepared();
    stands(thisProcess());
    vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      rmSync(file);
      return 'timed-out';
    });
    lock({ waitMs: 60_000 }).release();
  });

  it('that vanished before it could be held is asked for again', () => {
    const { file, lock } = prepared();
    let holds = 0;
    const heed: Heed = (call) => {
      if (call === 'hold') holds += 1;
      if (call === 'hold' && holds === 1) rmSync(file);
    };
    const own = lock({ waitMs: 60_000 }, heed);
    expect(own.isHeld()).toBe(true);
    own.release();
  });

  it('is let go of once, and no copy of it is that of the dead', () => {
    const { file, lock, stands } = prepared();
    const calls: string[] = [];
    const own = lock({}, (call) => calls.push(call));
    const text = readFileSync(file, 'utf8');
    own.release();
    calls.length = 0;
    own.release();
    expect(calls).toEqual([]);
    stands(text);
    expect(codeOf(() => lock())).toBe('BUSY');
  });

  it('is not held where another stands in its place, and leaves that one alone', () => {
    const { file, lock, stands, names } = prepared();
    const own = lock();
    rmSync(file);
    expect(own.isHeld()).toBe(false);
    stands(thisProcess());
    expect(own.isHeld()).toBe(false);
    own.release();
    expect(names()).toEqual([LOCK_NAME]);
  });
});

describe('a dead lock', () => {
  it('of a batch is asked about before it goes, and of one file not', () => {
    const { lock, stands, names } = prepared();
    stands(dead({ batch: BATCH }));
    const seen: unknown[] = [];
    const isOver = (batch: Batch) => {
      seen.push([batch, names().length]);
      return true;
    };
    lock({ isOver }).release();
    expect(seen).toEqual([[BATCH, 1]]);
    stands(dead());
    lock({ isOver: () => expect.unreachable('there is no batch') }).release();
    expect(names()).toEqual([]);
  });

  it('of a batch that is not over stays, says what can be done, and can be broken later', () => {
    const { lock, stands, names } = prepared();
    stands(dead({ batch: BATCH }));
    const refusal = refusalOf(() => lock({ isOver: () => false }));
    expect([refusal?.code, refusal?.message, refusal?.clues.advice]).toEqual([
      'BUSY',
      'Cannot write: a batch of files that was interrupted waits in this folder. The operator should start the server that wrote it once more, with the same roots and the same state directory.',
      [
        "If that server's state directory is gone, the operator should look at the files of the folder, and can delete .config-airlock.lock in it.",
      ],
    ]);
    expect(names()).toEqual([LOCK_NAME]);
    const throwing = () => {
      throw new TypeError('a fault');
    };
    expect(() => lock({ isOver: throwing })).toThrow('a fault');
    expect(names()).toEqual([LOCK_NAME]);
    lock().release();
    expect(names()).toEqual([]);
  });

  it('of a batch may be gone, or another, once it is over', () => {
    const { file, lock, stands } = prepared();
    stands(dead({ batch: BATCH }));
    const isOver = () => {
      rmSync(file);
      return true;
    };
    lock({ isOver }).release();
    stands(dead({ batch: BATCH }));
    const taken = () => {
      stands(thisProcess());
      return true;
    };
    expect(codeOf(() => lock({ isOver: taken }))).toBe('BUSY');
  });

  it('of a batch is taken over in one step: nobody else gets in between, wherever it is interrupted [WRT-6]', () => {
    for (let step = 1, calls = 0; step <= calls + 1; step += 1) {
      const { lock, stands } = prepared();
      stands(dead({ batch: BATCH }));
      let other: unknown;
      calls = 0;
      const heed: Heed = () => {
        calls += 1;
        if (calls === step) other = codeOf(() => lock({ isOver: () => false, batch: OTHER }));
      };
      const own = lock({ batch: BATCH }, heed);
      expect([step, own.isHeld(), other]).toEqual([step, true, step <= calls ? 'BUSY' : undefined]);
      own.release();
    }
  });

  it('is what a lock is that was left', () => {
    const { lock, names } = prepared();
    const own = lock({ batch: BATCH });
    own.leave();
    own.release();
    expect(names()).toEqual([LOCK_NAME]);
    expect(codeOf(() => lock({ isOver: () => false }))).toBe('BUSY');
    lock().release();
    expect(names()).toEqual([]);
  });

  it.each([
    { breakers: 7, is: 'no error' },
    { breakers: 8, is: 'BUSY' },
  ])('of whose breakers $breakers died as well: $is', ({ breakers, is }) => {
    const { file, lock, stands, names } = prepared();
    let last = dead();
    stands(last);
    for (let level = 0; level < breakers; level += 1) {
      const next = dead();
      writeFileSync(`${file}.${last.nonce}`, JSON.stringify(next));
      last = next;
    }
    const before = names();
    expect(codeOf(() => lock().release())).toBe(is);
    expect(names()).toEqual(is === 'BUSY' ? before : []);
  });

  it('is broken through its breakers, whatever batch they name', () => {
    const { file, lock, stands, names } = prepared();
    const last = dead();
    stands(last);
    writeFileSync(`${file}.${last.nonce}`, JSON.stringify(dead({ batch: BATCH })));
    lock({ isOver: () => expect.unreachable('there is no batch') }).release();
    expect(names()).toEqual([]);
  });

  it('that became another meanwhile is left to whoever made that one', () => {
    const { lock, stands, names, file } = prepared();
    const [first, second] = [dead(), dead()];
    stands(first);
    const heed: Heed = (call, name) => {
      if (call === 'link' && name.endsWith(first.nonce)) stands(second);
    };
    expect(codeOf(() => lock({}, heed))).toBe('BUSY');
    expect(names()).toEqual([LOCK_NAME]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ nonce: second.nonce });
  });

  it('is known for one without being touched', () => {
    const { directory, stands, names } = prepared();
    expect(hasDeadLock(directory)).toBe(false);
    stands(thisProcess());
    expect(hasDeadLock(directory)).toBe(false);
    stands(dead());
    expect(hasDeadLock(directory)).toBe(true);
    expect(names()).toEqual([LOCK_NAME]);
  });
});

describe('a lock that the disk would not let go of', () => {
  it.each(['unlinkSync', 'fsyncSync'] as const)(
    'is broken by the next, though its owner lives: %s',
    (name) => {
      const { directory, lock, names } = prepared();
      const isMeant = (path: string) =>
        name === 'fsyncSync' ? existsSync(join(directoryOf(), LOCK_NAME)) : path.endsWith(LOCK_NAME);
      const directoryOf = () => `/proc/self/fd/${directory.descriptor}`;
      failing(name, 'EIO', isMeant);
      if (name === 'unlinkSync') lock().release();
      else expect(() => lock({ batch: BATCH })).toThrow('EIO');
      expect(names()).toEqual([LOCK_NAME]);
      vi.restoreAllMocks();
      lock().release();
      expect(names()).toEqual([]);
    },
  );
});
