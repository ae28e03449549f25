// Cuts a byte stream into lines at "\n" in time linear in what arrives, however it is dribbled. A
// line over the limit is reported once, skipped to its end, and never held whole. It decodes nothing.

const NEWLINE = 0x0a;
const SMALLEST_BYTES = 64 * 1024;

export interface LineSink {
  /** The bytes are a view that is good only during the call. */
  line(bytes: Uint8Array): void;
  /** Called as soon as a line has grown over the limit. */
  overlong(): void;
}

export class LineSplitter {
  readonly #limitBytes: number;
  readonly #sink: LineSink;
  // One growing buffer, not a list of chunks: ten million one-byte chunks must not cost a gigabyte,
  // and joining on every chunk would be quadratic.
  #held = Buffer.allocUnsafe(SMALLEST_BYTES);
  #heldBytes = 0;
  #skipping = false;

  constructor(limitBytes: number, sink: LineSink) {
    this.#limitBytes = limitBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** A last line without its newline is a line too. */
  end(): void {
    if (this.#heldBytes > 0) this.#finish(Buffer.alloc(0));
  }

  #finish(rest: Buffer): void {
    this.#hold(rest);
    if (!this.#skipping) this.#sink.line(this.#held.subarray(0, this.#heldBytes));
    this.#skipping = false;
    this.#forget();
  }

  #hold(part: Buffer): void {
    if (this.#skipping) return;
    const needed = this.#heldBytes + part.length;
    if (needed > this.#limitBytes) {
      this.#skipping = true;
      this.#forget();
      this.#sink.overlong();
      return;
    }
    if (needed > this.#held.length) this.#grow(needed);
    part.copy(this.#held, this.#heldBytes);
    this.#heldBytes = needed;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#held.length * 2));
    this.#held.copy(grown, 0, 0, this.#heldBytes);
    this.#held = grown;
  }

  #forget(): void {
    this.#heldBytes = 0;
    if (this.#held.length > SMALLEST_BYTES) this.#held = Buffer.allocUnsafe(SMALLEST_BYTES);
  }
}
