// Finds the facts of an edit on which it is judged: each leaf of the data that differs, comments, layout, and the fate of the whole
// file. They are found by comparing both versions as they are read, whatever a planner meant to do.
import type { DocumentVersions, FileFacts, LeafChange } from '../../security/policy/facts.ts';
import { type DocumentDifferences, findDifferences } from '../compare/find-changes.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { isTemplate } from '../tree/actions.ts';
import type { DocumentSpans, Stream } from '../tree/span-tree.ts';
import { actionChanges, withActions } from './action-changes.ts';
import { changedComments } from './comment-changes.ts';
import { ParsedData } from './document-data.ts';
import { type Leaf, leafChanges, WHOLE_DOCUMENT } from './leaf-changes.ts';

/** The most leaves; with more of them, each rule is asked about the whole document instead. */
const MAX_LEAVES = 10_000;

/**
 * Compares two versions. `use` is what the file's name says of its use: a template is filled in, and values are never. Both are
 * plain text where one of them cannot be parsed; see `commonReader`.
 */
export function factsOf(before: ConfigFile, after: ConfigFile, use?: 'template' | 'values'): FileFacts {
  const whole = wholeFile(before.stream, after.stream);
  if ([before, after].some(({ stream }) => stream.hasStructure === false && stream.isAbsent !== true))
    return { documents: [], changes: [...whole, OF_TEXT], isUnreadable: before.format.name !== 'text' };
  const pairs = findDifferences(before.stream, after.stream);
  const { hasDialects } = before.format;
  const isLiteral = use === 'values' && !isTemplate(before.stream) && !isTemplate(after.stream);
  const hasOther = (stream: Stream) => hasDialects && hasOtherBreak(stream.text);
  const ofOld = { hasDialects, isLiteral, hasOtherBreak: hasOther(before.stream) };
  const ofNew = { hasDialects, isLiteral, hasOtherBreak: hasOther(after.stream) };
  const documents = pairs.map(
    ({ old, next }): DocumentVersions => ({
      before: old && new ParsedData(before.stream, old, ofOld),
      after: next && new ParsedData(after.stream, next, ofNew),
    }),
  );
  const leaves = pairs.flatMap((pair, doc) => {
    const found = leavesOf(before.stream, after.stream, pair);
    return found.length > MAX_LEAVES
      ? [{ ...WHOLE_DOCUMENT, doc }]
      : unique(found).map((leaf) => ({ ...leaf, doc, ...(isLiteral && { isOpen: false }) }));
  });
  const asUsed = (stream: Stream) => (use === 'template' ? withActions(stream) : stream);
  const anywhere = [
    ...(isLiteral ? [] : actionChanges(asUsed(before.stream), asUsed(after.stream), pairs)),
    ...(hasDialects ? lineChanges(before.stream, after.stream) : []),
  ];
  const changes = [
    ...whole,
    ...leaves,
    // A deletion adds nothing.
    ...anywhere.map((one) =>
      after.stream.isAbsent === true && one.op === 'replace' ? { ...one, op: 'remove' as const } : one,
    ),
    ...comments(before.stream, after.stream, pairs),
  ];
  return { documents, changes: withLayout(changes, before.stream, after.stream, pairs) };
}

const OF_TEXT: LeafChange = { op: 'text', doc: undefined, path: [] };

function wholeFile(before: Stream, after: Stream): readonly LeafChange[] {
  if (before.isAbsent === after.isAbsent) return [];
  return [{ op: before.isAbsent === true ? 'create' : 'delete', doc: undefined, path: [] }];
}

type Pair = DocumentDifferences;

function leavesOf(before: Stream, after: Stream, pair: Pair): readonly Leaf[] {
  const { old, next } = pair;
  const leaves = leafChanges(pair);
  // A directive has an effect on everything below it.
  const isReadAnew =
    old !== undefined && next !== undefined && directivesOf(before, old) !== directivesOf(after, next);
  return isReadAnew ? [WHOLE_DOCUMENT, ...leaves] : leaves;
}

function directivesOf(stream: Stream, document: DocumentSpans): string {
  const { text, documents } = stream;
  const start = startOf(stream, documents.indexOf(document));
  const lines = text.slice(start, document.contentStart).split('\n');
  return lines.filter((line) => line.replace(/^\uFEFF/, '').startsWith('%')).join('\n');
}

/** Returns where a document starts, with the directives and comments above it. */
function startOf({ documents }: Stream, index: number): number {
  return documents[index - 1]?.end ?? 0;
}

/** Line breaks for readers of YAML 1.1: what follows one is data to them, also in a comment. */
const OTHER_BREAK = /\r(?!\n|$)|[\u0085\u2028\u2029]/;
const BREAKS = ['\r', '\u0085', '\u2028', '\u2029'];
/** libyaml and Go read a line that begins with a byte order mark as if one more blank stood there. */
const MARKED_LINE = '\n\uFEFF';

/** True if the text has such a break. Most texts have none of the characters, which is found faster without an expression. */
function hasOtherBreak(text: string): boolean {
  return text.includes(MARKED_LINE) || (BREAKS.some((one) => text.includes(one)) && OTHER_BREAK.test(text));
}

function lineChanges({ text: before }: Stream, { text: after }: Stream): readonly LeafChange[] {
  if (!hasOtherBreak(before) && !hasOtherBreak(after)) return [];
  const [old, next] = [before, after].map((text) =>
    text.split('\n').filter((line, at) => OTHER_BREAK.test(line) || (at > 0 && line.startsWith('\uFEFF'))),
  );
  const isSame = JSON.stringify(old) === JSON.stringify(next);
  return isSame ? [] : [{ ...WHOLE_DOCUMENT, doc: undefined, isOfAnyDocument: true }];
}

/** Joins what both comparisons have found. A path with an addition and a removal is uncertain. */
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

/** Adds a change of layout for each document whose text differs, but not its data or comments. */
function withLayout(
  changes: readonly LeafChange[],
  before: Stream,
  after: Stream,
  pairs: readonly Pair[],
): readonly LeafChange[] {
  if (changes.some(({ doc, isVague }) => doc === undefined && isVague === true)) return changes;
  const changed = new Set(changes.map(({ doc }) => doc));
  const layouts = pairs.flatMap((pair, doc) =>
    changed.has(doc) || isSameText(before, after, pair) ? [] : [{ ...OF_LAYOUT, doc }],
  );
  const all = [...changes, ...layouts];
  return all.length > 0 ? all : [{ ...OF_LAYOUT, doc: undefined }];
}

const OF_LAYOUT = { op: 'layout', path: [] } as const;

function isSameText(before: Stream, after: Stream, { old, next }: Pair): boolean {
  return old === undefined || next === undefined || textOf(before, old) === textOf(after, next);
}

/** Returns the text of a document up to the next one. */
function textOf(stream: Stream, document: DocumentSpans): string {
  const { text, documents } = stream;
  const index = documents.indexOf(document);
  return text.slice(startOf(stream, index), index + 1 < documents.length ? document.end : text.length);
}
