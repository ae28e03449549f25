// Finds the node of a node path, and all nodes on the way.
import { Refusal, unlessRefused, visibleLine } from '../../security/index.ts';
import { closest } from './closest.ts';
import { indexesOf, indexOfOccurrence, keyText } from './keys.ts';
import { indexSegment, keySegment, type NodePath, printNodePath, type Segment } from './node-path.ts';
import { aliasCrossed, duplicateKey, mismatch, textBelow } from './path-refusals.ts';
import { indexIn } from './path-syntax.ts';
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

/** One step down: the collection, and the part that was taken. */
export type Step =
  | { readonly kind: 'entry'; readonly container: MappingNode; readonly part: Entry; readonly index: number }
  | { readonly kind: 'item'; readonly container: SequenceNode; readonly part: Item; readonly index: number };

export interface Located {
  readonly node: SpanNode;
  readonly steps: readonly Step[];
  /** The part of the path that does not exist below `node`; empty when the node itself was found. */
  readonly missing: NodePath;
  /** The path of `node`, with keys as they are written and indexes from the start. */
  readonly path: NodePath;
}

/** Walks as far as the path exists. Throws DUPLICATE_KEY, ALIAS_CROSSED, TYPE_MISMATCH; never guesses. */
export function locate(document: DocumentSpans, path: NodePath): Located {
  let node = document.root;
  const steps: Step[] = [];
  const walked: Segment[] = [];
  for (const [at, segment] of path.entries()) {
    const step = stepInto(node, segment, walked, path.slice(at + 1));
    if (step === undefined) return { node, steps, missing: path.slice(at), path: walked };
    steps.push(step);
    node = step.part.value;
    const occurrence = segment.kind === 'key' ? segment.occurrence : undefined;
    walked.push(
      step.kind === 'entry' ? keySegment(step.part.name ?? '', occurrence) : indexSegment(step.index),
    );
  }
  return { node, steps, missing: [], path: walked };
}

/**
 * Locates as `locate` does, but answers undefined instead of throwing: repeated keys and aliases on the way do not block an
 * edit elsewhere, and must not block its preview.
 */
export function locateIfClear(document: DocumentSpans, path: NodePath): Located | undefined {
  return unlessRefused(() => locate(document, path));
}

/** Answers the node; undefined where the path ends early, goes through an alias, or through a repeated key. */
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

/** Answers the step down; undefined where nothing is there, or where the key is repeated and the segment does not say which one is meant. */
function stepAt(node: SpanNode, segment: Segment): Step | undefined {
  if (node.kind === 'sequence' && segment.kind !== 'key') {
    const index = segment.index < 0 ? node.items.length + segment.index : segment.index;
    const part = node.items[index];
    return part && { kind: 'item', container: node, part, index };
  }
  if (node.kind !== 'mapping' || segment.kind === 'index') return undefined;
  const occurrence = segment.kind === 'key' ? segment.occurrence : undefined;
  const found = occurrence === undefined ? indexesOf(node, segment.key) : [];
  const index = occurrence === undefined ? found[0] : indexOfOccurrence(node, segment.key, occurrence);
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
  const isIndex = wanted?.kind === 'index' || (wanted?.kind === 'either' && node.kind === 'sequence');
  const reason = isIndex
    ? `no such index${node.kind === 'sequence' ? `: the list has ${counted(node.items.length, 'item')}` : ''}`
    : 'no such key';
  const near = isIndex ? [] : nearestPaths(located, path);
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

function stepInto(node: SpanNode, segment: Segment, walked: NodePath, below: NodePath): Step | undefined {
  switch (node.kind) {
    case 'alias':
      throw aliasCrossed(node.name, walked);
    case 'mapping':
      if (segment.kind === 'index')
        throw mismatch(walked, 'a mapping, so it has keys, not indexes', 'name a key instead of an index');
      if (isRepeated(node, segment)) throw duplicateKey(node, segment.key, walked, textBelow(below));
      return stepAt(node, segment);
    case 'sequence': {
      if (segment.kind === 'key') {
        if (segment.key === '-') return undefined;
        const index = indexIn(segment.key);
        const meant = index === undefined ? undefined : [...walked, indexSegment(index)];
        throw mismatch(walked, 'a list, so it has indexes, not keys', adviceOnItem(node, segment.key), meant);
      }
      return stepAt(node, segment);
    }
    case 'scalar':
      // Actions of a template may write a collection there, beside which other parts may be.
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

function isRepeated(mapping: MappingNode, segment: Exclude<Segment, { readonly kind: 'index' }>): boolean {
  return !('occurrence' in segment) && indexesOf(mapping, segment.key).length > 1;
}

/** Answers existing paths that resemble what is missing, best first. */
export function nearestPaths(located: Located, path: NodePath): string[] {
  const wanted = located.missing[0];
  const below = located.missing.slice(1);
  const node = located.node;
  if (wanted === undefined) return [];
  if (node.kind !== 'mapping' || wanted.kind === 'index') return [];
  const similar = closest(wanted.key, keysOf(node)).map((key) => {
    const isThere =
      below.length > 0 &&
      indexesOf(node, key).some((index) => {
        const entry = node.entries[index];
        return entry !== undefined && nodeAt(entry.value, below) !== undefined;
      });
    return printNodePath([...located.path, keySegment(key), ...(isThere ? below : [])]);
  });
  // Dots without quotes always nest, so a key that itself holds the dots was perhaps meant.
  const joined = path
    .map((segment) => (segment.kind === 'index' ? '' : segment.key))
    .slice(located.path.length)
    .join('.');
  if (below.length > 0 && indexesOf(node, joined).length > 0)
    similar.unshift(printNodePath([...located.path, keySegment(joined)]));
  return [...new Set(similar)];
}

function* keysOf({ entries }: MappingNode): Generator<string> {
  for (const { key } of entries) {
    const name = keyText(key);
    if (name !== undefined) yield name;
  }
}
