// Serves calls in the calling thread: for embedding, commands and tests, and where the containment works in the main thread
// only. Budgets bound what a hostile file can cost; the time of a call is checked between its steps.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withMasking } from '../adapters/index.ts';
import { backendOf, ownThread, stopwatch } from '../security/index.ts';
import { TOOLS, type Tool } from '../tools/index.ts';
import { CallQueue } from './call-queue.ts';
import type { Call, CallControl, Engine, EngineContext, Outcome, ServingContext } from './engine.ts';
import { serveCall } from './serve-call.ts';
import { tooLong } from './thread-end.ts';

export class InlineEngine implements Engine {
  readonly #context: ServingContext;
  readonly #queue: CallQueue;
  /** The file that the call works on. */
  #file: string | undefined;

  constructor(engineContext: EngineContext, tools: readonly Tool[] = TOOLS) {
    const onOpen = (file: string): void => {
      this.#file = file;
    };
    const { policy, log, sandbox, state, maskingKey = state?.store.maskingKey } = engineContext;
    const backend = state && backendOf(state, sandbox);
    const masked = withMasking({ policy, sandbox, maskingKey, onOpen });
    this.#context = { policy, log, sandbox: masked, backend, tools };
    this.#queue = new CallQueue(engineContext);
  }

  run(call: Call, control: CallControl): Promise<Outcome> {
    return this.#queue.run(call, control, () => this.#serve(call, control));
  }

  async close(): Promise<void> {
    // Nothing has to be closed: all answers are kept already.
  }

  #serve(call: Call, { signal, progress = () => undefined }: CallControl): Promise<Outcome> {
    const { limits } = this.#context.policy;
    this.#file = undefined;
    const usedMs = stopwatch(ownThread());
    const begunAt = performance.now();
    const pause = async (): Promise<void> => {
      await nextTurn();
      signal.throwIfAborted();
      // A call cannot have computed for longer than it has taken, and the clock costs nothing to ask.
      if (performance.now() - begunAt > limits.callMs && usedMs() > limits.callMs)
        throw tooLong('call', limits, this.#file);
    };
    return serveCall(call, this.#context, { signal, progress, pause, isolation: 'none' });
  }
}
