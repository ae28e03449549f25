// The resolved view of a document: the nodes that aliases mean, and the entries that merges (`<<`) bring into a mapping. Every
// comparison, policy and warning that looks through an alias asks here.
import { Refusal } from '../../security/errors/refusal.ts';
import { isMerge, isQuotedMerge, keyName, keyText } from './keys.ts';
import type { DocumentSpans, Entry, MappingNode, SpanNode } from './span-tree.ts';
import { limitReached } from './wording.ts';

type Aliased = Pick<DocumentSpans, 'aliasTargets'>;

/** The node itself, or the node that an alias means; undefined for an alias without an anchor before it. */
export function targetOf({ aliasTargets }: Aliased, node: SpanNode): SpanNode | undefined {
  return node.kind === 'alias' ? aliasTargets.get(node) : node;
}

/**
 * Yields the mappings whose entries readers find in this one: itself, and those that it merges, each once. An earlier one takes
 * precedence over a later one. Yields undefined for what cannot be merged: another kind of node, or a mapping that merges itself.
 */
export function* mergedMappings(
  document: Aliased,
  mapping: MappingNode,
): Generator<MappingNode | undefined, void> {
  const passed = new Map<SpanNode, 'open' | 'done'>();
  yield* visit(mapping);

  function* visit(node: SpanNode): Generator<MappingNode | undefined, void> {
    const source = targetOf(document, node);
    if (source === undefined || passed.get(source) === 'open') yield undefined;
    if (source === undefined || passed.has(source)) return;
    passed.set(source, 'open');
    if (source.kind === 'sequence') for (const { value } of source.items) yield* visit(value);
    else if (source.kind !== 'mapping') yield undefined;
    else {
      yield source;
      for (const entry of source.entries) if (isMerge(entry)) yield* visit(entry.value);
    }
    passed.set(source, 'done');
  }
}

/** The entries above a merge in their mapping. To kubectl and Psych, what it brings overrides them; to others it does not. */
export function overridable({ entries }: MappingNode): readonly Entry[] {
  return entries.slice(0, Math.max(entries.findLastIndex(isMerge), 0));
}

/** True for a key that only some readers take for a merge: `<<` in quotes, an alias that means it, or a tag such as `!!merge`. */
export function isDoubtfulMerge(document: Aliased, entry: Entry): boolean {
  const { key } = entry;
  const target = key.kind === 'alias' ? targetOf(document, key) : undefined;
  const isAlias = target !== undefined && keyText(target) === '<<';
  return isAlias || isQuotedMerge(entry) || key.properties?.tag !== undefined;
}

/** A merge needs no alias: `<<: {replicas: 7}`. */
const MAY_MERGE = /<<\s*[:#]/;

/** True if readers may find more in a document than is written, by an alias or a merge. */
export function mayResolve(text: string, { aliasTargets }: Aliased): boolean {
  return aliasTargets.size > 0 || MAY_MERGE.test(text);
}

/** How a tree is read: as it is written, or as its readers do, who follow aliases and apply merges. */
export interface View {
  readonly target: (node: SpanNode) => SpanNode;
  readonly entries: (mapping: MappingNode) => readonly Entry[];
  readonly keyName: (text: string, key: SpanNode) => string;
}

export const WRITTEN: View = {
  target: (node) => node,
  entries: ({ entries }) => entries,
  keyName,
};

/** How many nodes may still be looked at, so that a bomb of aliases costs no more than that. */
export class LookBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Throws LIMIT_EXCEEDED where there are no more. */
  take(looks: number): void {
    this.#left -= looks;
    if (this.#left < 0) throw limitReached('number of nodes with aliases followed', 0, 'nodes');
  }
}

/** A view whose functions throw LIMIT_EXCEEDED over the budget, and VALUE_INVALID where readers could not follow an alias or a merge. */
export class ResolvedView implements View {
  readonly #document: Aliased;
  readonly #budget: LookBudget;
  readonly #merged = new Map<MappingNode, readonly Entry[]>();

  constructor(document: Aliased, budget: LookBudget) {
    this.#document = document;
    this.#budget = budget;
  }

  readonly target = (node: SpanNode): SpanNode => {
    this.#budget.take(1);
    const target = targetOf(this.#document, node);
    if (target === undefined) throw unresolved();
    return target;
  };

  readonly entries = (mapping: MappingNode): readonly Entry[] => {
    this.#budget.take(mapping.entries.length);
    if (!mapping.entries.some(isMerge)) return mapping.entries;
    const known = this.#merged.get(mapping) ?? this.#withMerged(mapping);
    this.#merged.set(mapping, known);
    return known;
  };

  readonly keyName = (text: string, key: SpanNode): string => {
    const target = targetOf(this.#document, key);
    return (target && keyText(target)) ?? keyName(text, key);
  };

  /** A repeated key of one mapping stays repeated, and so does one that readers may take from the mapping or from a merge. */
  #withMerged(mapping: MappingNode): readonly Entry[] {
    const found: Entry[] = [];
    const hiding = new Set<string | undefined>();
    for (const source of mergedMappings(this.#document, mapping)) {
      // A key with a tag may be any key, so it is unknown which ones it hides.
      if (source === undefined || source.entries.some(({ key }) => key.properties?.tag !== undefined))
        throw unresolved();
      this.#budget.take(source.entries.length);
      const own = source.entries.filter((entry) => !isMerge(entry));
      found.push(...own.filter(({ key, name }) => !hiding.has(this.#textOf(key, name))));
      const unsure = new Set(overridable(source));
      for (const entry of own) if (!unsure.has(entry)) hiding.add(this.#textOf(entry.key, entry.name));
    }
    return found;
  }

  /** A key that is a collection has no name, and hides no other one. */
  #textOf(key: SpanNode, name: string | undefined): string | undefined {
    const target = key.kind === 'alias' ? targetOf(this.#document, key) : undefined;
    return target === undefined ? (name ?? '\u0000') : keyText(target);
  }
}

function unresolved(): Refusal {
  return new Refusal('VALUE_INVALID', 'Cannot follow an alias or a merge: readers would refuse it');
}
