// Resolves what a request writes as a node path to the one node path that it means in a document. It knows selectors, the second
// of two equal keys, and spellings of other tools, where they can mean only one thing. An existing key of exactly that spelling always
// wins. No other module needs to know these spellings.

import { Refusal } from '../../security/errors/refusal.ts';
import {
  isPattern,
  keyOf,
  keySegment,
  type NodePath,
  type PathWord,
  printNodePath,
  printPattern,
  quotedText,
  type Segment,
} from '../../security/node-paths/node-path.ts';
import { invalid, parsePath } from '../../security/node-paths/parse-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { branchAt, conditionsOf } from './actions.ts';
import { indexesOf, visitNodes } from './keys.ts';
import { nodeAt } from './locate.ts';
import { aliasCrossed, duplicateKey } from './path-refusals.ts';
import { selectItem } from './select-item.ts';
import {
  type DocumentSpans,
  isCollection,
  type MappingNode,
  outerStart,
  partsOf,
  type SpanNode,
  type Stream,
} from './span-tree.ts';
import { compileWildcard } from './wildcard.ts';
import { counted, cutText } from './wording.ts';

/** The place where a path is looked up. */
export interface Place {
  readonly stream: Stream;
  readonly document: DocumentSpans;
}

/**
 * The path of one node, or of one that can be made there. `creates`: whether what is missing would be made. Throws
 * NODE_PATH_INVALID, NODE_AMBIGUOUS, NODE_NOT_FOUND for a selector, DUPLICATE_KEY, ALIAS_CROSSED and TYPE_MISMATCH.
 */
export function resolvePath(place: Place, text: string, creates: boolean): NodePath {
  try {
    return pathMeant(place, text, creates);
  } catch (error) {
    const isUnclear = error instanceof Refusal && error.code === 'NODE_AMBIGUOUS';
    throw isUnclear ? withCandidates(place.stream, place.document, error) : error;
  }
}

function pathMeant(place: Place, text: string, creates: boolean): NodePath {
  const hasSlash = !text.startsWith('/') && withDots(text) !== text;
  const asWritten = attempt(() => walk(place, text));
  if (hasSlash && !('path' in asWritten && asWritten.exists)) {
    const asKey = 'path' in asWritten ? asWritten.path : undefined;
    const meant = withSlashes(place, text, creates ? asKey : undefined);
    if (meant !== undefined) return meant;
  }
  if ('refusal' in asWritten) throw asWritten.refusal;
  if (creates && !asWritten.exists) requireNoStar(place, text, asWritten.path);
  return asWritten.path;
}

/** A part of a name, such as `web-*`: in searches it means any name that begins so, and it is never meant as a new key. */
const PART_OF_NAME = /^(?:[\w-]+\*|\*[\w-])[\w*-]*$/;
const MAX_LIKE = 3;

/** Checks a key that would be created. Throws NODE_AMBIGUOUS with the keys that a star in it can mean, and the way to write it for a new one. */
export function requireNoStar({ document }: Place, text: string, path: NodePath): void {
  if (!text.includes('*')) return;
  const bare = parsePath(text).flatMap((word) => (word.kind === 'key' && word.isBare ? [word.key] : []));
  for (const [at, segment] of path.entries()) {
    const key = keyOf(segment);
    if (key === undefined || !bare.includes(key) || !PART_OF_NAME.test(key)) continue;
    const [above, below] = [path.slice(0, at), path.slice(at + 1)];
    const parent = nodeAt(document.root, above);
    if (nodeAt(parent, [segment]) !== undefined) continue;
    const isLike = compileWildcard(key);
    const names = parent?.kind === 'mapping' ? parent.entries.flatMap(({ name }) => name ?? []) : [];
    const like = names.filter(isLike).slice(0, MAX_LIKE);
    throw new Refusal(
      'NODE_AMBIGUOUS',
      `Cannot use the node path ${JSON.stringify(visibleLine(text.slice(0, MAX_TEXT)))}: in a path * stands for a whole key, and no key is named ${visibleLine(key)}`,
      { path: text },
      {
        nearestPaths: [...like.map((name) => printNodePath([...above, name, ...below])), printNodePath(path)],
        advice: ['Name each key, or all of them by *', 'Write a new key with a star in quotes: ["web-*"]'],
      },
    );
  }
}

const MAX_TEXT = 80;

interface Reached {
  readonly path: NodePath;
  readonly exists: boolean;
}

function attempt(work: () => Reached): Reached | { readonly refusal: Refusal } {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

/** Quotes and brackets, in which a slash belongs to a key or a value; or slashes. */
const QUOTED_OR_SLASHES =
  /("(?:[^"\\]|\\.?)*(?:"|$)|'[^']*(?:'|$)|\[(?:"(?:[^"\\]|\\.?)*(?:"|$)|'[^']*(?:'|$)|[^\]"'])*(?:\]|$))|\/+/gs;

function withDots(text: string): string {
  return text.replaceAll(QUOTED_OR_SLASHES, (_, quoted: string | undefined) => quoted ?? '.');
}

/** Reads `spec/containers/0` as a pointer without its first slash; undefined if it can only be a key. `asKey` is the path of that key. */
function withSlashes(place: Place, text: string, asKey: NodePath | undefined): NodePath | undefined {
  const readings = [`/${text}`, withDots(text)].flatMap((reading) => {
    const reached = attempt(() => walk(place, reading));
    return 'path' in reached ? [reached] : [];
  });
  const existing = readings.filter(({ exists }) => exists);
  const paths = new Set(existing.map(({ path }) => printNodePath(path)));
  const [only] = existing;
  if (only !== undefined && paths.size === 1) return only.path;
  const head = attempt(() => walk(place, text.slice(0, text.indexOf('/'))));
  const first = 'path' in head && head.exists ? nodeAt(place.document.root, head.path) : undefined;
  const meant = readings[1] ?? readings[0];
  if (first === undefined || !isCollection(first) || meant === undefined) return undefined;
  const key = keyOf(asKey?.at(-1));
  if (asKey === undefined || key === undefined) return meant.path;
  const quoted = `${printNodePath(asKey.slice(0, -1))}[${quotedText(key)}]`;
  throw new Refusal(
    'NODE_AMBIGUOUS',
    `Cannot use the node path ${JSON.stringify(text)}: it can be ${printNodePath(meant.path)} or one key`,
    { path: text },
    { nearestPaths: [printNodePath(meant.path), quoted], advice: ['Write keys with dots between them'] },
  );
}

/** Walks the path. Throws where it certainly leads nowhere; what is missing at the end stays as it was asked for. */
function walk(place: Place, text: string): Reached {
  const words = parsePath(text);
  if (isPattern(words))
    throw invalid(
      text,
      'it can name several nodes, and one is wanted here: config_edit and config_search take patterns',
    );
  const path: Segment[] = [];
  let node: SpanNode | undefined = place.document.root;
  for (let at = 0; at < words.length; ) {
    const { segment, used } = segmentAt(place, node, { text, words, at, path });
    path.push(segment);
    node = node === undefined ? undefined : nodeAt(node, [segment]);
    at += used;
  }
  return { path, exists: node !== undefined };
}

interface Walk {
  readonly text: string;
  readonly words: readonly PathWord[];
  readonly at: number;
  readonly path: NodePath;
}

interface Read {
  readonly segment: Segment;
  /** The number of words that were used. */
  readonly used: number;
}

function segmentAt(place: Place, node: SpanNode | undefined, walk: Walk): Read {
  const { text, words, at, path } = walk;
  const word = words[at];
  if (word === undefined) throw new Error('the word exists');
  if (node?.kind === 'alias') throw crossed(place, node, walk);
  switch (word.kind) {
    case 'index':
      return { segment: word.index, used: 1 };
    case 'items': {
      if (node === undefined) throw nothingToSelect(text, path);
      return { segment: selectItem(node, word, path, printPattern(words.slice(at + 1), false)), used: 1 };
    }
    case 'key': {
      if (word.index !== undefined && node?.kind === 'sequence') return { segment: word.index, used: 1 };
      if (node?.kind !== 'mapping') return { segment: keySegment(word.key, word.occurrence), used: 1 };
      return keyAt(place, node, word, walk);
    }
    case 'every':
    case 'deep':
      throw new Error('a pattern is refused before');
  }
}

/** A key with dots in it where there is one, else the word alone: unquoted dots separate keys otherwise. */
function keyAt(
  place: Place,
  mapping: MappingNode,
  word: Extract<PathWord, { readonly kind: 'key' }>,
  walk: Walk,
): Read {
  const { words, at } = walk;
  const { hasDot = false } = word;
  const isThere = indexesOf(mapping, word.key).length > 0;
  if (word.isBare && (hasDot || !isThere)) {
    const names = new Set(mapping.entries.map(({ name }) => name));
    let joined = hasDot ? `.${word.key}` : word.key;
    let found: Read | undefined;
    for (let end = at; ; ) {
      const last = words[end];
      if (last?.kind !== 'key' || !last.isBare) break;
      if (joined !== word.key && names.has(joined))
        found = { segment: keySegment(joined, last.occurrence), used: end - at + 1 };
      const next = words[++end];
      if (last.occurrence !== undefined || next?.kind !== 'key' || !next.isBare) break;
      joined += `.${next.key}`;
    }
    if (found !== undefined) return found;
  }
  if (word.occurrence === undefined) requireSingle(place, mapping, word.key, walk);
  return { segment: keySegment(word.key, word.occurrence), used: 1 };
}

function requireSingle({ stream }: Place, mapping: MappingNode, key: string, walk: Walk): void {
  if (indexesOf(mapping, key).length < 2) return;
  const below = printPattern(walk.words.slice(walk.at + 1), false);
  throw duplicateKey(mapping, key, walk.path, below, stream.lines);
}

function nothingToSelect(text: string, path: NodePath): Refusal {
  const above = printNodePath(path);
  return new Refusal(
    'NODE_NOT_FOUND',
    `Cannot choose an item of ${above}: nothing stands there`,
    { path: text },
    { existingPath: '' },
  );
}

/** Makes the refusal for an alias, with the same path below the node that it means. */
function crossed({ stream, document }: Place, alias: SpanNode & { kind: 'alias' }, walk: Walk): Refusal {
  const target = findAnchored(stream, document, alias);
  const below = printPattern(walk.words.slice(walk.at), false);
  const path = target === undefined ? undefined : `${printNodePath(target)}${below}`;
  return aliasCrossed(alias.name, walk.path, path);
}

/**
 * Returns the path of the node that an alias means; undefined for an alias without an anchor before it, and for an anchor within
 * a key. Linear in the number of nodes.
 */
export function findAnchored(
  { text }: Stream,
  document: DocumentSpans,
  alias: SpanNode,
): NodePath | undefined {
  const target = document.aliasTargets.get(alias);
  let found: NodePath | undefined;
  if (target === undefined) return undefined;
  visitNodes(text, document.root, (node, path) => {
    if (node === target) found = [...path];
  });
  return found;
}

const MAX_VALUE = 60;

/** Returns the refusal with line, branch and value of each path that it names, as advice. */
function withCandidates(stream: Stream, { root }: DocumentSpans, refusal: Refusal): Refusal {
  const { code, message, where, clues, cause } = refusal;
  const candidates = (clues.nearestPaths ?? []).flatMap((text) => {
    const node = nodeAt(root, segmentsOf(text));
    return node === undefined ? [] : `${text} ${describeNode(stream, node)}`;
  });
  return new Refusal(
    code,
    message,
    where,
    { ...clues, advice: [...candidates, ...(clues.advice ?? [])] },
    cause,
  );
}

/** Returns a node's line, the branch of a template that it is in, and its value. */
export function describeNode({ lines, actions = [] }: Stream, node: SpanNode): string {
  const start = outerStart(node);
  const branch = branchAt(actions, start);
  const within = branch === undefined ? '' : ` in the branch ${conditionsOf(branch)}`;
  return `on line ${lines.at(start)}${within}: ${shownValue(node)}`;
}

function shownValue(node: SpanNode): string {
  if (node.kind === 'alias') return `*${visibleLine(node.name)}`;
  if (node.kind === 'scalar') return visibleLine(cutText(node.value, MAX_VALUE));
  const { length } = partsOf(node);
  return node.kind === 'mapping'
    ? `a mapping of ${counted(length, 'key')}`
    : `a list of ${counted(length, 'item')}`;
}

function segmentsOf(text: string): NodePath {
  return parsePath(text).flatMap((word) => {
    if (word.kind === 'index') return word.index;
    if (word.kind !== 'key') return [];
    return keySegment(word.key, word.occurrence);
  });
}
