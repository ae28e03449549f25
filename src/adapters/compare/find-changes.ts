// Finds every path at which two versions of a file differ in their data, by comparing the two, whatever a planner meant to do.
import { type Change, printNodePath } from '../../security/index.ts';
import { WRITTEN } from '../tree/resolved.ts';
import { type DocumentSpans, outerStart, type SpanNode, type Stream, sliceOf } from '../tree/span-tree.ts';
import { cutText } from '../tree/wording.ts';
import { findChangedActions } from './changed-actions.ts';
import { findChangedLines } from './changed-lines.ts';
import type { Difference } from './difference.ts';
import { pairDocuments } from './pair-documents.ts';
import { TreeDifference } from './tree-difference.ts';

const MAX_SHOWN = 200;

/** A document with its differences; one version is missing where it came or went, which is one difference. */
export interface DocumentDifferences {
  readonly doc: number;
  readonly old: DocumentSpans | undefined;
  readonly next: DocumentSpans | undefined;
  readonly differences: readonly Difference[];
}

/**
 * The proof, the warnings and the effects of an edit ask for the differences of the same two versions. The key is the earlier one: a
 * result that is edited again would otherwise hold all that came before it.
 */
const KNOWN = new WeakMap<
  Stream,
  { readonly after: Stream; readonly found: readonly DocumentDifferences[] }
>();

/** Returns the differences as they are written, in the order of the new version; documents that went come before their successors. */
export function findDifferences(before: Stream, after: Stream): readonly DocumentDifferences[] {
  const known = KNOWN.get(before);
  if (known?.after === after) return known.found;
  const found = pairDocuments(before, after).map(({ old: oldDoc, next: newDoc }): DocumentDifferences => {
    const [old, next] = [before.documents[oldDoc ?? -1], after.documents[newDoc ?? -1]];
    return { doc: newDoc ?? oldDoc ?? 0, old, next, differences: differencesOf(before, old, after, next) };
  });
  KNOWN.set(before, { after, found });
  return found;
}

function differencesOf(
  before: Stream,
  old: DocumentSpans | undefined,
  after: Stream,
  next: DocumentSpans | undefined,
): readonly Difference[] {
  const whole = { path: [], step: undefined, old: old?.root, next: next?.root };
  if (old === undefined)
    return next === undefined ? [] : [{ op: 'add', ...whole, at: outerStart(next.root) }];
  if (next === undefined) return [{ op: 'remove', ...whole, at: outerStart(old.root) }];
  const sides = [
    { stream: before, document: old, view: WRITTEN },
    { stream: after, document: next, view: WRITTEN },
  ] as const;
  return new TreeDifference(...sides, { hasRenames: true }).between(old.root, next.root);
}

/** Returns the changes in source order. `line` is the place in the new text; for what was removed, in the old one. */
export function findChanges(before: Stream, after: Stream): Change[] {
  if (before.isAbsent !== after.isAbsent)
    return [{ op: before.isAbsent === true ? 'create' : 'delete', doc: 0, path: '', line: 1 }];
  if (before.hasStructure === false || after.hasStructure === false) return findChangedLines(before, after);
  const shown = ({ text }: Stream, node: SpanNode) => cutText(sliceOf(text, node), MAX_SHOWN);
  const changes = findDifferences(before, after).flatMap(({ doc, differences }) =>
    differences.flatMap(({ op, path, old, next, at }): Change[] => {
      // The order of keys is no data.
      if (op === 'order') return [];
      return [
        {
          ...{ op, doc, path: printNodePath(path) },
          ...(old === undefined ? {} : { from: shown(before, old) }),
          ...(next === undefined ? {} : { to: shown(after, next) }),
          line: (op === 'remove' ? before : after).lines.at(at),
        },
      ];
    }),
  );
  return [...changes, ...findChangedActions(before, after, changes.length === 0)];
}
