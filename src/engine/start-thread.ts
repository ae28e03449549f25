// Starts the thread that will serve the calls as soon as its size is known. It loads what calls need while this thread loads
// what the handshake needs. It serves nothing before a `WorkerThread` sends it the roots and the policy.
import { Worker } from 'node:worker_threads';
import { DEFAULT_LIMITS, type Limits } from '../security/index.ts';

/** The heap for texts of the default size. JSON takes the most, about 70 MB for the tree of 2 MB, and the proof of an edit needs two trees. */
const USUAL_HEAP_MB = 320;

/** A thread that is loading, and has opened nothing yet. It may end before it is asked to open something. */
export interface StartedThread {
  readonly worker: Worker;
  /** Settles when it has ended, with the error that ended it, if there was one. */
  readonly ended: Promise<unknown>;
}

/** Starts a thread. `entry` is for tests that bring tools of their own; nothing else passes it. */
export function startThread(
  limits: Pick<Limits, 'parsedSizeBytes'>,
  entry: URL = new URL('./worker-main.js', import.meta.url),
): StartedThread {
  // It gets no environment, which may hold secrets, and it prints nothing: stdout carries the protocol, and
  // stderr the log.
  const worker = new Worker(entry, { env: {}, resourceLimits: heapFor(limits), stdout: true, stderr: true });
  worker.stdout.resume();
  worker.stderr.resume();
  // The client keeps the process alive; the thread must not.
  worker.unref();
  return { worker, ended: endOf(worker) };
}

function endOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    let error: unknown;
    worker.once('error', (thrown) => {
      error = thrown;
    });
    worker.once('exit', () => resolve(error));
  });
}

/**
 * The heap limits for JavaScript objects, larger where the operator allows larger texts. Without a limit V8 lets the young
 * generation grow by 20 MB, and nothing becomes faster.
 */
export function heapFor({ parsedSizeBytes }: Pick<Limits, 'parsedSizeBytes'>): {
  readonly maxOldGenerationSizeMb: number;
  readonly maxYoungGenerationSizeMb: number;
} {
  const times = Math.max(1, parsedSizeBytes / DEFAULT_LIMITS.parsedSizeBytes);
  return { maxOldGenerationSizeMb: Math.ceil(USUAL_HEAP_MB * times), maxYoungGenerationSizeMb: 8 };
}
