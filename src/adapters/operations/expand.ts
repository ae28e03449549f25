// Bulk: an edit whose file, path or document is a pattern, as one operation for each node that it names.
import { unlessRefused } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { chooseDocument } from '../tree/choose-document.ts';
import { matchingDocuments } from '../tree/document.ts';
import { type Located, locate, locateExisting, nodeAt } from '../tree/locate.ts';
import { matchPaths } from '../tree/match-paths.ts';
import { keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import { isPattern, type PathWord, parsePath } from '../tree/path-syntax.ts';
import { type Place, requireNoStar, resolvePath } from '../tree/resolve-path.ts';
import {
  canGrow,
  type DocumentSpans,
  outerStart,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../tree/span-tree.ts';
import { compileWildcard } from '../tree/wildcard.ts';
import type { Operation } from './registry.ts';
import { everyPlace } from './replace-text.ts';

/** Whether it names as many nodes as there are. Throws NODE_PATH_INVALID. */
export function isBulk({ path = '', doc }: Operation): boolean {
  return isPattern(parsePath(path)) || (typeof doc === 'string' && doc.includes('*'));
}

/** One node that an edit names. */
export interface NamedNode {
  readonly operation: Operation;
  /** Where it stands. */
  readonly line: number;
}

export interface Matches {
  /** In source order; what `from` keeps out is not among them. */
  readonly matches: readonly NamedNode[];
  /** The first values that `from` has kept out. */
  readonly near: readonly string[];
  /** The first lists that `from` has kept out, and that hold an item with it. */
  readonly lists: readonly string[];
  /** Mappings that lack the last key of the pattern, where it is written only into those that have it. */
  readonly lacking: readonly NamedNode[];
}

export interface Wanted {
  readonly operation: Operation;
  /** The value that a node must have, as it is written or as it is meant. */
  readonly from: string | undefined;
  /** Whether the file may hold any number of them, for others are looked through as well. */
  readonly isMany: boolean;
  /** Whether their number was said, so that all places of a text are meant. */
  readonly isCounted: boolean;
  readonly most: number;
}

const MAX_NEAR = 5;

/** Ends after one more than `most`. Throws the refusals of paths and documents; finding none is no refusal where many are looked for. */
export function findMatches({ stream, unreadable }: ConfigFile, wanted: Wanted): Matches {
  const { operation, isMany, most } = wanted;
  if (operation.path === undefined) return matchesOfText(stream, wanted);
  if (unreadable !== undefined) throw unreadable;
  const matches: NamedNode[] = [];
  const near = new Set<string>();
  const lists: string[] = [];
  const hasValue = valueTest(stream, wanted.from);
  const lacking: NamedNode[] = [];
  for (const doc of documentsOf(stream, operation, isMany)) {
    const root = stream.documents[doc]?.root;
    if (root === undefined) continue;
    const take = (node: SpanNode, path: NodePath): boolean => {
      if (hasValue(node))
        matches.push({
          operation: { ...operation, doc, path: printNodePath(path) },
          line: stream.lines.at(outerStart(node)),
        });
      else if (lists.length < MAX_NEAR && hasItem(node, hasValue)) lists.push(printNodePath(path));
      else if (near.size < MAX_NEAR && node.kind === 'scalar') near.add(node.value.slice(0, MAX_SHOWN));
      return matches.length <= most;
    };
    if (isMany) findAll(stream, doc, operation, take);
    else findOne(stream, doc, operation, take);
    if (isMany && wanted.from === undefined) lacking.push(...findLacking(stream, doc, operation));
  }
  return { matches, near: [...near], lists, lacking };
}

const MAX_SHOWN = 100;

/** An edit of a whole file is one of the text that it names: one operation for all of its places, which are not told apart. */
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

function documentsOf(stream: Stream, { doc, path = '' }: Operation, isMany: boolean): readonly number[] {
  if (!isMany) return [chooseDocument(stream, doc, path)];
  return doc === undefined ? [...stream.documents.keys()] : matchingDocuments(stream, doc);
}

/** Answers whether to go on. */
type Take = (node: SpanNode, path: NodePath) => boolean;

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
  // What is missing is made only where the call says so: else every document of every file would get it.
  const made = makes(operation);
  if (made !== 'nothing') findPlaces({ stream, document }, path, words, made, take);
  else if (!isPlain) matchPaths(stream.text, document.root, words, take);
  else {
    const located = locateWhereClear(stream, document, path);
    if (located?.missing.length === 0) take(located.node, located.path);
  }
}

/** Nothing that can be found is no match; what cannot be told apart is refused all the same. */
function locateWhereClear(stream: Stream, document: DocumentSpans, path: string): Located | undefined {
  return unlessRefused(
    () => locate(document, resolvePath({ stream, document }, path, false)),
    ['TYPE_MISMATCH', 'NODE_NOT_FOUND'],
  );
}

/**
 * Every mapping that the pattern leads to, with the keys behind its last star, whether they exist or not. At every depth
 * nothing is meant that does not say more than the new key: there all but the last key must exist.
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
  const keys = words.slice(last + 1).flatMap((word) => (word.kind === 'key' ? [keySegment(word.key)] : []));
  matchPaths(stream.text, document.root, words.slice(0, last + 1), (node, path) => {
    if (node.kind !== 'mapping' && !canGrow(node)) return true;
    const all = [...path, ...keys];
    requireNoStar(place, text, all);
    return take(nodeAt(node, keys) ?? node, all);
  });
}

/** Whether a node has the value: a scalar as it is meant, with the wildcards of a search, or any node as it is written. */
function valueTest({ text }: Stream, from: string | undefined): (node: SpanNode) => boolean {
  if (from === undefined) return () => true;
  // A longer one is no pattern, and may be the whole of a long value.
  const isMeant =
    /[*?]/.test(from) && from.length <= MAX_SHOWN ? compileWildcard(from) : (value: string) => value === from;
  return (node) =>
    (node.kind === 'scalar' && (isMeant(node.value) || isMeant(String(node.typedValue)))) ||
    sliceOf(text, node).trim() === from.trim();
}

function hasItem(node: SpanNode, hasValue: (node: SpanNode) => boolean): boolean {
  return node.kind === 'sequence' && node.items.some(({ value }) => hasValue(value));
}

/** Operations that write at their path, and can make what is missing there. */
export const WRITERS: readonly Operation['op'][] = ['set', 'merge', 'append', 'insert'];

/** How far a pattern names places that are not there yet: not at all, by its last key, or by all keys behind its last star. */
function makes({ op, create, if_missing: isOnlyMissing }: Operation): 'nothing' | 'last' | 'all' {
  if (!WRITERS.includes(op)) return 'nothing';
  if (create !== undefined) return create ? 'all' : 'nothing';
  return isOnlyMissing === true && (op === 'set' || op === 'merge') ? 'last' : 'nothing';
}

/** At every depth nearly all mappings lack a key, and none is meant to have it. */
function findLacking(stream: Stream, doc: number, operation: Operation): readonly NamedNode[] {
  const document = stream.documents[doc];
  if (document === undefined || !WRITERS.includes(operation.op) || makes(operation) !== 'nothing') return [];
  const words = parsePath(operation.path ?? '');
  const last = words.at(-1);
  if (last?.kind !== 'key' || words.at(-2)?.kind === 'deep') return [];
  const lacking: NamedNode[] = [];
  matchPaths(stream.text, document.root, words.slice(0, -1), (node, path) => {
    if (node.kind !== 'mapping' || node.entries.some(({ name }) => name === last.key)) return true;
    const line = stream.lines.at(outerStart(node));
    lacking.push({ operation: { ...operation, doc, path: printNodePath(path) }, line });
    return true;
  });
  return lacking;
}

/** For a pattern without a match: where its last key stands at all. */
export function findNear({ stream }: ConfigFile, { path = '' }: Operation): readonly string[] {
  const last = parsePath(path).at(-1);
  const near: string[] = [];
  if (last?.kind !== 'key') return near;
  for (const { root } of stream.documents)
    matchPaths(stream.text, root, [{ kind: 'deep', end: 0 }, last], (_, found) => {
      near.push(printNodePath(found));
      return near.length < MAX_NEAR;
    });
  return near.slice(0, MAX_NEAR);
}
