// Finds the paths that change through an alias or a merge key (`<<`), where nothing is written. It finds all of them, at a cost
// that grows with the file and not with the expansion of its aliases.
import { isMerge } from '../tree/keys.ts';
import { type NodePath, printNodePath, type Segment } from '../tree/node-path.ts';
import type { AliasTargets, Item, MappingNode, SpanNode, Stream } from '../tree/span-tree.ts';
import { findDifferences } from '../verify/find-changes.ts';
import { type AliasUse, AliasUses, type Changed } from './alias-uses.ts';

/** Above these numbers, a document's aliases are named once, instead of each path below them. */
const MAX_PATHS = 200;
const MAX_LOOKS = 500_000;

/** Answers the paths by the names in the new text; the document is named where there are several. */
export function findAlsoAffected(base: Stream, result: Stream): string[] {
  if (base.isAbsent === true || result.isAbsent === true) return [];
  return result.documents.flatMap((document, doc) => {
    // Most files have no alias, and need no walk.
    if (document.aliasTargets.size === 0) return [];
    const differences = findDifferences(base, result, doc);
    if (differences.length === 0) return [];
    const uses = new AliasUses(base, result, document, differences);
    const followers = new Followers(uses, document.aliasTargets).paths();
    return result.documents.length === 1 ? followers : followers.map((path) => `doc ${doc}: ${path}`);
  });
}

interface Keys {
  readonly names: ReadonlySet<string | undefined>;
  readonly merged: readonly SpanNode[];
}

class Followers {
  readonly #uses: AliasUses;
  readonly #targets: AliasTargets;
  readonly #keys = new Map<MappingNode, Keys>();
  #looksLeft = MAX_LOOKS;

  constructor(uses: AliasUses, targets: AliasTargets) {
    this.#uses = uses;
    this.#targets = targets;
  }

  paths(): string[] {
    return [...(this.#follow(false) ?? this.#follow(true) ?? [])];
  }

  /**
   * Follows all changes. With `areWhole` only each anchor is followed once, without the paths below its aliases, and a fully
   * overridden merge is named too. Answers undefined where it is too much otherwise.
   */
  #follow(areWhole: boolean): ReadonlySet<string> | undefined {
    const found = new Set<string>();
    const foundInLists = new Set<string>();
    const followed = new Set<SpanNode>();
    const queue = [...this.#uses.changed];
    for (const { path, enclosing, until } of queue) {
      for (let at = enclosing; at !== undefined && at !== until; at = at.outer) {
        // The ones around it were followed then as well.
        if (areWhole && followed.has(at.target)) break;
        followed.add(at.target);
        for (const use of this.#uses.usesOf.get(at.target) ?? []) {
          if (!areWhole && (this.#looksLeft-- <= 0 || found.size > MAX_PATHS)) return undefined;
          const rest = areWhole ? [] : path.slice(at.depth);
          if (use.inList !== undefined) add(foundInLists, [...use.inList.path, ...rest], use.inList);
          const shown = this.#shownBy(use, at.target, rest);
          if (shown !== undefined) add(found, shown, use.shows);
        }
      }
    }
    return found;

    function add(names: Set<string>, path: NodePath, where: Changed): void {
      const name = printNodePath(path);
      if (names.has(name)) return;
      names.add(name);
      queue.push({ ...where, path });
    }
  }

  /** Answers where the rest of a path is visible through the alias; undefined where the mapping that merges it has that key from elsewhere. */
  #shownBy({ shows, merge }: AliasUse, target: SpanNode, rest: NodePath): NodePath | undefined {
    if (merge === undefined) return [...shows.path, ...withoutMerged(rest)];
    const { into, list, index } = merge;
    // No reader keeps the items of a merged list; their keys become visible.
    const items = target.kind === 'sequence' ? target.items : undefined;
    const below = withoutMerged(items === undefined ? rest : rest.slice(1));
    const [first] = below;
    if (first === undefined || first.kind === 'index') return shows.path;
    const asked = new Set<SpanNode>();
    const isElsewhere =
      this.#keysOf(into).names.has(first.key) ||
      this.#isBefore(list, index, first.key, asked) ||
      (items !== undefined && this.#isBefore(items, indexOf(rest[0]), first.key, asked));
    return isElsewhere ? undefined : [...shows.path, ...below];
  }

  #keysOf(mapping: MappingNode): Keys {
    const known = this.#keys.get(mapping);
    if (known !== undefined) return known;
    const keys = {
      names: new Set(mapping.entries.map(({ name }) => name)),
      merged: mapping.entries.filter(isMerge).map(({ value }) => value),
    };
    this.#keys.set(mapping, keys);
    return keys;
  }

  #isBefore(list: readonly Item[], index: number, key: string, asked: Set<SpanNode>): boolean {
    for (let at = 0; at < index; at++) {
      const item = list[at];
      if (item !== undefined && this.#supplies(item.value, key, asked)) return true;
    }
    return false;
  }

  /** True where a merged node has the key, by itself or by a merge of its own. `asked` holds the visited nodes, so that a bomb of merges is harmless. */
  #supplies(node: SpanNode, key: string, asked: Set<SpanNode>): boolean {
    const target = this.#targets.get(node) ?? node;
    if (this.#looksLeft-- <= 0 || asked.has(target)) return false;
    asked.add(target);
    if (target.kind === 'sequence') return this.#isBefore(target.items, target.items.length, key, asked);
    if (target.kind !== 'mapping') return false;
    const { names, merged } = this.#keysOf(target);
    return names.has(key) || merged.some((value) => this.#supplies(value, key, asked));
  }
}

/** Cuts a path at a merge key, because merged keys are visible in the mapping that merges them. */
function withoutMerged(path: NodePath): NodePath {
  const at = path.findIndex((segment) => segment.kind === 'key' && segment.key === '<<');
  return at === -1 ? path : path.slice(0, at);
}

function indexOf(segment: Segment | undefined): number {
  return segment?.kind === 'index' ? segment.index : 0;
}
