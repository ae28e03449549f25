// The only module that imports node:fs or moves the process's working directory. It makes thin, synchronous system calls with
// exact numbers, and guarantees NOTHING about where a path leads: what an agent names reaches the functions named `ambient…`
// through containment/ only.
import fs from 'node:fs';

/** The identity of an inode. Two equal identities at two times are one file only while something holds it open. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

type EntryKind = 'file' | 'directory' | 'symlink' | 'other';

export interface FileFacts extends Identity {
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** One name of a directory; `hint` is the kind by readdir, which is not reliable. */
export interface DirectoryEntry {
  readonly name: string;
  readonly hint: EntryKind | 'unknown';
}

/** On Linux only, this names an inode without opening it, so that a FIFO or a device is never touched. */
export const O_PATH = 0o10000000;
export const O_RDONLY = fs.constants.O_RDONLY;
export const O_WRONLY = fs.constants.O_WRONLY;
export const O_CREAT = fs.constants.O_CREAT;
export const O_EXCL = fs.constants.O_EXCL;
export const O_APPEND = fs.constants.O_APPEND;
// Windows lacks these flags, and containment/checked.ts works without them.
export const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0;
export const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
export const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0;

export function ambientOpen(path: string, flags: number, mode = 0o600): number {
  return fs.openSync(path, flags, mode);
}

export function ambientLstat(path: string): FileFacts {
  return facts(fs.lstatSync(path, { bigint: true }));
}

/** Returns undefined if there is nothing, because an exception for each missing file would be slow. */
export function ambientLstatIfThere(path: string): FileFacts | undefined {
  const found = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : facts(found);
}

export function ambientReadlink(path: string): string {
  return fs.readlinkSync(path);
}

export function ambientRealpath(path: string): string {
  return fs.realpathSync.native(path);
}

export function ambientRename(from: string, to: string): void {
  fs.renameSync(from, to);
}

export function ambientLink(existing: string, fresh: string): void {
  fs.linkSync(existing, fresh);
}

export function ambientUnlink(path: string): void {
  fs.unlinkSync(path);
}

/** Makes a folder and the missing folders above it; one that exists stays as it is. */
export function ambientMkdir(path: string, mode: number): void {
  fs.mkdirSync(path, { recursive: true, mode });
}

/** Makes one folder, whose parent must exist; fails where the name is taken. */
export function ambientMakeFolder(path: string): void {
  fs.mkdirSync(path, { mode: 0o700 });
}

/** Removes a folder; fails where it is not empty. */
export function ambientRemoveFolder(path: string): void {
  fs.rmdirSync(path);
}

/** Reads a small text of the system's own (`/proc/…`), at most 4096 bytes. */
export function ambientReadText(path: string): string {
  const fd = ambientOpen(path, O_RDONLY);
  try {
    const buffer = Buffer.alloc(4096);
    return buffer.toString('latin1', 0, readFd(fd, buffer, 0, buffer.length, 0));
  } finally {
    closeFd(fd);
  }
}

/** A folder of fewer bytes has some 300,000 names at most, which fit into the memory at once. */
const MOST_FOLDER_BYTES = 4_000_000;

/** Returns at most `limit` names, in the order of the disk; `complete` is false if there are more. */
export function ambientEntries(
  path: string,
  limit: number,
): { entries: DirectoryEntry[]; complete: boolean } {
  if (fs.statSync(path).size > MOST_FOLDER_BYTES) return entriesInPieces(path, limit);
  const all = fs.readdirSync(path, { withFileTypes: true });
  const entries = all.slice(0, limit).map((entry) => ({ name: entry.name, hint: hintOf(entry) }));
  return { entries, complete: all.length <= limit };
}

/** Takes twice as long, and never holds more than `limit` names. */
function entriesInPieces(path: string, limit: number): ReturnType<typeof ambientEntries> {
  const directory = fs.opendirSync(path, { bufferSize: 256 });
  try {
    const entries: DirectoryEntry[] = [];
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (entries.length >= limit) return { entries, complete: false };
      entries.push({ name: entry.name, hint: hintOf(entry) });
    }
    return { entries, complete: true };
  } finally {
    directory.closeSync();
  }
}

/** Returns the bytes that the user may still use on the disk; undefined if they cannot be read. */
export function ambientFreeBytes(path: string): { readonly free: number; readonly of: number } | undefined {
  try {
    const { bavail, blocks, bsize } = fs.statfsSync(path);
    return { free: bavail * bsize, of: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Returns the magic number of the file system at `path`; undefined if the platform cannot say. */
export function ambientFileSystemType(path: string): number | undefined {
  try {
    return fs.statfsSync(path).type;
  } catch {
    return undefined;
  }
}

export function ambientChdir(path: string): void {
  process.chdir(path);
}

export function ambientCwd(): string {
  return process.cwd();
}

export function factsOfFd(fd: number): FileFacts {
  return facts(fs.fstatSync(fd, { bigint: true }));
}

/** Reads up to `length` bytes at `position`; returns how many. */
export function readFd(
  fd: number,
  into: Uint8Array,
  offset: number,
  length: number,
  position: number,
): number {
  return fs.readSync(fd, into, offset, length, position);
}

/** Writes some of the bytes; returns how many. */
export function writeFd(fd: number, bytes: Uint8Array, offset: number): number {
  return fs.writeSync(fd, bytes, offset, bytes.length - offset);
}

export function chmodFd(fd: number, mode: number): void {
  fs.fchmodSync(fd, mode);
}

export function chownFd(fd: number, uid: number, gid: number): void {
  fs.fchownSync(fd, uid, gid);
}

export function syncFd(fd: number): void {
  fs.fsyncSync(fd);
}

/** Does what `syncFd` does, and lets the thread go on meanwhile. The descriptor must stay open until it is done. */
export function syncFdLater(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fsync(fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

export function closeFd(fd: number): void {
  fs.closeSync(fd);
}

export function sameInode(a: Identity, b: Identity): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** Returns the system's name of a failure (`ENOENT`), or undefined if the error has none. */
export function errnoOf(error: unknown): string | undefined {
  // Node's own errors (ERR_…) have a code but no errno: they are our bugs, and no failures of the machine.
  if (!(error instanceof Error) || !('errno' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function kindOf(entry: Pick<fs.Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

function hintOf(entry: fs.Dirent): EntryKind | 'unknown' {
  const kind = kindOf(entry);
  const isSpecial = entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice();
  return kind === 'other' && !isSpecial ? 'unknown' : kind;
}

function facts(stat: fs.BigIntStats): FileFacts {
  return {
    kind: kindOf(stat),
    dev: stat.dev,
    ino: stat.ino,
    sizeBytes: Number(stat.size),
    mode: Number(stat.mode),
    links: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
  };
}

/** True for a file that this user owns and no other can write. */
export function isOurs({ kind, uid, mode }: FileFacts): boolean {
  const self = process.geteuid?.();
  // Windows has neither owners nor modes.
  return kind === 'file' && (self === undefined || (uid === self && (mode & 0o022) === 0));
}

/** Reads `length` bytes from the offset `from`; fewer where the file ends earlier. */
export function readBytes(fd: number, length: number, from: number): Buffer {
  const bytes = Buffer.alloc(Math.max(length, 0));
  let done = 0;
  while (done < bytes.length) {
    const count = readFd(fd, bytes, done, bytes.length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

export function readText(fd: number, length: number, from: number): string {
  return readBytes(fd, length, from).toString('utf8');
}

export function writeAll(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  for (let done = 0; done < bytes.length; ) done += writeFd(fd, bytes, done);
}

export function closing<Resource extends { close(): void }, Result>(
  resource: Resource,
  use: (resource: Resource) => Result,
): Result {
  try {
    return use(resource);
  } finally {
    resource.close();
  }
}

/** Returns what `use` answers, and closes the file descriptor. */
export function closingFd<Result>(fd: number, use: (fd: number) => Result): Result {
  return closing({ close: () => closeFd(fd) }, () => use(fd));
}
