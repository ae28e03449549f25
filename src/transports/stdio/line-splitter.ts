// Cuts a byte stream into lines at "\n", in time linear in the input, however small its pieces are. A line over the limit is
// reported once, skipped to its end, and never held whole.

const NEWLINE = 0x0a;
const INITIAL_BYTES = 64 * 1024;
export const OVERLONG = 'overlong';

export class LineSplitter {
  readonly #limitBytes: number;
  // One buffer is used and no list of chunks, because ten million chunks of one byte would cost a gigabyte.
  #held = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #heldBytes = 0;
  #isSkipping = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Yields the lines that the chunk completes. Each may be read until the next one is asked for. */
  *push(chunk: Buffer): Generator<Buffer | typeof OVERLONG, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (this.#hasBecomeOverlong(end - start)) yield OVERLONG;
      else if (!this.#isSkipping) yield this.#complete(chunk.subarray(start, end));
      this.#forget();
      this.#isSkipping = false;
      start = end + 1;
    }
    if (this.#hasBecomeOverlong(chunk.length - start)) {
      this.#forget();
      yield OVERLONG;
    } else if (!this.#isSkipping) this.#hold(chunk.subarray(start));
  }

  /** Answers the last line, also where it has no newline; undefined where nothing is left. */
  end(): Buffer | undefined {
    return this.#heldBytes > 0 ? this.#held.subarray(0, this.#heldBytes) : undefined;
  }

  /** True once for each line that exceeds the limit. */
  #hasBecomeOverlong(moreBytes: number): boolean {
    if (this.#isSkipping || this.#heldBytes + moreBytes <= this.#limitBytes) return false;
    this.#isSkipping = true;
    return true;
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
