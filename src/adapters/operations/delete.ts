// `delete` removes an entry or item, with the comments that belong to it.

import { Refusal } from '../../security/errors/refusal.ts';
import type { NodePath } from '../../security/node-paths/node-path.ts';
import type { Target } from '../edit/source.ts';
import type { Step } from '../edit/step.ts';
import { locateExisting } from '../tree/locate.ts';
import { requireOneOfSeveral } from './documents.ts';
import type { OperationKind } from './operation.ts';

export const remove = {
  name: 'delete',
  needs: [],
  may: [],
  steps: deleteSteps,
} as const satisfies OperationKind;

/** Throws NODE_NOT_FOUND and the like, and TYPE_MISMATCH for the root of the only document. */
function deleteSteps(target: Target, path: NodePath): readonly Step[] {
  const { stream, document, format } = target;
  const located = locateExisting(document, path, 'delete');
  if (located.steps.length > 0) return [{ do: 'remove', path: located.path }];
  // Deleting the root of one of several documents deletes that document.
  if (stream.documents.length > 1) {
    requireOneOfSeveral(stream, format);
    return [{ do: 'remove document' }];
  }
  throw new Refusal(
    'TYPE_MISMATCH',
    'Cannot delete the root of a document: set it to another value instead',
    {},
    { existingPath: '' },
  );
}
