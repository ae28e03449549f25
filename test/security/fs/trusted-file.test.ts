// Whose files are trusted in a user namespace, where root and everybody else outside of it have the same number.
import fs, { chownSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { whyUntrusted } from '../../../src/security/fs/trusted-file.ts';
import { place } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

const UNMAPPED = 65_534;
const OF_ANOTHER = 'it belongs to another user';

/** Why a file of `uid` is not trusted where the system answers `map`; where it is undefined, it may not be read. */
function whyNot(uid: number, map: string | undefined): string | undefined {
  const { write } = place();
  const file = write('file', '', 0o644);
  chownSync(file, uid, uid);
  const own = map === undefined ? undefined : write('map', map);
  const open = fs.openSync;
  vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    if (path !== '/proc/self/uid_map') return open(path, ...rest);
    if (own === undefined) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return open(own, ...rest);
  });
  return whyUntrusted(file);
}

describe.skipIf(process.geteuid?.() !== 0)('a file of nobody that this user knows', () => {
  it.each([
    '         0          0 4294967295\n',
    '0 0 4294967295',
    '0\t0\t4294967295\n',
    '0  0  4294967295 \n',
  ])('belongs to another user where all users are known: %j', (map) => {
    expect(whyNot(UNMAPPED, map)).toBe(OF_ANOTHER);
  });

  it.each([
    '         0       1000          1\n',
    '         0       1000          1\n         1     100000      65536\n',
    '10 0 4294967295\n',
    '0 0 42949672950\n',
    '0 0 4294967295\n1 1 1\n',
    '',
  ])('may belong to root where they are not: %j', (map) => {
    expect(whyNot(UNMAPPED, map)).toBe(undefined);
    vi.restoreAllMocks();
    expect(whyNot(4_321, map)).toBe(OF_ANOTHER);
  });

  it('belongs to another user where nobody says who is known', () => {
    expect(whyNot(UNMAPPED, undefined)).toBe(OF_ANOTHER);
  });
});

it.skipIf(process.geteuid?.() !== 0)('a file of this user is trusted, whoever that is', () => {
  const { write } = place();
  const file = write('file', '', 0o644);
  chownSync(file, 4_321, 4_321);
  expect(whyUntrusted(file)).toBe(OF_ANOTHER);
  vi.spyOn(process, 'geteuid').mockReturnValue(4_321);
  expect(whyUntrusted(file)).toBe(undefined);
});
