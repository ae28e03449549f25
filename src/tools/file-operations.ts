// Handles files that are created or deleted in a batch: which operations can be combined, and what stands for a file that does
// not exist.
import {
  absentFile,
  type ConfigFile,
  fileOpOf,
  type Operation,
  readEvenIfInvalid,
} from '../adapters/index.ts';
import {
  type Check,
  type FileOp,
  type KeptFile,
  Refusal,
  type Snapshot,
  VerifiedEdit,
  visibleLine,
} from '../security/index.ts';
import { readSnapshot } from './read-file.ts';
import type { CallContext } from './tool.ts';

type Reading = Pick<CallContext, 'policy' | 'sandbox'>;

/** Returns the file, or the proof that a new one can be created. Throws the refusals of reading, and FILE_EXISTS. */
export function snapshotFor(file: string, fileOp: FileOp | undefined, context: Reading): Snapshot {
  if (fileOp !== 'create') return readSnapshot(file, context);
  const { sandbox } = context;
  return sandbox.openAbsent(sandbox.parse(file));
}

export function baseOf({ path, text, absence }: Snapshot, { policy }: Reading): ConfigFile {
  return absence === undefined ? readEvenIfInvalid(path, text, policy.limits) : absentFile(path);
}

/** Throws FILE_CHANGED where the file has another hash than expected. */
export function assertExpected(snapshot: Snapshot, expected: string | undefined, file: string): void {
  if (expected === undefined || snapshot.sha256.startsWith(expected)) return;
  throw new Refusal(
    'FILE_CHANGED',
    'Cannot edit this file: it is not the one that expected_sha256 names',
    { file },
    { actualSha256: snapshot.sha256 },
  );
}

/** Returns whether the file itself is created or deleted. Throws ARGUMENT_INVALID for operations on one file that cannot be combined. */
export function fileOpIn(operations: readonly { readonly operation: Operation }[]): FileOp | undefined {
  const ops = operations.map(({ operation }) => fileOpOf(operation.op));
  const [first, ...later] = ops;
  const hasDelete = ops.includes('delete');
  if (hasDelete && ops.includes('create'))
    throw apart(
      'it is created and deleted',
      'To give it other contents, use replace_text, or set with path "" for all of its data',
    );
  if (hasDelete && ops.length > 1)
    throw apart('it is deleted, and edited as well', 'Leave the other edits of this file out');
  if (later.includes('create'))
    throw apart(
      'it is created after another edit',
      'Begin with create_file, once, or leave it out where the file is there',
    );
  return first;
}

function apart(reason: string, advice: string): Refusal {
  return new Refusal(
    'ARGUMENT_INVALID',
    `Cannot do this to one file in one batch: ${reason}.`,
    {},
    { advice: [advice] },
  );
}

/** Returns the fields of a preview about the file itself, beside its text. */
export function wholeFileOf(edit: {
  readonly fileOp?: FileOp | undefined;
  readonly mode?: number | undefined;
  readonly snapshot: { readonly absence?: { readonly folders: readonly string[] } | undefined };
}): Pick<KeptFile, 'file_op' | 'mode' | 'folders'> {
  const { fileOp, mode, snapshot } = edit;
  const folders = snapshot.absence?.folders ?? [];
  return {
    ...(fileOp === undefined ? {} : { file_op: fileOp }),
    ...(mode === undefined ? {} : { mode }),
    ...(folders.length === 0 ? {} : { folders }),
  };
}

/** Names the folders that are made with a file. */
export function folderNotes(folders: readonly string[] = []): readonly string[] {
  const names = folders.map(visibleLine).join(', ');
  if (folders.length === 0) return [];
  return [`The file is in ${folders.length === 1 ? 'a new folder' : 'new folders'}: ${names}.`];
}

/**
 * True if the file differs from what a preview was made of: in its bytes, in the mode of one to be deleted, or in the
 * missing folders of a new one.
 */
export function isChanged({ base_sha256, file_op, mode, folders = [] }: KeptFile, now: Snapshot): boolean {
  if (now.sha256 !== base_sha256) return true;
  if (file_op === 'delete') return now.mode !== mode;
  // A folder that somebody has made since is used; one that has vanished was not named in the preview.
  return now.absence?.folders.some((folder) => !folders.includes(folder)) ?? false;
}

/** Proves the edit that a preview or a change has recorded, on the present file. */
export function recordedEdit(file: KeptFile, snapshot: Snapshot, check: Check): VerifiedEdit {
  const { edits, file_op: fileOp, mode } = file;
  return VerifiedEdit.prove(snapshot, edits, check, { fileOp, mode });
}
