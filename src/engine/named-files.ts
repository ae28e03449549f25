// The files that a call names, by itself or in its list of edits; cut, for its arguments are not checked yet and may be anything.
import type { Call } from './engine.ts';

const MAX_FILES = 20;
const MAX_EDITS = 1_000;
const MAX_CHARS = 256;

export function filesOf(args: Call['args']): readonly string[] {
  const edits: readonly unknown[] = Array.isArray(args['edits']) ? args['edits'] : [];
  const items = [args, ...edits.slice(0, MAX_EDITS)];
  return [...new Set(items.flatMap((item) => fileOf(item) ?? []))].slice(0, MAX_FILES);
}

function fileOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('file' in item)) return undefined;
  return typeof item.file === 'string' ? item.file.slice(0, MAX_CHARS) : undefined;
}
