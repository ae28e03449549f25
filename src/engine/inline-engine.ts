// Serves calls in the thread that asks: for a library's user, for commands and tests, and where the containment works in
// the main thread only. What a hostile file can take is bounded by the budgets; how long a call has taken is looked at
// between its steps.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TOOLS, type Tool } from '../tools/index.ts';
import { CallQueue } from './call-queue.ts';
import type { Call, CallControl, Engine, EngineContext, Outcome, ServingContext } from './engine.ts';
import { serveCall } from './serve-call.ts';
import { servedSandbox } from './served-sandbox.ts';
import { tooLong } from './thread-end.ts';

export class InlineEngine implements Engine {
  readonly #context: ServingContext;
  readonly #queue: CallQueue;

  constructor(engineContext: EngineContext, tools: readonly Tool[] = TOOLS) {
    this.#context = { ...engineContext, sandbox: servedSandbox(engineContext), tools };
    this.#queue = new CallQueue(engineContext);
  }

  run(call: Call, control: CallControl): Promise<Outcome> {
    return this.#queue.run(call, control, () => this.#serve(call, control));
  }

  close(): void {
    // Nothing is left: whatever was answered is kept.
  }

  #serve(call: Call, { signal, progress = () => undefined }: CallControl): Promise<Outcome> {
    const { limits } = this.#context.policy;
    const end = performance.now() + limits.callMs;
    const pause = async (): Promise<void> => {
      await nextTurn();
      signal.throwIfAborted();
      if (performance.now() > end) throw tooLong('call', limits);
    };
    // One call at a time: what else this thread does meanwhile writes nothing.
    const criticalSection = <Result>(work: () => Promise<Result>): Promise<Result> => work();
    return serveCall(call, this.#context, { signal, progress, pause, isolation: 'none', criticalSection });
  }
}
