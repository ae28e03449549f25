// Where log lines go: stderr or a file of the operator's, written synchronously, so that nothing is lost at
// exit and a failed write is known at once. Never stdout, which belongs to the protocol. A file is refused
// where somebody could have put something else in its place.
import { basename, dirname, join, resolve } from 'node:path';
import { ignoring } from '../errors/io-refusal.ts';
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
  O_APPEND,
  O_CREAT,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_WRONLY,
  sameInode,
  writeFd,
} from '../fs/ambient-fs.ts';
import { isOurs } from '../fs/fd-io.ts';
import { whyUntrusted } from '../fs/trusted-file.ts';
import { quoted } from '../text/visible.ts';

export interface Sink {
  /** Throws where the line could not be written whole. */
  write(line: string): void;
  /**
   * Whether the file was rotated away, deleted or replaced, so that another one had to be opened. Throws where
   * that one cannot be trusted.
   */
  refresh(): boolean;
  /** The real path of the file; undefined for stderr. */
  readonly place: string | undefined;
}

export function stderrSink(): Sink {
  return new FdSink(2, undefined);
}

/** Opens for appending, created with mode 0600. Throws StartError. */
export function fileSink(file: string): Sink {
  const place = placeOf(file);
  return new FdSink(openTrusted(place, file), place);
}

/** The place that `fileSink` would open. Throws what it throws, as far as that is known without opening or making it. */
export function checkedLogPlace(file: string): string {
  const place = placeOf(file);
  const facts = ambientLstatIfThere(place);
  if (facts !== undefined) requireTrusted(facts, file);
  return place;
}

function openTrusted(place: string, file: string): number {
  const fd = opened(place, file);
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
  readonly place: string | undefined;
  #fd: number;
  #isLineOpen = false;
  #isStalled = false;

  constructor(fd: number, place: string | undefined) {
    this.#fd = fd;
    this.place = place;
  }

  write(line: string): void {
    // After a line that was cut off, the next one must not be glued to it.
    const bytes = Buffer.from(this.#isLineOpen ? `\n${line}` : line);
    // One who does not read the log may hold the server up once, not with every line.
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
    if (this.place === undefined || isStillAt(this.place, this.#fd)) return false;
    // Before it is opened, which would make a file there.
    if (placeOf(this.place) !== this.place) throw refused(this.place, 'its folder was replaced by a link');
    const fd = openTrusted(this.place, this.place);
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

function isStillAt(place: string, fd: number): boolean {
  return ignoring('all', () => sameInode(ambientLstat(place), factsOfFd(fd))) === true;
}

function opened(place: string, file: string): number {
  try {
    // Non-blocking: a FIFO put there must not hang the start.
    return ambientOpen(place, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw refused(
      file,
      errnoOf(error) === 'ELOOP' ? 'it is a symbolic link' : 'it cannot be opened for writing',
    );
  }
}

/** In a folder in which nobody else could have put something else in its place. */
function placeOf(file: string): string {
  const folder = ignoring('all', () => ambientRealpath(dirname(resolve(file))));
  if (folder === undefined) throw refused(file, 'its folder does not exist');
  const reason = whyUntrusted(folder);
  if (reason !== undefined) throw refused(file, reason);
  return join(folder, basename(file));
}

function refused(file: string, reason: string): StartError {
  return new StartError(`cannot log to ${quoted(file)}: ${reason}`);
}
