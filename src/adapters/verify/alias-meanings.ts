// Whether each alias that an edit leaves still means the node that it meant, and each new one means any.
import { Refusal } from '../../security/index.ts';
import {
  type AliasNode,
  type AliasTargets,
  type DocumentSpans,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import { differs } from './differs.ts';
import type { PairObserver } from './tree-comparison.ts';

/** For one document: anchors do not reach beyond it. */
export class AliasMeanings {
  readonly #before: AliasTargets;
  readonly #after: AliasTargets;
  /** Of each node with an anchor that was passed: what it has become. Targets stand before their aliases. */
  readonly #successors = new Map<SpanNode, SpanNode>();

  constructor(before: DocumentSpans, after: DocumentSpans) {
    this.#before = before.aliasTargets;
    this.#after = after.aliasTargets;
  }

  get areNone(): boolean {
    return this.#before.size === 0 && this.#after.size === 0;
  }

  /** For what stood there before. One that meant nothing may go on so. */
  readonly ofOld: PairObserver = {
    anchored: (before, after) => this.#successors.set(before, after),
    alias: (before, after) => {
      const target = this.#before.get(before);
      if (target === undefined) return;
      const successor = this.#successors.get(target);
      if (successor === undefined) throw removesAnchor(before);
      if (successor !== this.#after.get(after))
        throw differs(`the alias *${before.name} would come to mean another node`);
    },
  };

  /** For what the operation brings. */
  readonly ofNew: PairObserver = {
    anchored: () => {},
    alias: (_, after) => {
      if (this.#after.get(after) === undefined) throw meansNothing(after);
    },
  };

  /** What an alias of the old node or of a node in it means: the last new one with the same anchor, if there is one. */
  replaced(before: SpanNode, after: SpanNode): void {
    if (this.#before.size === 0) return;
    const named = new Map([...walk(after)].map((node) => [node.properties?.anchor?.name, node]));
    for (const node of walk(before)) {
      const name = node.properties?.anchor?.name;
      const successor = name === undefined ? undefined : named.get(name);
      if (successor !== undefined) this.#successors.set(node, successor);
    }
  }
}

function removesAnchor({ name }: AliasNode): Refusal {
  return inUse(
    `Cannot remove the anchor &${name}: the alias *${name} still uses it`,
    `Replace or delete every *${name} first, then repeat this edit`,
  );
}

function meansNothing({ name }: AliasNode): Refusal {
  return inUse(
    `Cannot use the alias *${name}: no anchor &${name} stands before it`,
    `Use the name of an anchor that stands earlier in the document, or quote the value if "*" belongs to the text`,
  );
}

function inUse(message: string, advice: string): Refusal {
  return new Refusal('ANCHOR_IN_USE', message, {}, { advice: [advice] });
}
