// Makes a preview of some edits of another one: what a reviewer keeps when the rest is not wanted. It is proven to do some of
// what the whole preview showed, and nothing else.
import { changesOfPart } from '../adapters/index.ts';
import {
  type Edit,
  type PreviewDraft,
  type PreviewFile,
  Refusal,
  requireWhole,
  type StoredPreview,
  sha256Hex,
  splice,
  type WholePreview,
  withProposers,
} from '../security/index.ts';
import { neededBy } from './needs.ts';
import { policyDenied } from './policy-refusal.ts';
import { type ReviewContext, type ReviewedEdit, reviewEdit, verdictOf } from './review-edit.ts';
import { warningsOf } from './shown-edits.ts';

/**
 * Returns the part. `kept` gives the edits by their index over all files; files without one are left out. Throws
 * ARGUMENT_INVALID for none, all or unknown ones; VERIFICATION_FAILED or SCHEMA_VIOLATION where they need the rest.
 */
export function partOf(
  { id, record: stored }: StoredPreview,
  kept: readonly number[],
  context: ReviewContext,
): Omit<PreviewDraft, 'files'> & Pick<WholePreview, 'files'> {
  const record = requireWhole(stored);
  const all = record.files.flatMap((file) => file.edits.map((edit) => ({ file, edit })));
  const indexes = [...new Set(kept)].sort((a, b) => a - b);
  requireSome(indexes, all.length);
  const reviewed = record.files.flatMap((file) => {
    const edits = indexes.flatMap((index) => (all[index]?.file === file ? [all[index].edit] : []));
    return edits.length === 0 ? [] : [reviewStored(file, edits, { ...context, caller: record.caller })];
  });
  const files = reviewed.map(({ file }) => file);
  const warnings = warningsOf(reviewed, context.policy.limits);
  const { caller, policy, roots, tool, request, reason } = record;
  // Whoever keeps a part decides by signing, so no part needs less than that.
  const { approval } = record;
  const verdict = verdictOf(reviewed);
  if (verdict?.level === 'deny') throw policyDenied(verdict);
  const needed =
    verdict === undefined ? { approval, rules: [] } : neededBy(verdict, approval, context.policy);
  const origin = { kind: 'part', of: id, kept: indexes } as const;
  const said = { ...(reason === undefined ? {} : { reason }), ...withProposers(record.proposers ?? []) };
  return { caller, policy, roots, ...needed, tool, request, origin, ...said, files, warnings };
}

function requireSome(indexes: readonly number[], count: number): void {
  const isUnknown = indexes.some((index) => !Number.isSafeInteger(index) || index < 0 || index >= count);
  const reason = isUnknown
    ? `the edits are numbered 0 to ${count - 1}`
    : indexes.length === 0
      ? 'nothing of it is kept: reject it instead'
      : indexes.length === count
        ? 'all of it is kept: approve it instead'
        : undefined;
  if (reason !== undefined) throw new Refusal('ARGUMENT_INVALID', `Cannot approve this part: ${reason}`);
}

/** Reviews a file of a stored preview with these of its edits. */
function reviewStored(whole: PreviewFile, edits: readonly Edit[], context: ReviewContext): ReviewedEdit {
  const { file, base, base_sha256: sha256 } = whole;
  const path = context.sandbox.parse(file);
  const after = splice(base, edits);
  const changes = changesOfPart(whole, edits, path, context.policy.limits);
  const { file_op: fileOp, mode, folders = [] } = whole;
  const isNoop = fileOp === undefined && base === after;
  const part = { after, edits, changes, resultSha256: sha256Hex(after), isNoop, fileOp, mode };
  const absence = fileOp === 'create' ? { folders } : undefined;
  return reviewEdit({ snapshot: { path, text: base, sha256, absence }, ...part }, context);
}
