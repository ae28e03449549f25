// One operation on one text as the server carries it out: planned, spliced, and proven from scratch. What
// comes out is a result that passed every check, or the refusal. Anything else that is thrown is a bug.

import { FORMATS, readOrAsText } from '../../../src/adapters/formats/registry.ts';
import { type ConfigFile, type Operation, planOperation, stepsOf } from '../../../src/adapters/index.ts';
import type { Stream } from '../../../src/adapters/tree/span-tree.ts';
import { assertEqualOutside } from '../../../src/security/edits/verified-edit.ts';
import {
  type Change,
  compose,
  DEFAULT_LIMITS,
  type Edit,
  type Refusal,
  splice,
} from '../../../src/security/index.ts';
import { orRefusal } from '../../harness/refusals.ts';

export type Language = keyof typeof FORMATS;

export interface Done {
  readonly after: string;
  readonly edits: readonly Edit[];
  readonly changes: readonly Change[];
}

export function parse(text: string, language: Language = 'yaml'): Stream {
  return FORMATS[language].parse(text, DEFAULT_LIMITS);
}

/** In the format that the extension and the text tell; undefined where it cannot be read. */
export function reading(
  extension: 'yaml' | 'json' | 'jsonc' | 'toml',
  text: string,
): { readonly stream: Stream; readonly language: Language } | undefined {
  const file = orRefusal(() => readOrAsText(FORMATS[extension], text, DEFAULT_LIMITS));
  if (!('stream' in file) || file.unreadable !== undefined)
    return extension === 'json' ? orUndefined('jsonc', text) : undefined;
  return { stream: file.stream, language: file.format === FORMATS.template ? 'template' : extension };
}

function orUndefined(language: Language, text: string) {
  const stream = orRefusal(() => parse(text, language));
  return 'documents' in stream ? { stream, language } : undefined;
}

/** `stream`: the text as it was read, to save reading it again for every operation. */
export function attemptOn(stream: Stream, operation: Operation, language: Language = 'yaml'): Done | Refusal {
  const file = { format: FORMATS[language], stream };
  return orRefusal(() => carriedOut(file, [operation]));
}

/** The operations in order, each of their steps on what the one before has left. */
function carriedOut(base: ConfigFile, operations: readonly Operation[]): Done {
  const { format, stream } = base;
  let current = base;
  let edits: readonly Edit[] = [];
  let changes: readonly Change[] = [];
  for (const operation of operations) {
    for (const step of stepsOf(current, operation, DEFAULT_LIMITS)) {
      const { text } = current.stream;
      const proof = planOperation({ base, current, earlierChanges: changes }, step, DEFAULT_LIMITS);
      const after = splice(text, proof.edits);
      assertEqualOutside(text, after, proof.edits);
      changes = proof.check(after);
      edits = current === base ? proof.edits : compose(stream.text.length, edits, proof.edits);
      current = { format, stream: format.parse(after, DEFAULT_LIMITS) };
    }
  }
  return { after: current.stream.text, edits, changes };
}

export function attempt(text: string, operation: Operation, language: Language = 'yaml'): Done | Refusal {
  return attemptOn(parse(text, language), operation, language);
}

/** The text afterwards. Throws the refusal: for operations that must succeed. */
export function edited(text: string, operation: Operation, language: Language = 'yaml'): string {
  return editedInOrder(text, [operation], language);
}

/** The batch, one operation after the other on what the one before has left; all or nothing. */
export function editedInOrder(
  text: string,
  operations: readonly Operation[],
  language: Language = 'yaml',
): string {
  return carriedOut({ format: FORMATS[language], stream: parse(text, language) }, operations).after;
}
