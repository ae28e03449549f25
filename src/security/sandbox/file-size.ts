// Refuses files above the limit by their size on disk, before a byte is read, and results above it before
// a byte is written.
import { Refusal } from '../errors/refusal.ts';

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
