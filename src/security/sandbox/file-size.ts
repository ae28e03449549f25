// The limits of the size of a file. They count the bytes where nothing is masked, and else what an agent can know.
import { Refusal } from '../errors/refusal.ts';

/** Throws FILE_TOO_LARGE; it is called before a byte of a file is read, or a byte of a result is written. */
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

/** How many steps of room a file can keep for masked values. */
const ROOM_STEPS = 17;

/**
 * Requires room for the `hidden` bytes of masked values beside the `shown` ones. They count in whole steps only: an exact limit
 * would tell how long they are.
 */
export function requireRoom(
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
