// A value that a person fills into a waiting preview, as a preview of its own that takes its place. The value is written and
// proven as any that is set; what is kept and shown of it is its fingerprint.
import {
  placeOfValue,
  planOperation,
  readEvenIfInvalid,
  recomputeChanges,
  runSync,
  stepsOf,
  type ValuePlace,
} from '../adapters/index.ts';
import {
  type Change,
  type Edit,
  type FilledValues,
  isStricter,
  type Policy,
  type Preview,
  type PreviewDraft,
  type PreviewFile,
  Refusal,
  type StoredPreview,
  type Verdict,
  VerifiedEdit,
  versionsOf,
  withProposers,
} from '../security/index.ts';
import { baseOf, isChanged, snapshotFor } from './file-operations.ts';
import { type PlaceRequest, placeIn, requireFillable } from './fill-place.ts';
import { neededBy, type Requirements } from './needs.ts';
import { reviewStored } from './part-preview.ts';
import { policyDenied } from './policy-refusal.ts';
import { proven } from './prove-again.ts';
import { locating } from './read-file.ts';
import { type ReviewContext, reviewEdit, verdictOf } from './review-edit.ts';
import { warningsOf } from './shown-edits.ts';

export interface FillRequest extends PlaceRequest {
  readonly value: string;
}

interface Fill extends FillRequest {
  /** The names of who fills it in. */
  readonly by: readonly string[];
}

export interface Filled {
  readonly draft: PreviewDraft;
  readonly file: PreviewFile;
  /** As it is printed. */
  readonly path: string;
  /** Of the value that was kept: to be discarded where the preview is not. */
  readonly valueId: string;
}

/**
 * Throws ARGUMENT_INVALID for a preview or a path that asks for no value, FILE_CHANGED, the refusals of `set`, and those of
 * every check; then no value is kept.
 */
export function fillPreview(
  stored: StoredPreview,
  request: Fill,
  values: FilledValues,
  context: ReviewContext,
): Filled {
  const { record, id } = stored;
  requireFillable(stored);
  const { file, place } = placeIn(record.files, request, context);
  const { filled, valueId } = fillFile(file, place, request.value, values, context);
  try {
    const reviewed = record.files.map((other) =>
      other === file ? runSync(reviewEdit(filled, context)) : reviewStored(other, other.edits, context),
    );
    const { caller, policy, tool, request: asked, reason } = record;
    const draft = {
      ...{ caller, policy, tool, request: asked, ...levelOf(verdictOf(reviewed), record, context.policy) },
      ...(reason === undefined ? {} : { reason }),
      ...withProposers([...(record.proposers ?? []), ...request.by]),
      origin: { kind: 'filled', of: id } as const,
      files: reviewed.map((one) => one.file),
      warnings: warningsOf(reviewed, context.policy.limits),
    };
    return { draft, file: draft.files[record.files.indexOf(file)] ?? file, path: place.path, valueId };
  } catch (error) {
    values.discard(valueId);
    throw error;
  }
}

/** What the rules ask for now, and never less than before. Throws POLICY_DENIED. */
function levelOf(
  verdict: Verdict | undefined,
  { approval }: Preview,
  policy: Policy,
): Omit<Requirements, 'alone'> {
  if (verdict === undefined) return { approval, rules: [] };
  if (verdict.level === 'deny') throw policyDenied(verdict, undefined);
  return neededBy(verdict, isStricter(verdict.level, approval) ? verdict.level : approval, policy);
}

/** The value set as by `set`, and proven; then the same with the fingerprint in its place. */
function fillFile(
  file: PreviewFile,
  { path, doc, isBase64 }: ValuePlace,
  value: string,
  values: FilledValues,
  context: ReviewContext,
): { readonly filled: VerifiedEdit; readonly valueId: string } {
  const { limits, verify } = context.policy;
  if (isBase64 && Buffer.from(value, 'base64').toString('base64') !== value.replaceAll('\n', ''))
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot fill in this value: below data of a Secret it has to be base64; below stringData it is written as it is',
      { file: file.file, path },
    );
  const snapshot = locating({ file: file.file }, () => snapshotFor(file.file, file.file_op, context));
  if (isChanged(file, snapshot))
    throw new Refusal(
      'FILE_CHANGED',
      'Cannot fill in this value: the file has changed since the preview was made. Have it previewed again.',
      { file: file.file },
    );
  const base = baseOf(snapshot, context);
  const read = (text: string) => readEvenIfInvalid(snapshot.path, text, limits);
  const before = proven(file, snapshot, context);
  let real = before;
  locating({ file: file.file, path }, () => {
    for (const step of stepsOf(read(real.after), { op: 'set', path, doc, json: value }, limits)) {
      const progress = { base, current: read(real.after), earlierChanges: real.changes, isStep: false };
      const { edits, check } = planOperation(progress, step, limits, verify);
      real = real.and(edits, check);
    }
  });
  if (real.after === before.after)
    throw new Refusal('ARGUMENT_INVALID', 'Cannot fill in this value: it stands there already.', {
      file: file.file,
      path,
    });
  const { span } = placeOfValue(read(real.after), path, doc);
  const kept = values.keep({ file: file.file, doc, path, text: value }, real.after, span);
  const shown = kept.shown.slice(span.start, kept.shown.length - (real.after.length - span.end));
  const edits = withShown(real.edits, span, shown);
  const check = (after: string): readonly Change[] => {
    const [old, next] = versionsOf(file.file_op, snapshot.text, after);
    const found = recomputeChanges(snapshot.path, old, next, limits);
    const changes = [...found, ...real.changes.filter(({ op }) => op === 'comment')];
    // The same places in the same ways: the fingerprint stands for the value, and for nothing else.
    if (places(changes) !== places(real.changes)) throw notAlike(file.file);
    return changes;
  };
  try {
    const { file_op: fileOp, mode } = file;
    return { filled: VerifiedEdit.prove(snapshot, edits, check, { fileOp, mode }), valueId: kept.id };
  } catch (error) {
    values.discard(kept.id);
    throw error;
  }
}

/** `span`: of the result of the edits. */
function withShown(
  edits: readonly Edit[],
  span: { readonly start: number; readonly end: number },
  shown: string,
): readonly Edit[] {
  let moved = 0;
  let isFound = false;
  const all = edits.map((edit) => {
    const at = span.start - (edit.start + moved);
    moved += edit.insert.length - (edit.end - edit.start);
    const end = at + span.end - span.start;
    if (at < 0 || end > edit.insert.length) return edit;
    isFound = true;
    return { ...edit, insert: edit.insert.slice(0, at) + shown + edit.insert.slice(end) };
  });
  if (!isFound) throw new Error('a value that was set stands in one of the edits');
  return all;
}

function places(changes: readonly Change[]): string {
  return JSON.stringify(changes.map(({ op, doc, path }) => [op, doc, path]).sort());
}

function notAlike(file: string): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot fill in this value: it could not be proven that only this value differs',
    { file },
  );
}
