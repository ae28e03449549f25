// Takes a change back in a later version of its file: a merge of three texts by lines. Its own lines must be there as it left
// them; the result is proven to be the inverse of the change on the data of today.
import { type Change, type Edit, invert, splice } from '../../security/edits/edit.ts';
import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import type { ErrorCode } from '../../security/errors/refusals.ts';
import type { SafePath } from '../../security/paths/safe-path.ts';
import type { Limits } from '../../security/policy/policy.ts';
import { lineEdits } from '../compare/changed-lines.ts';
import { findChanges } from '../compare/find-changes.ts';
import { originsOf } from '../compare/pair-documents.ts';
import { commonReader } from '../formats/registry.ts';
import { requireSameFrame } from '../prove/readable.ts';
import { lineStart, nextLine } from '../tree/lines.ts';
import type { Span, Stream } from '../tree/span-tree.ts';
import { unmatched } from '../tree/unmatched.ts';
import { meaningsThatDiffer } from './alias-effects.ts';
import { placesIn } from './change-places.ts';

/** The edit of a change that was applied. */
export interface RecordedEdit {
  readonly base: string;
  readonly edits: readonly Edit[];
}

/** The edits that take a change back, and the check of their result, which returns its changes. */
export interface Undone {
  readonly edits: readonly Edit[];
  readonly check: (after: string) => readonly Change[];
}

/** Why a change cannot be taken back: its lines have changed since, or without it other data would change. */
export type Conflict = 'same lines' | 'other data';

/** Returns edits of `now` that take back the change and nothing else. Throws the refusals of reading `now`. */
export function undo(
  { base, edits }: RecordedEdit,
  path: SafePath,
  now: string,
  limits: Limits,
): Undone | Conflict | 'undone already' {
  if (now === base) return 'undone already';
  const made = splice(base, edits);
  const back = carriedOver(invert(base, edits), made, now);
  // Where the change is read as data, reading `now` throws if it can no longer be parsed.
  const reader = commonReader(path, [base, made], limits);
  const read = (text: string): Stream => reader(text).stream;
  const [old, was, is] = [made, base, now].map(read);
  if (old === undefined || was === undefined || is === undefined || back === undefined) return 'same lines';
  const after = splice(now, back);
  const found =
    now === made
      ? findChanges(old, was)
      : unlessRefused(() => requireInverse([old, was], [is, read(after)]), NOT_PROVEN);
  if (found === undefined) return 'other data';
  const check = (text: string): readonly Change[] => {
    if (text !== after) throw notInverse();
    return found;
  };
  return { edits: back, check };
}

/** Carries edits of one text over to a later one; undefined if one of their lines has changed since. */
function carriedOver(edits: readonly Edit[], made: string, now: string): readonly Edit[] | undefined {
  const since = made === now ? [] : lineEdits(made, now);
  const grown = ({ start, end, insert }: Edit) => insert.length - (end - start);
  const carried = edits.flatMap((edit) => {
    const own = linesOf(edit, made);
    if (since.some((other) => meet(own, other))) return [];
    const shift = since.reduce((sum, other) => (other.end <= own.start ? sum + grown(other) : sum), 0);
    return { ...edit, start: edit.start + shift, end: edit.end + shift };
  });
  return carried.length === edits.length ? carried : undefined;
}

/** Returns the lines that an edit changes; nothing for lines that it brings. */
function linesOf({ start, end, insert }: Edit, text: string): Span {
  const isAtLine = (offset: number) => offset === 0 || text[offset - 1] === '\n';
  const isWhole = isAtLine(end) && (start < end || insert.endsWith('\n') || end === text.length);
  return { start: lineStart(text, start), end: isWhole ? end : nextLine(text, end) };
}

/** True if the lines share one, or if both are nothing at one place, where their order would be open. */
function meet(own: Span, other: Span): boolean {
  const areBothEmpty = own.start === own.end && other.start === other.end;
  if (areBothEmpty) return own.start === other.start;
  return own.start < other.end && other.start < own.end;
}

type Versions = readonly [before: Stream, after: Stream];

/** Returns the changes of today. Throws VERIFICATION_FAILED unless they are those that take the change back, and no others. */
function requireInverse([made, base]: Versions, [now, after]: Versions): readonly Change[] {
  requireSameFrame(now, after, originsOf(now, after));
  const found = findChanges(now, after);
  // Of a text without structure its lines are all there is to know.
  if (made.hasStructure === false) return found;
  const isSame =
    isSameList(placesIn(now, found), placesIn(made, findChanges(made, base))) &&
    isSameList(meaningsThatDiffer(now, after), meaningsThatDiffer(made, base));
  if (!isSame) throw notInverse();
  return found;
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && unmatched(left, right, (text) => text).length === 0;
}

/** A limit is not among them: the caller has to know of it. */
const NOT_PROVEN: readonly ErrorCode[] = ['VERIFICATION_FAILED', 'SYNTAX_INVALID'];

function notInverse(): Refusal {
  return new Refusal('VERIFICATION_FAILED', 'Cannot undo this change: other data would change as well');
}
