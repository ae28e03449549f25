// Remembers the last reading of each file, so that the same bytes need not be decoded and hashed again. The file is read anew each
// time and its bytes are compared, so that a change on the disk is always seen. The size of the cache is bounded. Bytes that are not
// strict UTF-8 are refused, because a decoder that inserts U+FFFD would write that damage back to the file.
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { ignoring, Refusal } from '../errors/refusal.ts';

/** More than one edit needs: a text as it is on the disk, as it is shown, and before and after a step. */
const FEWEST = 4;
const MOST_CHARS = 2_000_000;

/**
 * Keeps what was last made of a few objects, and makes the rest again: a call over many files must not hold the texts of all of
 * them.
 */
export class Recent<Owner extends object, Value> {
  readonly #charsOf: (value: Value) => number;
  readonly #kept = new Map<Owner, Value>();
  #chars = 0;

  constructor(charsOf: (value: Value) => number) {
    this.#charsOf = charsOf;
  }

  /** Returns what `make` has made of this object, or makes it. */
  of(owner: Owner, make: () => Value): Value {
    const known = this.#kept.get(owner);
    const value = known ?? make();
    if (known === undefined) this.#chars += this.#charsOf(value);
    else this.#kept.delete(owner);
    this.#kept.set(owner, value);
    for (const [oldest, old] of this.#kept) {
      if (this.#kept.size <= FEWEST || this.#chars <= MOST_CHARS) break;
      this.#kept.delete(oldest);
      this.#chars -= this.#charsOf(old);
    }
    return value;
  }
}

/** The usual limit; one file as large as can be parsed may exceed it. */
const USUAL_BYTES = 4_000_000;
const MOST_FILES = 100;
const LINE_FEED = 10;

const TEXTS = new Recent<Reading, string>(({ length }) => length);

/** The bytes of a file, which are well-formed UTF-8. They are decoded where the text is needed, and hashed at the first use. */
export class Reading {
  readonly bytes: Uint8Array;
  #sha256: string | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The exact text, with its byte order mark; encoding it gives the same bytes. */
  get text(): string {
    const { buffer, byteOffset, length } = this.bytes;
    return TEXTS.of(this, () => Buffer.from(buffer, byteOffset, length).toString());
  }

  get sha256(): string {
    this.#sha256 ??= sha256(this.bytes);
    return this.#sha256;
  }
}

export class ReadCache {
  /** The last reading of each path; oldest first. */
  readonly #last = new Map<string, Reading>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(parsedSizeBytes: number) {
    this.#mostBytes = Math.max(USUAL_BYTES, parsedSizeBytes);
  }

  /** Returns the reading of these bytes, for which `requireUtf8` has returned. */
  of(file: string, bytes: Uint8Array): Reading {
    const last = this.#last.get(file);
    const isSame = last !== undefined && Buffer.compare(last.bytes, bytes) === 0;
    const reading = isSame ? last : new Reading(bytes);
    this.#forget(file);
    this.#keep(file, reading);
    return reading;
  }

  #keep(file: string, reading: Reading): void {
    this.#last.set(file, reading);
    this.#bytes += reading.bytes.length;
    for (const oldest of this.#last.keys()) {
      if (this.#bytes <= this.#mostBytes && this.#last.size <= MOST_FILES) return;
      this.#forget(oldest);
    }
  }

  #forget(file: string): void {
    this.#bytes -= this.#last.get(file)?.bytes.length ?? 0;
    this.#last.delete(file);
  }
}

export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** Throws NOT_UTF8 for bytes that are not strict UTF-8. */
export function requireUtf8(bytes: Uint8Array, file: string): void {
  if (isUtf8(bytes)) return;
  throw new Refusal(
    'NOT_UTF8',
    `Cannot read this file: line ${firstInvalidLine(bytes)} is not valid UTF-8. Convert the file to UTF-8 first.`,
    { file },
  );
}

/** Returns the line of the first ill-formed sequence; its offset would tell how long masked values before it are. */
function firstInvalidLine(bytes: Uint8Array): number {
  return bytes
    .subarray(0, firstInvalidByte(bytes))
    .reduce((line, byte) => line + (byte === LINE_FEED ? 1 : 0), 1);
}

/** Returns the offset of the first ill-formed sequence, by halving: every prefix that is longer than a failing one fails, too. */
function firstInvalidByte(bytes: Uint8Array): number {
  const isPrefix = (length: number) => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return ignoring('all', () => decoder.decode(bytes.subarray(0, length), { stream: true })) !== undefined;
  };
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isPrefix(middle)) good = middle;
    else bad = middle;
  }
  while (!isUtf8(bytes.subarray(0, good))) good -= 1;
  return good;
}
