// Finds what a change reaches through aliases and merges: the leaves at which two documents differ once both are read as their
// readers do. It runs only for documents with an alias or a merge, and is bounded, so that an alias bomb costs no more than the
// bound.
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

/** Answers the leaves; one vague change of the whole document where there are too many. */
export function resolvedChanges(
  before: Stream,
  old: DocumentSpans,
  after: Stream,
  next: DocumentSpans,
): readonly Leaf[] {
  if (!mayResolve(before, old) && !mayResolve(after, next)) return [];
  return differences(leavesOf(before, old), leavesOf(after, next));
}

function mayResolve({ text }: Stream, { aliasTargets }: DocumentSpans): boolean {
  return aliasTargets.size > 0 || MAY_MERGE.test(text);
}

function differences(before: Leaves | undefined, after: Leaves | undefined): readonly Leaf[] {
  if (before === undefined || after === undefined) return [{ op: 'replace', path: [], isVague: true }];
  const found: Leaf[] = [];
  const push = (op: Leaf['op'], { path, isVague, tagged }: ResolvedLeaf, isOtherVague = false): void => {
    found.push({ op, path, ...(isVague || isOtherVague ? { isVague: true } : {}) });
    if (tagged !== undefined) found.push({ op: 'replace', path: tagged, isVague: true });
  };
  for (const [key, leaf] of after) {
    const other = before.get(key);
    if (other?.text !== leaf.text) push(other === undefined ? 'add' : 'replace', leaf, other?.isVague);
  }
  for (const [key, leaf] of before) if (!after.has(key)) push('remove', leaf);
  return found;
}

interface ResolvedLeaf {
  readonly path: DataPath;
  readonly text: string;
  /** True where its meaning is uncertain, because it has a tag or its key is repeated. */
  readonly isVague: boolean;
  /** The collection above it whose tag may make any data of it. */
  readonly tagged: DataPath | undefined;
}

type Leaves = Map<string, ResolvedLeaf>;

/**
 * Answers the leaves. Undefined where they are too many, an alias leads nowhere or back into its own node, or a key has a tag,
 * by which it may merge.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one count for the functions in it
function leavesOf({ text: source }: Stream, { root, aliasTargets }: DocumentSpans): Leaves | undefined {
  const found: Leaves = new Map();
  let looksLeft = MAX_LOOKS;
  return visit(root, [], '', undefined) ? found : undefined;

  /** Visits a node; `which` tells repeated keys on the path apart. */
  function visit(node: SpanNode, path: DataPath, which: string, around: DataPath | undefined): boolean {
    looksLeft -= 1;
    if (looksLeft < 0 || path.length > MAX_DEPTH) return false;
    if (node.kind === 'alias') {
      const target = aliasTargets.get(node);
      return target !== undefined && visit(target, path, which, around);
    }
    const tag = node.properties?.tag;
    const text = tag === undefined ? '' : `${source.slice(tag.start, tag.end)} `;
    if (node.kind === 'scalar') {
      add(
        path,
        `${text}${node.style === 'plain' || node.style === 'empty'} ${node.value}`,
        which,
        tag,
        around,
      );
      return true;
    }
    if (tag !== undefined || partsOf(node).length === 0) add(path, `${text}${node.kind}`, which, tag, around);
    const tagged = around ?? (tag === undefined ? undefined : path);
    if (node.kind === 'sequence')
      return node.items.every(({ value }, index) => visit(value, [...path, index], which, tagged));
    const members = membersOf(node, new Map(), 0);
    return (
      members !== undefined &&
      [...members].every(([key, values]) =>
        values.every((value, index) =>
          visit(
            value,
            [...path, key],
            values.length === 1 ? which : `${which} ${path.length}:${index}`,
            tagged,
          ),
        ),
      )
    );
  }

  function add(
    path: DataPath,
    text: string,
    which: string,
    tag: unknown,
    tagged: DataPath | undefined,
  ): void {
    const isVague = tag !== undefined || which !== '';
    found.set(`${which} ${JSON.stringify(path)}`, { path, text, isVague, tagged });
  }

  /** Collects the members of a mapping: its own keys before merged ones, and earlier merges before later ones. */
  function membersOf(mapping: MappingNode, into: Members, depth: number): Members | undefined {
    looksLeft -= mapping.entries.length;
    if (looksLeft < 0 || depth > MAX_DEPTH) return undefined;
    const own: Members = new Map();
    for (const entry of mapping.entries) {
      const name = keyText(aliasTargets.get(entry.key) ?? entry.key);
      if (name === undefined || entry.key.properties?.tag !== undefined) return undefined;
      if (!isMerge(entry)) own.set(name, [...(own.get(name) ?? []), entry.value]);
    }
    for (const [name, values] of own) if (!into.has(name)) into.set(name, values);
    for (const { value } of mapping.entries.filter(isMerge))
      if (!merge(value, into, depth + 1)) return undefined;
    return into;
  }

  function merge(node: SpanNode, into: Members, depth: number): boolean {
    looksLeft -= 1;
    const source = node.kind === 'alias' ? aliasTargets.get(node) : node;
    if (source === undefined || looksLeft < 0 || depth > MAX_DEPTH) return false;
    if (source.kind === 'sequence') return source.items.every(({ value }) => merge(value, into, depth + 1));
    return source.kind === 'mapping' && membersOf(source, into, depth) !== undefined;
  }
}

/** The members of a mapping, with several values where a key is repeated. */
type Members = Map<string, readonly SpanNode[]>;
