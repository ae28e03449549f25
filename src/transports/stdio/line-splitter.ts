// Cuts a byte stream into lines at "\n", in time linear in the input, however small its pieces are. A line over the limit is
// skipped to its end, and never held whole: only its first and its last bytes are.

const NEWLINE = 0x0a;
const INITIAL_BYTES = 64 * 1024;
/** The bytes that are kept of each end of an overlong line; enough for the members beside a large one. */
const KEPT_BYTES = 4 * 1024;

/** What is known of a line over the limit. */
export interface Overlong {
  readonly head: Buffer;
  readonly tail: Buffer;
}

export class LineSplitter {
  readonly #limitBytes: number;
  // One buffer is used and no list of chunks, because ten million chunks of one byte would cost a gigabyte.
  #held = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #heldBytes = 0;
  /** The overlong line that is being skipped. */
  #overlong: Overlong | undefined;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Yields the lines that the chunk completes. Each may be read until the next one is asked for. */
  *push(chunk: Buffer): Generator<Buffer | Overlong, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end);
      this.#skip(rest);
      yield this.#overlong ?? this.#complete(rest);
      this.#forget();
      this.#overlong = undefined;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    this.#skip(rest);
    if (this.#overlong === undefined) this.#hold(rest);
    else this.#forget();
  }

  /** Returns the last line, also where it has no newline; undefined if nothing is left. */
  end(): Buffer | Overlong | undefined {
    return this.#overlong ?? (this.#heldBytes > 0 ? this.#held.subarray(0, this.#heldBytes) : undefined);
  }

  /** Keeps the ends of the line alone, where it is over the limit with these bytes. */
  #skip(rest: Buffer): void {
    if (this.#overlong === undefined && this.#heldBytes + rest.length <= this.#limitBytes) return;
    const held = this.#held.subarray(0, this.#heldBytes);
    const { head, tail } = this.#overlong ?? {
      head: Buffer.concat([held.subarray(0, KEPT_BYTES), rest]).subarray(0, KEPT_BYTES),
      tail: held,
    };
    this.#overlong = {
      head,
      tail: Buffer.concat([tail.subarray(-KEPT_BYTES), rest.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES),
    };
  }

  #complete(rest: Buffer): Buffer {
    if (this.#heldBytes === 0) return rest;
    this.#hold(rest);
    return this.#held.subarray(0, this.#heldBytes);
  }

  #hold(part: Buffer): void {
    const needed = this.#heldBytes + part.length;
    if (needed > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#limitBytes, 2 * needed));
      this.#held.copy(larger, 0, 0, this.#heldBytes);
      this.#held = larger;
    }
    part.copy(this.#held, this.#heldBytes);
    this.#heldBytes = needed;
  }

  #forget(): void {
    this.#heldBytes = 0;
    if (this.#held.length > INITIAL_BYTES) this.#held = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }
}
