// Computes the JSON value of a node: aliases are followed and merge keys applied, under a budget, so that an alias bomb costs
// no more than the budget.
import { Refusal } from '../../security/index.ts';
import type { Json } from '../tree/json.ts';
import { isMerge, keyText } from '../tree/keys.ts';
import type { AliasTargets, DocumentSpans, MappingNode, SpanNode } from '../tree/span-tree.ts';
import { requireAtMost } from '../tree/wording.ts';

const MAX_VALUES = 50_000;

/** Answers the value. Throws LIMIT_EXCEEDED over the budget, DUPLICATE_KEY, and TYPE_MISMATCH where JSON has no such value. */
export function toValue(document: DocumentSpans, node: SpanNode): Json {
  return new ValueReader(document).read(node);
}

class ValueReader {
  readonly #targets: AliasTargets;
  readonly #open = new Set<SpanNode>();
  #count = 0;

  constructor({ aliasTargets }: DocumentSpans) {
    this.#targets = aliasTargets;
  }

  read(node: SpanNode): Json {
    this.#count += 1;
    requireAtMost(MAX_VALUES, this.#count, 'number of values with aliases followed', 'values');
    switch (node.kind) {
      case 'alias':
        return this.#within(node, () => this.read(this.#targetOf(node)));
      case 'scalar':
        return node.typedValue;
      case 'sequence':
        return this.#within(node, () => node.items.map((item) => this.read(item.value)));
      case 'mapping':
        return this.#within(node, () => this.#members(node));
    }
  }

  #targetOf(node: SpanNode & { kind: 'alias' }): SpanNode {
    const target = this.#targets.get(node);
    if (target !== undefined) return target;
    throw new Refusal(
      'ANCHOR_IN_USE',
      `Cannot give the value of the alias *${node.name}: no anchor &${node.name} stands before it`,
    );
  }

  #within(node: SpanNode, read: () => Json): Json {
    if (this.#open.has(node))
      throw new Refusal(
        'TYPE_MISMATCH',
        'Cannot give this as a JSON value: an alias leads back into its own node',
      );
    this.#open.add(node);
    const value = read();
    this.#open.delete(node);
    return value;
  }

  #members(mapping: MappingNode): Members {
    const own = noMembers();
    const merged = noMembers();
    let hasMerged = false;
    for (const entry of mapping.entries) {
      const { key, value } = entry;
      const name = keyText(this.#targets.get(key) ?? key);
      if (name === undefined)
        throw new Refusal('TYPE_MISMATCH', 'Cannot give this as a JSON value: a key is a collection');
      if (isMerge(entry)) {
        hasMerged = true;
        this.#merge(value, merged);
      } else if (name in own && entry.branch !== undefined) throw inBranches();
      else if (name in own)
        throw new Refusal(
          'DUPLICATE_KEY',
          'Cannot give this as a JSON value: a key occurs twice in its mapping',
        );
      else own[name] = this.read(value);
    }
    if (!hasMerged) return own;
    for (const name of Object.keys(merged)) if (name in own) delete merged[name];
    return Object.assign(merged, own);
  }

  #merge(value: SpanNode, into: Members): void {
    const node = this.#targets.get(value) ?? value;
    this.#count += 1;
    requireAtMost(MAX_VALUES, this.#count, 'number of values with aliases followed', 'values');
    if (node.kind === 'sequence') {
      for (const item of node.items) this.#merge(item.value, into);
      return;
    }
    if (node.kind !== 'mapping')
      throw new Refusal(
        'TYPE_MISMATCH',
        'Cannot give this as a JSON value: a merge key (<<) needs a mapping',
      );
    this.#within(node, () => {
      for (const [name, part] of Object.entries(this.#members(node))) if (!(name in into)) into[name] = part;
      return null;
    });
  }
}

function inBranches(): Refusal {
  return new Refusal(
    'TEMPLATE_ACTION',
    'Cannot give this as a JSON value: a key stands in several branches, of which actions of the template choose one',
    {},
    { advice: ['See it with view "source" or "outline", or name one of them as type[#2] and see that'] },
  );
}

type Members = Record<string, Json>;

/** Makes an object that inherits nothing, so that every name is an ordinary key. A Map would have to hash thousands of names once more. */
function noMembers(): Members {
  return Object.create(null);
}
