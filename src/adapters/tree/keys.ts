// Keys: their names in node paths, their places in their mapping, and repeated keys.

import type { Problem } from '../../security/errors/refusal.ts';
import { type NodePath, printNodePath, type Segment } from '../../security/node-paths/node-path.ts';
import { type Branch, withAround } from './actions.ts';
import { withPlaces } from './lines.ts';
import {
  type Entry,
  type Item,
  isCollection,
  type MappingNode,
  partsOf,
  type SpanNode,
  type Stream,
} from './span-tree.ts';

/** A scalar's value, `*name` for an alias; undefined for a collection. */
export function keyText(key: SpanNode): string | undefined {
  if (key.kind === 'alias') return `*${key.name}`;
  return key.kind === 'scalar' ? key.value : undefined;
}

/** Returns the name of any key; of a collection, its source text. */
export function keyName(text: string, key: SpanNode): string {
  return keyText(key) ?? text.slice(key.start, key.end);
}

/** Returns the segment of a path that leads to a part. */
export function segmentOf(text: string, part: Entry | Item, index: number): string | number {
  return 'key' in part ? keyName(text, part.key) : index;
}

/** The indexes of the entries with this key, in order; at most the first two: a second one makes it ambiguous. */
export function indexesOf({ entries }: MappingNode, name: string): readonly number[] {
  if (entries.length > FEW_ENTRIES) return indexOf(entries).get(name) ?? [];
  const first = entries.findIndex((entry) => entry.name === name);
  if (first === -1) return [];
  const second = entries.findIndex((entry, index) => index > first && entry.name === name);
  return second === -1 ? [first] : [first, second];
}

/** A pattern may name each key of a large mapping, so each lookup in one has to be quick. */
const FEW_ENTRIES = 50;
const indexes = new WeakMap<readonly Entry[], ReadonlyMap<string, readonly number[]>>();

function indexOf(entries: readonly Entry[]): ReadonlyMap<string, readonly number[]> {
  const known = indexes.get(entries);
  if (known !== undefined) return known;
  const made = new Map<string, readonly number[]>();
  for (const [index, { name }] of entries.entries()) {
    if (name === undefined) continue;
    const [first, second] = made.get(name) ?? [];
    if (first === undefined) made.set(name, [index]);
    else if (second === undefined) made.set(name, [first, index]);
  }
  indexes.set(entries, made);
  return made;
}

/** Returns the index of the entry that is the `occurrence`th with this key, from 1. */
export function indexOfOccurrence({ entries }: MappingNode, name: string, occurrence: number): number {
  let left = occurrence;
  return entries.findIndex((entry) => entry.name === name && --left === 0);
}

/** True if the entry merges its value into the mapping. In quotes `<<` is a key like any other. */
export function isMerge({ key, name }: Entry): boolean {
  return name === '<<' && key.kind === 'scalar' && key.style === 'plain';
}

/** True for a key that only some readers of YAML (Psych) take for a merge. */
export function isQuotedMerge({ key, name }: Entry): boolean {
  return name === '<<' && key.kind === 'scalar' && key.style !== 'plain';
}

/** A function for each node. `path` is valid only during the call, because a copy for each node would cost as much as the node is deep. */
export type Visitor = (node: SpanNode, path: NodePath, key: SpanNode | undefined) => void;

/** Visits the nodes; keys are not visited as nodes of their own, and `key` is that of the node's entry. */
export function visitNodes(text: string, root: SpanNode, visitor: Visitor): void {
  const path: Segment[] = [];
  visit(root, undefined);

  function visit(node: SpanNode, key: SpanNode | undefined): void {
    visitor(node, path, key);
    if (!isCollection(node)) return;
    for (const [index, part] of partsOf(node).entries()) {
      path.push(segmentOf(text, part, index));
      visit(part.value, 'key' in part ? part.key : undefined);
      path.pop();
    }
  }
}

/** The most problems, as of syntax errors: no one fixes more at a time, and a file of 2 MB may have 180,000. */
const MAX_PROBLEMS = 1_000;

/** Returns repeated keys in all documents, or in `chosen` alone, in source order, at most 1,000. Linear in the number of nodes. */
export function findDuplicateKeys(stream: Stream, chosen?: number): Problem[] {
  return repeatedKeysIn(stream, MAX_PROBLEMS, true, chosen);
}

/** The one whose problem comes first; aliases are left to whatever will stand around them. */
export function findDuplicateKey(stream: Stream): Problem | undefined {
  return repeatedKeysIn(stream, 1, false)[0];
}

/** The number of times that a key has come in a mapping, and the branches of a template that it was in. */
interface SeenKey {
  count: number;
  readonly branches: Set<Branch | undefined>;
  /** The branches with all around them. */
  readonly around: Set<Branch | undefined>;
}

/** True if both are in one branch; of two branches of which one may be left out, each has the key once. */
function isBeside({ branches, around }: SeenKey, branch: Branch | undefined): boolean {
  return around.has(branch) || withAround(branch).some((one) => branches.has(one));
}

function repeatedKeysIn(stream: Stream, most: number, withAliases: boolean, chosen?: number): Problem[] {
  const { text } = stream;
  const findings: (Omit<Problem, 'line' | 'column'> & { readonly offset: number })[] = [];
  /** The path of the visited node; a copy for each would cost as much as it is deep. */
  const path: (string | number)[] = [];
  for (const [doc, document] of stream.documents.entries()) {
    if (chosen !== undefined && doc !== chosen) continue;
    const anchors = new Set<string>();
    visit(document.root, doc, anchors);
  }
  findings.sort((a, b) => a.offset - b.offset);
  return withPlaces(text, findings);

  function visit(node: SpanNode, doc: number, anchors: Set<string>): void {
    if (node.properties?.anchor !== undefined) anchors.add(node.properties.anchor.name);
    if (withAliases && node.kind === 'alias' && !anchors.has(node.name)) {
      note(node.start, 'ANCHOR_IN_USE', 'this alias has no anchor before it', doc);
    }
    if (node.kind === 'sequence')
      for (const [i, { value }] of node.items.entries()) {
        path.push(i);
        visit(value, doc, anchors);
        path.pop();
      }
    if (node.kind === 'mapping') visitEntries(node, doc, anchors);
  }

  function visitEntries({ entries }: MappingNode, doc: number, anchors: Set<string>): void {
    /** The branch in which each key comes first; of most keys there is nothing more to know. */
    const first = new Map<string, Branch | undefined>();
    const repeated = new Map<string, SeenKey>();
    for (const { key, value, branch, name } of entries) {
      visit(key, doc, anchors);
      path.push(name ?? text.slice(key.start, key.end));
      if (name !== undefined && !first.has(name)) first.set(name, branch);
      else if (name !== undefined) {
        const earlier = repeated.get(name) ?? seenIn(first.get(name));
        earlier.count += 1;
        if (isBeside(earlier, branch))
          note(
            key.start,
            'DUPLICATE_KEY',
            'this key stands earlier in the same mapping',
            doc,
            `[#${earlier.count}]`,
          );
        addBranch(earlier, branch);
        repeated.set(name, earlier);
      }
      visit(value, doc, anchors);
      path.pop();
    }
  }

  /** Adds a problem; `which` tells repeated keys apart, so that the path can be used. */
  function note(offset: number, code: Problem['code'], message: string, doc: number, which = ''): void {
    if (findings.length >= most) return;
    findings.push({ offset, code, message, path: `${printNodePath(path)}${which}`, doc });
  }
}

function seenIn(branch: Branch | undefined): SeenKey {
  const seen = { count: 1, branches: new Set<Branch | undefined>(), around: new Set<Branch | undefined>() };
  addBranch(seen, branch);
  return seen;
}

function addBranch({ branches, around }: SeenKey, branch: Branch | undefined): void {
  branches.add(branch);
  for (const one of withAround(branch)) around.add(one);
}
