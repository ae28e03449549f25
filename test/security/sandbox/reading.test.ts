// What is read: whole states within the limit, however the disk and other programs behave.
import fs, { openSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ambientLstat } from '../../../src/security/fs/ambient-fs.ts';
import { readStable } from '../../../src/security/sandbox/plain-file.ts';
import { decodeUtf8 } from '../../../src/security/sandbox/read-cache.ts';
import { runs } from '../../harness/runs.ts';
import { codeOf, place } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

describe('a file that is read', () => {
  const file = (text: string) => {
    const path = place().write('a', text);
    const entry = { facts: ambientLstat(path), openForReading: () => openSync(path, 'r'), close: () => {} };
    return (limit: number) => Buffer.from(readStable(entry, limit, 'a').bytes).toString();
  };

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

  // A file of /proc claims no size.
  it.each([0n, 1n, 14_998n, 15_000n, 30_000n])(
    'is whole and bounded by what comes, where the system says %s bytes (FILE-002, FILE-005) [EDT-6]',
    (size) => {
      const text = 'abc'.repeat(5_000);
      const read = file(text);
      looking(() => ({ size }));
      const most = Math.max(15_000, Number(size));
      expect(read(most) === text).toBe(true);
      for (const limit of [14_999, 5_000, 4_096, 1]) expect(codeOf(() => read(limit))).toBe('FILE_TOO_LARGE');
    },
  );

  it('is read again where somebody wrote to it, once [EDT-6]', () => {
    const read = file('a: 1\n');
    for (const other of [{ mtimeNs: 1n }, { ino: 1n }, { dev: 1n }, { isFile: () => false }]) {
      looking((look) => (look === 1 ? other : {}));
      expect([other, read(10)]).toEqual([other, 'a: 1\n']);
      vi.restoreAllMocks();
    }
    looking((look) => ({ mtimeNs: BigInt(look) }));
    expect(codeOf(() => read(10))).toBe('FILE_CHANGED');
    vi.restoreAllMocks();
    looking(() => ({ nlink: 2n }));
    expect(codeOf(() => read(10))).toBe('HARD_LINK_REFUSED');
  });
});

it('exactly the bytes that encode to themselves are accepted [EDT-6]', () => {
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
