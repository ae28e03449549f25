// Finds the changes and the uses of aliases of a document in one walk: for each changed node the anchored nodes around it, and
// for each anchored node the places of its aliases.
import { isMerge, keyName } from '../tree/keys.ts';
import { indexSegment, keySegment, type NodePath, type Segment } from '../tree/node-path.ts';
import type {
  AliasNode,
  AliasTargets,
  DocumentSpans,
  Item,
  MappingNode,
  SpanNode,
  Stream,
} from '../tree/span-tree.ts';
import type { Difference } from '../verify/find-changes.ts';

/** The nodes with an alias elsewhere that a node stands in, the innermost first. */
export interface Enclosing {
  readonly target: SpanNode;
  /** The length of its path. */
  readonly depth: number;
  readonly outer: Enclosing | undefined;
}

/** A place where something changes, itself or below. At `until` and outside of it nothing has to be followed. */
export interface Changed {
  readonly path: NodePath;
  readonly enclosing: Enclosing | undefined;
  readonly until?: Enclosing | undefined;
}

/** A mapping that merges others; `index` is the position in a list of merged mappings. Entries that stand earlier take precedence over it. */
interface Merge {
  readonly into: MappingNode;
  readonly path: NodePath;
  readonly enclosing: Enclosing | undefined;
  readonly list: readonly Item[];
  readonly index: number;
}

export interface AliasUse {
  /** The place of the alias, or of the mapping that merges it. */
  readonly shows: Changed;
  readonly merge: Merge | undefined;
  /** The alias in a list with an anchor of its own that is merged where it stands. */
  readonly inList: Changed | undefined;
}

export class AliasUses {
  readonly usesOf = new Map<SpanNode, AliasUse[]>();
  readonly changed: Changed[] = [];
  readonly #base: Stream;
  readonly #text: string;
  readonly #targets: AliasTargets;
  readonly #anchored: ReadonlySet<SpanNode>;
  readonly #differences: ReadonlyMap<SpanNode, readonly Difference[]>;

  /** The document: of `result`, with its differences from that of `base`. */
  constructor(
    base: Stream,
    result: Stream,
    { root, aliasTargets }: DocumentSpans,
    differences: readonly Difference[],
  ) {
    this.#base = base;
    this.#text = result.text;
    this.#targets = aliasTargets;
    this.#anchored = new Set(aliasTargets.values());
    this.#differences = byNode(differences);
    this.#visit(root, [], undefined, false, undefined);
  }

  /**
   * Visits a node; `path` is valid only during the call. `isNew` means that the change shows it already, but not its effect on
   * aliases elsewhere. `merge` is set for the value of a merge key.
   */
  #visit(
    node: SpanNode,
    path: Segment[],
    around: Enclosing | undefined,
    isNew: boolean,
    merge: Merge | undefined,
  ): void {
    const isAnchored = this.#anchored.has(node);
    const enclosing = isAnchored ? { target: node, depth: path.length, outer: around } : around;
    const own = this.#differences.get(node) ?? [];
    for (const difference of own)
      for (const changed of this.#pathsOf(difference)) this.changed.push({ path: changed, enclosing });
    const isNewNow = isNew || own.some(({ next }) => next === node);
    if (isNewNow && isAnchored) this.changed.push({ path: [...path], enclosing });
    const visitBelow = (child: SpanNode, segment: Segment, to: Merge | undefined) => {
      path.push(segment);
      this.#visit(child, path, enclosing, isNewNow, to);
      path.pop();
    };
    if (node.kind === 'alias') {
      if (!isNewNow) this.#addUse(node, { path: [...path], enclosing }, merge);
    } else if (node.kind === 'sequence') {
      for (const [index, { value }] of node.items.entries())
        visitBelow(value, indexSegment(index), merge && { ...merge, list: node.items, index });
    } else if (node.kind === 'mapping') {
      for (const entry of node.entries) {
        const segment = keySegment(keyName(this.#text, entry.key));
        visitBelow(entry.key, segment, undefined);
        const merged = isMerge(entry)
          ? { into: node, path: [...path], enclosing, list: [], index: 0 }
          : undefined;
        visitBelow(entry.value, segment, merged);
      }
    }
  }

  #addUse(alias: AliasNode, at: Changed, merge: Merge | undefined): void {
    const target = this.#targets.get(alias);
    if (target === undefined) return;
    const uses = this.usesOf.get(target) ?? [];
    const inList =
      merge === undefined || at.enclosing === merge.enclosing ? undefined : { ...at, until: merge.enclosing };
    // The first of a list comes before the others.
    if (merge !== undefined && inList === undefined && uses.at(-1)?.merge?.into === merge.into) return;
    uses.push({ shows: merge ?? at, merge, inList });
    this.usesOf.set(target, uses);
  }

  /** Answers the paths by the names in the new text; for a renamed key by both names. */
  #pathsOf({ op, path, old }: Difference): readonly NodePath[] {
    if (op !== 'rename' || old === undefined) return [path];
    return [path, [...path.slice(0, -1), keySegment(keyName(this.#base.text, old))]];
  }
}

/** Groups differences by the node of the new text that is new, or from which something was removed; a renamed key is at both. */
function byNode(differences: readonly Difference[]): ReadonlyMap<SpanNode, readonly Difference[]> {
  const found = new Map<SpanNode, Difference[]>();
  for (const difference of differences) {
    const { next, container } = difference;
    for (const node of [next, container]) {
      if (node === undefined) continue;
      const ofNode = found.get(node);
      if (ofNode === undefined) found.set(node, [difference]);
      else ofNode.push(difference);
    }
  }
  return found;
}
