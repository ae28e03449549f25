// What is read, and what is kept of it: whole states within the limit, each known by its bytes.
import { execFileSync } from 'node:child_process';
import fs, { openSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ambientLstat } from '../../../src/security/fs/ambient-fs.ts';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';
import { isSameState, readStable } from '../../../src/security/sandbox/plain-file.ts';
import { decodeUtf8, ReadCache } from '../../../src/security/sandbox/read-cache.ts';
import { runs } from '../../harness/runs.ts';
import { sha256 } from '../../harness/sha256.ts';
import { CONTAINMENTS, codeOf, place, refusalOf } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

describe('what was read before', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));

  it('is known by its bytes', () => {
    const readings = new ReadCache(0);
    const first = readings.of('a', bytes('a: 1\n'));
    expect(first).toMatchObject({ text: 'a: 1\n', sha256: sha256('a: 1\n') });
    expect(readings.of('a', bytes('a: 1\n'))).toBe(first);
    expect(readings.of('b', bytes('a: 1\n'))).not.toBe(first);
    expect(readings.of('a', bytes('b: 1\n')).text).toBe('b: 1\n');
    expect(readings.of('a', bytes('a: 1\n'))).not.toBe(first);
  });

  it('is the last hundred files', () => {
    const readings = new ReadCache(0);
    const of = (index: number) => readings.of(`f${index}`, bytes('x'));
    const known = Array.from({ length: 100 }, (_, index) => of(index));
    expect(of(0)).toBe(known[0]);
    of(100);
    expect(of(0)).toBe(known[0]);
    expect(of(2)).toBe(known[2]);
    expect(of(1)).not.toBe(known[1]);
  });

  it('is four million bytes at most', () => {
    const readings = new ReadCache(0);
    const half = new Uint8Array(2_000_000).fill(0x61);
    const [a, b] = [readings.of('a', half), readings.of('b', half)];
    const isKnown = (file: string, reading: object) => readings.of(file, half) === reading;
    expect([isKnown('a', a), isKnown('b', b), isKnown('a', a)]).toEqual([true, true, true]);
    const small = readings.of('c', bytes('x'));
    expect([isKnown('a', a), isKnown('b', b)]).toEqual([true, false]);
    const again = readings.of('c', bytes('x'));
    expect(again).not.toBe(small);
    for (let index = 0; index < 20; index += 1) readings.of('d', new Uint8Array(index));
    expect(readings.of('c', bytes('x'))).toBe(again);
  });

  it('is one file as large as can be parsed', () => {
    const whole = new Uint8Array(5_000_000);
    const [usual, more] = [new ReadCache(0), new ReadCache(5_000_000)];
    expect(more.of('a', whole)).toBe(more.of('a', whole));
    const first = usual.of('a', whole);
    expect(usual.of('a', whole) === first).toBe(false);
    const own = bytes('a');
    expect(usual.of('b', own).bytes).toBe(own);
  });
});

describe('a file that is read', () => {
  const file = (text: string) => {
    const path = place().write('a', text);
    const entry = { facts: ambientLstat(path), openForReading: () => openSync(path, 'r'), close: () => {} };
    return { path, read: (limit: number) => Buffer.from(readStable(entry, limit, 'a').bytes).toString() };
  };

  it('is whole, at any size up to the limit, and its descriptor is closed', () => {
    for (const size of [0, 1, 4_095, 4_096, 4_097, 20_000]) {
      const text = 'x'.repeat(size);
      const { read } = file(text);
      const before = fs.readdirSync('/proc/self/fd').length;
      expect(read(size) === text && read(size + 1) === text).toBe(true);
      expect(codeOf(() => size > 0 && read(size - 1))).toBe(size > 0 ? 'FILE_TOO_LARGE' : 'no error');
      expect(fs.readdirSync('/proc/self/fd')).toHaveLength(before);
    }
  });

  /** As if the system had another size, or another time, for the file at each look at it. */
  const looking = (at: (look: number) => object) => {
    const real = fs.fstatSync;
    let look = 0;
    vi.spyOn(fs, 'fstatSync').mockImplementation((...args: unknown[]) => {
      const stat = Reflect.apply(real, fs, args);
      look += 1;
      return Object.assign(Object.create(stat), at(look));
    });
  };

  it.each([0n, 1n, 3n, 14_998n, 30_000n])(
    'is bounded by what comes, where the system says %s bytes',
    (size) => {
      const text = 'abc'.repeat(5_000);
      const { read } = file(text);
      looking(() => ({ size }));
      const most = Math.max(15_000, Number(size));
      expect(read(most) === text).toBe(true);
      expect(read(most + 1) === text).toBe(true);
      for (const limit of [14_999, 5_000, 4_096, 1]) expect(codeOf(() => read(limit))).toBe('FILE_TOO_LARGE');
      const sizes: number[] = [];
      const real = fs.readSync;
      vi.spyOn(fs, 'readSync').mockImplementation((...args: unknown[]) => {
        if (args[1] instanceof Uint8Array) sizes.push(args[1].length);
        return Reflect.apply(real, fs, args);
      });
      codeOf(() => read(9_000));
      // No buffer is larger than the limit and the one byte that shows more.
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(9_001);
    },
  );

  it('is read again where somebody wrote to it, once', () => {
    const { read } = file('a: 1\n');
    for (const other of [{ mtimeNs: 1n }, { ino: 1n }, { dev: 1n }, { isFile: () => false }]) {
      looking((look) => (look === 1 ? other : {}));
      expect([other, read(10)]).toEqual([other, 'a: 1\n']);
      vi.restoreAllMocks();
    }
    looking(() => ({}));
    expect(read(10)).toBe('a: 1\n');
    vi.restoreAllMocks();
    looking((look) => ({ mtimeNs: BigInt(look) }));
    const refusal = refusalOf(() => read(10));
    expect([refusal?.code, refusal?.message, refusal?.where]).toEqual([
      'FILE_CHANGED',
      'Cannot read this file: another program is writing to it. Try again in a moment.',
      { file: 'a' },
    ]);
  });

  it('is no other kind of thing by then, has one name, and says that it is the file that is too large', () => {
    const { read } = file('a: 1\n');
    looking(() => ({ nlink: 2n }));
    expect(codeOf(() => read(10))).toBe('HARD_LINK_REFUSED');
    vi.restoreAllMocks();
    looking(() => ({ isFile: () => false }));
    expect(codeOf(() => read(10))).toBe('NOT_REGULAR_FILE');
    vi.restoreAllMocks();
    expect(refusalOf(() => read(4))?.message).toMatch(/^Cannot use this file: it has 5 bytes/);
    looking(() => ({ size: 1n }));
    expect(refusalOf(() => read(4))?.message).toMatch(/^Cannot use this file: it has 5 bytes/);
    const { path } = file('a: 1\n');
    const facts = { ...ambientLstat(path), sizeBytes: 1 };
    const entry = { facts, openForReading: () => openSync(path, 'r'), close: () => {} };
    expect(refusalOf(() => readStable(entry, 4, 'a'))?.message).toMatch(
      /^Cannot use this file: it has 5 bytes/,
    );
  });

  it('is the same state by inode, size, both times and names', () => {
    const facts = ambientLstat(place().write('a', ''));
    expect(isSameState(facts, { ...facts })).toBe(true);
    for (const other of [
      { ino: 9n },
      { dev: 9n },
      { sizeBytes: 9 },
      { mtimeNs: 9n },
      { ctimeNs: 9n },
      { links: 9 },
    ])
      expect([other, isSameState(facts, { ...facts, ...other })]).toEqual([other, false]);
  });
});

const limits = (fileSizeBytes: number) => ({ limits: { ...DEFAULT_LIMITS, fileSizeBytes } });

describe.each(CONTAINMENTS)('a snapshot (%s)', (containment) => {
  it('FILE-002 has a limit that is exact to the byte [EDT-6]', () => {
    const { open, write } = place();
    write('root/at.yaml', 'x'.repeat(100));
    write('root/above.yaml', 'x'.repeat(101));
    const sandbox = open(containment, limits(100));
    expect(sandbox.open(sandbox.parse('at.yaml')).read().sizeBytes).toBe(100);
    const refusal = refusalOf(() => sandbox.open(sandbox.parse('above.yaml')));
    expect(refusal?.code).toBe('FILE_TOO_LARGE');
    expect(refusal?.clues.limit).toEqual({ name: 'file_size', allowed: 100, actual: 101, unit: 'bytes' });
  });

  it('can be taken once from an open file', () => {
    const { open, write } = place();
    write('root/a.yaml', 'a: 1\n');
    const sandbox = open(containment);
    const file = sandbox.open(sandbox.parse('a.yaml'));
    file.read();
    expect(codeOf(() => file.read())).toBe('Error');
    file.close();
    file.close();
  });
});

describe('reading', () => {
  it('accepts exactly the bytes that encode to themselves [EDT-6]', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'binary' }), (bytes, text) => {
        const all = Buffer.concat([Buffer.from(text.toWellFormed()), bytes]);
        const lossless = Buffer.from(all.toString('utf8')).equals(all);
        expect(codeOf(() => decodeUtf8(all, 'a.yaml'))).toBe(lossless ? 'no error' : 'NOT_UTF8');
        if (lossless) expect(Buffer.from(decodeUtf8(all, 'a.yaml')).equals(all)).toBe(true);
      }),
      { numRuns: runs(2000), examples: [[new Uint8Array(), '\ufeffa: 1\r\n']] },
    );
  });

  it('FILE-005 is bounded by the bytes that come, where the size says 0', () => {
    // A file of /proc claims no size; as a held entry it is read like any other.
    const entry = (path: string) => ({
      facts: statOf(path),
      openForReading: () => openSync(path, 'r'),
      close: () => {},
    });
    expect(codeOf(() => readStable(entry('/proc/self/maps'), 1000, 'maps'))).toBe('FILE_TOO_LARGE');
    expect(codeOf(() => readStable(entry('/proc/version'), 1, 'version'))).toBe('FILE_TOO_LARGE');
    expect(readStable(entry('/proc/version'), 10_000, 'version').bytes.length).toBeGreaterThan(10);
  });
});

function statOf(path: string) {
  expect(execFileSync('stat', ['-c', '%s', path]).toString().trim()).toBe('0');
  const none = { dev: 0n, ino: 0n, mtimeNs: 0n, ctimeNs: 0n };
  return { ...none, kind: 'file' as const, sizeBytes: 0, mode: 0o444, links: 1, uid: 0, gid: 0 };
}
