// A stored preview as edits of the files that are there now: read through the sandbox as on the first day,
// unchanged since, and proven anew. Nothing that was stored is believed without a second look.
import { recomputePreview } from '../adapters/index.ts';
import {
  type Change,
  canonicalJson,
  type PlanFile,
  Refusal,
  type Snapshot,
  type StoredPlan,
  VerifiedEdit,
} from '../security/index.ts';
import { type Described, showEdit, shownOf } from './edit-reply.ts';
import { locating, readSnapshot } from './read-file.ts';
import { driftOf } from './rebase-preview.ts';
import { requireSchemas } from './require-schemas.ts';
import type { CallContext } from './tool.ts';

/** In the plan's order. Throws the refusals of reading, FILE_CHANGED, VERIFICATION_FAILED, SCHEMA_VIOLATION. */
export async function proveAgain(plan: StoredPlan, context: CallContext): Promise<readonly VerifiedEdit[]> {
  const { files } = plan.plan;
  const now: Snapshot[] = [];
  for (const { file } of files) {
    await context.pause();
    now.push(locating({ file }, () => readSnapshot(file, context)));
  }
  if (now.some(({ sha256 }, index) => sha256 !== files[index]?.base_sha256)) {
    throw await driftOf(plan, now, context);
  }
  const edits: VerifiedEdit[] = [];
  for (const [index, file] of files.entries()) {
    const snapshot = now[index];
    if (snapshot === undefined) throw new Error('every file of the plan was read');
    await context.pause();
    const edit = locating({ file: file.file }, () => proven(file, snapshot, context));
    requireSchemas({ path: snapshot.path, base: snapshot.text, after: edit.after }, context);
    edits.push(edit);
  }
  return edits;
}

/** What is to be known of the edits beside their diffs, found anew: a plan may have been stored without. */
export async function warningsOf(
  edits: readonly VerifiedEdit[],
  context: CallContext,
): Promise<readonly string[]> {
  const described: Described[] = [];
  for (const edit of edits) {
    const { snapshot, after } = edit;
    const notes = requireSchemas({ path: snapshot.path, base: snapshot.text, after }, context);
    described.push(await showEdit(edit, notes, context));
  }
  return shownOf(described, context.policy.limits).warnings;
}

function proven(file: PlanFile, snapshot: Snapshot, context: CallContext): VerifiedEdit {
  const recompute = recomputePreview((path) => context.sandbox.parse(path), context.policy.limits);
  const edit = VerifiedEdit.prove(snapshot, file.edits, (after): readonly Change[] => {
    const { changes } = recompute(file.file, snapshot.text, after, file.edits);
    const planned = file.changes.filter(({ op }) => op !== 'comment');
    if (canonicalJson(changes) !== canonicalJson(planned)) throw notAsShown();
    return file.changes;
  });
  if (edit.resultSha256 !== file.result_sha256) throw notAsShown();
  return edit;
}

function notAsShown(): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot apply this preview: the result would not be what it showed. Nothing was written.',
  );
}
