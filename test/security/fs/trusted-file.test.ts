// Whose files are trusted in a user namespace, where root and everybody else outside of it have the same number.
import fs, { chownSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { whyUntrusted } from '../../../src/security/fs/trusted-file.ts';
import { place } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

/** Why a file of `uid` is not trusted where the system answers `map`; an undefined one may not be read. */
function whyNot(uid: number, map?: string): string | undefined {
  const { write } = place();
  const [file, own] = [write('file', '', 0o644), write('map', map ?? '')];
  chownSync(file, uid, uid);
  const open = fs.openSync;
  const opened = vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    if (path === '/proc/self/uid_map' && map === undefined) throw new Error('EACCES');
    return open(path === '/proc/self/uid_map' ? own : path, ...rest);
  });
  const why = whyUntrusted(file);
  opened.mockRestore();
  return why;
}

it.skipIf(process.geteuid?.() !== 0)(
  'a file of nobody known is of another user, unless it may be root’s',
  () => {
    const OF_ANOTHER = 'it belongs to another user';
    const WHOLE = [
      '         0          0 4294967295\n',
      '0 0 4294967295',
      '0\t0\t4294967295\n',
      '0  0  4294967295 \n',
    ];
    for (const map of [...WHOLE, undefined]) expect(whyNot(65_534, map), map).toBe(OF_ANOTHER);
    const ONE = '         0       1000          1\n';
    for (const map of [ONE, '10 0 4294967295\n', '0 0 42949672950\n', '0 0 4294967295\n1 1 1\n']) {
      expect(whyNot(65_534, map), map).toBe(undefined);
      expect(whyNot(4_321, map), map).toBe(OF_ANOTHER);
    }
    vi.spyOn(process, 'geteuid').mockReturnValue(4_321);
    expect(whyNot(4_321)).toBe(undefined);
  },
);
