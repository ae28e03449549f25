// The small parts that all of src/security uses: the system's facts and failures, refusals, and how wide text is.
import { execFileSync } from 'node:child_process';
import fs, { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ioRefusal } from '../../src/security/errors/io-refusal.ts';
import {
  ambientEntries,
  ambientFileSystemType,
  ambientLstat,
  ambientMkdir,
  ambientOpen,
  ambientReadText,
  ambientRealpath,
  chmodFd,
  chownFd,
  closeFd,
  errnoOf,
  factsOfFd,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_WRONLY,
  readFd,
  sameInode,
  writeFd,
} from '../../src/security/fs/ambient-fs.ts';
import { DEFAULT_LIMITS, keepOutOfCoreDumps, quoted, Refusal, StartError } from '../../src/security/index.ts';
import { isPlainAscii, lazily } from '../../src/security/text/fold.ts';
import { randomHex, randomNonce } from '../../src/state/canonical-json.ts';
import { isRoot, place } from './fixture.ts';

afterEach(() => vi.restoreAllMocks());

const descriptors = () => readdirSync('/proc/self/fd').length;
const failure = (code: string) => Object.assign(new Error(`${code}: /a/b`), { errno: -1, code });

describe('the disk', () => {
  it('tells the facts of what stands there, and of what is open', () => {
    const { base, write } = place();
    const file = write('a', '12345', 0o640);
    const stat = statSync(file, { bigint: true });
    const facts = {
      ...{ kind: 'file', dev: stat.dev, ino: stat.ino, sizeBytes: 5, mode: Number(stat.mode), links: 1 },
      ...{ uid: Number(stat.uid), gid: Number(stat.gid), mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs },
    };
    expect(ambientLstat(file)).toEqual(facts);
    const fd = ambientOpen(file, O_RDONLY);
    expect(factsOfFd(fd)).toEqual(facts);
    closeFd(fd);
    symlinkSync('a', join(base, 'link'));
    expect(['a', 'link', '.'].map((name) => ambientLstat(join(base, name)).kind)).toEqual([
      'file',
      'symlink',
      'directory',
    ]);
    expect(ambientLstat('/dev/null').kind).toBe('other');
    expect(ambientRealpath(join(base, 'link'))).toBe(fs.realpathSync.native(file));
  });

  it('reads, writes and cuts at the place that it is told', () => {
    const { base } = place();
    const path = join(base, 'a');
    const fd = ambientOpen(path, O_WRONLY | O_CREAT | O_EXCL);
    expect(factsOfFd(fd).mode & 0o077).toBe(0);
    expect(writeFd(fd, Buffer.from('abcdef'), 2)).toBe(4);
    chmodFd(fd, 0o604);
    const [uid, gid] = isRoot ? [1234, 5678] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    chownFd(fd, uid, gid);
    expect(factsOfFd(fd)).toMatchObject({ uid, gid });
    closeFd(fd);
    expect(fs.readFileSync(path, 'utf8')).toBe('cdef');
    expect(statSync(path).mode & 0o777).toBe(0o604);
    const into = Buffer.from('....');
    const again = ambientOpen(path, O_RDONLY);
    expect(readFd(again, into, 1, 2, 1)).toBe(2);
    closeFd(again);
    expect(into.toString()).toBe('.de.');
    ambientMkdir(join(base, 'x/y'), 0o700);
    ambientMkdir(join(base, 'x/y'), 0o755);
    expect(statSync(join(base, 'x/y')).mode & 0o777).toBe(0o700);
  });

  it('lists names with hints, and lets go of the folder', () => {
    const { root, write } = place();
    write('root/file', '');
    mkdirSync(join(root, 'folder'));
    symlinkSync('file', join(root, 'link'));
    execFileSync('mkfifo', [join(root, 'fifo')]);
    const before = descriptors();
    const { entries, complete } = ambientEntries(root, 4);
    expect(Object.fromEntries(entries.map(({ name, hint }) => [name, hint]))).toEqual({
      ...{ file: 'file', folder: 'directory', link: 'symlink', fifo: 'other' },
    });
    expect([complete, ambientEntries(root, 3).complete, ambientEntries(root, 0)]).toEqual([
      true,
      false,
      { entries: [], complete: false },
    ]);
    expect(descriptors()).toBe(before);
  });

  it.each([
    { is: 'isFIFO', hint: 'other' },
    { is: 'isSocket', hint: 'other' },
    { is: 'isBlockDevice', hint: 'other' },
    { is: 'isCharacterDevice', hint: 'other' },
    { is: 'isNothingThatIsKnown', hint: 'unknown' },
  ])('calls an entry that $is $hint', ({ is, hint }) => {
    const kinds = [
      'isFile',
      'isDirectory',
      'isSymbolicLink',
      'isFIFO',
      'isSocket',
      'isBlockDevice',
      'isCharacterDevice',
    ];
    const entry = { name: 'a', ...Object.fromEntries(kinds.map((kind) => [kind, () => kind === is])) };
    const { root, write } = place();
    write('root/a', '');
    const listed = fs.readdirSync(root, { withFileTypes: true });
    vi.spyOn(fs, 'readdirSync').mockReturnValue(
      listed.map((found) => Object.assign(Object.create(found), entry)),
    );
    expect(ambientEntries(root, 9).entries).toEqual([{ name: 'a', hint }]);
  });

  it('knows its file system, or that it does not', () => {
    expect(ambientFileSystemType('/proc')).toBe(0x9fa0);
    expect(ambientFileSystemType('/gone/for/good')).toBeUndefined();
  });

  it('reads a small text of the system from its start, and no more than it has to', () => {
    const { write } = place();
    const before = descriptors();
    expect(ambientReadText(write('a', 'x'.repeat(5_000)))).toHaveLength(4_096);
    expect(ambientReadText(write('b', 'short\n'))).toBe('short\n');
    expect(() => ambientReadText('/proc/self')).toThrow(/EISDIR/);
    expect(descriptors()).toBe(before);
  });

  it('tells two files apart by both of their numbers', () => {
    const [dev, ino] = [1n, 2n];
    expect(sameInode({ dev, ino }, { dev, ino })).toBe(true);
    expect([sameInode({ dev, ino }, { dev, ino: 3n }), sameInode({ dev, ino }, { dev: 3n, ino })]).toEqual([
      false,
      false,
    ]);
  });

  it('names its own failures, and no others', () => {
    expect(errnoOf(failure('EIO'))).toBe('EIO');
    const others = [
      ...[undefined, null, 'EIO', { errno: -1, code: 'EIO' }, new Error('EIO')],
      ...[Object.assign(new Error('x'), { code: 'ERR_X' }), Object.assign(new Error('x'), { errno: -1 })],
      Object.assign(new Error('x'), { errno: -1, code: 5 }),
    ];
    expect(others.map(errnoOf)).toEqual(others.map(() => undefined));
  });
});

describe('a failure of the machine', () => {
  const FULL = 'the disk is full. Free some space and try again';
  const DENIED = 'the operating system does not permit it. The operator can change the permissions';
  const OPEN = 'too many files are open. Try again in a moment';
  const LIMIT =
    'the limit of this process for the size of a file is reached. The operator can raise it (ulimit -f)';
  const MOUNT =
    'the file is a mount point of its own. The operator should mount its directory instead of the single file';
  it.each([
    { errno: 'ENOSPC', code: 'NO_SPACE', says: FULL },
    { errno: 'EDQUOT', code: 'NO_SPACE', says: 'the disk quota is used up. Free some space and try again' },
    { errno: 'EFBIG', code: 'IO_ERROR', says: LIMIT },
    { errno: 'EACCES', code: 'PERMISSION_DENIED', says: DENIED },
    { errno: 'EPERM', code: 'PERMISSION_DENIED', says: DENIED },
    {
      errno: 'EROFS',
      code: 'PERMISSION_DENIED',
      says: 'the file system is mounted read-only. The operator can mount it writable',
    },
    {
      errno: 'ENOENT',
      code: 'FILE_CHANGED',
      says: 'it, or its folder, was removed meanwhile. Read it again',
    },
    { errno: 'EBUSY', code: 'IO_ERROR', says: MOUNT },
    { errno: 'EMFILE', code: 'BUSY', says: OPEN },
    { errno: 'ENFILE', code: 'BUSY', says: OPEN },
    {
      errno: 'EIO',
      code: 'IO_ERROR',
      says: 'the file system reported an error. Try again, or ask the operator to look at the log',
    },
  ])('$errno is $code, in our words', ({ errno, code, says }) => {
    const error = failure(errno);
    const refusal = ioRefusal('write this file', error, 'a.yaml');
    expect([refusal.code, refusal.message, refusal.where, refusal.clues, refusal.cause]).toEqual([
      ...[code, `Cannot write this file: ${says}.`, { file: 'a.yaml' }, {}, error],
    ]);
  });

  it('is not what was refused already, nor what is a bug', () => {
    const refusal = new Refusal('BUSY', 'x');
    expect(ioRefusal('write', refusal)).toBe(refusal);
    const bug = new Error('bug');
    expect(() => ioRefusal('write', bug)).toThrow(bug);
  });
});

describe('a refusal', () => {
  it('keeps what it knows, and takes what it does not', () => {
    const cause = new Error('why');
    const refusal = new Refusal(
      'BUSY',
      'Cannot',
      { file: 'a', path: undefined },
      { existingPath: 'a' },
      cause,
    );
    const more = refusal.hinting({ existingPath: 'b', previewId: 'p' }).at({ file: 'b', path: 'x', line: 1 });
    expect(more).toMatchObject({ name: 'Refusal', code: 'BUSY', message: 'Cannot', cause });
    expect(more.clues).toEqual({ existingPath: 'a', previewId: 'p' });
    expect(more.where).toEqual({ file: 'a', path: 'x', line: 1 });
    const bare = new Refusal('BUSY', 'Cannot');
    expect([bare.where, bare.clues, 'cause' in bare]).toEqual([{}, {}, false]);
    expect(new StartError('x').name).toBe('StartError');
  });

  it('comes with limits that are there from the start', () => {
    expect(Object.keys(DEFAULT_LIMITS)).toHaveLength(12);
    expect(Object.values(DEFAULT_LIMITS).every((limit) => Number.isSafeInteger(limit) && limit > 0)).toBe(
      true,
    );
  });
});

describe('a text', () => {
  it('of what an agent sent is shown as far as it fits', () => {
    expect(quoted('a\nb')).toBe('"a<U+000A>b"');
    expect(quoted('x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
    expect(quoted('x'.repeat(81))).toBe(`"${'x'.repeat(79)}…"`);
    expect(quoted(`${'\n'.repeat(500)}`)).toHaveLength(82);
  });
});

describe('what is made once', () => {
  it('is made when it is first asked for', () => {
    let made = 0;
    const value = lazily(() => {
      made += 1;
      return { made };
    });
    expect(made).toBe(0);
    const first = value();
    expect([value() === first, made]).toEqual([true, 1]);
  });

  it.each(['', 'a', ' ~', 'a b'])('is not needed for "%s"', (text) => {
    expect(isPlainAscii(text)).toBe(true);
  });

  it.each(['\n', 'a\n', '\u001f', '\u007f', 'ä', 'aä', 'äa', 'a\u202eb'])('is needed for %j', (text) => {
    expect(isPlainAscii(text)).toBe(false);
  });

  it('as random text is as long as it was asked to be, and never the same twice', () => {
    for (const [make, shape] of [
      [() => randomHex(12), /^[0-9a-f]{24}$/],
      [randomNonce, /^[\w-]{22}$/],
    ] as const) {
      const seen = Array.from({ length: 1_000 }, make);
      expect([new Set(seen).size, seen.every((text) => shape.test(text))]).toEqual([1_000, true]);
    }
  });
});

describe('core dumps', () => {
  it('leave out all kinds of memory, and nothing stays open', () => {
    const { write } = place();
    const real = fs.openSync;
    const filter = write('filter', '33\n');
    const asked: unknown[] = [];
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
      asked.push(path);
      return real(filter, ...rest);
    });
    const before = descriptors();
    expect(keepOutOfCoreDumps()).toBe(true);
    expect([asked, descriptors()]).toEqual([['/proc/self/coredump_filter'], before]);
    expect(fs.readFileSync(filter, 'utf8')).toBe('03\n');
    vi.spyOn(fs, 'writeSync').mockReturnValue(0);
    expect(keepOutOfCoreDumps()).toBe(false);
    writeFileSync(filter, '');
    vi.restoreAllMocks();
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw failure('ENOENT');
    });
    expect(keepOutOfCoreDumps()).toBe(false);
  });
});
