// One thread from its start to its end, seen from outside: it serves a call within its time, or is ended. A thread that has
// ended stays so; its owner starts another.

import { StartError } from '../security/errors/start-error.ts';
import type { Limits } from '../security/policy/policy.ts';
import type { Backend } from '../security/state/backend.ts';
import { randomHex } from '../state/canonical.ts';
import { answer, type SentQuestion } from './ask-backend.ts';
import { watchSteps } from './call-watch.ts';
import type {
  Call,
  CallControl,
  EngineContext,
  FromWorker,
  Outcome,
  SkippedFile,
  ToWorker,
  WorkerInit,
} from './engine.ts';
import { SharedCallState } from './shared-call-state.ts';
import type { StartedThread } from './start-thread.ts';
import { endedWhileWriting, outOfMemory, tooLong } from './start-thread.ts';

interface Job {
  readonly call: Call;
  readonly control: CallControl;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (reason: unknown) => void;
}

/** One of the runs that a call may need, because a file has ended the thread before. */
export interface Run {
  readonly skipped: readonly SkippedFile[];
  readonly isLastRun: boolean;
  /** The time that is left for the call. */
  readonly callMs: number;
}

export class WorkerThread {
  /** Settles when it can serve; rejects with StartError where it never will. */
  readonly ready: Promise<void>;
  /** Settles when it has ended and its memory is free. */
  readonly gone: Promise<void>;
  readonly #worker: StartedThread['worker'];
  readonly #callState = new SharedCallState();
  readonly #limits: Limits;
  #job: Job | undefined;
  #callCount = 0;
  #thread: number | undefined;
  #usedMs = 0;
  #isEnded = false;
  #isStepTooLong = false;
  /** True from the moment at which the call begins to write files. */
  #isWriting = false;
  /** What it has asked for, and is not answered yet. */
  readonly #answering = new Set<Promise<void>>();
  #error: unknown;

  /** Takes a thread that `startThread` has just started. */
  constructor(
    { worker, ended }: StartedThread,
    { policy, log, sandbox, maskingKey }: EngineContext,
    backend: Backend | undefined,
  ) {
    this.#limits = policy.limits;
    const init: WorkerInit = {
      policy,
      log: log.options,
      rootHandles: sandbox.rootHandles,
      hasState: backend !== undefined,
      memory: this.#callState.memory,
      maskingKey: maskingKey ?? randomHex(32),
    };
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') {
          this.#thread = message.thread;
          resolve();
        }
        if (message.kind === 'unfit') reject(new StartError(message.message));
        if (message.kind === 'asks' && backend !== undefined) this.#answer(message.question, backend);
        if (message.kind === 'progress') this.#job?.control.progress?.(message.done, message.total);
        if (message.kind === 'outcome') this.#job?.settle(message.outcome);
      });
      void ended.then(() => reject(new StartError('the thread for the calls cannot be started')));
    });
    // The callers that await `ready` handle its error.
    this.ready.catch(() => this.end());
    this.gone = ended.then(async (error) => {
      this.#isEnded = true;
      this.#error = error;
      // What it has asked to be written is over before the call is answered, and before another thread reads.
      await Promise.all(this.#answering);
      this.#failJob();
    });
    this.#post({ kind: 'open', init });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True if it ran out of memory, some of which earlier calls had used: a new thread may be able to serve the same call. */
  get isWorthAnotherTry(): boolean {
    return isOutOfMemory(this.#error) && this.#callCount > 1 && !this.#isWriting;
  }

  /** The milliseconds that the last call has taken, if the thread has ended in it. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** The file that ended the thread, if the call has written nothing and may run again without it. */
  get blamed(): SkippedFile | undefined {
    const { file } = this.#callState;
    if (!this.#isEnded || this.#isWriting || file === undefined) return undefined;
    if (this.#isStepTooLong) return { file, code: 'TIMEOUT' };
    return isOutOfMemory(this.#error) ? { file, code: 'LIMIT_EXCEEDED' } : undefined;
  }

  /** Runs one call at a time. Rejects where the thread ends before it has answered. */
  async run(call: Call, control: CallControl, { skipped, isLastRun, callMs }: Run): Promise<Outcome> {
    const cancel = (): void => this.#post({ kind: 'cancel', requestId: call.requestId });
    const limits = { stepMs: this.#limits.stepMs, callMs };
    const watch = watchSteps(this.#callState, this.#thread, limits, (what) => {
      // A write is not stopped, and what came of it has to be answered.
      if (this.#isWriting) return;
      this.#isStepTooLong = what === 'step';
      this.end();
      this.#job?.fail(tooLong(what, this.#limits, this.#callState.file));
    });
    this.#callCount++;
    try {
      return await new Promise<Outcome>((settle, fail) => {
        this.#job = { call, control, settle, fail };
        this.#callState.begin();
        this.#isWriting = false;
        const wantsProgress = control.progress !== undefined;
        this.#post({ kind: 'call', call, wantsProgress, skipped, isLastRun });
        control.signal.addEventListener('abort', cancel);
      });
    } finally {
      this.#job = undefined;
      this.#usedMs = watch.usedMs;
      watch.stop();
      control.signal.removeEventListener('abort', cancel);
    }
  }

  /** Ends it. Resolves once all that it has asked for is done; after that nothing is written. */
  async close(): Promise<void> {
    this.end();
    await Promise.all(this.#answering);
  }

  end(): void {
    this.#isEnded = true;
    void this.#worker.terminate();
  }

  #answer(question: SentQuestion, backend: Backend): void {
    // What comes from a thread that was ended is not begun.
    if (this.#isEnded) return;
    if (question.name === 'write' || question.name === 'apply') this.#isWriting = true;
    const { id } = question;
    const answered = answer(question, backend, (reply) => this.#post({ kind: 'replies', id, reply })).finally(
      () => this.#answering.delete(answered),
    );
    this.#answering.add(answered);
  }

  #failJob(): void {
    const job = this.#job;
    if (job === undefined) return;
    const error = this.#error;
    if (this.#isWriting) job.fail(endedWhileWriting(job.call, error));
    else job.fail(isOutOfMemory(error) ? outOfMemory(this.#limits, this.#callState.file, error) : error);
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
