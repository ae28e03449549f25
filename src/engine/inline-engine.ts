// Serves calls in the thread that asks: for a library's user, for tests, and where the containment works in
// the main thread only. What a hostile file can take is bounded by the budgets alone.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tool } from '../tools/index.ts';
import { CANCELLED, type Call, type Engine, type EngineContext, type Outcome, type Watch } from './engine.ts';
import { explainFailure } from './failure.ts';
import { RunQueue } from './run-queue.ts';
import type { Means } from './serve-call.ts';

export class InlineEngine implements Engine {
  readonly #context: EngineContext;
  readonly #tools: readonly Tool[] | undefined;
  readonly #queue = new RunQueue();

  /** All of this version's tools unless said otherwise. */
  constructor(engineContext: EngineContext, tools?: readonly Tool[]) {
    this.#context = engineContext;
    this.#tools = tools;
  }

  async run(call: Call, { signal, progress = () => undefined }: Watch): Promise<Outcome> {
    const pause = async (): Promise<void> => {
      await nextTurn();
      signal.throwIfAborted();
    };
    // A commit is one synchronous section: nothing of this thread can come between.
    const means: Means = { signal, progress, pause, isolation: 'none', carryThrough: (work) => work() };
    try {
      return await this.#queue.run(() => this.#serve(call, means), signal);
    } catch (thrown) {
      return signal.aborted ? CANCELLED : explainFailure(thrown, call, this.#context);
    }
  }

  close(): void {
    this.#context.state?.trail.flush();
  }

  async #serve(call: Call, means: Means): Promise<Outcome> {
    // Where another thread serves, this one has no use for them.
    const { serveCall } = await import('./serve-call.ts');
    const tools = this.#tools ?? (await import('../tools/index.ts')).TOOLS;
    return serveCall(call, { ...this.#context, tools }, means);
  }
}
