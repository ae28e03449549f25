// The checks that judge a held inode, each alone. That every door asks them is shown in
// containment/layouts.test.ts and commit/commit.test.ts.
import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../src/security/fs/ambient-fs.ts';
import { requireRegularFile } from '../../../src/security/sandbox/file-kind.ts';
import { requireSize } from '../../../src/security/sandbox/file-size.ts';
import { requireSingleLink } from '../../../src/security/sandbox/hard-link.ts';
import { requireKeepableOwner } from '../../../src/security/writer/foreign-owner.ts';
import { requireWritable, requireWritableMode } from '../../../src/security/writer/read-only.ts';
import { codeOf, place } from '../fixture.ts';

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
    {
      check: (facts: FileFacts, file: string) => requireKeepableOwner(facts, plain, file),
      facts: plain,
      code: 'no error',
      why: 'a file of our own',
    },
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
