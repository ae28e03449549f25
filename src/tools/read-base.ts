// Reads the file that a batch is planned on, and checks the hash that the call expects.
import type { ConfigFile } from '../adapters/index.ts';
import { type FileOp, Refusal, type Snapshot } from '../security/index.ts';
import type { FileEdit } from './bulk.ts';
import type { CallSize } from './call-size.ts';
import { assertExpected, baseOf, fileOpIn, snapshotFor } from './file-operations.ts';
import type { MatchedNodes } from './matched-nodes.ts';
import { locating } from './read-file.ts';
import type { CallContext } from './tool.ts';

/** The operations on one file, in order: later ones see the result of earlier ones. */
export interface FileEdits {
  readonly file: string;
  readonly operations: readonly FileEdit[];
  readonly expectedSha256: string | undefined;
}

export interface BaseFile {
  readonly snapshot: Snapshot;
  readonly base: ConfigFile;
  /** Says whether the file itself is created or deleted. */
  readonly fileOp: FileOp | undefined;
}

/** True if only patterns name the file. */
export function isFound(operations: FileEdits['operations']): boolean {
  return operations.every(({ bulk }) => bulk?.isFound === true);
}

/** Reads the file; undefined if only patterns name it and it cannot be read, which the reply then says. */
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
    // The memory of the call was taken by the files before it as well.
    if (error.clues.isOfCall === true) throw error;
    matched.skip(file, error.code, operations);
    return undefined;
  }
}
