// One thread from its start to its end, seen from outside: it serves a call within its time, or is ended.
// A thread that has ended stays so; whoever holds it starts another.
import { Worker } from 'node:worker_threads';
import { type Limits, StartError, toHandle } from '../security/index.ts';
import type { Call, CallControl, EngineContext, Outcome } from './engine.ts';
import type { FromWorker, ToWorker, WorkerInit } from './messages.ts';
import { SharedCallState } from './shared-call-state.ts';
import { isLookOnly } from './small-call.ts';
import { endedWhileWriting, heapFor, outOfMemory, tooLong } from './thread-end.ts';
import { watchSteps } from './watch-steps.ts';

interface Job {
  readonly call: Call;
  readonly watch: CallControl;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (reason: unknown) => void;
}

export class WorkerThread {
  /** Settles when it can serve; rejects with StartError where it never will. */
  readonly ready: Promise<void>;
  /** Settles when it has ended and its memory is free. */
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  readonly #cell = new SharedCallState();
  readonly #limits: Limits;
  #job: Job | undefined;
  readonly #isAfterDeath: boolean;
  #isReady = false;
  #isEnded = false;
  #error: unknown;

  /** `before`: the thread that has ended, if there was one. */
  constructor(entry: URL, { policy, log, sandbox, state }: EngineContext, before?: WorkerThread) {
    const { memory } = this.#cell;
    const { rootHandles } = sandbox;
    const isAfterDeath = before?.hasLeftWork ?? false;
    const kept = state === undefined ? undefined : toHandle(state);
    const init: WorkerInit = { policy, log: log.options, rootHandles, isAfterDeath, state: kept, memory };
    this.#isAfterDeath = isAfterDeath;
    this.#limits = policy.limits;
    // No environment: what a hostile file might get hold of in there, it need not find.
    const settings = { workerData: init, env: {}, resourceLimits: heapFor(policy.limits) };
    // And no word of its own on stdout, which carries the protocol, or stderr, which carries the log.
    const worker = new Worker(entry, { ...settings, stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') resolve();
        if (message.kind === 'unfit') reject(new StartError(message.message));
        if (message.kind === 'progress') this.#job?.watch.progress?.(message.done, message.total);
        if (message.kind === 'outcome') this.#job?.settle(message.outcome);
      });
      worker.once('exit', () => reject(new StartError('the thread for the calls cannot be started')));
    });
    // From then on it is its client that keeps the process alive. Each of those who await it hears of a fault.
    this.ready.then(
      () => {
        this.#isReady = true;
        worker.unref();
      },
      () => this.end(),
    );
    worker.once('error', (error) => {
      this.#error = error;
    });
    this.gone = new Promise((resolve) => worker.once('exit', () => resolve(this.#ended())));
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Its successor brings that in order before anybody sees it. */
  get hasLeftWork(): boolean {
    const isHeir = this.#isAfterDeath && !this.#isReady;
    return this.#isEnded && (this.#cell.isCommitting || isHeir);
  }

  /** One call at a time. Rejects where the thread ends before it has answered. */
  async run(call: Call, watch: CallControl): Promise<Outcome> {
    const { requestId, tool, args, caller, confirmed } = call;
    const cancel = (): void => this.#say({ kind: 'cancel', requestId });
    const stop = watchSteps(this.#cell, this.#limits, (what) => {
      if (!this.#cell.kill()) return;
      this.end();
      this.#job?.fail(tooLong(what, this.#limits));
    });
    try {
      return await new Promise<Outcome>((settle, fail) => {
        this.#job = { call, watch, settle, fail };
        this.#cell.begin();
        const wantsProgress = watch.progress !== undefined;
        this.#say({ kind: 'call', requestId, tool, args, wantsProgress, caller, confirmed });
        watch.signal.addEventListener('abort', cancel);
      });
    } finally {
      this.#job = undefined;
      stop();
      watch.signal.removeEventListener('abort', cancel);
    }
  }

  /** Blocks until a write that has begun is over; from then on nothing is written. */
  close(patienceMs: number): void {
    if (!this.#cell.kill()) this.#cell.waitForCommit(patienceMs);
    this.end();
  }

  end(): void {
    this.#isEnded = true;
    void this.#worker.terminate();
  }

  #ended(): void {
    this.#isEnded = true;
    const job = this.#job;
    if (job === undefined) return;
    const error = this.#error;
    // What keeps a preview writes none of the operator's files.
    if (this.#cell.hasBegunCommit && !isLookOnly(job.call)) job.fail(endedWhileWriting(job.call, error));
    else job.fail(isOutOfMemory(error) ? outOfMemory(this.#limits, error) : error);
  }

  #say(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
