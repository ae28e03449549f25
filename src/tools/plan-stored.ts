// Proves a stored preview on the current files: they are read through the sandbox again and must be unchanged, and the edits are proven
// and reviewed again. Nothing that was stored is trusted without this.

import { recomputeChanges } from '../adapters/review/describe-edit.ts';
import { changesOfPart } from '../adapters/review/part-of-edit.ts';
import {
  type PreviewDraft,
  proposersOf,
  requireWhole,
  type StoredPreview,
  withProposers,
} from '../security/approval/preview.ts';
import { type Change, type Edit, splice, versionsOf } from '../security/edits/edit.ts';
import type { FileWrite, VerifiedEdit } from '../security/edits/verified-edit.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { canonicalJson, sha256Hex } from '../state/canonical.ts';
import type { Preview, PreviewFile, WholePreview } from '../state/preview.ts';
import { type Planned, runEdits, writesOf } from './edit.ts';
import { type EditInput, groupByFile, MOST_EDITS, recordedEdits } from './edit-batch.ts';
import { CallSize, isChanged, recordedEdit, snapshotFor } from './file-operations.ts';
import { loadOpenPreview, policyDenied } from './own.ts';
import { locating } from './read-file.ts';
import { type ReviewContext, type ReviewedEdit, reviewEdit, reviewOne, verdictOf } from './review-edit.ts';
import { neededBy } from './rule-notes.ts';
import { type CurrentFile, refusalOfChanged } from './run-again.ts';
import { warningsOf } from './shown-edits.ts';
import type { CallContext, Reply } from './tool.ts';

/** Proves the edits of a preview in order. Throws the refusals of reading, FILE_CHANGED, VERIFICATION_FAILED and SCHEMA_VIOLATION. */
export async function planStored(stored: StoredPreview, context: CallContext): Promise<Planned> {
  const now = await unchangedFiles(stored, context);
  const writes: FileWrite[] = [];
  const reviewed: ReviewedEdit[] = [];
  for (const { file, snapshot } of now) {
    await context.pause();
    const edit = locating({ file: file.file }, () => proven({ file, snapshot }, context));
    reviewed.push(await reviewOne(edit, context));
    writes.push(...writesOf([edit]));
  }
  return { reviewed, writes, notes: [], skipped: [] };
}

/** Reads the files. Throws the refusals of reading, and FILE_CHANGED, usually with a new preview, if one is not what the preview was made from. */
async function unchangedFiles(stored: StoredPreview, context: CallContext): Promise<readonly CurrentFile[]> {
  const now: CurrentFile[] = [];
  const size = new CallSize();
  for (const file of stored.record.files) {
    await context.pause();
    const snapshot = locating({ file: file.file }, () => snapshotFor(file.file, file.file_op, context));
    if (isChanged(file, snapshot)) throw await refusalOfChanged(stored, { file, snapshot }, context);
    size.addFile(snapshot.sizeBytes);
    now.push({ file, snapshot });
  }
  return now;
}

/** Proves one file of a preview. Throws VERIFICATION_FAILED. */
function proven({ file, snapshot }: CurrentFile, { policy }: Pick<CallContext, 'policy'>): VerifiedEdit {
  const check = (text: string): readonly Change[] => {
    const [before, after] = versionsOf(file.file_op, snapshot.text, text);
    const changes = recomputeChanges(snapshot.path, before, after, policy.limits);
    if (canonicalJson(changes) !== canonicalJson(file.changes)) throw notAsShown();
    return file.changes;
  };
  const edit = recordedEdit(file, snapshot, check);
  if (edit.resultSha256 !== file.result_sha256) throw notAsShown();
  return edit;
}

/** Makes the refusal of a preview whose edits would no longer do what it showed. */
export function notAsShown(): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot apply this preview: the result would not be what it showed. Nothing was written.',
  );
}

/**
 * Makes a preview of some edits of another one: what a reviewer keeps when the rest is not wanted. It is proven to do nothing
 * else than the whole preview showed. `kept` gives the edits by their index over all files; files without one are left out.
 * Throws ARGUMENT_INVALID for none, all or unknown ones; VERIFICATION_FAILED or SCHEMA_VIOLATION if they need the rest.
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
  // Keeping a part is a decision with a signature, so a part never needs less than the whole.
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

interface JoiningCall {
  readonly previewId: string;
  readonly edits: readonly EditInput[];
  readonly expected: Parameters<typeof groupByFile>[1];
  readonly dryRun: boolean;
  readonly reason: string | undefined;
}

/**
 * Adds edits to a preview of the same caller that was not applied yet. All of them are planned and proven again, as one batch on
 * the files as they are now, and the result replaces that preview. It stays as it is where this throws: what loading the preview
 * throws, APPROVAL_DECLINED for one that was rejected, and the refusals of every step.
 */
export async function joinPreview(call: JoiningCall, context: CallContext): Promise<Reply> {
  const { previewId, edits, expected, dryRun, reason } = call;
  if (!dryRun)
    throw new Refusal(
      'ARGUMENT_INVALID',
      'Cannot write at once with preview_id: leave out dry_run, and apply the preview that this returns',
    );
  const stored = await loadOpenPreview(previewId, 'add to', context);
  const earlier = editsOf(stored.record);
  if (earlier.length + edits.length > MOST_EDITS)
    throw new Refusal(
      'LIMIT_EXCEEDED',
      `Cannot add to this preview: it would hold more than ${MOST_EDITS} edits`,
      {},
      {
        limit: {
          name: 'edits of a preview',
          allowed: MOST_EDITS,
          actual: earlier.length + edits.length,
          unit: 'edits',
        },
      },
    );
  const all = [...earlier, ...edits];
  try {
    const joined = {
      ...{ dryRun, tool: 'config_edit', request: { edits: all }, replaces: stored.id },
      ...{ reason: reason ?? stored.record.reason, proposers: proposersOf(stored.record) },
    };
    return await runEdits(groupByFile(all, expected, context), joined, context);
  } catch (error) {
    throw error instanceof Refusal ? renumbered(error, earlier.length) : error;
  }
}

/** Returns the edits of the call that made a preview. Throws ARGUMENT_INVALID for a preview that was not made by edits. */
function editsOf(preview: Preview): readonly EditInput[] {
  const edits = preview.origin.kind === 'edit' ? recordedEdits(preview) : undefined;
  if (edits !== undefined) return edits;
  throw new Refusal(
    'ARGUMENT_INVALID',
    'Cannot add to this preview: it undoes a change, or a person has made it of a part of another one',
    {},
    { advice: ['Apply it as it is, and preview the edits without preview_id'] },
  );
}

/** Renumbers the edit that a refusal names: the caller counts only its own, which follow those of the preview. */
function renumbered({ code, message, where, clues }: Refusal, earlier: number): Refusal {
  const { edit_index: index } = where;
  if (index === undefined || index >= earlier)
    return new Refusal(
      code,
      message,
      { ...where, edit_index: index === undefined ? undefined : index - earlier },
      clues,
    );
  const advice = [
    'It is an edit that the preview holds, and no longer fits the file as it is now: preview the rest without preview_id',
    ...(clues.advice ?? []),
  ];
  return new Refusal(code, message, { ...where, edit_index: undefined }, { ...clues, advice });
}
