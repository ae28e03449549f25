// Finds every path at which two versions of a file differ in their data, by comparing the two, whatever a planner meant to do.
import type { Change } from '../../security/index.ts';
import { printNodePath } from '../tree/node-path.ts';
import { WRITTEN } from '../tree/resolved.ts';
import { type DocumentSpans, outerStart, type SpanNode, type Stream, sliceOf } from '../tree/span-tree.ts';
import { cutText } from '../tree/wording.ts';
import { findChangedActions } from './changed-actions.ts';
import { findChangedLines } from './changed-lines.ts';
import type { Difference } from './difference.ts';
import { documentBefore, pairDocuments } from './pair-documents.ts';
import { TreeDifference } from './tree-difference.ts';

const MAX_SHOWN = 200;

/** Answers the changes in source order. `line` is the place in the new text; for what was removed, in the old one. */
export function findChanges(before: Stream, after: Stream): Change[] {
  if (before.isAbsent !== after.isAbsent)
    return [{ op: before.isAbsent === true ? 'create' : 'delete', doc: 0, path: '', line: 1 }];
  if (before.hasStructure === false || after.hasStructure === false) return findChangedLines(before, after);
  const text = ({ text }: Stream, node: SpanNode) => cutText(sliceOf(text, node), MAX_SHOWN);
  const changes = pairDocuments(before, after).flatMap(({ old: oldDoc, next: newDoc }): Change[] => {
    const doc = newDoc ?? oldDoc ?? 0;
    const [gone, come] = [before.documents[oldDoc ?? -1], after.documents[newDoc ?? -1]];
    const place = { doc, path: '' };
    if (gone !== undefined && come === undefined)
      return [{ op: 'remove', ...place, from: text(before, gone.root), line: lineOf(before, gone) }];
    if (gone === undefined && come !== undefined)
      return [{ op: 'add', ...place, to: text(after, come.root), line: lineOf(after, come) }];
    return findDifferences(before, after, doc).flatMap(({ op, path, old, next, at }): Change[] => {
      // The order of keys is no data.
      if (op === 'order') return [];
      return [
        {
          ...{ op, doc, path: printNodePath(path) },
          ...(old === undefined ? {} : { from: text(before, old) }),
          ...(next === undefined ? {} : { to: text(after, next) }),
          line: (op === 'remove' ? before : after).lines.at(at),
        },
      ];
    });
  });
  return [...changes, ...findChangedActions(before, after, changes.length === 0)];
}

const lineOf = ({ lines }: Stream, { root }: DocumentSpans): number => lines.at(outerStart(root));

/** Answers the differences in one document of the new text, as it is written; none where it is new. */
export function findDifferences(before: Stream, after: Stream, doc: number): readonly Difference[] {
  const [old, next] = [documentBefore(before, after, doc), after.documents[doc]];
  if (old === undefined || next === undefined) return [];
  const sides = [
    { stream: before, document: old, view: WRITTEN },
    { stream: after, document: next, view: WRITTEN },
  ] as const;
  return new TreeDifference(...sides, { hasRenames: true }).between(old.root, next.root);
}
