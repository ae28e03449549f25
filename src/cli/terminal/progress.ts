// Shows the progress of long work in one line of a terminal, which is overwritten and disappears at the end. Work that takes less
// than a second shows nothing.
import type { Writable } from 'node:stream';

const FIRST_MS = 1_000;
const EACH_MS = 200;

export class Progress {
  readonly #output: Writable | undefined;
  #nextMs = performance.now() + FIRST_MS;
  #isShown = false;

  /** Without an output, nothing is shown. */
  constructor(output: Writable | undefined) {
    this.#output = output;
  }

  /** `what` is a short text in ASCII: `120000 records verified`. */
  show(what: string): void {
    const now = performance.now();
    if (this.#output === undefined || now < this.#nextMs) return;
    this.#nextMs = now + EACH_MS;
    this.#isShown = true;
    this.#output.write(`\r${what}\u001b[K`);
  }

  end(): void {
    if (this.#isShown) this.#output?.write('\r\u001b[K');
  }
}
