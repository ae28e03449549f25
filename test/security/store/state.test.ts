// Where previews and changes are kept: whom the folder belongs to, and where it may not be.
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStateDir } from '../../../src/security/index.ts';
import { codeOf, place } from '../fixture.ts';
import { opened } from './ground.ts';

function openToAll(dir: string): void {
  mkdirSync(dir);
  chmodSync(dir, 0o777);
}

describe('the state directory', () => {
  it('is made for its owner alone', () => {
    const { dir } = opened();
    for (const folder of ['', 'previews', 'decisions', 'changes', 'audit'])
      expect(statSync(join(dir, folder)).mode & 0o777).toBe(0o700);
  });

  it.each([
    { why: 'a symbolic link', make: (dir: string) => symlinkSync(join(dir, '..', 'outside'), dir) },
    { why: 'open to others', make: openToAll },
    { why: 'a file', make: (dir: string) => writeFileSync(dir, '') },
    {
      why: 'one whose previews are a link',
      make: (dir: string) => {
        mkdirSync(dir, { mode: 0o700 });
        symlinkSync(join(dir, '..', 'outside'), join(dir, 'previews'));
      },
    },
  ])('stops the start where it is $why [APR-8]', ({ make }) => {
    const here = place();
    const dir = join(here.base, 'state');
    make(dir);
    expect(codeOf(() => openStateDir(dir, [{ name: undefined, dir: here.root }]))).toBe('StartError');
  });

  it('stops the start inside a root or around one, before anything is made', () => {
    const here = place();
    for (const dir of [join(here.root, 'x/state'), here.base, here.root])
      expect(codeOf(() => openStateDir(dir, [{ name: undefined, dir: here.root }]))).toBe('StartError');
    expect(readdirSync(here.root)).toEqual([]);
  });
});
