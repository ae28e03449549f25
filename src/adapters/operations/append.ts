// `append` adds a new item at the end of a list, which may have to be created first.

import { type NodePath, printNodePath, Refusal } from '../../security/index.ts';
import { withoutComments } from '../edit/fragment.ts';
import { NO_EDITS, type Plan, type PlanContext } from '../edit/intent.ts';
import { planPart } from '../edit/new-part.ts';
import { requireList } from '../edit/not-a-collection.ts';
import type { PartValue } from '../edit/part.ts';
import { locate } from '../tree/locate.ts';
import { sliceOf } from '../tree/span-tree.ts';
import { likelyPair } from './likely-pair.ts';
import { type Creates, missingKeys } from './missing.ts';
import { A_VALUE, createsOf, type Given, type OperationKind, partValue, type Step } from './operation.ts';

export const append = {
  name: 'append',
  needs: [A_VALUE],
  may: ['create', 'each'],
  plan: (context, path, given) =>
    given.each === true ? NO_EDITS : planAppend(context, path, partValue(context, given), createsOf(given)),
  steps: (context, path, given) => (given.each === true ? eachItem(context, path, given) : []),
  notes: (context, path, given) => likelyPair(context, path, given, true),
} as const satisfies OperationKind;

/** Returns a step for each item. Throws VALUE_INVALID for a value that is no list. */
function eachItem(context: PlanContext, path: NodePath, { value, json, create }: Given): readonly Step[] {
  const items =
    value === undefined
      ? Array.isArray(json) && json.map((item) => ({ json: item }))
      : sourcesIn(context, value);
  if (!items)
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot append each item of this value: it is no list, or holds comments',
      {},
      { advice: ['Give a list, or leave out "each"'] },
    );
  return items.map((item) => ({ op: 'append', path: printNodePath(path), create, ...item }));
}

function sourcesIn(context: PlanContext, source: string) {
  const { stream, document } = withoutComments(source, context) ?? {};
  if (stream === undefined || document?.root.kind !== 'sequence') return undefined;
  return document.root.items.map((item) => ({ value: sliceOf(stream.text, item.value) }));
}

/** Plans a new item at the end of the list at `path`; null or a missing key becomes a list. Throws TYPE_MISMATCH elsewhere. */
function planAppend(context: PlanContext, path: NodePath, value: PartValue, creates: Creates): Plan {
  const located = locate(context.document, path);
  const keys = missingKeys(located, path, 'append to', creates);
  requireList(located, keys, 'append to');
  return planPart(context, located, { keys, isItem: true, value });
}
