// Who can put another file in the place of one that the operator named: nobody else, on no way that leads to it.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInOpenFolder } from '../../../src/security/fs/trusted-folders.ts';
import { place } from '../fixture.ts';

function opened() {
  const { base, write } = place();
  mkdirSync(join(base, 'open/own'), { recursive: true });
  const file = write('open/own/file', '');
  const safe = write('safe/file', '');
  chmodSync(join(base, 'open'), 0o777);
  return { base, file, safe, at: (name: string) => join(base, name) };
}

describe.skipIf(process.platform === 'win32')('a file can be replaced', () => {
  it('where a folder above it is open to everybody, however far above', () => {
    const { file, safe, at } = opened();
    expect([isInOpenFolder(file), isInOpenFolder(safe)]).toEqual([true, false]);
    chmodSync(at('open'), 0o1777);
    expect(isInOpenFolder(file)).toBe(false);
    chmodSync(at('open'), 0o775);
    expect(isInOpenFolder(file)).toBe(false);
  });

  it('where one on the way is, though its own is not: a link to a folder below an open one, or out of one', () => {
    const { safe, at } = opened();
    symlinkSync(at('open/own'), at('folder'));
    symlinkSync(at('open/own/file'), at('link'));
    symlinkSync(safe, at('open/own/out'));
    symlinkSync('../open/own/out', at('safe/through'));
    for (const name of ['folder/file', 'link', 'open/own/out', 'folder/out', 'safe/through'])
      expect([name, isInOpenFolder(at(name))]).toEqual([name, true]);
    chmodSync(at('open'), 0o755);
    for (const name of ['folder/file', 'link', 'open/own/out', 'folder/out', 'safe/through'])
      expect([name, isInOpenFolder(at(name))]).toEqual([name, false]);
  });

  it('behind as many links as the system follows, and no matter how many go round in a circle', () => {
    const { file, safe, at } = opened();
    for (const [name, end] of [
      ['a', file],
      ['b', safe],
    ] as const)
      for (let left = 40; left > 0; left -= 1)
        symlinkSync(left === 1 ? end : at(`${name}${left - 1}`), at(`${name}${left}`));
    expect([isInOpenFolder(at('a40')), isInOpenFolder(at('b40'))]).toEqual([true, false]);
    symlinkSync(at('y'), at('x'));
    symlinkSync(at('x'), at('y'));
    expect(isInOpenFolder(at('x'))).toBe(false);
  });

  it('is not said of one that is not there', () => {
    expect(() => isInOpenFolder(opened().at('none'))).toThrow('ENOENT');
  });
});
