// Files that a batch creates or deletes: which operations can be combined, and what is read for a file that does not exist.
import { absentFile, type ConfigFile, readEvenIfInvalid } from '../adapters/formats/registry.ts';
import { fileOpOf, type Operation } from '../adapters/operations/registry.ts';
import type { FileOp } from '../security/edits/edit.ts';
import { type Check, VerifiedEdit } from '../security/edits/verified-edit.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { Snapshot } from '../security/sandbox/snapshot.ts';
import { visibleLine } from '../security/text/visible.ts';
import type { KeptFile } from '../state/preview.ts';
import type { FileEdit } from './bulk.ts';
import type { MatchedNodes } from './matched-nodes.ts';
import { locating, readSnapshot } from './read-file.ts';
import type { CallContext } from './tool.ts';

type Reading = Pick<CallContext, 'policy' | 'sandbox'>;

/** Returns the file, or the proof that a new one can be created. Throws FILE_EXISTS and the refusals of reading. */
export function snapshotFor(file: string, fileOp: FileOp | undefined, context: Reading): Snapshot {
  if (fileOp !== 'create') return readSnapshot(file, context);
  const { sandbox } = context;
  return sandbox.openAbsent(sandbox.parse(file));
}

export function baseOf({ path, text, absence }: Snapshot, { policy }: Reading): ConfigFile {
  return absence === undefined ? readEvenIfInvalid(path, text, policy.limits) : absentFile(path);
}

/** Throws FILE_CHANGED if the file has another hash than expected. */
function assertExpected(snapshot: Snapshot, expected: string | undefined, file: string): void {
  if (expected === undefined || snapshot.sha256.startsWith(expected)) return;
  throw new Refusal(
    'FILE_CHANGED',
    'Cannot edit this file: it is not the one that expected_sha256 names',
    { file },
    { actualSha256: snapshot.sha256 },
  );
}

/** Returns whether the file itself is created or deleted. Throws ARGUMENT_INVALID for operations on one file that cannot be combined. */
function fileOpIn(operations: readonly { readonly operation: Operation }[]): FileOp | undefined {
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

/** Returns the fields of a preview about the file itself, apart from its text. */
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

/** Names the folders that are created with a file. */
export function folderNotes(folders: readonly string[] = []): readonly string[] {
  const names = folders.map(visibleLine).join(', ');
  if (folders.length === 0) return [];
  return [`The file is in ${folders.length === 1 ? 'a new folder' : 'new folders'}: ${names}.`];
}

/**
 * True if the file differs from what a preview was made from: in its bytes, in the mode of a file to delete, or in the missing
 * folders of a new file.
 */
export function isChanged({ base_sha256, file_op, mode, folders = [] }: KeptFile, now: Snapshot): boolean {
  if (now.sha256 !== base_sha256) return true;
  if (file_op === 'delete') return now.mode !== mode;
  // A folder that exists by now is used; one that has vanished was not named in the preview.
  return now.absence?.folders.some((folder) => !folders.includes(folder)) ?? false;
}

/** Proves the recorded edit of a preview or a change on the current file. */
export function recordedEdit(file: KeptFile, snapshot: Snapshot, check: Check): VerifiedEdit {
  const { edits, file_op: fileOp, mode } = file;
  return VerifiedEdit.prove(snapshot, edits, check, { fileOp, mode });
}

/** The operations on one file in order; each sees the result of earlier ones. */
export interface FileEdits {
  readonly file: string;
  readonly operations: readonly FileEdit[];
  readonly expectedSha256: string | undefined;
}

export interface BaseFile {
  readonly snapshot: Snapshot;
  readonly base: ConfigFile;
  /** Set if the file itself is created or deleted. */
  readonly fileOp: FileOp | undefined;
}

/** True if only patterns name the file. */
export function isFound(operations: FileEdits['operations']): boolean {
  return operations.every(({ bulk }) => bulk?.isFound === true);
}

/** Reads the file; undefined if it is unreadable and only patterns name it, which the reply then notes. */
export function readBase(
  { file, operations, expectedSha256 }: FileEdits,
  size: CallSize,
  matched: MatchedNodes,
  context: CallContext,
): BaseFile | undefined {
  const where = { file, edit_index: operations[0]?.editIndex };
  try {
    const fileOp = locating(where, () => fileOpIn(operations));
    const snapshot = locating(where, () => snapshotFor(file, fileOp, context));
    if (!isFound(operations)) size.addFile(snapshot.sizeBytes);
    assertExpected(snapshot, expectedSha256, file);
    const base = locating(where, () => baseOf(snapshot, context));
    const isWithoutPaths = operations.every(({ operation }) => operation.path === undefined);
    if (isFound(operations) && base.unreadable !== undefined && !isWithoutPaths) throw base.unreadable;
    return { snapshot, base, fileOp };
  } catch (error) {
    if (!isFound(operations) || !(error instanceof Refusal) || error.code === 'FILE_CHANGED') throw error;
    // This limit is of the whole call, not of this file.
    if (error.clues.isOfCall === true) throw error;
    matched.skip(file, error.code, operations);
    return undefined;
  }
}

const ALLOWED_BYTES = 64_000_000;
/** A path is recorded and sent several times, a text only twice. */
const BYTES_FOR_A_PATH_CHAR = 3;

/**
 * How much one call may change: the texts of its files and the node paths in them, all in memory until they are written. Trees
 * are not: only those of one file are held at a time.
 */
export class CallSize {
  #actual = 0;
  #files = 0;

  /** Adds a file. Throws FILE_TOO_LARGE once the sum is too large. */
  addFile(sizeBytes: number): void {
    this.#add(sizeBytes);
    this.#files += 1;
  }

  #add(bytes: number): void {
    this.#actual += bytes;
    if (this.#actual <= ALLOWED_BYTES) return;
    const limit = { name: 'call_size', allowed: ALLOWED_BYTES, actual: this.#actual, unit: 'bytes' };
    throw new Refusal(
      'FILE_TOO_LARGE',
      `Cannot do this in one call: its files, with the node paths that it changes, exceed ${ALLOWED_BYTES} bytes in all.`,
      {},
      {
        limit,
        advice: [`Send fewer files at a time${this.#files > 1 ? `: the first ${this.#files} fit` : ''}`],
      },
    );
  }

  /** Adds the paths of a proven edit. Throws as `addFile`. */
  addPaths(changes: readonly { readonly path: string }[]): void {
    this.#add(changes.reduce((sum, { path }) => sum + path.length, 0) * BYTES_FOR_A_PATH_CHAR);
  }
}
