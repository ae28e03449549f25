// Every edit that a call asks for is read, planned and proven here; then propose.ts shows, keeps or writes it. Tools say what is
// to be done; only this file and what it calls can bring it to the disk.
import { type Operation, type Proof, planOperation, readConfigFile } from '../adapters/index.ts';
import { previewRequired, Refusal, type Snapshot, VerifiedEdit } from '../security/index.ts';
import { propose } from './propose.ts';
import { locating, readSnapshot } from './read-file.ts';
import type { CallContext, Reply } from './tool.ts';

/** Operations on one file, in order: later ones see what earlier ones made of it. */
export interface FileEdits {
  readonly file: string;
  readonly operations: readonly { readonly operation: Operation; readonly editIndex?: number }[];
  readonly expectedSha256: string | undefined;
}

export interface EditRequest {
  readonly files: readonly FileEdits[];
  readonly dryRun: boolean;
  /** The call that asks for this, without what guards it: for asking again. */
  readonly tool: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** All files or none. Throws the refusals of every step; nothing is written before all is proven. */
export async function runEdits({ files, ...rest }: EditRequest, context: CallContext): Promise<Reply> {
  const { approval } = context.policy;
  // The commit would refuse it as well, after all the work.
  if (!rest.dryRun && approval !== 'direct') throw previewRequired();
  const edits: VerifiedEdit[] = [];
  for (const file of files) edits.push(await proveFile(file, context));
  return propose({ ...rest, edits, origin: { kind: 'edit' } }, context);
}

async function proveFile(
  { file, operations, expectedSha256 }: FileEdits,
  context: CallContext,
): Promise<VerifiedEdit> {
  const { limits, verify } = context.policy;
  const first = operations[0]?.editIndex;
  const snapshot = locating({ file, edit_index: first }, () => readSnapshot(file, context));
  assertExpected(snapshot, expectedSha256, file);
  const base = locating({ file, edit_index: first }, () =>
    readConfigFile(snapshot.path, snapshot.text, limits),
  );
  let edit: VerifiedEdit | undefined;
  for (const [done, { operation, editIndex }] of operations.entries()) {
    await context.pause();
    context.progress(done, operations.length);
    const previous = edit;
    const where = { file, path: operation.path, edit_index: editIndex };
    const { edits, check }: Proof = locating(where, () => {
      // The proof of the step before has parsed the same text.
      const current = previous === undefined ? base : readConfigFile(snapshot.path, previous.after, limits);
      const isStep = done + 1 < operations.length;
      const progress = { base, current, earlierChanges: previous?.changes ?? [], isStep };
      return planOperation(progress, operation, limits, verify);
    });
    // The first time, either half of it takes a while.
    await context.pause();
    edit = locating(where, () =>
      previous === undefined ? VerifiedEdit.prove(snapshot, edits, check) : previous.and(edits, check),
    );
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
