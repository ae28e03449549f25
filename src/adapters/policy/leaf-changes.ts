// Finds every leaf at which two versions of a document differ, for judging: as it is written, and as its readers see it, who
// follow aliases and apply merges. The comparison names the highest nodes that differ; this goes down to each value.

import { unlessRefused } from '../../security/errors/refusal.ts';
import type { DataPath } from '../../security/node-paths/node-path.ts';
import type { ChangeOp } from '../../security/policy/change-policy.ts';
import type { LeafChange } from '../../security/policy/facts.ts';
import type { DocumentDifferences, Reading } from '../compare/find-changes.ts';
import {
  type Difference,
  pathTo,
  requireDepth,
  type Side,
  type Step,
  stepTo,
  TreeDifference,
} from '../compare/tree-difference.ts';
import { isPlainScalar, nodeHeader } from '../prove/expected.ts';
import { targetOf, WRITTEN } from '../tree/resolved.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isCollection,
  type MappingNode,
  type SpanNode,
} from '../tree/span-tree.ts';
import { isAnyKey, isOpen, isOrderDecisive } from './document-data.ts';

export type Leaf = Pick<LeafChange, 'op' | 'path' | 'isVague' | 'isOpen' | 'isOfAnyDocument' | 'shifting'>;

/** Returns every leaf at which two versions of a document differ. */
export function leafChanges({ isAsWritten, written, resolved }: DocumentDifferences): readonly Leaf[] {
  const leaves = new LeafFinder(written).leaves();
  if (isAsWritten) return leaves;
  const reading = resolved();
  const asRead = reading && unlessRefused(() => new LeafFinder(reading).leaves());
  return [...leaves, ...(asRead ?? [WHOLE_DOCUMENT])];
}

/** A change after which the meaning of the whole document is uncertain. */
export const WHOLE_DOCUMENT: Leaf = { op: 'replace', path: [], isVague: true };

/** What the way to a leaf says about it. */
interface Around {
  readonly shifting: readonly number[];
  /** True within a repeated key: of several readers take the first or the last, and what goes in one shows the others. */
  readonly isRepeated: boolean;
  /** Nodes above it that may mean anything once it changes. `isTag`: because only a program that knows the tag knows what it means. */
  readonly uncertain: readonly (Leaf & { readonly isTag?: boolean })[];
}

class LeafFinder {
  readonly #old: Side;
  readonly #new: Side;
  readonly #isWritten: boolean;
  readonly #differences: readonly Difference[];
  readonly #comparison: TreeDifference;
  readonly #around = new Map<Step | undefined, Around>();
  readonly #repeated = new Map<MappingNode, ReadonlySet<string>>();
  readonly #found: Leaf[] = [];
  /** What is uncertain is said once, however many leaves are below it. */
  readonly #said = new Set<Leaf>();

  constructor({ sides: [old, next], differences }: Reading) {
    this.#old = old;
    this.#new = next;
    this.#isWritten = old.view === WRITTEN;
    this.#differences = differences;
    this.#comparison = new TreeDifference(old, next, {});
    this.#around.set(undefined, {
      shifting: [],
      isRepeated: false,
      uncertain: tagged([], next.document.root),
    });
  }

  leaves(): readonly Leaf[] {
    this.#addAll(this.#differences);
    return this.#found;
  }

  #addAll(differences: readonly Difference[]): void {
    const renamed = new Set<Step | undefined>();
    for (const difference of differences) {
      const { op, old, next, step } = difference;
      if (isBelow(step, renamed)) continue;
      if (op === 'order') this.#reordered(difference);
      else if (op === 'rename' && old !== undefined && step !== undefined) {
        renamed.add(step);
        this.#renamed(old, step);
      } else if (next === undefined && old !== undefined) this.#below('remove', step, old, this.#old);
      else if (old === undefined && next !== undefined) this.#below('add', step, next, this.#new);
      else if (old !== undefined && next !== undefined) this.#replaced(step, old, next);
    }
  }

  /** A renamed key is one that went and one that came, with all below them. */
  #renamed(oldKey: SpanNode, step: Step): void {
    const part = step.old?.kind === 'mapping' && step.old.entries.find(({ key }) => key === oldKey);
    if (!part) throw new Error('a renamed key is in its mapping');
    const segment = this.#old.view.keyName(this.#old.stream.text, oldKey);
    this.#below('remove', { ...step, segment, part }, part.value, this.#old);
    this.#below('add', step, step.part.value, this.#new);
  }

  #replaced(step: Step | undefined, old: SpanNode, next: SpanNode): void {
    const [oldHeader, newHeader] = [headerOf(this.#old, old), headerOf(this.#new, next)];
    if (oldHeader.tag !== newHeader.tag) {
      this.#push('replace', step, { isVague: true });
      return;
    }
    if (this.#isWritten && oldHeader.anchor !== newHeader.anchor) this.#push('layout', step);
    if (isCollection(old) && isCollection(next) && old.kind === next.kind) {
      this.#addAll(this.#comparison.within(step, old, next));
      return;
    }
    const isSame =
      (old.kind === 'alias' && next.kind === 'alias' && old.name === next.name) ||
      (old.kind === 'scalar' &&
        next.kind === 'scalar' &&
        old.value === next.value &&
        isPlainScalar(old) === isPlainScalar(next));
    if (isSame) return;
    this.#push('replace', step, { isOpen: isOpen(old) || isOpen(next) });
    if (old.kind === next.kind) return;
    if (isCollection(old)) this.#partsBelow('remove', step, old, this.#old);
    if (isCollection(next)) this.#partsBelow('add', step, next, this.#new);
  }

  #reordered({ old, next, step }: Difference): void {
    if (!this.#isWritten) return;
    if ([old, next].some(isOrderDecisive)) this.#push('replace', step, { isVague: true });
    else this.#push('layout', step);
  }

  /** Adds all leaves of a node that is new or removed. */
  #below(op: ChangeOp, step: Step | undefined, written: SpanNode, side: Side): void {
    if (!this.#isWritten) requireDepth(step);
    const node = side.view.target(written);
    if (node.properties?.tag !== undefined) this.#push(op, step, { isVague: true });
    else if (!isCollection(node) || partsIn(side, node).length === 0)
      this.#push(op, step, { isOpen: isOpen(node) });
    if (isCollection(node)) this.#partsBelow(op, step, node, side);
  }

  #partsBelow(op: ChangeOp, above: Step | undefined, node: Collection, side: Side): void {
    const [old, next] = op === 'remove' ? [node, undefined] : [undefined, node];
    for (const [index, part] of partsIn(side, node).entries()) {
      const segment = 'key' in part ? side.view.keyName(side.stream.text, part.key) : index;
      this.#below(op, stepTo({ above, segment, old, next, part }), part.value, side);
    }
  }

  #push(op: ChangeOp, step: Step | undefined, { isVague = false, isOpen: isBelowOpen = false } = {}): void {
    const { shifting, isRepeated, uncertain } = this.#aroundOf(step);
    const unsure = isVague || isRepeated ? { isVague: true } : isBelowOpen ? { isOpen: true } : {};
    this.#found.push({ op, path: pathTo(step), ...shiftingOf(shifting), ...unsure });
    for (const one of uncertain) {
      const { isTag, ...leaf } = one;
      if (this.#said.has(one) || (isTag === true && op === 'layout')) continue;
      this.#said.add(one);
      this.#found.push(leaf);
    }
  }

  #aroundOf(step: Step | undefined): Around {
    const known = this.#around.get(step);
    if (known !== undefined || step === undefined) return known ?? NOTHING_AROUND;
    const above = this.#aroundOf(step.above);
    const { old, next, part } = step;
    const isShift =
      old?.kind === 'sequence' && next?.kind === 'sequence' && old.items.length !== next.items.length;
    const shifting = isShift ? [...above.shifting, step.depth - 1] : above.shifting;
    const path = pathTo(step);
    const name = String(path.at(-1));
    const isTwice =
      'key' in part &&
      [old, next].some((node) => node?.kind === 'mapping' && this.#repeatedIn(node, node === old).has(name));
    const uncertain = [
      ...above.uncertain,
      ...('key' in part && isAnyKey(part, name)
        ? [{ ...WHOLE_DOCUMENT, path: path.slice(0, -1), isOfAnyDocument: true }]
        : []),
      // Of two merges, the second may override what the first brings.
      ...(isTwice
        ? [{ ...WHOLE_DOCUMENT, path: name === '<<' ? path.slice(0, -1) : path, ...shiftingOf(shifting) }]
        : []),
      ...tagged(path, this.#meaningOf(part.value), shifting),
    ];
    const around = { shifting, isRepeated: above.isRepeated || isTwice, uncertain };
    this.#around.set(step, around);
    return around;
  }

  /** A part that was removed has its alias in the old document only. */
  #meaningOf(node: SpanNode): SpanNode {
    if (this.#isWritten) return node;
    return targetOf(this.#new.document, node) ?? targetOf(this.#old.document, node) ?? node;
  }

  /** The names that a mapping has twice, whatever their spelling. */
  #repeatedIn(mapping: MappingNode, isOld: boolean): ReadonlySet<string> {
    const known = this.#repeated.get(mapping);
    if (known !== undefined) return known;
    const { view, stream } = isOld ? this.#old : this.#new;
    const [seen, twice] = [new Set<string>(), new Set<string>()];
    for (const { key } of view.entries(mapping)) {
      const name = view.keyName(stream.text, key);
      if (seen.has(name)) twice.add(name);
      seen.add(name);
    }
    this.#repeated.set(mapping, twice);
    return twice;
  }
}

/** True for a step below one of these. */
function isBelow(step: Step | undefined, above: ReadonlySet<Step | undefined>): boolean {
  if (above.size === 0) return false;
  for (let at = step; at !== undefined; at = at.above) if (above.has(at)) return true;
  return false;
}

const NOTHING_AROUND: Around = { shifting: [], isRepeated: false, uncertain: [] };

function tagged(path: DataPath, node: SpanNode, shifting: readonly number[] = []): Around['uncertain'] {
  if (node.properties?.tag === undefined) return [];
  return [{ ...WHOLE_DOCUMENT, path, ...shiftingOf(shifting), isTag: true }];
}

function shiftingOf(shifting: readonly number[]): Pick<Leaf, 'shifting'> {
  return shifting.length === 0 ? {} : { shifting };
}

function headerOf({ stream }: Side, node: SpanNode) {
  return nodeHeader({ node, text: stream.text });
}

function partsIn({ view }: Side, node: Collection): readonly (Entry | Item)[] {
  return node.kind === 'mapping' ? view.entries(node) : node.items;
}
