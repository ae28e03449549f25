// What is asked again just before each rename: does the path still lead to the held folder, below its root,
// under our lock?
import { mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { SafePath } from '../../../src/security/paths/safe-path.ts';
import { Folders } from '../../../src/security/writer/folders.ts';
import { CONTAINMENTS, codeOf, fingerprint, leftovers, place } from '../fixture.ts';

describe.each(CONTAINMENTS)('a held folder (%s)', (containment) => {
  const prepared = async () => {
    const here = place();
    here.write('root/d/e/a.yaml', 'a: 1\n');
    const root = pinRoot(containment, here.root);
    const folders = new Folders(() => root);
    const folder = folders.hold(SafePath.parse('d/e/a.yaml', [undefined]));
    await folders.lockAll();
    onTestFinished(() => folders.release());
    return { ...here, root, folder, folders, dir: join(here.root, 'd/e') };
  };

  it('is in place as long as nobody touches it', async () => {
    const { folder, folders, dir } = await prepared();
    expect(codeOf(() => folder.requireInPlace())).toBe('no error');
    folders.release();
    expect(leftovers(dir)).toEqual([]);
  });

  it.each([
    {
      why: 'was moved out of the root',
      code: 'FILE_NOT_FOUND',
      act: (dir: string, out: string) => renameSync(dir, join(out, 'e')),
    },
    {
      why: 'was moved within the root',
      code: 'FILE_NOT_FOUND',
      act: (dir: string) => renameSync(dir, join(dir, '../../e')),
    },
    {
      why: 'was replaced by another',
      code: 'FILE_CHANGED',
      act: (dir: string, out: string) => {
        renameSync(dir, join(out, 'e'));
        mkdirSync(dir);
      },
    },
    {
      why: 'was replaced by a link to where it went',
      code: 'SYMLINK_REFUSED',
      act: (dir: string, out: string) => {
        renameSync(dir, join(out, 'e'));
        symlinkSync(join(out, 'e'), dir);
      },
    },
    {
      why: 'went out together with the folder above it, and a link stands there',
      code: 'SYMLINK_REFUSED',
      act: (dir: string, out: string) => {
        renameSync(join(dir, '..'), join(out, 'd'));
        symlinkSync(join(out, 'd'), join(dir, '..'));
      },
    },
    { why: 'lost its lock', code: 'BUSY', act: (dir: string) => unlinkSync(join(dir, LOCK_NAME)) },
  ])('is $code where it $why', async ({ code, act }) => {
    const { folder, dir, outside } = await prepared();
    act(dir, outside);
    expect(codeOf(() => folder.requireInPlace())).toBe(code);
  });

  it('takes one name at a time, and nothing that is none', async () => {
    const { root, outside } = await prepared();
    const before = fingerprint(outside);
    for (const name of ['..', '.', '', '../outside', 'a/b', '/etc', 'a\0', 'a\\b']) {
      for (const act of [
        () => root.hold(name),
        () => root.enter(name),
        () => root.createExclusive(name, 0o600),
        () => root.unlink(name),
        () => root.rename(name, 'x'),
        () => root.rename('d', name),
        () => root.link('d', name),
      ]) {
        expect(codeOf(act)).toBe('Error');
      }
    }
    expect(fingerprint(outside)).toBe(before);
  });
});
