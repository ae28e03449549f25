// The way of every edit: read, plan, prove, show, and write only when asked to. Tools say what is to be
// done; only this file and what it calls can bring it to the disk.
import { type Operation, planOperation, readConfigFile } from '../adapters/index.ts';
import { Refusal, type Snapshot, VerifiedEdit } from '../security/index.ts';
import { appliedReply, previewReply, type ShownFile, showEdit } from './edit-reply.ts';
import { locating, readSnapshot } from './read-file.ts';
import { requireSchemas } from './require-schemas.ts';
import type { Desk, Reply } from './tool.ts';

/** Operations on one file, in order: later ones see what earlier ones made of it. */
export interface FileEdits {
  readonly file: string;
  readonly operations: readonly { readonly operation: Operation; readonly editIndex?: number }[];
  readonly expectedSha256: string | undefined;
}

export interface EditRequest {
  readonly files: readonly FileEdits[];
  readonly dryRun: boolean;
  /** The call that writes what this preview shows, guarded by the sha256 of each file. */
  readonly applyCall: (bases: Readonly<Record<string, string>>) => {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  };
}

/** All files or none. Throws the refusals of every step; nothing is written before all is proven. */
export async function runEdits(request: EditRequest, desk: Desk): Promise<Reply> {
  const edits: VerifiedEdit[] = [];
  for (const file of request.files) edits.push(await proveFile(file, desk));
  const shown: ShownFile[] = [];
  for (const edit of edits) {
    await desk.pause();
    const notes = requireSchemas(
      { path: edit.snapshot.path, base: edit.snapshot.text, after: edit.after },
      desk,
    );
    await desk.pause();
    shown.push(showEdit(edit, notes, desk));
  }
  const isNoop = edits.every((edit) => edit.isNoop);
  if (request.dryRun || isNoop) return previewReply(request, shown, isNoop, desk.policy.readOnly);
  // The last moment to hear that nobody waits for this any more: from here on it is carried through.
  await desk.pause();
  desk.carryThrough(() => desk.sandbox.commit(edits, { requestId: desk.requestId }));
  return appliedReply(shown);
}

async function proveFile({ file, operations, expectedSha256 }: FileEdits, desk: Desk): Promise<VerifiedEdit> {
  const { limits, verify } = desk.policy;
  const first = operations[0]?.editIndex;
  const snapshot = locating({ file, edit_index: first }, () => readSnapshot(file, desk));
  assertExpected(snapshot, expectedSha256, file);
  const base = locating({ file, edit_index: first }, () =>
    readConfigFile(snapshot.path, snapshot.text, limits),
  );
  let edit: VerifiedEdit | undefined;
  for (const [done, { operation, editIndex }] of operations.entries()) {
    await desk.pause();
    desk.progress(done, operations.length);
    const previous = edit;
    edit = locating({ file, path: operation.path, edit_index: editIndex }, () => {
      const current = previous === undefined ? base : readConfigFile(snapshot.path, previous.after, limits);
      const progress = { base, current, earlierChanges: previous?.changes ?? [] };
      const { edits, check } = planOperation(progress, operation, limits, verify);
      return previous === undefined ? VerifiedEdit.prove(snapshot, edits, check) : previous.and(edits, check);
    });
  }
  return edit ?? VerifiedEdit.prove(snapshot, [], () => []);
}

function assertExpected(snapshot: Snapshot, expected: string | undefined, file: string): void {
  if (expected === undefined || snapshot.sha256 === expected) return;
  throw new Refusal(
    'FILE_CHANGED',
    'Cannot edit this file: it is not the one that expected_sha256 names',
    { file },
    { actualSha256: snapshot.sha256 },
  );
}
