// What goes from one file to another in a batch: the file that it comes from is planned first, so that what arrives is what
// earlier edits have made of it.
import type { Cut } from '../adapters/index.ts';
import { Refusal } from '../security/index.ts';
import type { FileEdit } from './matched-nodes.ts';

interface Transferring {
  readonly file: string;
  readonly operations: readonly FileEdit[];
}

/** Throws ARGUMENT_INVALID where files give to each other both ways, so that neither can come first. */
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

/** The edit by which something arrives, with what has been cut out for it. */
export function withCut(edit: FileEdit, cuts: ReadonlyMap<number, Cut>): FileEdit {
  const cut = edit.comesFrom === undefined ? undefined : cuts.get(edit.editIndex ?? 0);
  return cut === undefined ? edit : { ...edit, operation: { ...edit.operation, cut } };
}

/** Whether it leaves its own file as it is. */
export function isOnlyCopied({ operation: { op, to_file: toFile } }: FileEdit): boolean {
  return op === 'copy' && toFile !== undefined;
}
