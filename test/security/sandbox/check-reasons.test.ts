// What an agent is told when a check refuses: which file, and a reason that says what to mend. A refusal
// without its reason sends it guessing.
import { describe, expect, it, vi } from 'vitest';
import type { FileFacts } from '../../../src/security/fs/ambient-fs.ts';
import { requireSize } from '../../../src/security/sandbox/file-size.ts';
import { requirePlainFile } from '../../../src/security/sandbox/plain-file.ts';
import { decodeUtf8 } from '../../../src/security/sandbox/read-cache.ts';
import {
  isOwnFile,
  requireKeepableOwner,
  requireWritable,
  requireWritableMode,
} from '../../../src/security/writer/permission.ts';
import { withoutUsers } from '../../harness/without-users.ts';
import { codeOf, place, refusalOf } from '../fixture.ts';

const FACTS: FileFacts = {
  ...{ kind: 'file', dev: 1n, ino: 1n, mtimeNs: 0n, ctimeNs: 0n },
  ...{ sizeBytes: 1, mode: 0o100644, links: 1, uid: 1000, gid: 0 },
};

describe('a refused path', () => {
  it.each([
    { input: '', reason: /empty/, why: 'nothing' },
    { input: 'a/'.repeat(2050), reason: /longer than 4096 bytes/, why: 'a path that is too long' },
    { input: `${'ä'.repeat(2049)}`, reason: /longer than 4096 bytes/, why: 'bytes count, not characters' },
    { input: 'a\0.yaml', reason: /NUL/, why: 'a NUL' },
    { input: 'a\\b.yaml', reason: /backslash.*'\/'/, why: 'a backslash' },
    { input: '../a.yaml', reason: /'\.\.' is never followed/, why: 'a way up' },
    { input: 'https://a/b.yaml', reason: /URL, not a file/, why: 'a URL' },
    { input: '1a://b.yaml', reason: /':' \(a drive/, why: 'no URL, for a scheme begins with a letter' },
    { input: 'a/'.repeat(64).concat('b.yaml'), reason: /more than 64 components/, why: 'too deep' },
    { input: 'a//b.yaml', reason: /doubles a '\/'/, why: 'an empty name' },
    { input: './a.yaml', reason: /'\.' component/, why: 'a dot' },
    { input: 'C:/a.yaml', reason: /':' \(a drive/, why: 'a drive' },
    { input: 'a\u202e.yaml', reason: /control or invisible/, why: 'a direction mark' },
    { input: 'a./b.yaml', reason: /ends with a dot or a space/, why: 'a dot that Windows strips' },
    { input: `${'x'.repeat(256)}/a.yaml`, reason: /name is longer than 255 bytes/, why: 'a long name' },
    { input: 'ä'.repeat(128), reason: /name is longer than 255 bytes/, why: 'a name whose bytes count' },
  ])('is told its reason: $why', ({ input, reason }) => {
    const { open } = place();
    const refusal = refusalOf(() => open().parse(input));
    expect(refusal?.code).toBe('PATH_INVALID');
    expect(refusal?.message).toMatch(reason);
  });

  it.each([
    { input: `${'x/'.repeat(63)}a.yaml`, why: '64 components' },
    { input: `${`${'x'.repeat(240)}/`.repeat(16)}${'x'.repeat(235)}.yaml`, why: '4096 bytes' },
  ])('may have exactly $why', ({ input }) => {
    const { open } = place();
    expect(open().parse(input).toString()).toBe(input);
  });

  it('may have a name of exactly 255 bytes', () => {
    const { open } = place();
    expect(
      open()
        .parse(`${'x'.repeat(250)}.yaml`)
        .toString(),
    ).toHaveLength(255);
  });
});

describe('a refused file', () => {
  it.each([
    {
      check: () => requirePlainFile({ ...FACTS, kind: 'other' }, 'a.yaml'),
      code: 'NOT_REGULAR_FILE',
      reason: /not a regular file/,
    },
    {
      check: () => requirePlainFile({ ...FACTS, kind: 'directory' }, 'a.yaml'),
      code: 'NOT_REGULAR_FILE',
      reason: /not a regular file/,
    },
    {
      check: () => requirePlainFile({ ...FACTS, kind: 'symlink' }, 'a.yaml'),
      code: 'SYMLINK_REFUSED',
      reason: /symbolic link/,
    },
    {
      check: () => requireSize(2, 1, 'a.yaml', 'file'),
      code: 'FILE_TOO_LARGE',
      reason: /Cannot use this file: it has 2 bytes, and 1 are allowed.*--max-file-size/,
    },
    {
      check: () => requireSize(2, 1, 'a.yaml', 'result'),
      code: 'FILE_TOO_LARGE',
      reason: /Cannot make this edit: the result has 2 bytes/,
    },
    {
      check: () => requirePlainFile({ ...FACTS, links: 2 }, 'a.yaml'),
      code: 'HARD_LINK_REFUSED',
      reason: /second name \(a hard link\)/,
    },
    {
      check: () => requireWritableMode({ ...FACTS, mode: 0o100444 }, 'a.yaml'),
      code: 'READ_ONLY',
      reason: /its mode is read-only/,
    },
    {
      check: () => requireWritableMode({ ...FACTS, mode: 0o100466 }, 'a.yaml'),
      code: 'READ_ONLY',
      reason: /its mode is read-only/,
    },
    {
      check: () => decodeUtf8(Uint8Array.of(0x61, 0xff), 'a.yaml'),
      code: 'NOT_UTF8',
      reason: /line 1 is not valid UTF-8/,
    },
    {
      check: () => decodeUtf8(Uint8Array.of(0xc3, 0xa4, 0xc3, 0xa4, 0xff), 'a.yaml'),
      code: 'NOT_UTF8',
      reason: /line 1 is not valid UTF-8/,
    },
    {
      check: () => decodeUtf8(Uint8Array.of(0x61, 0x62, 0xe2, 0x82), 'a.yaml'),
      code: 'NOT_UTF8',
      reason: /line 1 is not valid UTF-8/,
    },
  ])('is named, with its reason: $code $reason', ({ check, code, reason }) => {
    const refusal = refusalOf(check);
    expect([refusal?.code, refusal?.where]).toEqual([code, { file: 'a.yaml' }]);
    expect(refusal?.message).toMatch(reason);
  });

  it('is none that is as it should be', () => {
    for (const check of [requirePlainFile, requireWritableMode])
      expect(codeOf(() => check(FACTS, 'a.yaml'))).toBe('no error');
    for (const what of ['file', 'result'] as const)
      expect(codeOf(() => requireSize(10, 10, 'a.yaml', what))).toBe('no error');
    expect(codeOf(() => requireWritable(place().policy()))).toBe('no error');
  });

  it('in read-only mode is told that a dry run still works', () => {
    const refusal = refusalOf(() => requireWritable(place().policy({ readOnly: true })));
    expect([refusal?.code, refusal?.message]).toEqual(['READ_ONLY', expect.stringMatching(/dry run/)]);
  });

  it.each([
    { uid: 1000, code: 'no error', why: 'its own' },
    { uid: 1001, code: 'PERMISSION_DENIED', why: "another user's" },
    { uid: 0, code: 'no error', why: 'root can give the replacement away' },
  ])('of an owner that a server with uid $uid could not keep is $code: $why', ({ uid, code }) => {
    const asked = vi.spyOn(process, 'geteuid').mockReturnValue(uid);
    const group = vi.spyOn(process, 'getegid').mockReturnValue(FACTS.gid);
    try {
      expect(isOwnFile(FACTS)).toBe(code === 'no error');
      const check = () => requireKeepableOwner(FACTS, FACTS, 'a.yaml');
      expect(codeOf(check)).toBe(code);
      if (code === 'no error') return;
      expect(refusalOf(check)?.where).toEqual({ file: 'a.yaml' });
      expect(refusalOf(check)?.message).toMatch(/belongs to another user/);
    } finally {
      asked.mockRestore();
      group.mockRestore();
    }
  });

  it.each([
    { why: 'its own', own: 7, groups: [], folder: {}, code: 'no error' },
    { why: 'one that it is in', own: 8, groups: [7], folder: {}, code: 'no error' },
    {
      why: 'what the folder gives to new files',
      own: 8,
      groups: [9],
      folder: { gid: 7, mode: 0o42775 },
      code: 'no error',
    },
    {
      why: 'that of the folder, which it does not give',
      own: 8,
      groups: [9],
      folder: { gid: 7, mode: 0o40775 },
      code: 'PERMISSION_DENIED',
    },
    {
      why: 'given by the folder, but another one',
      own: 8,
      groups: [9],
      folder: { gid: 6, mode: 0o42775 },
      code: 'PERMISSION_DENIED',
    },
  ])('of a group is $code where it is $why', ({ own, groups, folder, code }) => {
    vi.spyOn(process, 'geteuid').mockReturnValue(FACTS.uid);
    vi.spyOn(process, 'getegid').mockReturnValue(own);
    vi.spyOn(process, 'getgroups').mockReturnValue(groups);
    try {
      const check = () =>
        requireKeepableOwner({ ...FACTS, gid: 7 }, { ...FACTS, gid: 0, ...folder }, 'a.yaml');
      expect(codeOf(check)).toBe(code);
      if (code !== 'no error')
        expect(refusalOf(check)?.message).toMatch(/belongs to a group that the server is not a member of/);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('has no owner on Windows, and is ours', () => {
    withoutUsers();
    expect(isOwnFile(FACTS)).toBe(true);
  });
});
