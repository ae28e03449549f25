// Keeps the thread free during long work: other calls are served at least every ten milliseconds.
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

export class Turns {
  #since = performance.now();

  /** Lets other work of this thread go on if enough time has passed. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
