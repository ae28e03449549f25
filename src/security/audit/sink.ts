// Writes log lines to stderr or to a file of the operator, synchronously: nothing is lost at exit, and a failed write is known at
// once. Nothing goes to stdout, which belongs to the protocol. A file that somebody else could replace is refused.
import { basename, dirname, join, resolve } from 'node:path';
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import {
  ambientLstat,
  ambientLstatIfThere,
  ambientOpen,
  ambientRealpath,
  closeFd,
  errnoOf,
  type FileFacts,
  factsOfFd,
  isOurs,
  O_APPEND,
  O_CREAT,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_WRONLY,
  sameInode,
  writeFd,
} from '../fs/ambient-fs.ts';
import { whyUntrusted } from '../fs/trusted-file.ts';
import { quoted } from '../text/visible.ts';

export interface Sink {
  /** Throws if the line could not be written whole. */
  write(line: string): void;
  /** Opens the file again where it was rotated away, deleted or replaced, and returns whether it did. Throws if the new file cannot be trusted. */
  refresh(): boolean;
  /** The real path of the file; undefined for stderr. */
  readonly path: string | undefined;
}

export function stderrSink(): Sink {
  return new FdSink(2, undefined);
}

/** Opens the file for appending, or creates it with mode 0600. Throws StartError. */
export function fileSink(file: string): Sink {
  const path = realPathOf(file);
  return new FdSink(openTrusted(path, file), path);
}

/** Returns the real path that `fileSink` would use, and throws what it would throw, without opening or creating a file. */
export function checkedLogPath(file: string): string {
  const path = realPathOf(file);
  const facts = ambientLstatIfThere(path);
  if (facts !== undefined) requireTrusted(facts, file);
  return path;
}

function openTrusted(path: string, file: string): number {
  const fd = opened(path, file);
  try {
    requireTrusted(factsOfFd(fd), file);
    return fd;
  } catch (error) {
    closeFd(fd);
    throw error;
  }
}

function requireTrusted(facts: FileFacts, file: string): void {
  if (facts.kind !== 'file') throw refused(file, 'it is no plain file');
  if (facts.links !== 1 || !isOurs(facts))
    throw refused(file, 'it has a second name, or belongs to another user, or others may write to it');
}

class FdSink implements Sink {
  readonly path: string | undefined;
  #fd: number;
  #isLineOpen = false;
  #isStalled = false;

  constructor(fd: number, path: string | undefined) {
    this.#fd = fd;
    this.path = path;
  }

  write(line: string): void {
    // If the line before was cut off, this text starts on a new line.
    const bytes = Buffer.from(this.#isLineOpen ? `\n${line}` : line);
    // A reader that has stopped reading delays the server once for a second, and not again for every line.
    const deadline = performance.now() + (this.#isStalled ? 0 : 1_000);
    for (let done = 0; done < bytes.length; ) {
      const count = this.#writeSome(bytes, done);
      if (count === 0 && performance.now() >= deadline) {
        this.#isStalled = true;
        throw new Error('nobody reads the log');
      }
      done += count;
      if (count > 0) this.#isLineOpen = done < bytes.length;
    }
    this.#isStalled = false;
  }

  refresh(): boolean {
    if (this.path === undefined || isStillAt(this.path, this.#fd)) return false;
    // This is checked first, because opening would create a file in the wrong place.
    if (realPathOf(this.path) !== this.path) throw refused(this.path, 'its folder was replaced by a link');
    const fd = openTrusted(this.path, this.path);
    closeFd(this.#fd);
    this.#fd = fd;
    this.#isLineOpen = false;
    return true;
  }

  #writeSome(bytes: Uint8Array, from: number): number {
    try {
      return writeFd(this.#fd, bytes, from);
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      return 0;
    }
  }
}

function isStillAt(path: string, fd: number): boolean {
  return ignoring('all', () => sameInode(ambientLstat(path), factsOfFd(fd))) === true;
}

function opened(path: string, file: string): number {
  try {
    // The open does not block, because a FIFO at this path must not hang the start.
    return ambientOpen(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw refused(
      file,
      errnoOf(error) === 'ELOOP' ? 'it is a symbolic link' : 'it cannot be opened for writing',
    );
  }
}

/** Returns the real path. Throws if somebody else could replace the file in its folder. */
function realPathOf(file: string): string {
  const folder = ignoring('all', () => ambientRealpath(dirname(resolve(file))));
  if (folder === undefined) throw refused(file, 'its folder does not exist');
  const reason = whyUntrusted(folder);
  if (reason !== undefined) throw refused(file, reason);
  return join(folder, basename(file));
}

function refused(file: string, reason: string): StartError {
  return new StartError(`cannot log to ${quoted(file)}: ${reason}`);
}
