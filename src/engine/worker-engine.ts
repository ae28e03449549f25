// Serves calls in a thread of its own: whatever a file or an argument does there, this thread goes on. It
// answers, hears cancellations, and puts a fresh thread in the place of one that had to be ended.
import { Refusal, requireStateThere, StartError } from '../security/index.ts';
import { CallQueue } from './call-queue.ts';
import type { Call, CallControl, Engine, EngineContext, Outcome } from './engine.ts';
import { WorkerThread } from './worker-thread.ts';

/** A write takes milliseconds; but on a disk that hangs the process must come to its end, too. */
const LAST_WRITE_MS = 10_000;

export class WorkerEngine implements Engine {
  readonly #context: EngineContext;
  readonly #entry: URL;
  readonly #queue: CallQueue;
  /** Started by the first call. */
  #thread: WorkerThread | undefined;
  #isClosed = false;

  /** `entry` is for tests that bring tools of their own; nothing else passes it. */
  constructor(engineContext: EngineContext, entry: URL = new URL('./worker-main.js', import.meta.url)) {
    this.#context = engineContext;
    this.#queue = new CallQueue(engineContext);
    this.#entry = entry;
  }

  run(call: Call, watch: CallControl): Promise<Outcome> {
    return this.#queue.run(call, watch, () => this.#serve(call, watch));
  }

  close(): void {
    this.#isClosed = true;
    this.#thread?.close(LAST_WRITE_MS);
    // It notes nothing any more, and has no time left to flush what it did.
    this.#context.state?.trail.flush();
  }

  async #serve(call: Call, watch: CallControl): Promise<Outcome> {
    const thread = await this.#fit();
    try {
      return await thread.run(call, watch);
    } finally {
      // The next call should find it warm.
      if (thread.isEnded) this.#fit().catch(() => undefined);
    }
  }

  /** The thread there is, or a fresh one; never two at a time, for their memory adds up. */
  async #fit(): Promise<WorkerThread> {
    const last = this.#thread;
    if (last?.isEnded === true) await last.gone;
    if (this.#isClosed) throw new Refusal('BUSY', 'Cannot take another call: the server is about to end');
    const thread = this.#living();
    try {
      await thread.ready;
    } catch (cause) {
      if (!(cause instanceof StartError)) throw cause;
      const { state } = this.#context;
      if (state !== undefined) requireStateThere(state);
      const message = 'Cannot serve this call: the server cannot reach its roots any more, or lacks memory';
      throw new Refusal('IO_ERROR', message, {}, {}, cause);
    }
    return thread;
  }

  #living(): WorkerThread {
    const last = this.#thread;
    // Whoever waited for the same end may have started one already.
    if (last?.isEnded === false) return last;
    const { log } = this.#context;
    if (last === undefined) log.event('debug', 'worker_started', {});
    else log.event('warn', 'worker_restarted', {});
    this.#thread = new WorkerThread(this.#entry, this.#context, last);
    return this.#thread;
  }
}
