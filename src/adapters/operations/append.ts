// `append` adds a new item at the end of a list, which may have to be created first.

import type { NodePath } from '../../security/index.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import { planPart } from '../edit/new-part.ts';
import { requireList } from '../edit/not-a-collection.ts';
import type { PartValue } from '../edit/part.ts';
import { locate } from '../tree/locate.ts';
import { type Creates, missingKeys } from './missing.ts';
import { A_VALUE, createsOf, type OperationKind, partValue } from './operation.ts';

export const append = {
  name: 'append',
  needs: [A_VALUE],
  may: ['create'],
  plan: (context, path, given) => planAppend(context, path, partValue(context, given), createsOf(given)),
} as const satisfies OperationKind;

/** Plans a new item at the end of the list at `path`; null or a missing key becomes a list. Throws TYPE_MISMATCH elsewhere. */
function planAppend(context: PlanContext, path: NodePath, value: PartValue, creates: Creates): Plan {
  const located = locate(context.document, path);
  const keys = missingKeys(located, path, 'append to', creates);
  requireList(located, keys, 'append to');
  return planPart(context, located, { keys, isItem: true, value });
}
