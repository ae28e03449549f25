// What a change reaches through aliases and merges: the leaves at which the data of two documents differ once both are read
// as their readers do. Only for documents that have an alias or a merge; bounded, so that an alias bomb costs no more than
// the bound.
import type { DataPath } from '../../security/index.ts';
import { isMerge, keyText } from '../tree/keys.ts';
import {
  type DocumentSpans,
  type MappingNode,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import type { Leaf } from './leaf-changes.ts';

const MAX_LOOKS = 50_000;
const MAX_DEPTH = 200;

/** A merge needs no alias: `<<: {replicas: 7}`. */
const MAY_MERGE = /<<\s*[:#]/;

/** One vague change of the whole document where it is too much to tell. */
export function resolvedChanges(
  before: Stream,
  old: DocumentSpans,
  after: Stream,
  next: DocumentSpans,
): readonly Leaf[] {
  if (!mayResolve(before, old) && !mayResolve(after, next)) return [];
  return differences(old, next);
}

function mayResolve({ text }: Stream, { aliasTargets }: DocumentSpans): boolean {
  return aliasTargets.size > 0 || MAY_MERGE.test(text);
}

function differences(old: DocumentSpans, next: DocumentSpans): readonly Leaf[] {
  const [before, after] = [leavesOf(old), leavesOf(next)];
  if (before === undefined || after === undefined) return [{ op: 'replace', path: [], isVague: true }];
  const found: Leaf[] = [];
  for (const [key, { path, text }] of after) {
    const other = before.get(key);
    if (other?.text !== text) found.push({ op: other === undefined ? 'add' : 'replace', path });
  }
  for (const [key, { path }] of before) if (!after.has(key)) found.push({ op: 'remove', path });
  return found;
}

type Leaves = Map<string, { readonly path: DataPath; readonly text: string }>;

/** Undefined where they are too many, or an alias leads nowhere, or back into its own node. */
function leavesOf({ root, aliasTargets }: DocumentSpans): Leaves | undefined {
  const found: Leaves = new Map();
  let looksLeft = MAX_LOOKS;
  return visit(root, []) ? found : undefined;

  function visit(node: SpanNode, path: DataPath): boolean {
    looksLeft -= 1;
    if (looksLeft < 0 || path.length > MAX_DEPTH) return false;
    if (node.kind === 'alias') {
      const target = aliasTargets.get(node);
      return target !== undefined && visit(target, path);
    }
    if (node.kind === 'scalar') {
      add(path, `${node.style === 'plain' || node.style === 'empty'} ${node.value}`);
      return true;
    }
    if (partsOf(node).length === 0) {
      add(path, node.kind);
      return true;
    }
    if (node.kind === 'sequence')
      return node.items.every(({ value }, index) => visit(value, [...path, index]));
    const members = membersOf(node, new Map(), 0);
    return members !== undefined && [...members].every(([key, value]) => visit(value, [...path, key]));
  }

  function add(path: DataPath, text: string): void {
    found.set(JSON.stringify(path), { path, text });
  }

  /** Its own keys come before those that are merged, and the first merge before later ones. */
  function membersOf(
    mapping: MappingNode,
    into: Map<string, SpanNode>,
    depth: number,
  ): Map<string, SpanNode> | undefined {
    looksLeft -= mapping.entries.length;
    if (looksLeft < 0 || depth > MAX_DEPTH) return undefined;
    for (const entry of mapping.entries) {
      const name = keyText(aliasTargets.get(entry.key) ?? entry.key);
      if (name === undefined) return undefined;
      if (!isMerge(entry) && !into.has(name)) into.set(name, entry.value);
    }
    for (const { value } of mapping.entries.filter(isMerge))
      if (!merge(value, into, depth + 1)) return undefined;
    return into;
  }

  function merge(node: SpanNode, into: Map<string, SpanNode>, depth: number): boolean {
    looksLeft -= 1;
    const source = node.kind === 'alias' ? aliasTargets.get(node) : node;
    if (source === undefined || looksLeft < 0 || depth > MAX_DEPTH) return false;
    if (source.kind === 'sequence') return source.items.every(({ value }) => merge(value, into, depth + 1));
    return source.kind === 'mapping' && membersOf(source, into, depth) !== undefined;
  }
}
