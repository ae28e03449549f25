// The only place where a test waits for something that takes its time. It waits until that is so, never for a while, and
// as long as a loaded machine may need. biome.json holds all other files to it.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { vi } from 'vitest';

/** Long enough for a machine that does other things as well, and shorter than the limit of a test. */
export const PATIENCE_MS = 300_000;

/** Repeats the assertion until it holds, and answers what it returns; fails with its last failure. */
export function eventually<Result>(assertion: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS, interval: 20 });
}

/** The next thing that a process says there; fails where it ends without another word, or is silent for too long. */
export async function nextData(stream: Readable, what = 'the process'): Promise<string> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const ended = once(stream, 'close', { signal }).then(() => {
    throw new Error(`${what} ended and said nothing`);
  });
  try {
    const [data]: unknown[] = await Promise.race([once(stream, 'data', { signal }), ended]);
    return String(data);
  } finally {
    over.abort();
  }
}
