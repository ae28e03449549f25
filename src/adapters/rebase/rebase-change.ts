// Carries a change of one version of a file over to a later version, or undoes it there: the same edits at the present place of
// their text, proven to be the same change. Nothing is planned anew, so nothing new can come of it.

import {
  type Change,
  type Edit,
  type ErrorCode,
  invert,
  type Limits,
  Refusal,
  type SafePath,
  splice,
  unlessRefused,
  withInserted,
} from '../../security/index.ts';
import { commonReader } from '../formats/registry.ts';
import { firstFrom } from '../tree/first-from.ts';
import type { Span, Stream } from '../tree/span-tree.ts';
import { findChanges } from '../verify/find-changes.ts';
import { type Proof, requireSameMarkers } from '../verify/prove.ts';
import { candidates } from './candidates.ts';
import { type Drift, findDrift, type Versions } from './find-drift.ts';
import { meaningsThatDiffer } from './hidden-meanings.ts';
import { otherBranches } from './other-branches.ts';

export interface RebaseInput {
  readonly path: SafePath;
  /** The text that the edits are of. */
  readonly old: string;
  readonly edits: readonly Edit[];
  /** The changes of comments, which a comparison of data cannot find. */
  readonly comments: readonly Change[];
  /** The file as it is. */
  readonly now: string;
}

/**
 * The reason why it cannot be carried over: something else changed there, its text is gone, the result would be another change,
 * or it is about a whole file that has been replaced.
 */
export interface Conflict {
  readonly reason: 'same place' | 'same lines' | 'not the same change' | 'other file';
  readonly drift: Drift;
}

export type Rebased = { readonly proof: Proof; readonly drift: Drift } | Conflict;

/** Carries a change over. Throws the refusals of reading any of the texts. */
export function rebaseChange({ path, old, edits, comments, now }: RebaseInput, limits: Limits): Rebased {
  const made = splice(old, edits);
  // Where the change is read as data, reading `now` throws if it can no longer be parsed.
  const reader = commonReader(path, [old, made], limits);
  const read = (text: string): Stream => reader(text).stream;
  const versions = { old: read(old), result: read(made), now: read(now) };
  const changes = findChanges(versions.old, versions.result);
  if (old === now) {
    const check = (after: string) => requireSameText(after, versions.result.text, [...changes, ...comments]);
    return { proof: { edits, check }, drift: { changes: [], meeting: [], isOtherCount: false } };
  }
  if (versions.old.hasStructure === false) return rebaseLines(versions, edits);
  const drift = findDrift(versions, [...changes, ...comments]);
  const documents = drift.documents ?? new Map<number, number>();
  const moved = <One extends Change>(all: readonly One[]) =>
    all.map((change) => ({ ...change, doc: documents.get(change.doc) ?? change.doc }));
  const notesOf = (after: Stream): readonly string[] => {
    const [gone, there] = [true, false].map((is) =>
      [...changes, ...comments].filter(({ op }) => (op === 'remove') === is),
    );
    return [
      ...otherBranches(versions.result, after, there ?? [], documents),
      ...otherBranches(versions.old, versions.now, gone ?? [], documents),
    ];
  };
  const refused = (reason: Conflict['reason']): Rebased => ({ drift, reason });
  if (drift.isOtherCount || drift.meeting.length > 0) return refused('same place');
  const places = candidates(old, now, edits, touchesComments(versions.old, versions.result, edits));
  if (places.length === 0) return refused('same lines');
  for (const candidate of places) {
    const expected = splice(now, candidate);
    const found = unlessRefused(
      () => requireSameChange({ ...versions, after: read(expected) }, moved(changes), drift.changes),
      NOT_PROVEN,
    );
    if (found === undefined) continue;
    const check = (after: string) => requireSameText(after, expected, [...found, ...moved(comments)]);
    return { proof: { edits: candidate, check }, drift: { ...drift, notes: notesOf(read(expected)) } };
  }
  return refused('not the same change');
}

/** Answers a test whether an edit removes or brings comments. */
function touchesComments(old: Stream, result: Stream, edits: readonly Edit[]): (edit: Edit) => boolean {
  const ofComments = new Set<Edit>();
  for (const { edit, inserted } of withInserted(edits, old.text.length))
    if (meetsComment(old, edit) || meetsComment(result, inserted)) ofComments.add(edit);
  return (edit) => ofComments.has(edit);
}

function meetsComment({ comments }: Stream, { start, end }: Span): boolean {
  const next = firstFrom(comments, end);
  return (comments[next - 1]?.end ?? 0) > start;
}

/** Answers the same test for a text whose comments are not known. */
function hasHash(old: string): (edit: Edit) => boolean {
  return ({ start, end, insert }) => old.slice(start, end).includes('#') || insert.includes('#');
}

/** Carries edits of a text without structure over: all that counts is whether the replaced text is still there, and where. */
function rebaseLines({ old, now }: Pick<Versions, 'old' | 'now'>, edits: readonly Edit[]): Rebased {
  const drift = { changes: findChanges(old, now), meeting: [], isOtherCount: false };
  const [only, ...others] = candidates(old.text, now.text, edits, hasHash(old.text));
  if (only === undefined || others.length > 0) return { drift, reason: 'same lines' };
  const expected = { ...now, text: splice(now.text, only) };
  const check = (after: string) => requireSameText(after, expected.text, findChanges(now, expected));
  return { proof: { edits: only, check }, drift };
}

/** The edit of a change that was applied, or shown in a preview. */
export interface RecordedEdit {
  readonly base: string;
  readonly edits: readonly Edit[];
  /** All changes that were found, comments included. */
  readonly changes: readonly Change[];
}

/** Answers the edits of `now` that take back this change and nothing else, by the same spans with their old text; or says that it is undone already. */
export function undo(
  { base, edits, changes }: RecordedEdit,
  path: SafePath,
  now: string,
  limits: Limits,
): Rebased | 'undone already' {
  if (now === base) return 'undone already';
  const old = splice(base, edits);
  const comments = changes.filter(({ op }) => op === 'comment').map(reversed);
  return rebaseChange({ path, old, edits: invert(base, edits), comments, now }, limits);
}

function reversed({ from, to, ...change }: Change): Change {
  return {
    ...change,
    ...(to === undefined ? {} : { from: to }),
    ...(from === undefined ? {} : { to: from }),
  };
}

/**
 * Throws unless the difference from now to after is the one from old to result, and the difference from result to after is the
 * one from old to now. So it is the whole change and no other, and it removes nothing that came since.
 */
function requireSameChange(
  { old, result, now, after }: Versions & { readonly after: Stream },
  changes: readonly Change[],
  since: readonly Change[],
): readonly Change[] {
  requireSameMarkers(now, after);
  const found = findChanges(now, after);
  const isSame =
    isSameList(textsOf(found), textsOf(changes)) &&
    isSameList(textsOf(findChanges(result, after)), textsOf(since)) &&
    isSameList(meaningsThatDiffer(now, after), meaningsThatDiffer(old, result)) &&
    isSameList(meaningsThatDiffer(result, after), meaningsThatDiffer(old, now));
  if (!isSame) throw notProven();
  return found;
}

function requireSameText(after: string, expected: string, changes: readonly Change[]): readonly Change[] {
  if (after !== expected) throw notProven();
  return changes;
}

/** Answers the changes as texts without their lines, which may shift. */
function textsOf(changes: readonly Change[]): string[] {
  return changes.map(({ line: _, ...change }) => JSON.stringify(change)).sort();
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, i) => line === right[i]);
}

/** The codes of a candidate that does not fit. A limit is not among them: every candidate meets it, and the caller has to know. */
const NOT_PROVEN: readonly ErrorCode[] = ['VERIFICATION_FAILED', 'SYNTAX_INVALID'];

function notProven(): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot move this change to the new file: it would be another one',
  );
}
