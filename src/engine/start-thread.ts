// Starts the thread that will serve the calls as soon as its size is known. It loads what calls need while this thread loads
// what the handshake needs. It serves nothing before a `WorkerThread` sends it the roots and the policy.
import { Worker } from 'node:worker_threads';
import { Refusal } from '../security/errors/refusal.ts';
import { DEFAULT_LIMITS, type Limits } from '../security/policy/policy.ts';
import { quoted } from '../security/text/visible.ts';
import type { Call, SkippedFile } from './engine.ts';

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
function heapFor({ parsedSizeBytes }: Pick<Limits, 'parsedSizeBytes'>): {
  readonly maxOldGenerationSizeMb: number;
  readonly maxYoungGenerationSizeMb: number;
} {
  const times = Math.max(1, parsedSizeBytes / DEFAULT_LIMITS.parsedSizeBytes);
  return { maxOldGenerationSizeMb: Math.ceil(USUAL_HEAP_MB * times), maxYoungGenerationSizeMb: 8 };
}

/** Makes the refusal for a call that has computed for too long. `file` is the one that it worked on. */
export function tooLong(
  what: 'step' | 'call',
  { stepMs, callMs }: Limits,
  file: string | undefined,
): Refusal {
  const [name, allowed] = what === 'step' ? ['one step of a call', stepMs] : ['a call', callMs];
  const advice =
    what === 'step'
      ? 'Use a smaller file, or ask for a smaller part of it; the operator raises the limit with --max-step-ms'
      : 'Ask for less at a time: fewer edits, or fewer files';
  return new Refusal(
    'TIMEOUT',
    `Cannot finish this call: ${what === 'step' ? 'a step of it' : 'it'}${file === undefined ? '' : `, at ${quoted(file)},`} took longer than ${allowed} ms. Nothing was written`,
    { file },
    { limit: { name, allowed, unit: 'ms' }, advice: [advice] },
  );
}

export function outOfMemory(limits: Limits, file: string | undefined, cause?: unknown): Refusal {
  const allowed = heapFor(limits).maxOldGenerationSizeMb;
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot finish this call: the memory that it needs exceeds the limit of ${allowed} MB. Nothing was written`,
    { file },
    {
      limit: { name: 'the memory of a call', allowed, unit: 'MB' },
      advice: [
        'Repeat the same call once',
        'If it fails again, use a smaller file, or ask for less at a time',
      ],
      isOfCall: true,
    },
    cause,
  );
}

/** Makes the refusal of a file that has ended a thread before in the same call. */
export function refusalOf({ file, code }: SkippedFile, limits: Limits): Refusal {
  return code === 'TIMEOUT' ? tooLong('step', limits, file) : outOfMemory(limits, file);
}

/** Makes the refusal for a thread that ended while it wrote: it may have written all, some or nothing, so the caller has to look. */
export function endedWhileWriting({ tool, requestId }: Call, cause: unknown): Refusal {
  return new Refusal(
    'INTERNAL',
    `Cannot say whether ${tool} has written: an internal error while it wrote. The server's log holds it as ${requestId}`,
    {},
    { advice: ['Read the file with config_get before anything else: it is as it was, or as it was to be'] },
    cause,
  );
}
