// Takes some of the edits of a change that was shown, and proves that they do some of what it shows, and nothing else: an edit
// may mean something else without the others.
import { type Change, type Edit, splice } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import type { SafePath } from '../../security/paths/safe-path.ts';
import type { Limits } from '../../security/policy/policy.ts';
import type { PreviewFile } from '../../state/preview.ts';
import { findChanges } from '../compare/find-changes.ts';
import { originsOf } from '../compare/pair-documents.ts';
import { commonReader, readEvenIfInvalid } from '../formats/registry.ts';
import { requireNoWorse, requireSameFrame } from '../prove/readable.ts';
import { unmatched } from '../tree/unmatched.ts';
import { findAlsoAffected, meaningsThatDiffer } from './alias-effects.ts';
import { findRemovedComments, recomputeChanges } from './describe-edit.ts';
import type { RecordedEdit } from './undo.ts';

/** Returns the changes of the `kept` edits. Throws VERIFICATION_FAILED. */
export function changesOfPart(
  { base, edits, changes, file_op: fileOp }: RecordedEdit & Pick<PreviewFile, 'file_op' | 'changes'>,
  kept: readonly Edit[],
  path: SafePath,
  limits: Limits,
): readonly Change[] {
  // Creating or deleting a file has no parts.
  if (fileOp !== undefined) return changes;
  const [result, some] = [splice(base, edits), splice(base, kept)];
  const reader = commonReader(path, [base, result], limits);
  const read = (text: string) => reader(text).stream;
  const [old, whole] = [read(base), read(result)];
  if (old.hasStructure === false) return linesOfPart(path, base, some, limits);
  const part = readPart(() => read(some));
  requireSameFrame(old, part, originsOf(old, part));
  const found = findChanges(old, part);
  const all = findChanges(old, whole);
  requireAmong(found.map(withoutLine), all.map(withoutLine));
  requireAmong(meaningsThatDiffer(old, part), meaningsThatDiffer(old, whole));
  requireAmong(findRemovedComments(old, part, kept), findRemovedComments(old, whole, edits));
  requireAmong(findAlsoAffected(old, part), findAlsoAffected(old, whole));
  return found;
}

/** Returns the changed lines of a part in a text without structure; it must not make the file worse. */
function linesOfPart(path: SafePath, base: string, part: string, limits: Limits): readonly Change[] {
  const file = (text: string) => readEvenIfInvalid(path, text, limits);
  requireNoWorse(file(base), file(part));
  return recomputeChanges(path, base, part, limits);
}

function readPart<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'SYNTAX_INVALID') throw needsTheRest();
    throw error;
  }
}

function withoutLine({ line: _, ...change }: Change): string {
  return JSON.stringify(change);
}

/** Throws unless each of `some` is in `all`, at least as often. */
function requireAmong(some: readonly string[], all: readonly string[]): void {
  if (unmatched(some, all, (text) => text).length > 0) throw needsTheRest();
}

function needsTheRest(): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot approve this part: without the rest it would be another change than the one that was shown',
    {},
    { advice: ['Keep the edits that belong together, or none of them'] },
  );
}
