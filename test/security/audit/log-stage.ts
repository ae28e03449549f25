// A descriptor that takes what the test lets it take.
import { onTestFinished } from 'vitest';
import { onDiskCalls } from '../../harness/disk-calls.mjs';

/** How many bytes the next write takes; 0 where nobody reads, the name of an error, or all of them where there is nothing. */
export type Take = number | string | undefined;

/** What is written to `fd`, or to any, from now on comes here instead, as much of it as `takes` says write by write. */
export function intercepted(fd: number | 'any', ...takes: Take[]) {
  const written: string[] = [];
  let writes = 0;
  const takeBack = onDiskCalls((name, args) => {
    const [to, bytes, from] = args;
    if (
      name !== 'writeSync' ||
      (to !== fd && fd !== 'any') ||
      !(bytes instanceof Uint8Array) ||
      typeof from !== 'number'
    )
      return undefined;
    writes += 1;
    const take = takes.shift();
    if (typeof take === 'string') throw failure(take);
    if (take === 0) throw failure('EAGAIN');
    const rest = bytes.subarray(from, take === undefined ? bytes.length : from + take);
    written.push(Buffer.from(rest).toString());
    return rest.length;
  });
  onTestFinished(takeBack);
  return {
    text: () => written.join(''),
    writes: () => writes,
    /** What it takes from now on. */
    takes: (...more: Take[]) => takes.splice(0, takes.length, ...more),
    end: takeBack,
  };
}

function failure(code: string): Error {
  return Object.assign(new Error('test'), { errno: -1, code, syscall: 'write' });
}
