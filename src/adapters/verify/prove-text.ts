// The proof of an edit of the text itself: it is read from scratch like any other result, and must have no more problems than
// the text had before. What it changes is found by comparing the data where there is any, else the lines.
import type { Change, Edit } from '../../security/index.ts';
import { type ConfigFile, findProblems, readerOf, readOrAsText } from '../formats/registry.ts';
import { counted } from '../tree/wording.ts';
import { findChanges } from './find-changes.ts';
import type { Proof, Subject } from './prove.ts';
import { differs } from './tree-comparison.ts';

/** What the text was, and what the proof needs besides. */
interface TextSubject extends Pick<Subject, 'limits' | 'earlierCommentChanges' | 'isStep'> {
  /** As it was read from the disk, before the first operation of a batch. */
  readonly base: string;
  readonly current: ConfigFile;
}

/** Its check throws VERIFICATION_FAILED. */
export function textProofOf(subject: TextSubject, edits: readonly Edit[]): Proof {
  const { base, current, earlierCommentChanges, isStep, limits } = subject;
  const { format } = current;
  const check = (after: string): readonly Change[] => {
    requireNoWorse(current, readOrAsText(format, after, limits));
    if (isStep) return earlierCommentChanges;
    const read = readerOf(format, [base, after], limits);
    return [...findChanges(read(base).stream, read(after).stream), ...earlierCommentChanges];
  };
  return { edits, check };
}

/** Throws VERIFICATION_FAILED where `after` has more problems than `before`; each is read by itself. */
export function requireNoWorse(before: ConfigFile, after: ConfigFile): void {
  const [old, next] = [problemsOf(before), problemsOf(after)];
  const isBroken = after.unreadable !== undefined && before.unreadable === undefined;
  if (next.length <= old.length && !isBroken) return;
  const [first] = next;
  const { line, column } = first ?? {};
  const place = first === undefined ? '' : `: line ${line}, column ${column}: ${first.message}`;
  const what =
    old.length === 0
      ? `the file would no longer be valid ${after.format.name}`
      : `the file has ${counted(old.length, 'problem')}, and would have ${next.length}`;
  throw differs(`${what}${place}`, {
    advice: [
      'Replace more of the text at once, so that the result has no more problems than the file has now',
    ],
  }).at({ line, column });
}

function problemsOf(file: ConfigFile) {
  if (file.unreadable !== undefined) return file.unreadable.clues.problems ?? [];
  return file.stream.hasStructure === false ? [] : findProblems(file);
}
