// Calls in the order of arrival, and an outcome for each: whatever is thrown on the way is explained.
import { CANCELLED, type Call, type CallControl, type EngineContext, type Outcome } from './engine.ts';
import { explainFailure } from './failure.ts';
import { RunQueue } from './run-queue.ts';

export class CallQueue {
  readonly #context: EngineContext;
  readonly #queue: RunQueue;

  /** `holdsMs`: how long a call keeps those behind it waiting; without it, until its end. */
  constructor(engineContext: EngineContext, holdsMs?: number) {
    this.#context = engineContext;
    this.#queue = new RunQueue(holdsMs);
  }

  /** Never rejects. */
  async run(call: Call, { signal }: CallControl, serve: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await this.#queue.run(serve, signal);
    } catch (thrown) {
      return signal.aborted ? CANCELLED : explainFailure(thrown, call, this.#context);
    }
  }
}
