// The proof of an edit of the text itself: the result is read from scratch, and must have no more problems than the text had
// before. Changes are found by comparing the data where there is any, or else the lines.
import { type Change, type Edit, type FileOp, Refusal } from '../../security/index.ts';
import { type ConfigFile, findProblems, readerOf, readOrAsText } from '../formats/registry.ts';
import { NO_TEXT } from '../formats/text/text-format.ts';
import type { Stream } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';
import { findChanges } from './find-changes.ts';
import type { Proof, Subject } from './prove.ts';
import { requireReadable } from './require-readable.ts';
import { differs } from './tree-comparison.ts';

/** The text before the edit, and what the proof needs besides. */
interface TextSubject extends Pick<Subject, 'limits' | 'earlierCommentChanges' | 'isStep'> {
  /** The file as it was read from the disk, before the first operation of a batch. */
  readonly base: Stream;
  readonly current: ConfigFile;
}

/**
 * Makes the proof; `fileOp` says whether the edits create or delete the file. Its check throws VERIFICATION_FAILED, and
 * VALUE_INVALID for the content of a new file.
 */
export function textProofOf(subject: TextSubject, edits: readonly Edit[], fileOp?: FileOp): Proof {
  const { base, current, earlierCommentChanges, isStep, limits } = subject;
  const { format } = current;
  const check = (after: string): readonly Change[] => {
    if (fileOp === 'delete') return findChanges(base, NO_TEXT);
    const result = readOrAsText(format, after, limits);
    if (fileOp === 'create') requireValid(result);
    else requireNoWorse(current, result);
    requireReadable(current.stream, result.stream, format);
    if (isStep) return earlierCommentChanges;
    const old = base.isAbsent === true ? undefined : base.text;
    const read = readerOf(format, [old, after], limits);
    return [...findChanges(read(old).stream, read(after).stream), ...earlierCommentChanges];
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
      'Replace the rest in the same call: texts that are replaced one after the other are proven together',
    ],
  }).at({ line, column });
}

/** Throws VALUE_INVALID for the content of a new file that is not valid. */
function requireValid(file: ConfigFile): void {
  const [first] = problemsOf(file);
  if (first === undefined) return;
  throw new Refusal(
    'VALUE_INVALID',
    `Cannot use this value as content: it is not valid ${file.format.name}: line ${first.line}, column ${first.column}: ${first.message}`,
    {},
    { advice: ['Correct it; config_validate with "text" finds every problem of a YAML text'] },
  );
}

function problemsOf(file: ConfigFile) {
  if (file.unreadable !== undefined) return file.unreadable.clues.problems ?? [];
  return file.stream.hasStructure === false ? [] : findProblems(file);
}
