// Reads plain files with one name, at a moment in which nobody wrote to them.
import { type HeldEntry, symlinkRefused } from '../containment/held.ts';
import { Refusal } from '../errors/refusal.ts';
import { closingFd, type FileFacts, factsOfFd, readFd, sameInode } from '../fs/ambient-fs.ts';
import { requireSize } from './file-size.ts';

export interface StableRead {
  readonly bytes: Uint8Array;
  readonly facts: FileFacts;
}

/** Reads the bytes at a moment in which nobody wrote: size and both times were the same before and after. Throws FILE_CHANGED. */
export function readStable(
  entry: HeldEntry,
  limitBytes: number,
  file: string,
  scratch?: Uint8Array,
): StableRead {
  const limits = { limitBytes, file, scratch };
  const read = closingFd(
    entry.openForReading(),
    // The facts from before the opening are as safe, because they are older, and they save one system call.
    (fd) => readOnce(fd, entry.facts, limits) ?? readOnce(fd, factsOfFd(fd), limits),
  );
  if (read !== undefined) return read;
  throw new Refusal(
    'FILE_CHANGED',
    'Cannot read this file: another program is writing to it. Try again in a moment.',
    { file },
  );
}

interface Reads {
  readonly limitBytes: number;
  readonly file: string;
  /** The memory for a file that fits into it; the bytes are valid until the next reading. */
  readonly scratch: Uint8Array | undefined;
}

function readOnce(
  fd: number,
  before: FileFacts,
  { limitBytes, file, scratch }: Reads,
): StableRead | undefined {
  requirePlainFile(before, file);
  requireSize(before.sizeBytes, limitBytes, file, 'file');
  const size = Math.min(before.sizeBytes, limitBytes) + 1;
  const buffer = scratch !== undefined && size <= scratch.length ? scratch.subarray(0, size) : undefined;
  const bytes = readBounded(fd, buffer ?? new Uint8Array(size), before.sizeBytes, limitBytes);
  requireSize(bytes.length, limitBytes, file, 'file');
  const after = factsOfFd(fd);
  return before.kind === after.kind && isSameState(before, after) ? { bytes, facts: after } : undefined;
}

/** True if both facts are of the same inode, and nothing was written to it, renamed onto it or linked to it meanwhile. */
export function isSameState(a: FileFacts, b: FileFacts): boolean {
  const hasSameTimes = a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
  return sameInode(a, b) && a.sizeBytes === b.sizeBytes && a.links === b.links && hasSameTimes;
}

/** Reads at most `limitBytes + 1` bytes. The buffer may be too small: some files claim 0 bytes and never end, others grow while they are read. */
function readBounded(fd: number, into: Uint8Array, sizeBytes: number, limitBytes: number): Uint8Array {
  let buffer = into;
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length > limitBytes) return buffer;
      const larger = new Uint8Array(Math.min(limitBytes + 1, Math.max(4096, length * 2)));
      larger.set(buffer);
      buffer = larger;
    }
    const count = readFd(fd, buffer, length, buffer.length - length, length);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    // Less was there than asked for, and it is all that the file is said to hold.
    if (length === sizeBytes && length < buffer.length) return buffer.subarray(0, length);
  }
}

/** Throws SYMLINK_REFUSED, NOT_REGULAR_FILE or HARD_LINK_REFUSED unless these are the facts of a plain file with one name. */
export function requirePlainFile({ kind, links }: FileFacts, file: string): void {
  if (kind === 'symlink') throw symlinkRefused(file);
  // A FIFO would block the server for ever, and opening a device could have side effects, so neither is opened.
  if (kind !== 'file') {
    throw new Refusal(
      'NOT_REGULAR_FILE',
      'Cannot use this path: it is not a regular file. config_list shows the files.',
      { file },
    );
  }
  // A hard link inside the root to a secret outside it passes every check of paths and symlinks; containers, Landlock
  // and Node's permission model all let it through.
  if (links > 1) {
    throw new Refusal(
      'HARD_LINK_REFUSED',
      'Cannot use this file: it has a second name (a hard link), possibly outside the root. Ask the operator to replace it with a copy.',
      { file },
    );
  }
}
