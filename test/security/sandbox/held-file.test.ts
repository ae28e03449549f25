// The checks that judge a held inode, each alone. That every door asks them is shown in
// containment/layouts.test.ts and commit/commit.test.ts.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../src/security/fs/ambient-fs.ts';
import { requireRegularFile } from '../../../src/security/sandbox/file-kind.ts';
import { requireSize } from '../../../src/security/sandbox/file-size.ts';
import { requireSingleLink } from '../../../src/security/sandbox/hard-link.ts';
import { requireKeepableOwner } from '../../../src/security/writer/foreign-owner.ts';
import { requireWritable, requireWritableMode } from '../../../src/security/writer/read-only.ts';
import { codeOf, isRoot, leftovers, place } from '../fixture.ts';

const plain: FileFacts = {
  kind: 'file',
  dev: 1n,
  ino: 1n,
  mtimeNs: 0n,
  ctimeNs: 0n,
  sizeBytes: 1,
  mode: 0o100644,
  links: 1,
  uid: process.geteuid?.() ?? 0,
  gid: 0,
};

describe('a check of a held file', () => {
  it.each([
    { check: requireRegularFile, facts: plain, code: 'no error', why: 'a plain file' },
    {
      check: requireRegularFile,
      facts: { ...plain, kind: 'symlink' as const },
      code: 'SYMLINK_REFUSED',
      why: 'a link',
    },
    {
      check: requireRegularFile,
      facts: { ...plain, kind: 'directory' as const },
      code: 'NOT_REGULAR_FILE',
      why: 'a folder',
    },
    {
      check: requireRegularFile,
      facts: { ...plain, kind: 'other' as const },
      code: 'NOT_REGULAR_FILE',
      why: 'a FIFO, socket or device',
    },
    { check: requireSingleLink, facts: plain, code: 'no error', why: 'one name' },
    { check: requireSingleLink, facts: { ...plain, links: 2 }, code: 'HARD_LINK_REFUSED', why: 'two names' },
    { check: requireWritableMode, facts: plain, code: 'no error', why: 'writable by its owner' },
    {
      check: requireWritableMode,
      facts: { ...plain, mode: 0o100444 },
      code: 'READ_ONLY',
      why: 'a read-only mode',
    },
    {
      check: requireWritableMode,
      facts: { ...plain, mode: 0o100466 },
      code: 'READ_ONLY',
      why: 'writable by all but its owner',
    },
    { check: requireKeepableOwner, facts: plain, code: 'no error', why: 'a file of our own' },
  ])('answers $code for $why', ({ check, facts, code }) => {
    expect(codeOf(() => check(facts, 'a.yaml'))).toBe(code);
  });

  it('measures to the byte, for files and for results', () => {
    for (const what of ['file', 'result'] as const) {
      expect(codeOf(() => requireSize(10, 10, 'a.yaml', what))).toBe('no error');
      expect(codeOf(() => requireSize(11, 10, 'a.yaml', what))).toBe('FILE_TOO_LARGE');
    }
  });

  it('knows the mode of the server', () => {
    const { policy } = place();
    expect(codeOf(() => requireWritable(policy()))).toBe('no error');
    expect(codeOf(() => requireWritable(policy({ readOnly: true })))).toBe('READ_ONLY');
  });
});

describe.skipIf(!isRoot)('as an ordinary user (needs root to become one)', () => {
  const NOBODY = 65_534;
  const dist = new URL('../../../dist/security/index.js', import.meta.url);

  it.each([
    { id: 'owner', why: 'the file of another user', folder: 0o777, owner: 0, answer: 'PERMISSION_DENIED' },
    {
      id: 'FILE-023',
      why: 'a folder without write permission',
      folder: 0o555,
      owner: NOBODY,
      answer: 'PERMISSION_DENIED',
    },
    { id: 'control', why: 'its own file in an open folder', folder: 0o777, owner: NOBODY, answer: 'written' },
  ])('$id $why is $answer', ({ folder, owner, answer }) => {
    const here = place();
    const path = here.write('root/a.yaml', 'a: 1\n');
    chmodSync(here.base, 0o755);
    chmodSync(here.root, folder);
    chownSync(path, owner, owner);
    // Loaded as root, then given up: the source tree need not be readable for everybody.
    const script = `
      const { createLog, DEFAULT_ALLOW: allow, DEFAULT_LIMITS: limits, openSandbox, VerifiedEdit } = await import('${dist}');
      process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY});
      const roots = [{ name: undefined, dir: ${JSON.stringify(here.root)} }];
      const policy = { roots, allow, deny: [], schemas: [], limits, readOnly: false, allowBroadRoot: false, approval: 'direct' };
      const sandbox = openSandbox(policy, createLog({ level: 'error', format: 'json' }));
      const snapshot = sandbox.open(sandbox.parse('a.yaml')).read();
      try {
        sandbox.commit([VerifiedEdit.prove(snapshot, [{ start: 3, end: 4, insert: '2' }], () => [])]);
        console.log('written');
      } catch (error) {
        console.log(error.code ?? error);
      }`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(run.stdout).toBe(`${answer}\n`);
    expect(readFileSync(path, 'utf8')).toBe(answer === 'written' ? 'a: 2\n' : 'a: 1\n');
    expect(leftovers(join(here.root))).toEqual([]);
  });
});
