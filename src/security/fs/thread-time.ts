// Measures what a thread of this process computes, so that a busy machine refuses nothing that an idle one allows. Only Linux
// tells of single threads; elsewhere a part of the time that passes counts.
import { ambientReadlink, ambientReadText } from './ambient-fs.ts';

const NANOSECONDS = 1e6;

/** Returns the number by which Linux knows the calling thread; undefined elsewhere. */
export function ownThread(): number | undefined {
  const [number = ''] = /\d+$/u.exec(known(() => ambientReadlink('/proc/thread-self'))) ?? [];
  return number === '' ? undefined : Number(number);
}

/** A thread may wait for the disk this many times as long as it may compute. */
const PATIENCE = 5;

/**
 * Begins to measure a thread. The result tells the milliseconds that count: those that the thread has computed, or a fifth of those
 * that have passed if that is more. The time in which it waits for a processor does not count where the system tells of it.
 */
export function stopwatch(thread: number | undefined): () => number {
  const began = performance.now();
  const before = timeOf(thread);
  return () => {
    const { computedMs, queuedMs } = timeOf(thread);
    const passed = performance.now() - began - Math.max(0, queuedMs - before.queuedMs);
    return Math.max(computedMs - before.computedMs, passed / PATIENCE);
  };
}

/** The milliseconds that a thread has spent on a processor so far, and those for which it was ready and others had it. */
interface ThreadTime {
  readonly computedMs: number;
  readonly queuedMs: number;
}

/** Returns the times of a thread; both are 0 if they are not known. */
function timeOf(thread: number | undefined): ThreadTime {
  const stat = known(() => ambientReadText(`/proc/self/task/${thread}/schedstat`));
  const [computed = 0, queued = 0] = stat.match(/\d+/gu)?.map(Number) ?? [];
  return { computedMs: computed / NANOSECONDS, queuedMs: queued / NANOSECONDS };
}

/** Returns an empty text if the system does not tell. */
function known(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
