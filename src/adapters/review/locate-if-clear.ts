// Where a changed path leads, if it leads anywhere for certain.
import { Refusal } from '../../security/index.ts';
import { type Located, locate } from '../tree/locate.ts';
import type { NodePath } from '../tree/node-path.ts';
import type { DocumentSpans } from '../tree/span-tree.ts';

/** Duplicate keys and aliases on the way do not block an edit elsewhere, and must not block its preview. */
export function locateIfClear(document: DocumentSpans, path: NodePath): Located | undefined {
  try {
    return locate(document, path);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
