// The proof of an edit: the new text is read from scratch, and its tree must be the old one with the intended change. It trusts
// no planner, and no parser's idea of what changed.
import {
  type Change,
  type Edit,
  inOrder,
  Refusal,
  unlessRefused,
  type Verify,
} from '../../security/index.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import { actionsIn } from '../tree/actions.ts';
import { withoutEnd } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';
import { findChanges } from './find-changes.ts';
import { type DocumentPair, pairDocuments } from './pair-documents.ts';
import {
  besideActions,
  requireKnownVariables,
  requireSameActions,
  requireWholeActions,
} from './require-actions.ts';
import { requireOwnBranches } from './require-branches.ts';
import { requireComments } from './require-comments.ts';
import { requireIntended } from './require-intended.ts';
import { requireLineBreaks } from './require-line-breaks.ts';
import { requireReadable } from './require-readable.ts';
import { requireStrict } from './require-strict.ts';
import { differs } from './tree-comparison.ts';

export interface Proof {
  readonly edits: readonly Edit[];
  /**
   * The check for `VerifiedEdit.prove`: throws VERIFICATION_FAILED or ANCHOR_IN_USE unless `after` is what was intended.
   * Returns every path whose data differs from the base, and the comments that were meant to change.
   */
  readonly check: (after: string) => readonly Change[];
}

/** The file on which the operation was planned, and what the proof needs besides. */
export interface Subject extends Pick<PlanContext, 'stream' | 'format' | 'limits'> {
  /** The file as it was read from the disk, before the first operation of a batch. */
  readonly base: Stream;
  readonly verify: Verify;
  readonly earlierCommentChanges: readonly Change[];
  /** True if another operation follows. */
  readonly isStep: boolean;
}

/** The proof of one plan, or of several that were made for the same text and do not meet. Throws what an edit may not do there. */
export function proofOf(subject: Subject, plans: readonly Plan[]): Proof {
  const { base, stream, earlierCommentChanges, isStep } = subject;
  const edits = inOrder(
    plans.flatMap((plan) => plan.edits),
    stream.text.length,
  );
  requireClearLines(stream.text, edits);
  for (const plan of plans) {
    requireWholeActions(stream, plan.edits, plan.intent);
    requireOwnBranches(stream, plan.edits, plan.intent);
  }
  const intents = plans.map(({ intent }) => intent);
  return {
    edits,
    check: (after) => {
      const result = besideActions(stream, edits, () => {
        const read = reread(after, subject);
        requireIntended(stream, read, intents, subject.verify === 'full');
        requireSameMarkers(stream, read);
        requireSameActions(stream, edits, read);
        requireKnownVariables(stream, edits, read);
        requireStrict(stream, edits, read, subject.format);
        requireReadable(stream, read, subject.format);
        requireComments(stream, read, plans);
        return read;
      });
      requireLineBreaks(stream, edits, result);
      const comments = plans.flatMap(({ commentChange }) => commentChange ?? []);
      return [...(isStep ? [] : findChanges(base, result)), ...earlierCommentChanges, ...comments];
    },
  };
}

/** Throws for a removed text with a lone CR: what follows one is comment or text for some readers, and a line of its own for others. */
function requireClearLines(text: string, edits: readonly Edit[]): void {
  const isUnclear = edits.some(({ start, end }) =>
    /\r(?!\n)/.test(text.slice(start, text[end] === '\n' ? end + 1 : end)),
  );
  if (!isUnclear) return;
  throw differs('what would go holds a lone carriage return, which some readers take for the end of a line', {
    advice: ['Have a person replace the carriage return by a line break first'],
  });
}

/**
 * The base was read by the scan. Under `full` the result is not: where the scan misread what the edit leaves
 * alone, the two would differ in their data, and the edit is refused.
 */
function reread(after: string, { format, limits, verify }: Subject): Stream {
  try {
    const parse = verify === 'full' ? (format.reference ?? format.parse) : format.parse;
    return parse(after, limits);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'SYNTAX_INVALID') throw error;
    const isLoose =
      verify === 'full' && unlessRefused(() => format.parse(after, limits))?.unindented !== undefined;
    throw isLoose
      ? differs('the second reader of --verify full takes no lines within quotes that are not indented')
      : differs(`the file would no longer be valid ${format.name}`);
  }
}

/** The value is not at fault: the general advice on the code is given. */
const NO_CLUES = {};

/**
 * Throws VERIFICATION_FAILED where an edit changes what is around the data and tells how to read it: the byte order mark,
 * directives, document markers, and the kind of line breaks. Comments and blank lines do not count. Where documents came or
 * went, their markers may change, but no directive of another document.
 */
export function requireSameMarkers(before: Stream, after: Stream): void {
  const markers = documentMarkers(before);
  const next = documentMarkers(after);
  const isAsBefore =
    markers.length === next.length
      ? markers.every((lines, i) => isSame(lines, next[i] ?? ''))
      : pairDocuments(before, after).every((pair) => isSamePreamble(markers, next, pair)) &&
        /^\uFEFF/.test(before.text) === /^\uFEFF/.test(after.text);
  if (!isAsBefore)
    throw differs('a byte order mark, a directive or a document marker would change', NO_CLUES);
  const old = breaksOf(before.text);
  if (old.size > 0 && [...breaksOf(after.text)].some((kind) => !old.has(kind)))
    throw differs('another kind of line break would come in', NO_CLUES);
}

/** Returns the text before each document and after the last one, without actions of a template, which are checked by themselves. */
function documentMarkers({ text, documents, actions = [] }: Stream): string[] {
  const between: string[] = [];
  let from = 0;
  const slice = (to: number): string => {
    let kept = '';
    for (const { start, end } of actionsIn(actions, { start: from, end: to })) {
      kept += text.slice(from, start);
      from = Math.max(from, end);
    }
    return kept + text.slice(from, to);
  };
  for (const { contentStart, contentEnd } of documents) {
    between.push(slice(contentStart));
    from = contentEnd;
  }
  return [...between, slice(text.length)];
}

/** A document has the directives that it had, and a new one has none. */
function isSamePreamble(markers: readonly string[], next: readonly string[], pair: DocumentPair): boolean {
  if (pair.next === undefined) return true;
  const directives = (lines = '') => linesOf(lines).filter((line) => !/^(?:\uFEFF*|---|\.\.\.)$/.test(line));
  const old = pair.old === undefined ? [] : directives(markers[pair.old]);
  return JSON.stringify(old) === JSON.stringify(directives(next[pair.next]));
}

function isSame(markers: string, next: string): boolean {
  return markers === next || JSON.stringify(linesOf(markers)) === JSON.stringify(linesOf(next));
}

/** Returns the lines without blank ones and comments; a byte order mark counts as a line of its own. */
function linesOf(markers: string): string[] {
  return markers
    .replace(/^\uFEFF+/, '$&\n')
    .split('\n')
    .map((line) => withoutEnd(line.replace(/(^\uFEFF*|[ \t])#.*/, '$1'), ' \t\r'))
    .filter((line) => line !== '');
}

function breaksOf(text: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  if (text.includes('\r\n')) kinds.add('CRLF');
  if (/(?:^|[^\r])\n/.test(text)) kinds.add('LF');
  return kinds;
}
