// A commit where the system refuses: attributes, mounts, full disks, permissions.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitEdits } from '../../../src/security/index.ts';
import { codeOf, isRoot, leftovers, place, refusalOf, rewritten } from '../fixture.ts';

describe.skipIf(!isRoot)('where the system objects (needs root for attributes and mounts)', () => {
  const attempt = (prepare: (here: ReturnType<typeof place>, path: string) => (() => void) | undefined) => {
    const here = place();
    const path = here.write('root/d/a.yaml', 'a: 1\n');
    const undo = prepare(here, path);
    onTestFinished(() => undo?.());
    const sandbox = here.open();
    const edit = rewritten(sandbox, 'd/a.yaml', 'a: 2\n');
    const refusal = refusalOf(() => commitEdits(sandbox, [edit]));
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
    expect(codeOf(() => commitEdits(sandbox, [edit]))).toBe('NO_SPACE');
    expect(readFileSync(path, 'utf8')).toBe('x'.repeat(30_000));
    expect(leftovers(join(here.root, 'd'))).toEqual([]);
  });

  it('a batch whose second rename fails puts the first file back, and says so [WRT-2]', ({ skip }) => {
    const here = place();
    const first = here.write('root/a.yaml', 'a: 1\n', 0o640);
    const second = here.write('root/z.yaml', 'z: 1\n');
    if (!can('mount', '--bind', here.write('elsewhere.yaml', 'z: 1\n'), second))
      skip('mount does not work here');
    onTestFinished(() => void can('umount', second));
    const sandbox = here.open();
    const edits = ['a.yaml', 'z.yaml'].map((file) => rewritten(sandbox, file, 'new: 2\n'));
    const refusal = refusalOf(() => commitEdits(sandbox, edits));
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
    expect(codeOf(() => commitEdits(sandbox, [edit]))).toBe('PERMISSION_DENIED');
    chmodSync(join(here.root, 'd'), 0o755);
    rmSync(join(here.root, 'd'), { recursive: true });
  } else skip('root may write everywhere; the immutable folder above stands in');
});
