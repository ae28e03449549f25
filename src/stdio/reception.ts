// Receives a client while the server is not loaded yet: answers an ordinary opening from what was prepared, and says
// when the server is needed, because something else came, or nothing for a moment. What it does not
// answer it leaves in the stream.
import type { Readable, Writable } from 'node:stream';
import type { Streams } from './connect.ts';
import { Opening } from './opening.ts';
import type { Prepared } from './prepared.ts';
import { Silence } from './silence.ts';

const NEWLINE = 0x0a;
/** A client that has been greeted asks for the tools within that time; on a busy machine as well. */
const MOMENT_MS = 100;

/** What was answered, and how: the server hears the one and must say the other. */
export interface Received {
  readonly said: Buffer;
  readonly answers: readonly string[];
}

export class Reception {
  /** Settles when the server is needed; undefined where the connection has ended before. */
  readonly over: Promise<Received | undefined>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #opening: Opening | undefined;
  readonly #silence = new Silence(MOMENT_MS);
  readonly #said: Buffer[] = [];
  readonly #answers: string[] = [];
  #settle: (received: Received | undefined) => void = () => undefined;

  /** Without anything prepared it is over at once. */
  constructor({ input, output }: Streams, prepared: Prepared | undefined) {
    this.#input = input;
    this.#output = output;
    this.#opening = prepared && new Opening(prepared);
    this.over = new Promise((resolve) => {
      this.#settle = resolve;
    });
    input.on('data', this.#onData).on('end', this.#handOver).on('error', this.end);
    output.on('error', this.end);
    void this.#silence.came.then(this.#handOver);
    if (prepared === undefined) this.#handOver();
  }

  /** Nobody is there any more, or is to be served. */
  readonly end = (): void => {
    this.#stop();
    this.#input.destroy();
    this.#settle(undefined);
  };

  readonly #onData = (chunk: Buffer): void => {
    this.#silence.breaks();
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const answer = this.#opening?.answer(chunk.subarray(start, end));
      if (answer === undefined) break;
      this.#said.push(chunk.subarray(start, end + 1));
      start = end + 1;
      if (answer === '') continue;
      this.#answers.push(answer);
      this.#output.write(answer);
    }
    if (start === chunk.length) return;
    this.#handOver();
    this.#input.unshift(chunk.subarray(start));
  };

  readonly #handOver = (): void => {
    this.#stop();
    this.#settle({ said: Buffer.concat(this.#said), answers: this.#answers });
  };

  /** It is settled once; the input waits for whoever comes next. */
  #stop(): void {
    this.#silence.end();
    this.#input.pause();
    this.#input.off('data', this.#onData).off('end', this.#handOver);
  }
}
