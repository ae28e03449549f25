import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VerifiedEdit } from '../../../src/security/index.ts';
import {
  CONTAINMENTS,
  codeOf,
  fingerprint,
  isRoot,
  leftovers,
  place,
  refusalOf,
  rewritten,
} from '../fixture.ts';

describe.each(CONTAINMENTS)('a commit (%s)', (containment) => {
  const prepared = (text = 'a: 1\n') => {
    const here = place();
    const path = here.write('root/d/a.yaml', text);
    const sandbox = here.open(containment);
    return { here, path, sandbox, edit: rewritten(sandbox, 'd/a.yaml', 'a: 2\n') };
  };

  it('writes exactly the proven bytes and leaves nothing else behind', () => {
    const { here, path, sandbox, edit } = prepared('\ufeffa: 1\r\n');
    sandbox.commit([edit]);
    expect(readFileSync(path, 'utf8')).toBe('a: 2\n');
    expect(leftovers(join(here.root, 'd'))).toEqual([]);
  });

  it('of a no-op writes nothing and records nothing', () => {
    const { here, path, sandbox } = prepared();
    const before = statSync(path, { bigint: true });
    sandbox.commit([rewritten(sandbox, 'd/a.yaml', 'a: 1\n')]);
    const after = statSync(path, { bigint: true });
    expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
    expect(here.logged().filter(({ event }) => event === 'audit')).toEqual([]);
  });

  it.each([
    { id: 'FILE-017', mode: 0o640, kept: 0o640 },
    { id: 'FILE-017', mode: 0o600, kept: 0o600 },
    { id: 'FILE-020', mode: 0o644, kept: 0o644 },
    { id: 'FILE-017', mode: 0o6755, kept: 0o755 },
    { id: 'FILE-017', mode: 0o1777, kept: 0o777 },
  ])('$id keeps the mode $mode as $kept whatever the umask', ({ mode, kept }) => {
    const { path, sandbox } = prepared();
    chmodSync(path, mode);
    const umask = process.umask(0o077);
    try {
      sandbox.commit([rewritten(sandbox, 'd/a.yaml', 'a: 2\n')]);
    } finally {
      process.umask(umask);
    }
    expect(statSync(path).mode & 0o7777).toBe(kept);
  });

  it.skipIf(!isRoot)('keeps the owner and group (needs root to have another)', () => {
    const { path, sandbox } = prepared();
    chownSync(path, 1234, 5678);
    sandbox.commit([rewritten(sandbox, 'd/a.yaml', 'a: 2\n')]);
    expect([statSync(path).uid, statSync(path).gid]).toEqual([1234, 5678]);
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
  ])('$id is refused with $code where $why', ({ code, act }) => {
    const { here, path, sandbox, edit } = prepared();
    writeFileSync(join(here.outside, 'a.yaml'), 'a: 1\n');
    act(path);
    const [inside, outside] = [fingerprint(here.root), fingerprint(here.outside)];
    expect(codeOf(() => sandbox.commit([edit]))).toBe(code);
    expect([fingerprint(here.root), fingerprint(here.outside)]).toEqual([inside, outside]);
    expect(here.logged().at(-1)).toMatchObject({
      event: 'audit',
      outcome: 'refused',
      file: 'd/a.yaml',
      code,
    });
  });

  it('WORK-001 says which contents the file has now', () => {
    const { path, sandbox, edit } = prepared();
    writeFileSync(path, 'a: 3\n');
    const now = sandbox.open(sandbox.parse('d/a.yaml')).read().sha256;
    expect(refusalOf(() => sandbox.commit([edit]))?.clues.actualSha256).toBe(now);
  });

  it('WORK-002 goes through where the bytes are the same again, even in another inode', () => {
    const { path, sandbox, edit } = prepared();
    writeFileSync(`${path}.new`, 'a: 1\n');
    renameSync(`${path}.new`, path);
    sandbox.commit([edit]);
    expect(readFileSync(path, 'utf8')).toBe('a: 2\n');
  });

  it('WORK-007 of a second edit on the same base is refused', () => {
    const { path, sandbox, edit } = prepared();
    const second = VerifiedEdit.prove(edit.snapshot, [{ start: 0, end: 0, insert: '# x\n' }], () => []);
    sandbox.commit([edit]);
    expect(codeOf(() => sandbox.commit([second]))).toBe('FILE_CHANGED');
    expect(readFileSync(path, 'utf8')).toBe('a: 2\n');
  });

  it('READ_ONLY comes before everything, and leaves a record', () => {
    const { here } = prepared();
    const sandbox = here.open(containment, { readOnly: true });
    expect(codeOf(() => sandbox.commit([rewritten(sandbox, 'd/a.yaml', 'a: 2\n')]))).toBe('READ_ONLY');
    expect(here.logged().at(-1)).toMatchObject({ outcome: 'refused', code: 'READ_ONLY' });
  });

  it('WORK-019 of many files writes none where one is refused', () => {
    const here = place();
    const names = ['a.yaml', 'd/b.yaml', 'd/c.yaml', 'e/f.yaml'];
    for (const name of names) here.write(`root/${name}`, 'a: 1\n');
    const sandbox = here.open(containment);
    const edits = names.map((name) => rewritten(sandbox, name, 'a: 2\n'));
    writeFileSync(join(here.root, 'e/f.yaml'), 'a: 9\n');
    const before = fingerprint(here.root);
    expect(codeOf(() => sandbox.commit(edits))).toBe('FILE_CHANGED');
    expect(fingerprint(here.root)).toBe(before);
    writeFileSync(join(here.root, 'e/f.yaml'), 'a: 1\n');
    sandbox.commit(edits);
    for (const name of names) expect(readFileSync(join(here.root, name), 'utf8')).toBe('a: 2\n');
  });

  it('refuses two results for one file', () => {
    const { sandbox, edit } = prepared();
    expect(codeOf(() => sandbox.commit([edit, rewritten(sandbox, 'd/a.yaml', 'a: 3\n')]))).toBe('Error');
  });
});

describe.skipIf(!isRoot)('where the system objects (needs root for attributes and mounts)', () => {
  const attempt = (prepare: (here: ReturnType<typeof place>, path: string) => (() => void) | undefined) => {
    const here = place();
    const path = here.write('root/d/a.yaml', 'a: 1\n');
    const undo = prepare(here, path);
    onTestFinished(() => undo?.());
    const sandbox = here.open();
    const edit = rewritten(sandbox, 'd/a.yaml', 'a: 2\n');
    const refusal = refusalOf(() => sandbox.commit([edit]));
    expect(readFileSync(path, 'utf8')).toBe('a: 1\n');
    expect(leftovers(join(here.root, 'd'))).toEqual([]);
    expect(refusal?.message).not.toContain(here.base);
    expect(refusal?.message).not.toMatch(/E[A-Z]{4,}/);
    return refusal;
  };
  /** Runs a command of the system; false where this machine does not let us. */
  const can = (command: string, ...args: string[]) => {
    try {
      execFileSync(command, args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  it('FILE-021 an immutable file is PERMISSION_DENIED', ({ skip }) => {
    const refusal = attempt((_here, path) => {
      if (!can('chattr', '+i', path)) skip('chattr does not work here');
      return () => can('chattr', '-i', path);
    });
    expect(refusal?.code).toBe('PERMISSION_DENIED');
  });

  it('FILE-023 an immutable folder is PERMISSION_DENIED', ({ skip }) => {
    const refusal = attempt((_here, path) => {
      if (!can('chattr', '+i', join(path, '..'))) skip('chattr does not work here');
      return () => can('chattr', '-i', join(path, '..'));
    });
    expect(refusal?.code).toBe('PERMISSION_DENIED');
  });

  it('FILE-022 a file that is a mount of its own says to mount the folder', ({ skip }) => {
    const refusal = attempt((here, path) => {
      const source = here.write('elsewhere.yaml', 'a: 1\n');
      if (!can('mount', '--bind', source, path)) skip('mount does not work here');
      return () => can('umount', path);
    });
    expect(refusal?.code).toBe('IO_ERROR');
    expect(refusal?.message).toContain('mount its directory');
  });

  it('FILE-024 a file system that is mounted read-only is PERMISSION_DENIED', ({ skip }) => {
    const refusal = attempt((here) => {
      const folder = join(here.root, 'd');
      if (!can('mount', '--bind', folder, folder)) skip('mount does not work here');
      can('mount', '-o', 'remount,ro,bind', folder);
      return () => can('umount', folder);
    });
    expect(refusal?.code).toBe('PERMISSION_DENIED');
  });

  it('FILE-025, FILE-026 a full disk is NO_SPACE, and the file is whole', ({ skip }) => {
    const here = place();
    mkdirSync(join(here.root, 'd'));
    if (!can('mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', join(here.root, 'd')))
      skip('mount does not work here');
    onTestFinished(() => void can('umount', join(here.root, 'd')));
    const path = here.write('root/d/a.yaml', 'x'.repeat(30_000));
    const sandbox = here.open();
    const edit = rewritten(sandbox, 'd/a.yaml', 'y'.repeat(60_000));
    expect(codeOf(() => sandbox.commit([edit]))).toBe('NO_SPACE');
    expect(readFileSync(path, 'utf8')).toBe('x'.repeat(30_000));
    expect(leftovers(join(here.root, 'd'))).toEqual([]);
  });

  it('a batch whose second rename fails puts the first file back, and says so', ({ skip }) => {
    const here = place();
    const first = here.write('root/a.yaml', 'a: 1\n', 0o640);
    const second = here.write('root/z.yaml', 'z: 1\n');
    if (!can('mount', '--bind', here.write('elsewhere.yaml', 'z: 1\n'), second))
      skip('mount does not work here');
    onTestFinished(() => void can('umount', second));
    const sandbox = here.open();
    const edits = ['a.yaml', 'z.yaml'].map((file) => rewritten(sandbox, file, 'new: 2\n'));
    const refusal = refusalOf(() => sandbox.commit(edits));
    expect(refusal?.code).toBe('IO_ERROR');
    expect(refusal?.message).toContain('has been put back');
    expect([readFileSync(first, 'utf8'), readFileSync(second, 'utf8')]).toEqual(['a: 1\n', 'z: 1\n']);
    expect(statSync(first).mode & 0o777).toBe(0o640);
    expect(leftovers(here.root)).toEqual([]);
    const outcomes = here.logged().filter(({ event }) => event === 'audit');
    expect(outcomes.map(({ file, outcome }) => `${file} ${outcome}`)).toEqual([
      'a.yaml intent',
      'z.yaml intent',
      'a.yaml rolled_back',
      'a.yaml failed',
      'z.yaml failed',
    ]);
  });
});

it('FILE-023 as an ordinary user: a folder without write permission is PERMISSION_DENIED', ({ skip }) => {
  if (!isRoot) {
    const here = place();
    here.write('root/d/a.yaml', 'a: 1\n');
    const sandbox = here.open();
    const edit = rewritten(sandbox, 'd/a.yaml', 'a: 2\n');
    chmodSync(join(here.root, 'd'), 0o555);
    expect(codeOf(() => sandbox.commit([edit]))).toBe('PERMISSION_DENIED');
    chmodSync(join(here.root, 'd'), 0o755);
    rmSync(join(here.root, 'd'), { recursive: true });
  } else skip('root may write everywhere; the immutable folder above stands in');
});
