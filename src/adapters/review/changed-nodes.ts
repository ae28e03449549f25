// The nodes that an edit changes, as warnings look at them: with both versions of their document.
import { printNodePath } from '../../security/index.ts';
import type { Difference } from '../compare/difference.ts';
import { findDifferences } from '../compare/find-changes.ts';
import type { DocumentSpans, Stream } from '../tree/span-tree.ts';

export interface ChangedNode extends Difference {
  readonly op: Exclude<Difference['op'], 'order'>;
  readonly doc: number;
  /** The path as it is printed. */
  readonly name: string;
  /** The versions of the document; one is missing where it came or went. */
  readonly before: DocumentSpans | undefined;
  readonly after: DocumentSpans | undefined;
}

/** Returns the changed nodes, in the order of the changes; none of a file without structure. In a new file each document is new. */
export function changedNodes(base: Stream, result: Stream): readonly ChangedNode[] {
  if (base.isAbsent === true)
    return result.documents.map(
      (after, doc): ChangedNode => ({
        ...{ op: 'add', path: [], name: '', step: undefined, at: after.root.start },
        ...{ old: undefined, next: after.root, doc, before: undefined, after },
      }),
    );
  if (base.hasStructure === false || result.hasStructure === false) return [];
  return findDifferences(base, result).flatMap(({ doc, old: before, next: after, differences }) =>
    differences.flatMap(({ op, ...difference }): readonly ChangedNode[] =>
      op === 'order' ? [] : [{ op, ...difference, doc, name: printNodePath(difference.path), before, after }],
    ),
  );
}
