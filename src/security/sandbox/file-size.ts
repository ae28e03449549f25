// Checks the limits for the size of a file. Where values are masked, the size does not tell how long they are.
import { Refusal } from '../errors/refusal.ts';

/** Throws FILE_TOO_LARGE. It is called before a file is read, and before a result is written. */
export function requireSize(actual: number, allowed: number, file: string, what: 'file' | 'result'): void {
  if (actual <= allowed) return;
  const subject = what === 'file' ? 'use this file: it' : 'make this edit: the result';
  throw new Refusal(
    'FILE_TOO_LARGE',
    `Cannot ${subject} has ${actual} bytes, and ${allowed} are allowed. The operator can raise --max-file-size.`,
    { file },
    { limit: { name: 'file_size', allowed, actual, unit: 'bytes' } },
  );
}

/** The number of steps in which room for masked values is counted. */
const ROOM_STEPS = 17;

/**
 * Throws FILE_TOO_LARGE where the `shown` bytes and the `hidden` bytes of masked values are too many. Hidden bytes are rounded up to
 * whole steps, because an exact limit would tell how long the values are.
 */
export function requireMaskedSize(
  { hidden, shown }: { readonly hidden: number; readonly shown: number },
  allowed: number,
  file: string,
): void {
  const step = Math.ceil(allowed / ROOM_STEPS);
  const actual = shown + Math.ceil(hidden / step) * step;
  if (actual <= allowed) return;
  throw new Refusal(
    'FILE_TOO_LARGE',
    `Cannot make this edit: a file with masked values may have ${allowed} bytes with the room that is kept for them, and here it is ${actual}.`,
    { file },
    { limit: { name: 'masked_size', allowed, actual, unit: 'bytes' } },
  );
}
