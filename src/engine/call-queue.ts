// Calls one at a time, in the order of arrival, and an outcome for each: whatever is thrown on the way is explained.
import { CANCELLED, type Call, type EngineContext, type Outcome, type Watch } from './engine.ts';
import { explainFailure } from './failure.ts';
import { RunQueue } from './run-queue.ts';

export class CallQueue {
  readonly #context: EngineContext;
  readonly #queue = new RunQueue();

  constructor(engineContext: EngineContext) {
    this.#context = engineContext;
  }

  /** Never rejects. */
  async run(call: Call, { signal }: Watch, serve: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await this.#queue.run(serve, signal);
    } catch (thrown) {
      return signal.aborted ? CANCELLED : explainFailure(thrown, call, this.#context);
    }
  }
}
