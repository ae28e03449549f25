// One call at a time, and an outcome for each: whatever is thrown on the way is explained. Only this file decides which of
// the waiting calls comes next, and how many may wait: the order is that of arrival, and a call that runs is never
// interrupted for another.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../security/index.ts';
import { CANCELLED, type Call, type CallControl, type EngineContext, type Outcome } from './engine.ts';
import { explainFailure } from './failure.ts';

const MAX_WAITING = 256;

export class CallQueue {
  readonly #context: EngineContext;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(engineContext: EngineContext) {
    this.#context = engineContext;
  }

  /** Never rejects. A call that is cancelled before its turn never begins; where too many wait, the answer is BUSY. */
  async run(call: Call, { signal }: CallControl, serve: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await this.#inTurn(serve, signal);
    } catch (thrown) {
      return signal.aborted ? CANCELLED : explainFailure(thrown, call, this.#context);
    }
  }

  #inTurn(serve: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    // Ten thousand pipelined calls must not become ten thousand parsed documents in memory.
    if (this.#waiting >= MAX_WAITING) {
      throw new Refusal('BUSY', `Cannot take another call: ${MAX_WAITING} are waiting already`);
    }
    this.#waiting++;
    // Between two calls the event loop turns, so that a cancellation or a ping is heard.
    const turn = this.#last.then(() => nextTurn()).finally(() => this.#waiting--);
    const served = turn.then(() => {
      signal.throwIfAborted();
      return serve();
    });
    this.#last = served.catch(() => undefined);
    return served;
  }
}
