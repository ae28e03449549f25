// One tool run at a time, in the order of arrival, with room for a bounded crowd; between two runs the
// event loop turns, so that a cancellation or a ping is heard. It interrupts nothing that has begun.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../security/index.ts';

const MAX_WAITING = 256;

export class RunQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Refused with BUSY when too many wait; rejects with the signal's reason if cancelled before its turn. */
  async run<Result>(job: () => Result | Promise<Result>, signal: AbortSignal): Promise<Result> {
    // Ten thousand pipelined calls must not become ten thousand parsed documents in memory.
    if (this.#waiting >= MAX_WAITING) {
      throw new Refusal('BUSY', `Cannot take another call: ${MAX_WAITING} are waiting already`);
    }
    this.#waiting++;
    const turn = this.#last.then(() => nextTurn()).finally(() => this.#waiting--);
    const run = turn.then(() => {
      signal.throwIfAborted();
      return job();
    });
    this.#last = run.catch(() => undefined);
    return run;
  }
}
