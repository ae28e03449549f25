// Cuts a byte stream into lines of text at "\n", in time linear in what arrives, however it is dribbled. What arrives is
// decoded as it does, so that nothing long is left to be done at the end of a long line. A line over the limit is reported
// once, skipped to its end, and never held whole.
import { decodeUtf8, wholeCharacters } from './decode-utf8.ts';

const NEWLINE = 0x0a;
const HELD_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

export interface LineSink {
  /** Undefined where it is not valid UTF-8. False where the next line has to wait. */
  line(text: string | undefined): boolean;
  /** Called as soon as a line has grown over the limit. */
  overlong(): void;
}

export class LineSplitter {
  readonly #limitBytes: number;
  readonly #sink: LineSink;
  // One buffer, not a list of chunks: ten million one-byte chunks must not cost a gigabyte.
  readonly #held = Buffer.allocUnsafeSlow(HELD_BYTES);
  #heldBytes = 0;
  /** What was held before. */
  #text: string | undefined = '';
  #lineBytes = 0;
  #isSkipping = false;

  constructor(limitBytes: number, sink: LineSink) {
    this.#limitBytes = limitBytes;
    this.#sink = sink;
  }

  /** What is left of the chunk where its next line has to wait: to be pushed again, before anything else. */
  push(chunk: Buffer): Buffer {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      start = end + 1;
      if (!this.#finish()) return chunk.subarray(start);
    }
    this.#hold(chunk.subarray(start));
    return NOTHING;
  }

  /** A last line without its newline is a line too. */
  end(): void {
    if (this.#lineBytes > 0) this.#finish();
  }

  #finish(): boolean {
    const text = this.#isSkipping ? undefined : this.#decoded(this.#heldBytes);
    const isRead = !this.#isSkipping;
    this.#isSkipping = false;
    this.#forget();
    return isRead ? this.#sink.line(text) : true;
  }

  #hold(part: Buffer): void {
    if (this.#isSkipping) return;
    this.#lineBytes += part.length;
    if (this.#lineBytes > this.#limitBytes) {
      this.#forget();
      this.#isSkipping = true;
      this.#sink.overlong();
      return;
    }
    for (let at = 0; at < part.length; ) {
      if (this.#heldBytes === HELD_BYTES) this.#decodeHeld();
      const taken = part.copy(this.#held, this.#heldBytes, at);
      this.#heldBytes += taken;
      at += taken;
    }
  }

  #decodeHeld(): void {
    const whole = wholeCharacters(this.#held);
    this.#text = this.#decoded(whole);
    this.#held.copy(this.#held, 0, whole);
    this.#heldBytes -= whole;
  }

  #decoded(bytes: number): string | undefined {
    if (this.#text === undefined) return undefined;
    const more = decodeUtf8(this.#held.subarray(0, bytes), this.#text === '' ? 'start' : 'rest');
    return more === undefined ? undefined : this.#text + more;
  }

  #forget(): void {
    this.#heldBytes = 0;
    this.#lineBytes = 0;
    this.#text = '';
  }
}
