// The line that tells a person how far long work is.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Progress } from '../../../src/cli/terminal/progress.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('is shown after a second, written over at most five times a second, and gone at the end', () => {
  const output = new PassThrough();
  const progress = new Progress(output);
  progress.show('1 row');
  expect(output.read()).toBeNull();
  vi.advanceTimersByTime(1_000);
  progress.show('2 rows');
  progress.show('3 rows');
  vi.advanceTimersByTime(200);
  progress.show('4 rows');
  progress.end();
  expect(String(output.read())).toBe('\r2 rows\u001b[K\r4 rows\u001b[K\r\u001b[K');
});

it('of short work leaves nothing, and without a terminal there is none', () => {
  const output = new PassThrough();
  new Progress(output).end();
  expect(output.read()).toBeNull();
  const silent = new Progress(undefined);
  vi.advanceTimersByTime(5_000);
  silent.show('1 row');
  silent.end();
});
