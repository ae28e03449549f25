// Bulk edits: an edit whose file, path or document is a pattern becomes one operation for each node that it names.

import { unlessRefused } from '../../security/errors/refusal.ts';
import {
  isPattern,
  type NodePath,
  type PathWord,
  printNodePath,
} from '../../security/node-paths/node-path.ts';
import { parsePath } from '../../security/node-paths/parse-path.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { chooseDocument, matchingDocuments } from '../tree/document.ts';
import { lacksNeighbour } from '../tree/item-beside.ts';
import { type Located, locate, locateExisting, nodeAt } from '../tree/locate.ts';
import { matchPaths } from '../tree/match-paths.ts';
import { describeNode, type Place, requireNoStar, resolvePath } from '../tree/resolve-path.ts';
import {
  canGrow,
  type DocumentSpans,
  isWritten,
  outerStart,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../tree/span-tree.ts';
import { compileWildcard } from '../tree/wildcard.ts';
import type { Operation } from './registry.ts';
import { everyPlace } from './replace-text.ts';

/** True if it can name several nodes. Throws NODE_PATH_INVALID. */
export function isBulk({ path = '', doc }: Operation): boolean {
  return isPattern(parsePath(path)) || (typeof doc === 'string' && doc.includes('*'));
}

/** One node that an edit names. */
export interface NamedNode {
  readonly operation: Operation;
  /** The line of the node. */
  readonly line: number;
  /** Describes the node: line, branch and value. */
  readonly describe?: () => string;
  /** True if its text has a template action. */
  readonly isTemplated?: boolean;
  /** True if its parent is missing, too. */
  readonly lacksParent?: boolean;
}

export interface Matches {
  /** The matches in source order, without those that `from` excludes. */
  readonly matches: readonly NamedNode[];
  /** The first values that `from` excluded. */
  readonly near: readonly string[];
  /** The first lists that `from` excluded although one of their items matches it. */
  readonly lists: readonly string[];
  /** Mappings without the last key of the pattern, if only existing keys are written, and lists without the neighbour. */
  readonly lacking: readonly NamedNode[];
  /** True if the file has no document that was asked for. */
  readonly isElsewhere?: boolean;
}

export interface Wanted {
  readonly operation: Operation;
  /** The value that a node must have, by its text or by its meaning. */
  readonly from: string | undefined;
  /** True if `from` is the exact value and not a pattern. */
  readonly isExact: boolean;
  /** True if several files are searched, so that no match in this one is not an error. */
  readonly isMany: boolean;
  /** True if the expected number was given, so that all occurrences of a text are meant. */
  readonly isCounted: boolean;
  readonly most: number;
}

const MAX_NEAR = 5;

/** Finds at most one match more than `most`. Throws the refusals of paths and documents, but not for finding none if `isMany`. */
export function findMatches({ stream, unreadable }: ConfigFile, wanted: Wanted): Matches {
  const { operation, isMany, most } = wanted;
  if (operation.path === undefined) return matchesOfText(stream, wanted);
  if (unreadable !== undefined) throw unreadable;
  const matches: NamedNode[] = [];
  const near = new Set<string>();
  const lists: string[] = [];
  const hasValue = valueTest(stream, wanted);
  const lacking: NamedNode[] = [];
  const documents = documentsOf(stream, operation, isMany);
  for (const doc of documents) {
    const document = stream.documents[doc];
    if (document === undefined) continue;
    const take: Take = (node, path, lacksParent = false) => {
      const isNeighbourMeant = isMany && operation.op === 'insert';
      const isBesideNone =
        isNeighbourMeant && lacksNeighbour({ stream, document }, { node, path }, operation);
      if (isBesideNone) lacking.push(namedNode(stream, { ...operation, doc }, node, path));
      else if (hasValue(node))
        matches.push({ ...namedNode(stream, { ...operation, doc }, node, path), lacksParent });
      else if (lists.length < MAX_NEAR && hasItem(node, hasValue)) lists.push(printNodePath(path));
      else if (near.size < MAX_NEAR && node.kind === 'scalar') near.add(node.value.slice(0, MAX_SHOWN));
      return matches.length <= most;
    };
    if (isMany) findAll(stream, doc, operation, take);
    else findOne(stream, doc, operation, take);
    if (isMany && wanted.from === undefined) lacking.push(...findLacking(stream, doc, operation));
  }
  const isElsewhere = documents.length === 0 && stream.documents.length > 0;
  return { matches, near: [...near], lists, lacking, isElsewhere };
}

function namedNode(stream: Stream, operation: Operation, node: SpanNode, path: NodePath): NamedNode {
  return {
    operation: { ...operation, path: printNodePath(path) },
    line: stream.lines.at(outerStart(node)),
    describe: () => describeNode(stream, node),
    isTemplated: node.kind === 'scalar' && sliceOf(stream.text, node).includes('{{'),
  };
}

const MAX_SHOWN = 100;

/** True for a template that has no literal parts, below which something could be added. */
export function isOnlyActions({ stream: { actions = [], documents } }: ConfigFile): boolean {
  return actions.length > 0 && documents.every(({ root }) => root.start === root.end || isWritten(root));
}

/** An edit of a whole file replaces a text: one operation for all of its occurrences. */
function matchesOfText({ text, lines }: Stream, { operation, isCounted, most }: Wanted): Matches {
  const { old_text: old } = operation;
  if (old === undefined) return { matches: [{ operation, line: 1 }], near: [], lists: [], lacking: [] };
  const one = isCounted ? { ...operation, isEvery: true } : operation;
  const places = everyPlace(text, old, isCounted ? most + 1 : 1);
  return {
    matches: places.map(({ start }) => ({ operation: one, line: lines.at(start) })),
    near: [],
    lists: [],
    lacking: [],
  };
}

/** Returns the documents that are meant. Throws as `chooseDocument` does if it has to be one. */
export function documentsOf(
  stream: Stream,
  { doc, path = '' }: Operation,
  isMany: boolean,
): readonly number[] {
  if (!isMany) return [chooseDocument(stream, doc, path)];
  return doc === undefined ? [...stream.documents.keys()] : matchingDocuments(stream, doc);
}

/** Returns whether to go on. */
type Take = (node: SpanNode, path: NodePath, lacksParent?: boolean) => boolean;

function findOne(stream: Stream, doc: number, { path = '' }: Operation, take: Take): void {
  const document = stream.documents[doc];
  if (document === undefined) return;
  const located = locateExisting(document, resolvePath({ stream, document }, path, false), 'find');
  take(located.node, located.path);
}

function findAll(stream: Stream, doc: number, operation: Operation, take: Take): void {
  const document = stream.documents[doc];
  if (document === undefined) return;
  const { path = '' } = operation;
  const words = parsePath(path);
  const isPlain = words.every(({ kind }) => kind !== 'every' && kind !== 'deep' && kind !== 'items');
  // Missing keys are created only on request, or every document of every file would get them.
  const made = makes(operation);
  if (made !== 'nothing') findPlaces({ stream, document }, path, words, made, take);
  else if (!isPlain) matchPaths(stream.text, document.root, words, take);
  else {
    const located = locateWhereClear(stream, document, path);
    if (located?.missing.length === 0) take(located.node, located.path);
  }
}

/** Locates a node; undefined if there is none. Throws for an ambiguous path. */
function locateWhereClear(stream: Stream, document: DocumentSpans, path: string): Located | undefined {
  return unlessRefused(
    () => locate(document, resolvePath({ stream, document }, path, false)),
    ['TYPE_MISMATCH', 'NODE_NOT_FOUND'],
  );
}

/**
 * Finds every mapping that the pattern leads to, with the keys after its last star, whether they exist or not. With `**` all but
 * the last key must exist, or any mapping could be meant.
 */
function findPlaces(
  place: Place,
  text: string,
  words: readonly PathWord[],
  made: 'last' | 'all',
  take: Take,
): void {
  const { stream, document } = place;
  const star = words.findLastIndex(({ kind }) => kind !== 'key');
  const isDeep = words[star]?.kind === 'deep';
  const last = isDeep || made === 'last' ? words.length - 2 : star;
  const isAlready = last < star || last === words.length - 1 || (isDeep && last === star);
  if (isAlready) {
    matchPaths(stream.text, document.root, words, take);
    return;
  }
  const keys = words.slice(last + 1).flatMap((word) => (word.kind === 'key' ? [word.key] : []));
  matchPaths(stream.text, document.root, words.slice(0, last + 1), (node, path) => {
    if (node.kind !== 'mapping' && !canGrow(node)) return true;
    const all = [...path, ...keys];
    requireNoStar(place, text, all);
    return take(nodeAt(node, keys) ?? node, all, nodeAt(node, keys.slice(0, -1)) === undefined);
  });
}

/** Returns a test of nodes: of scalars by their meaning, with the wildcards of a search, or of any node by its text. */
function valueTest({ text }: Stream, { from, isExact }: Wanted): (node: SpanNode) => boolean {
  if (from === undefined) return () => true;
  // Longer texts are not patterns, so that a long value can be given as a whole.
  const isPattern = !isExact && /[*?]/.test(from) && from.length <= MAX_SHOWN;
  const isMeant = isPattern ? compileWildcard(from) : (value: string) => value === from;
  return (node) =>
    (node.kind === 'scalar' && (isMeant(node.value) || isMeant(String(node.typedValue)))) ||
    sliceOf(text, node).trim() === from.trim();
}

function hasItem(node: SpanNode, hasValue: (node: SpanNode) => boolean): boolean {
  return node.kind === 'sequence' && node.items.some(({ value }) => hasValue(value));
}

/** Operations that write at their path and can create it. */
export const WRITERS: readonly Operation['op'][] = ['set', 'merge', 'append', 'insert'];

/** Returns which keys of a pattern may be created: none, the last one, or all after the last star. */
function makes({ op, create, if_missing: isOnlyMissing }: Operation): 'nothing' | 'last' | 'all' {
  if (!WRITERS.includes(op)) return 'nothing';
  if (create !== undefined) return create ? 'all' : 'nothing';
  return isOnlyMissing === true && (op === 'set' || op === 'merge') ? 'last' : 'nothing';
}

/** Returns the mappings without the last key; none for `**`, because nearly all mappings lack it and are not meant. */
function findLacking(stream: Stream, doc: number, operation: Operation): readonly NamedNode[] {
  const document = stream.documents[doc];
  if (document === undefined || !WRITERS.includes(operation.op) || makes(operation) !== 'nothing') return [];
  const words = parsePath(operation.path ?? '');
  const last = words.at(-1);
  if (last?.kind !== 'key' || words.at(-2)?.kind === 'deep') return [];
  const lacking: NamedNode[] = [];
  matchPaths(stream.text, document.root, words.slice(0, -1), (node, path) => {
    if (node.kind !== 'mapping' || node.entries.some(({ name }) => name === last.key)) return true;
    lacking.push(namedNode(stream, { ...operation, doc }, node, path));
    return true;
  });
  return lacking;
}
