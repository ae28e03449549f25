// One tool run at a time, in the order of arrival, with room for a bounded crowd; between two runs the
// event loop turns, so that a cancellation or a ping is heard. It interrupts nothing that has begun; but those behind
// a run may go on when they have waited for it long enough.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../security/index.ts';

const MAX_WAITING = 256;

export class RunQueue {
  readonly #holdsMs: number | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `holdsMs`: how long those behind a run that has begun wait for its end; without it, until then. */
  constructor(holdsMs?: number) {
    this.#holdsMs = holdsMs;
  }

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
    this.#last = this.#over(
      turn,
      run.catch(() => undefined),
    );
    return run;
  }

  #over(turn: Promise<unknown>, ended: Promise<unknown>): Promise<unknown> {
    if (this.#holdsMs === undefined) return ended;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      turn.then(() => {
        timer = setTimeout(resolve, this.#holdsMs);
      });
      ended.then(() => {
        clearTimeout(timer);
        resolve(undefined);
      });
    });
  }
}
