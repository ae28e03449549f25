// Orders the files of a batch in which something moves from one to another: its source is planned first, so that the result of
// earlier edits arrives.
import type { Cut } from '../adapters/index.ts';
import { Refusal } from '../security/index.ts';
import type { FileEdit } from './bulk.ts';

interface Transferring {
  readonly file: string;
  readonly operations: readonly FileEdit[];
}

/** Returns the order. Throws ARGUMENT_INVALID where files give to each other both ways, so that neither can come first. */
export function inOrderOfTransfers<Edits extends Transferring>(files: readonly Edits[]): readonly Edits[] {
  const left = [...files];
  const ordered: Edits[] = [];
  while (left.length > 0) {
    const waits = ({ operations }: Edits) =>
      operations.some(({ comesFrom }) => left.some(({ file }) => file === comesFrom));
    const next = left.findIndex((edits) => !waits(edits));
    if (next === -1)
      throw new Refusal(
        'ARGUMENT_INVALID',
        'Cannot move or copy between these files both ways in one call: send one call for each way',
      );
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

/** Returns the edit by which something arrives, with what was cut out for it. */
export function withCut(edit: FileEdit, cuts: ReadonlyMap<number, Cut>): FileEdit {
  const cut = edit.comesFrom === undefined ? undefined : cuts.get(edit.editIndex ?? 0);
  return cut === undefined ? edit : { ...edit, operation: { ...edit.operation, cut } };
}

/** True if the edit leaves its own file as it is. */
export function isOnlyCopied({ operation: { op, to_file: toFile } }: FileEdit): boolean {
  return op === 'copy' && toFile !== undefined;
}
