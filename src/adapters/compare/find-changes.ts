// Finds every path at which two versions of a file differ in their data, by comparing the two, whatever a planner meant to do. The
// changes of a reply, the warnings, what follows through aliases, and the facts for the policy are made of these differences.
import type { Change } from '../../security/edits/edit.ts';
import { unlessRefused } from '../../security/errors/refusal.ts';
import { printNodePath } from '../../security/node-paths/node-path.ts';
import { LookBudget, mayResolve, ResolvedView, type View, WRITTEN } from '../tree/resolved.ts';
import { type DocumentSpans, outerStart, type SpanNode, type Stream, sliceOf } from '../tree/span-tree.ts';
import { cutText } from '../tree/wording.ts';
import { findChangedActions } from './changed-actions.ts';
import { findChangedLines } from './changed-lines.ts';
import { pairDocuments } from './pair-documents.ts';
import { type Difference, type Pairing, type Side, TreeDifference } from './tree-difference.ts';

const MAX_SHOWN = 200;

/** The differences of two versions of a document in one view. Where one version is missing, the other one stands on both sides. */
export interface Reading {
  readonly sides: readonly [old: Side, next: Side];
  readonly differences: readonly Difference[];
}

/** A document with its differences as they are written; one version is missing where it came or went, which is one difference. */
export interface DocumentDifferences {
  readonly doc: number;
  readonly old: DocumentSpans | undefined;
  readonly next: DocumentSpans | undefined;
  readonly written: Reading;
  /** True if readers find no more than is written, by an alias or a merge. */
  readonly isAsWritten: boolean;
  /** Compares with aliases followed and merges applied; undefined if they lead to too much, or nowhere. */
  readonly resolved: () => Reading | undefined;
}

/**
 * All that is said of an edit follows from the differences of the same two versions. The key is the earlier one: a result that is edited
 * again would otherwise hold all that came before it.
 */
const KNOWN = new WeakMap<
  Stream,
  { readonly after: Stream; readonly found: readonly DocumentDifferences[] }
>();

/** Returns the differences in the order of the new version; documents that went come before their successors. */
export function findDifferences(before: Stream, after: Stream): readonly DocumentDifferences[] {
  const known = KNOWN.get(before);
  if (known?.after === after) return known.found;
  const found = pairDocuments(before, after).map(({ old: oldDoc, next: newDoc }) => {
    const [old, next] = [before.documents[oldDoc ?? -1], after.documents[newDoc ?? -1]];
    return documentDifferences(newDoc ?? oldDoc ?? 0, [before, old], [after, next]);
  });
  KNOWN.set(before, { after, found });
  return found;
}

type Version = readonly [stream: Stream, document: DocumentSpans | undefined];

/** The most nodes that are looked at with aliases followed. */
const MAX_LOOKS = 200_000;

function documentDifferences(doc: number, old: Version, next: Version): DocumentDifferences {
  const sideOf = ([stream, document]: Version, viewOf: (document: DocumentSpans) => View) =>
    document && { stream, document, view: viewOf(document) };
  const read = (viewOf: (document: DocumentSpans) => View, pairing: Pairing): Reading => {
    const [before, after] = [sideOf(old, viewOf), sideOf(next, viewOf)];
    const [one, other] = [before ?? after, after ?? before];
    if (one === undefined || other === undefined) throw new Error('a document is in one version');
    return {
      sides: [one, other],
      differences:
        before === undefined || after === undefined
          ? [wholeDocument(before, after)]
          : new TreeDifference(before, after, pairing).between(before.document.root, after.document.root),
    };
  };
  let resolved: { readonly reading: Reading | undefined } | undefined;
  return {
    ...{ doc, old: old[1], next: next[1] },
    written: read(() => WRITTEN, { hasRenames: true }),
    isAsWritten: ![old, next].some(
      ([stream, document]) => document !== undefined && mayResolve(stream.text, document),
    ),
    resolved: () => {
      const budget = new LookBudget(MAX_LOOKS);
      resolved ??= {
        reading: unlessRefused(() => read((document) => new ResolvedView(document, budget), {})),
      };
      return resolved.reading;
    },
  };
}

function wholeDocument(before: Side | undefined, after: Side | undefined): Difference {
  const [old, next] = [before?.document.root, after?.document.root];
  const [op, root] = next === undefined ? (['remove', old] as const) : (['add', next] as const);
  return { op, path: [], step: undefined, old, next, at: root === undefined ? 0 : outerStart(root) };
}

/** A difference with both versions of its document, and its path as it is printed. */
export interface ChangedNode extends Difference {
  readonly op: Exclude<Difference['op'], 'order'>;
  readonly doc: number;
  readonly name: string;
  readonly before: DocumentSpans | undefined;
  readonly after: DocumentSpans | undefined;
}

/** Returns the nodes that differ, in the order of the changes; none of a file without structure. */
export function changedNodes(before: Stream, after: Stream): readonly ChangedNode[] {
  const hasStructure = (stream: Stream) => stream.hasStructure !== false || stream.isAbsent === true;
  if (!hasStructure(before) || !hasStructure(after)) return [];
  return findDifferences(before, after).flatMap(({ doc, old, next, written }) =>
    written.differences.flatMap(({ op, ...difference }): readonly ChangedNode[] =>
      // The order of keys is no data.
      op === 'order'
        ? []
        : [{ ...{ op, ...difference, doc, before: old, after: next }, name: printNodePath(difference.path) }],
    ),
  );
}

/** Returns the changes in source order. `line` is the place in the new text; for what was removed, in the old one. */
export function findChanges(before: Stream, after: Stream): Change[] {
  if (before.isAbsent !== after.isAbsent)
    return [{ op: before.isAbsent === true ? 'create' : 'delete', doc: 0, path: '', line: 1 }];
  if (before.hasStructure === false || after.hasStructure === false) return findChangedLines(before, after);
  const shown = ({ text }: Stream, node: SpanNode) => cutText(sliceOf(text, node), MAX_SHOWN);
  const changes = changedNodes(before, after).map(
    ({ op, doc, name, old, next, at }): Change => ({
      ...{ op, doc, path: name },
      ...(old === undefined ? {} : { from: shown(before, old) }),
      ...(next === undefined ? {} : { to: shown(after, next) }),
      line: (op === 'remove' ? before : after).lines.at(at),
    }),
  );
  return [...changes, ...findChangedActions(before, after, changes.length === 0)];
}
