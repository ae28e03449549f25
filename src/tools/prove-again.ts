// A stored preview as edits of the files that are there now: read through the sandbox as on the first day,
// unchanged since, and proven anew. Nothing that was stored is believed without a second look.
import { lookWith } from '../adapters/index.ts';
import {
  type Change,
  canonicalJson,
  type PlanFile,
  Refusal,
  type Snapshot,
  type StoredPlan,
  VerifiedEdit,
} from '../security/index.ts';
import { driftOf } from './drift.ts';
import { showEdit, shownOf } from './edit-reply.ts';
import { locating, readSnapshot } from './read-file.ts';
import { requireSchemas } from './require-schemas.ts';
import type { Desk } from './tool.ts';

/** In the plan's order. Throws the refusals of reading, FILE_CHANGED, VERIFICATION_FAILED, SCHEMA_VIOLATION. */
export async function proveAgain(plan: StoredPlan, desk: Desk): Promise<readonly VerifiedEdit[]> {
  const { files } = plan.plan;
  const now: Snapshot[] = [];
  for (const { file } of files) {
    await desk.pause();
    now.push(locating({ file }, () => readSnapshot(file, desk)));
  }
  if (now.some(({ sha256 }, index) => sha256 !== files[index]?.base_sha256)) {
    throw await driftOf(plan, now, desk);
  }
  const edits: VerifiedEdit[] = [];
  for (const [index, file] of files.entries()) {
    const snapshot = now[index];
    if (snapshot === undefined) throw new Error('every file of the plan was read');
    await desk.pause();
    const edit = locating({ file: file.file }, () => proven(file, snapshot, desk));
    requireSchemas({ path: snapshot.path, base: snapshot.text, after: edit.after }, desk);
    edits.push(edit);
  }
  return edits;
}

/** What is to be known of the edits beside their diffs, found anew: a plan may have been stored without. */
export function warningsOf(edits: readonly VerifiedEdit[], desk: Desk): readonly string[] {
  const described = edits.map((edit) => {
    const { snapshot, after } = edit;
    const notes = requireSchemas({ path: snapshot.path, base: snapshot.text, after }, desk);
    return showEdit(edit, notes, desk);
  });
  return shownOf(described, desk.policy.limits).warnings;
}

function proven(file: PlanFile, snapshot: Snapshot, desk: Desk): VerifiedEdit {
  const look = lookWith((path) => desk.sandbox.parse(path), desk.policy.limits);
  const edit = VerifiedEdit.prove(snapshot, file.edits, (after): readonly Change[] => {
    const { changes } = look(file.file, snapshot.text, after, file.edits);
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
