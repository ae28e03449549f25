// Finds the node of a node path, and all nodes on the way.

import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import {
  keyOf,
  type NodePath,
  printNodePath,
  printSegment,
  type Segment,
} from '../../security/node-paths/node-path.ts';
import { indexIn } from '../../security/node-paths/parse-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { closest } from './closest.ts';
import { indexesOf, indexOfOccurrence, keyText } from './keys.ts';
import { aliasCrossed, duplicateKey, mismatch } from './path-refusals.ts';
import {
  canGrow,
  type DocumentSpans,
  type Entry,
  type Item,
  type MappingNode,
  type SequenceNode,
  type SpanNode,
} from './span-tree.ts';
import { counted } from './wording.ts';

/** A step of a path: the collection, and the part of it that was entered. */
export type PathStep =
  | { readonly kind: 'entry'; readonly container: MappingNode; readonly part: Entry; readonly index: number }
  | { readonly kind: 'item'; readonly container: SequenceNode; readonly part: Item; readonly index: number };

export interface Located {
  readonly node: SpanNode;
  readonly steps: readonly PathStep[];
  /** The part of the path that does not exist below `node`; empty when the node itself was found. */
  readonly missing: NodePath;
  /** The path of `node`, with keys as they are written and indexes from the start. */
  readonly path: NodePath;
}

/** Walks as far as the path exists. Throws DUPLICATE_KEY, ALIAS_CROSSED, TYPE_MISMATCH; never guesses. */
export function locate(document: DocumentSpans, path: NodePath): Located {
  let node = document.root;
  const steps: PathStep[] = [];
  const walked: Segment[] = [];
  for (const [at, segment] of path.entries()) {
    const step = stepInto(node, segment, walked, path.slice(at + 1));
    if (step === undefined) return { node, steps, missing: path.slice(at), path: walked };
    steps.push(step);
    node = step.part.value;
    walked.push(typeof segment === 'number' ? step.index : segment);
  }
  return { node, steps, missing: [], path: walked };
}

/**
 * As `locate`, but returns undefined instead of throwing: repeated keys and aliases on the way do not block an edit elsewhere, and
 * must not block its preview.
 */
export function locateIfClear(document: DocumentSpans, path: NodePath): Located | undefined {
  return unlessRefused(() => locate(document, path));
}

/** Returns the node; undefined if the path ends early, goes through an alias, or through a repeated key. */
export function nodeAt(root: SpanNode | undefined, path: NodePath): SpanNode | undefined {
  return path.reduce((node, segment) => node && childOf(node, segment), root);
}

/** The text of the scalar there. */
export function scalarAt(root: SpanNode | undefined, path: NodePath): string | undefined {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' ? node.value : undefined;
}

function childOf(node: SpanNode, segment: Segment): SpanNode | undefined {
  return stepAt(node, segment)?.part.value;
}

/** Returns the step down; undefined if nothing is there, or where the key is repeated and the segment does not say which one is meant. */
function stepAt(node: SpanNode, segment: Segment): PathStep | undefined {
  if (node.kind === 'sequence' && typeof segment === 'number') {
    const index = segment < 0 ? node.items.length + segment : segment;
    const part = node.items[index];
    return part && { kind: 'item', container: node, part, index };
  }
  if (node.kind !== 'mapping' || typeof segment === 'number') return undefined;
  const found = typeof segment === 'string' ? indexesOf(node, segment) : [];
  const index =
    typeof segment === 'string' ? found[0] : indexOfOccurrence(node, segment.key, segment.occurrence);
  const part = index === undefined || found.length > 1 ? undefined : node.entries[index];
  return part && index !== undefined ? { kind: 'entry', container: node, part, index } : undefined;
}

/** Locates a node that must exist. Throws NODE_NOT_FOUND with the nearest paths otherwise. */
export function locateExisting(document: DocumentSpans, path: NodePath, action: string): Located {
  const located = locate(document, path);
  if (located.missing.length > 0) throw notFound(located, path, action);
  return located;
}

/** Makes the refusal; `remedy` says what the caller could ask for instead. */
export function notFound(located: Located, path: NodePath, action: string, remedy?: string): Refusal {
  const { node, missing } = located;
  const existing = printNodePath(located.path);
  const wanted = missing[0];
  const isIndex = typeof wanted === 'number';
  const reason = isIndex
    ? `no such index${node.kind === 'sequence' ? `: the list has ${counted(node.items.length, 'item')}` : ''}`
    : 'no such key';
  const near = isIndex ? [] : nearestPaths(located, path).map(printNodePath);
  const hint = near[0] === undefined ? '' : `. Nearest: ${near[0]}`;
  const advice =
    remedy === undefined ? adviceOn(node, isIndex) : [remedy, ...(adviceOn(node, isIndex) ?? [])];
  return new Refusal(
    'NODE_NOT_FOUND',
    `Cannot ${action} ${printNodePath(path)}: ${reason}${hint}`,
    { path: printNodePath(path) },
    {
      nearestPaths: near,
      existingPath: existing,
      ...(advice === undefined ? {} : { advice }),
      ...(remedy === undefined ? {} : { isCreatable: true }),
    },
  );
}

function adviceOn(node: SpanNode, isIndex: boolean): readonly string[] | undefined {
  if (node.kind === 'sequence' && isIndex) {
    const last = node.items.length - 1;
    const range = last < 0 ? 'The list is empty' : `The indexes are 0 to ${last}`;
    return [`${range}. To add an item use config_edit with op "append"`];
  }
  const merges = node.kind === 'mapping' && indexesOf(node, '<<').length > 0;
  if (!merges) return undefined;
  return [
    'The key may come from the merge (<<): see view "value", and edit the anchored mapping',
    'See the keys with config_get and view "outline"',
  ];
}

function stepInto(node: SpanNode, segment: Segment, walked: NodePath, below: NodePath): PathStep | undefined {
  switch (node.kind) {
    case 'alias':
      throw aliasCrossed(node.name, walked);
    case 'mapping':
      if (typeof segment === 'number')
        throw mismatch(walked, 'a mapping, so it has keys, not indexes', 'name a key instead of an index');
      if (typeof segment === 'string' && indexesOf(node, segment).length > 1)
        throw duplicateKey(node, segment, walked, below.map((one) => printSegment(one, false)).join(''));
      return stepAt(node, segment);
    case 'sequence': {
      const key = keyOf(segment);
      if (key !== undefined) {
        if (key === '-') return undefined;
        const index = indexIn(key);
        const meant = index === undefined ? undefined : [...walked, index];
        throw mismatch(walked, 'a list, so it has indexes, not keys', adviceOnItem(node, key), meant);
      }
      return stepAt(node, segment);
    }
    case 'scalar':
      // Template actions may write a collection there, to which parts can be added.
      if (canGrow(node)) return undefined;
      throw mismatch(walked, 'a scalar, so nothing stands below it', 'set the whole value instead');
  }
}

/** Gives advice for a key where a list is, in which many files write `KEY=value`. */
function adviceOnItem({ items }: SequenceNode, key: string): string {
  const texts = items.map(({ value }) => (value.kind === 'scalar' ? value.value : ''));
  // A longer one could be a guess of what stands behind the sign.
  const index = key.includes('=') ? -1 : texts.findIndex((text) => text.startsWith(`${key}=`));
  const shown = visibleLine(key.slice(0, MAX_KEY));
  if (index !== -1) return `set the item [${index}] to "${shown}=…" as a whole`;
  if (items.length > 0 && texts.every((text) => /^[A-Za-z_]\w*=/.test(text)))
    return `append the text "${shown}=…"`;
  return 'use an index such as [0]';
}

const MAX_KEY = 60;

/** Returns existing paths that resemble what is missing, best first. */
export function nearestPaths(located: Located, path: NodePath): readonly NodePath[] {
  const wanted = keyOf(located.missing[0]);
  const below = located.missing.slice(1);
  const node = located.node;
  if (node.kind !== 'mapping' || wanted === undefined) return [];
  const similar = closest(wanted, keysOf(node)).map((key): NodePath => {
    const isThere =
      below.length > 0 &&
      indexesOf(node, key).some((index) => {
        const entry = node.entries[index];
        return entry !== undefined && nodeAt(entry.value, below) !== undefined;
      });
    return [...located.path, key, ...(isThere ? below : [])];
  });
  // Dots without quotes always nest, so a key that itself holds the dots was perhaps meant.
  const joined = path
    .map((segment) => keyOf(segment) ?? '')
    .slice(located.path.length)
    .join('.');
  if (below.length > 0 && indexesOf(node, joined).length > 0) return [[...located.path, joined], ...similar];
  return similar;
}

function* keysOf({ entries }: MappingNode): Generator<string> {
  for (const { key } of entries) {
    const name = keyText(key);
    if (name !== undefined) yield name;
  }
}
