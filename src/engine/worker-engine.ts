// Serves calls in a thread of its own, so that this thread goes on, whatever a file or an argument does there. This thread keeps and
// writes what the other one asks for, hears cancellations, and replaces a thread that had to be ended.
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../security/errors/refusal.ts';
import { StartError } from '../security/errors/start-error.ts';
import type { Policy } from '../security/policy/policy.ts';
import { type Backend, backendOf } from '../security/state/backend.ts';
import { randomHex } from '../state/canonical.ts';
import { CallQueue } from './call-queue.ts';
import type { Call, CallControl, Engine, EngineContext, Outcome, SkippedFile } from './engine.ts';
import { type StartedThread, startThread } from './start-thread.ts';
import { WorkerThread } from './worker-thread.ts';

/** The time for a last write; it takes milliseconds, but on a disk that hangs the process must end as well. */
const LAST_WRITE_MS = 10_000;

export class WorkerEngine implements Engine {
  #context: EngineContext;
  readonly #start: () => StartedThread;
  readonly #queue: CallQueue;
  readonly #backend: Backend | undefined;
  /** The first thread, where it was started already. */
  #started: StartedThread | undefined;
  /** The thread, opened by `warmUp` or by the first call. */
  #thread: WorkerThread | undefined;
  #isClosed = false;
  #isRenewed = false;

  /** `started` is a thread that `startThread` has begun to load. `entry` is for tests that bring tools of their own. */
  constructor(
    engineContext: EngineContext,
    { started, entry }: { started?: StartedThread | undefined; entry?: URL } = {},
  ) {
    const { state, sandbox, maskingKey = state?.store.maskingKey ?? randomHex(32) } = engineContext;
    // The key is the same for each thread, so that equal secrets look equal as long as the server runs.
    this.#context = { ...engineContext, maskingKey };
    this.#backend = state && backendOf(state, sandbox);
    this.#queue = new CallQueue(engineContext);
    this.#start = () => startThread(engineContext.policy.limits, entry);
    this.#started = started;
  }

  /** Opens the thread, so that the first call need not wait for it. Never rejects: the next call reports the failure. */
  async warmUp(): Promise<void> {
    await this.#ensureWorker().catch(() => undefined);
  }

  /** Serves later calls by other rules about changes, in a new thread. The rules have been checked. */
  renew(changes: Policy['changes']): void {
    this.#context = { ...this.#context, policy: { ...this.#context.policy, changes } };
    this.#isRenewed = true;
  }

  run(call: Call, control: CallControl): Promise<Outcome> {
    return this.#queue.run(call, control, () => this.#serve(call, control));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.race([this.#thread?.close(), delay(LAST_WRITE_MS, undefined, { ref: false })]);
  }

  async #serve(call: Call, control: CallControl): Promise<Outcome> {
    // No other call runs at this time.
    if (this.#isRenewed) this.#thread?.end();
    this.#isRenewed = false;
    const skipped: SkippedFile[] = [];
    const { callMs: allowedMs } = this.#context.policy.limits;
    let callMs = allowedMs;
    try {
      for (;;) {
        const thread = await this.#ensureWorker();
        const isLastRun = callMs < allowedMs / 2;
        try {
          return await thread.run(call, control, { skipped, isLastRun, callMs });
        } catch (error) {
          callMs -= thread.usedMs;
          if (thread.isWorthAnotherTry) continue;
          // What is only read or shown can do without one of many files; a call about this file is then refused at once.
          const { blamed } = thread;
          if (blamed === undefined || call.writes || isLastRun || control.signal.aborted) throw error;
          skipped.push(blamed);
        }
      }
    } finally {
      // A new thread is started at once, so that the next call finds it ready.
      if (this.#thread?.isEnded === true) void this.warmUp();
    }
  }

  /** Returns the running thread, or a new one. There are never two at a time, because their memory adds up. */
  async #ensureWorker(): Promise<WorkerThread> {
    const last = this.#thread;
    if (last?.isEnded === true) await last.gone;
    if (this.#isClosed) throw new Refusal('BUSY', 'Cannot take another call: the server is about to end');
    const thread = this.#living();
    try {
      await thread.ready;
    } catch (cause) {
      if (!(cause instanceof StartError)) throw cause;
      const message = 'Cannot serve this call: the server cannot reach its roots any more, or lacks memory';
      throw new Refusal('IO_ERROR', message, {}, {}, cause);
    }
    return thread;
  }

  #living(): WorkerThread {
    const last = this.#thread;
    // Another call that waited for the same end may have started one already.
    if (last?.isEnded === false) return last;
    const { log } = this.#context;
    if (last === undefined) log.event('debug', 'worker_started', {});
    else log.event('warn', 'worker_restarted', {});
    const worker = this.#started ?? this.#start();
    this.#started = undefined;
    this.#thread = new WorkerThread(worker, this.#context, this.#backend);
    return this.#thread;
  }
}
