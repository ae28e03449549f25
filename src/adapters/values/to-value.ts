// Computes the JSON value of a node: aliases are followed and merge keys applied, under a budget, so that an alias bomb costs
// no more than the budget.

import { Refusal } from '../../security/errors/refusal.ts';
import { DEFAULT_LIMITS } from '../../security/policy/policy.ts';
import { parseYaml } from '../formats/yaml/yaml-format.ts';
import type { Json } from '../tree/json.ts';
import { isMerge, keyText } from '../tree/keys.ts';
import { isDoubtfulMerge, mergedMappings, overridable, targetOf } from '../tree/resolved.ts';
import type { DocumentSpans, MappingNode, SpanNode } from '../tree/span-tree.ts';
import { requireAtMost } from '../tree/wording.ts';

const MAX_VALUES = 50_000;

/** Returns the value. Throws LIMIT_EXCEEDED over the budget, DUPLICATE_KEY, and TYPE_MISMATCH where JSON has no such value. */
export function toValue(document: DocumentSpans, node: SpanNode): Json {
  return new ValueReader(document).read(node);
}

class ValueReader {
  readonly #document: DocumentSpans;
  readonly #open = new Set<SpanNode>();
  #count = 0;

  constructor(document: DocumentSpans) {
    this.#document = document;
  }

  read(node: SpanNode): Json {
    this.#take();
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
    const target = targetOf(this.#document, node);
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
    const own = this.#own(mapping);
    if (!mapping.entries.some(isMerge)) return own;
    const merged = noMembers();
    const unsure = new Set<string | undefined>();
    for (const source of mergedMappings(this.#document, mapping)) {
      if (source === undefined)
        throw new Refusal(
          'TYPE_MISMATCH',
          'Cannot give this as a JSON value: a merge key (<<) needs a mapping',
        );
      if (source !== mapping)
        this.#within(source, () => {
          for (const [name, part] of Object.entries(this.#own(source)))
            if (unsure.has(name)) throw readDifferently();
            else if (!(name in own) && !(name in merged)) merged[name] = part;
          return null;
        });
      for (const { name } of overridable(source)) unsure.add(name);
    }
    return Object.assign(merged, own);
  }

  /** Returns the members that stand in the mapping itself. */
  #own(mapping: MappingNode): Members {
    this.#take();
    const members = noMembers();
    for (const entry of mapping.entries) {
      if (isDoubtfulMerge(this.#document, entry)) throw readDifferently();
      if (isMerge(entry)) continue;
      const { key, value } = entry;
      const name = keyText(targetOf(this.#document, key) ?? key);
      if (name === undefined)
        throw new Refusal('TYPE_MISMATCH', 'Cannot give this as a JSON value: a key is a collection');
      if (name in members && entry.branch !== undefined) throw inBranches();
      if (name in members)
        throw new Refusal(
          'DUPLICATE_KEY',
          'Cannot give this as a JSON value: a key occurs twice in its mapping',
        );
      members[name] = this.read(value);
    }
    return members;
  }

  #take(): void {
    this.#count += 1;
    requireAtMost(MAX_VALUES, this.#count, 'number of values with aliases followed', 'values');
  }
}

function readDifferently(): Refusal {
  return new Refusal(
    'DUPLICATE_KEY',
    'Cannot give this as a JSON value: readers differ about a merge (<<) in it, which brings a key again that is above it, or is written in quotes, as an alias or with a tag',
  );
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

/** Reads a file of the operator, YAML or JSON. Throws a Refusal for anything but one document with a JSON value. */
export function readPlainValue(text: string): Json {
  const [document, second] = parseYaml(text, DEFAULT_LIMITS).documents;
  if (document === undefined || second !== undefined)
    throw new Refusal('DOCUMENT_AMBIGUOUS', 'Cannot use a file with several documents here');
  return toValue(document, document.root);
}
