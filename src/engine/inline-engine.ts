// Serves calls in the thread that asks: for a library's user, for tests, where the containment works in the main
// thread only, and for small calls. What a hostile file can take is bounded by the budgets; how long a call has taken
// is looked at between its steps.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tool } from '../tools/index.ts';
import { CallQueue } from './call-queue.ts';
import type { Call, CallControl, Engine, EngineContext, Outcome } from './engine.ts';
import type { CallRuntime } from './serve-call.ts';
import { tooLong } from './thread-end.ts';

/** Nobody notices so little, and many steps of a small call take less than a turn of the event loop. */
const MOST_WITHOUT_TURN_MS = 2;

export interface InlineOptions {
  /** All of this version's tools unless said otherwise. */
  readonly tools?: readonly Tool[] | undefined;
  /** What the calls are told, where only the small ones are served here. */
  readonly isolation?: CallRuntime['isolation'];
  /** What `serve` rejects with in place of an outcome. */
  readonly leaves?: CallRuntime['leaves'];
}

export class InlineEngine implements Engine {
  readonly #context: EngineContext;
  readonly #options: InlineOptions;
  readonly #queue: CallQueue;
  #calls = 0;
  #isLoaded = false;

  constructor(engineContext: EngineContext, options: InlineOptions = {}) {
    this.#context = engineContext;
    this.#queue = new CallQueue(engineContext);
    this.#options = options;
  }

  /** Before the first call: loads what it needs, and rehearses. Never rejects. */
  async warmUp(): Promise<void> {
    await this.#load();
    this.#context.sandbox.warmUp();
    const { warmUp } = await import('./warm-up.ts');
    await warmUp(() => this.#calls === 0);
  }

  run(call: Call, watch: CallControl): Promise<Outcome> {
    return this.#queue.run(call, watch, () => this.serve(call, watch));
  }

  close(): void {
    this.#context.state?.trail.flush();
  }

  /** At once: for whoever lets one call in at a time, and explains what is thrown. */
  async serve(call: Call, { signal, progress = () => undefined }: CallControl): Promise<Outcome> {
    this.#calls++;
    const { limits } = this.#context.policy;
    const { isolation = 'none', leaves } = this.#options;
    const { serveCall, tools } = await this.#load();
    let turned = performance.now();
    const end = turned + limits.callMs;
    const pause = async (): Promise<void> => {
      if (performance.now() - turned < MOST_WITHOUT_TURN_MS) return;
      await nextTurn();
      signal.throwIfAborted();
      turned = performance.now();
      if (turned > end) throw tooLong('call', limits);
    };
    // A commit is one synchronous section: nothing of this thread can come between.
    const runtime: CallRuntime = {
      signal,
      progress,
      pause,
      isolation,
      leaves,
      criticalSection: (work) => work(),
    };
    return serveCall(call, { ...this.#context, tools }, runtime);
  }

  /** Late, for the start of a server needs none of it. */
  async #load() {
    const { serveCall } = await import('./serve-call.ts');
    const tools = this.#options.tools ?? (await import('../tools/index.ts')).TOOLS;
    // That took its time: others are heard before the call.
    if (!this.#isLoaded) await nextTurn();
    this.#isLoaded = true;
    return { serveCall, tools };
  }
}
