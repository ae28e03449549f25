// Serves calls in a thread of its own: whatever a file or an argument does there, this thread goes on. It
// answers, hears cancellations, and puts a fresh thread in the place of one that had to be ended.
import { Refusal, StartError } from '../security/index.ts';
import { CallQueue } from './call-queue.ts';
import type { Call, CallControl, Engine, EngineContext, Outcome } from './engine.ts';
import { type StartedThread, startThread } from './start-thread.ts';
import { WorkerThread } from './worker-thread.ts';

/** A write takes milliseconds; but on a disk that hangs the process must come to its end, too. */
const LAST_WRITE_MS = 10_000;

export class WorkerEngine implements Engine {
  readonly #context: EngineContext;
  readonly #start: () => StartedThread;
  readonly #queue: CallQueue;
  /** Of the first thread, where somebody has started it already. */
  #started: StartedThread | undefined;
  /** Opened by `warmUp`, or by the first call. */
  #thread: WorkerThread | undefined;
  #isClosed = false;

  /** `started`: a thread that `startThread` has begun to load. `entry` is for tests that bring tools of their own. */
  constructor(
    engineContext: EngineContext,
    { started, entry }: { started?: StartedThread | undefined; entry?: URL } = {},
  ) {
    this.#context = engineContext;
    this.#queue = new CallQueue(engineContext);
    this.#start = () => startThread(engineContext.policy.limits, entry);
    this.#started = started;
  }

  /** Opens the thread, so that the first call need not wait for it. Never rejects: the next call reports what is wrong. */
  async warmUp(): Promise<void> {
    await this.#ensureWorker().catch(() => undefined);
  }

  run(call: Call, control: CallControl): Promise<Outcome> {
    return this.#queue.run(call, control, () => this.#serve(call, control));
  }

  close(): void {
    this.#isClosed = true;
    this.#thread?.close(LAST_WRITE_MS);
  }

  async #serve(call: Call, control: CallControl): Promise<Outcome> {
    const thread = await this.#ensureWorker();
    try {
      return await thread.run(call, control);
    } catch (error) {
      if (!thread.isWorthAnotherTry) throw error;
      return await (await this.#ensureWorker()).run(call, control);
    } finally {
      // The next call should find it warm.
      if (this.#thread?.isEnded === true) void this.warmUp();
    }
  }

  /** The thread there is, or a fresh one; never two at a time, for their memory adds up. */
  async #ensureWorker(): Promise<WorkerThread> {
    const last = this.#thread;
    if (last?.isEnded === true) await last.gone;
    if (this.#isClosed) throw new Refusal('BUSY', 'Cannot take another call: the server is about to end');
    const thread = this.#living();
    try {
      await thread.ready;
    } catch (cause) {
      if (!(cause instanceof StartError)) throw cause;
      // Where the state is gone, it says so itself.
      await this.#context.state?.store.head();
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
    const worker = this.#started ?? this.#start();
    this.#started = undefined;
    this.#thread = new WorkerThread(worker, this.#context, last);
    return this.#thread;
  }
}
