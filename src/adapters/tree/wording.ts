// Words for numbers and what they count (`1 file`, `2 files`), for texts that were cut, and for budgets that a text can exceed.

import { Refusal } from '../../security/errors/refusal.ts';
import type { Limits } from '../../security/policy/policy.ts';

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Names the first of them: `a, b, c and 95 more`. */
export function firstOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Marks a text that is too long to be shown whole, so that it is not taken for the whole. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`;
}

export function limitReached(what: string, allowed: number, unit: string, actual?: number): Refusal {
  const limit = actual === undefined ? { name: what, allowed, unit } : { name: what, allowed, unit, actual };
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot read this file: its ${what} exceeds the limit of ${allowed} ${unit}`,
    {},
    { limit },
  );
}

/** Throws LIMIT_EXCEEDED where there are more. */
export function requireAtMost(allowed: number, count: number, what: string, unit: string): void {
  if (count > allowed) throw limitReached(what, allowed, unit);
}

/** The most bytes of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/** Throws LIMIT_EXCEEDED for a text that is too large to be parsed. */
export function requireParsable(text: string, limits: Limits): void {
  if (text.length * MOST_BYTES > limits.parsedSizeBytes) requireParsableSize(Buffer.byteLength(text), limits);
}

/** Does the same by its size, before it is read. */
export function requireParsableSize(bytes: number, { parsedSizeBytes }: Limits): void {
  if (bytes > parsedSizeBytes) throw limitReached('size to parse', parsedSizeBytes, 'bytes', bytes);
}
