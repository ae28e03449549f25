// What a commit writes, what it keeps, and what it refuses.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileWriteOf } from '../../../src/security/edits/verified-edit.ts';
import { backendOf } from '../../../src/security/state/backend.ts';
import { directWrite } from '../../harness/change-draft.mjs';
import { CONTAINMENTS, codeOfLater, fingerprint, leftovers, place, rewritten } from '../fixture.ts';

describe.each(CONTAINMENTS)('a commit (%s)', (containment) => {
  const prepared = (text = 'a: 1\n') => {
    const here = place();
    const path = here.write('root/d/a.yaml', text);
    const sandbox = here.open(containment);
    return { here, path, sandbox, edit: rewritten(sandbox, 'd/a.yaml', 'a: 2\n') };
  };

  it('writes exactly the proven bytes and leaves nothing else behind [WRT-1]', async () => {
    const { here, path, sandbox, edit } = prepared('\ufeffa: 1\r\n');
    await here.commit(sandbox, [edit]);
    expect(readFileSync(path, 'utf8')).toBe('a: 2\n');
    expect(leftovers(join(here.root, 'd'))).toEqual([]);
  });

  it.each([
    {
      id: 'FILE-017',
      code: 'READ_ONLY',
      why: 'the mode says read-only',
      act: (path: string) => chmodSync(path, 0o444),
    },
    {
      id: 'WORK-001',
      code: 'FILE_CHANGED',
      why: 'somebody edited it',
      act: (path: string) => writeFileSync(path, 'a: 9\n'),
    },
    {
      id: 'WORK-001',
      code: 'FILE_CHANGED',
      why: 'somebody deleted it',
      act: (path: string) => unlinkSync(path),
    },
    {
      id: 'FILE-031',
      code: 'SYMLINK_REFUSED',
      why: 'a link to the same bytes took its place',
      act: (path: string) => {
        renameSync(path, `${path}.aside`);
        symlinkSync(`${path}.aside`, path);
      },
    },
    {
      id: 'PATH-033',
      code: 'HARD_LINK_REFUSED',
      why: 'it got a second name',
      act: (path: string) => linkSync(path, `${path}.link`),
    },
    {
      id: 'PATH-034',
      code: 'NOT_REGULAR_FILE',
      why: 'a FIFO took its place',
      act: (path: string) => {
        unlinkSync(path);
        execFileSync('mkfifo', [path]);
      },
    },
    {
      id: 'WORK-003',
      code: 'SYMLINK_REFUSED',
      why: 'a link to the outside took the place of its folder',
      act: (path: string) => {
        renameSync(join(path, '..'), join(path, '../../aside'));
        symlinkSync('../outside', join(path, '..'));
      },
    },
  ])('$id is refused with $code where $why', async ({ code, act }) => {
    const { here, path, sandbox, edit } = prepared();
    writeFileSync(join(here.outside, 'a.yaml'), 'a: 1\n');
    act(path);
    const [inside, outside] = [fingerprint(here.root), fingerprint(here.outside)];
    expect(await codeOfLater(() => here.commit(sandbox, [edit]))).toBe(code);
    expect([fingerprint(here.root), fingerprint(here.outside)]).toEqual([inside, outside]);
  });

  it('WORK-002 goes through where the bytes are the same again, even in another inode', async () => {
    const { here, path, sandbox, edit } = prepared();
    writeFileSync(`${path}.new`, 'a: 1\n');
    renameSync(`${path}.new`, path);
    await here.commit(sandbox, [edit]);
    expect(readFileSync(path, 'utf8')).toBe('a: 2\n');
  });

  it('is refused where it would make another text than was proven [EDT-1]', async () => {
    const { here, path, sandbox, edit } = prepared();
    const { writes, ...asked } = directWrite([edit], fileWriteOf);
    const other = writes.map((write) => ({
      ...write,
      exact: { ...write.exact, edits: [{ start: 0, end: 0, insert: 'b: 1\n' }] },
    }));
    const backend = backendOf(await here.state(), sandbox);
    await expect(backend.write({ ...asked, writes: other })).rejects.toThrow('not the one that was proven');
    expect(readFileSync(path, 'utf8')).toBe('a: 1\n');
    expect(leftovers(join(here.root, 'd'))).toEqual([]);
  });

  it('READ_ONLY comes before everything [WRT-3]', async () => {
    const { here } = prepared();
    const sandbox = here.open(containment, { readOnly: true });
    expect(await codeOfLater(() => here.commit(sandbox, [rewritten(sandbox, 'd/a.yaml', 'a: 2\n')]))).toBe(
      'READ_ONLY',
    );
  });

  it('WORK-019 of many files writes none where one is refused [WRT-2]', async () => {
    const here = place();
    const names = ['a.yaml', 'd/b.yaml', 'd/c.yaml', 'e/f.yaml'];
    for (const name of names) here.write(`root/${name}`, 'a: 1\n');
    const sandbox = here.open(containment);
    const edits = names.map((name) => rewritten(sandbox, name, 'a: 2\n'));
    writeFileSync(join(here.root, 'e/f.yaml'), 'a: 9\n');
    const before = fingerprint(here.root);
    expect(await codeOfLater(() => here.commit(sandbox, edits))).toBe('FILE_CHANGED');
    expect(fingerprint(here.root)).toBe(before);
    writeFileSync(join(here.root, 'e/f.yaml'), 'a: 1\n');
    await here.commit(sandbox, edits);
    for (const name of names) expect(readFileSync(join(here.root, name), 'utf8')).toBe('a: 2\n');
  });
});
