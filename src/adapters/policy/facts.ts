// The facts of an edit that its judgement is about: each leaf of the data that differs, comments, layout, and what becomes of
// the file as a whole. Found by comparing both versions as they are read, whatever any planner meant to do.
import type { DocumentVersions, FileFacts, LeafChange } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import type { DocumentSpans, Stream } from '../tree/span-tree.ts';
import { pairDocuments } from '../verify/pair-documents.ts';
import { actionChanges } from './action-changes.ts';
import { changedComments } from './comment-changes.ts';
import { ParsedData } from './document-data.ts';
import { allLeaves, type Leaf, leafChanges } from './leaf-changes.ts';
import type { PastOfFile } from './past.ts';
import { resolvedChanges } from './resolved-changes.ts';

/** Of more, each rule is asked about the whole document instead. */
const MAX_LEAVES = 10_000;

/** `past`: what was changed of the file before; without it nobody knows. Both as plain text where one of them cannot be read; see `commonReader`. */
export function factsOf(before: ConfigFile, after: ConfigFile, past?: PastOfFile): FileFacts {
  const whole = wholeFile(before.stream, after.stream);
  if ([before, after].some(({ stream }) => stream.hasStructure === false && stream.isAbsent !== true))
    return { documents: [], changes: [...whole, OF_TEXT], isUnreadable: before.format.name !== 'text' };
  const pairs = pairsOf(before.stream, after.stream);
  const { hasDialects } = before.format;
  const documents = pairs.map(
    ({ old, next }): DocumentVersions => ({
      before: old && new ParsedData(before.stream, old, hasDialects),
      after: next && new ParsedData(after.stream, next, hasDialects),
      ...(old === undefined || past === undefined ? {} : { past: () => past(before.stream, old) }),
    }),
  );
  const leaves = pairs.flatMap((pair, doc) => {
    const found = leavesOf(before.stream, after.stream, pair);
    return found.length > MAX_LEAVES
      ? [{ ...WHOLE_DOCUMENT, doc }]
      : unique(found).map((leaf) => ({ ...leaf, doc }));
  });
  const changes = [
    ...whole,
    ...leaves,
    ...actionChanges(before.stream, after.stream),
    ...comments(before.stream, after.stream, pairs),
  ];
  return {
    documents,
    changes: changes.length > 0 ? changes : [layoutOf(before.stream, after.stream, pairs)],
  };
}

const OF_TEXT: LeafChange = { op: 'text', doc: undefined, path: [] };
const WHOLE_DOCUMENT: Leaf = { op: 'replace', path: [], isVague: true };

function wholeFile(before: Stream, after: Stream): readonly LeafChange[] {
  if (before.isAbsent === after.isAbsent) return [];
  return [{ op: before.isAbsent === true ? 'create' : 'delete', doc: undefined, path: [] }];
}

interface Pair {
  readonly old: DocumentSpans | undefined;
  readonly next: DocumentSpans | undefined;
}

function pairsOf(before: Stream, after: Stream): readonly Pair[] {
  if (before.isAbsent === true) return after.documents.map((next) => ({ old: undefined, next }));
  if (after.isAbsent === true) return before.documents.map((old) => ({ old, next: undefined }));
  return pairDocuments(before, after).map(({ old, next }) => ({
    old: old === undefined ? undefined : before.documents[old],
    next: next === undefined ? undefined : after.documents[next],
  }));
}

function leavesOf(before: Stream, after: Stream, { old, next }: Pair): readonly Leaf[] {
  if (old === undefined) return next === undefined ? [] : allLeaves(after, next, 'add');
  if (next === undefined) return allLeaves(before, old, 'remove');
  // What a directive says holds for all that stands below it.
  const isReadAnew = directivesOf(before, old) !== directivesOf(after, next);
  return [
    ...(isReadAnew ? [WHOLE_DOCUMENT] : []),
    ...leafChanges(before, old, after, next),
    ...resolvedChanges(before, old, after, next),
  ];
}

function directivesOf({ text }: Stream, { start, contentStart }: DocumentSpans): string {
  const lines = text.slice(start, contentStart).split('\n');
  return lines.filter((line) => line.replace(/^\uFEFF/, '').startsWith('%')).join('\n');
}

/** What both comparisons have found counts once; a path from which something goes and to which something comes is doubtful. */
function unique(leaves: readonly Leaf[]): readonly Leaf[] {
  const found = new Map<string, Leaf>();
  for (const leaf of leaves) {
    const key = JSON.stringify(leaf.path);
    const opposite = leaf.op === 'add' ? 'remove' : leaf.op === 'remove' ? 'add' : undefined;
    const isDoubtful = opposite !== undefined && found.has(`${key} ${opposite}`);
    const known = found.get(`${key} ${leaf.op}`);
    if (known === undefined || leaf.isVague === true)
      found.set(`${key} ${leaf.op}`, isDoubtful ? { ...leaf, isVague: true } : { ...known, ...leaf });
  }
  return [...found.values()];
}

function comments(before: Stream, after: Stream, pairs: readonly Pair[]): readonly LeafChange[] {
  const found = changedComments(before, after).map(({ side, doc, path }): LeafChange => {
    const document = (side === 'before' ? before : after).documents[doc];
    const index = pairs.findIndex(({ old, next }) => (side === 'before' ? old : next) === document);
    return { op: 'comment', doc: index === -1 ? undefined : index, path };
  });
  const known = new Map(found.map((change) => [JSON.stringify([change.doc, change.path]), change]));
  return [...known.values()];
}

/** Where neither data nor a comment differs. */
function layoutOf(before: Stream, after: Stream, pairs: readonly Pair[]): LeafChange {
  let at = 0;
  while (at < before.text.length && before.text[at] === after.text[at]) at += 1;
  const doc = pairs.findIndex(({ old }) => old !== undefined && at < old.end);
  return { op: 'layout', doc: doc === -1 ? undefined : doc, path: [] };
}
