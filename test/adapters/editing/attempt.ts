// One operation on one text as the server carries it out: planned, spliced, and proven from scratch. What
// comes out is a result that passed every check, or the refusal. Anything else that is thrown is a bug.
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { type Operation, planOperation } from '../../../src/adapters/index.ts';
import type { Stream } from '../../../src/adapters/tree/span-tree.ts';
import { assertEqualOutside } from '../../../src/security/edits/verified-edit.ts';
import { type Change, DEFAULT_LIMITS, type Edit, Refusal, splice } from '../../../src/security/index.ts';

export type Language = keyof typeof FORMATS;

export interface Done {
  readonly after: string;
  readonly edits: readonly Edit[];
  readonly changes: readonly Change[];
}

export function parse(text: string, language: Language = 'yaml'): Stream {
  return FORMATS[language].parse(text, DEFAULT_LIMITS);
}

/** `stream`: the text as it was read, to save reading it again for every operation. */
export function attemptOn(stream: Stream, operation: Operation, language: Language = 'yaml'): Done | Refusal {
  const file = { format: FORMATS[language], stream };
  try {
    const { edits, check } = planOperation(
      { base: file, current: file, earlierChanges: [] },
      operation,
      DEFAULT_LIMITS,
    );
    const after = splice(stream.text, edits);
    assertEqualOutside(stream.text, after, edits);
    return { after, edits, changes: check(after) };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

export function attempt(text: string, operation: Operation, language: Language = 'yaml'): Done | Refusal {
  return attemptOn(parse(text, language), operation, language);
}

/** The text afterwards. Throws the refusal: for operations that must succeed. */
export function edited(text: string, operation: Operation, language: Language = 'yaml'): string {
  const outcome = attempt(text, operation, language);
  if (outcome instanceof Refusal) throw outcome;
  return outcome.after;
}

/** The batch, one operation after the other on what the one before has left; all or nothing. */
export function editedInOrder(
  text: string,
  operations: readonly Operation[],
  language: Language = 'yaml',
): string {
  const format = FORMATS[language];
  const base = { format, stream: parse(text, language) };
  let current = base;
  let earlierChanges: readonly Change[] = [];
  for (const operation of operations) {
    const { edits, check } = planOperation({ base, current, earlierChanges }, operation, DEFAULT_LIMITS);
    const after = splice(current.stream.text, edits);
    assertEqualOutside(current.stream.text, after, edits);
    earlierChanges = check(after);
    current = { format, stream: parse(after, language) };
  }
  return current.stream.text;
}
