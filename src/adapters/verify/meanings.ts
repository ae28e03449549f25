// Checks meanings that reach beyond an edit. Each alias that stays still means its node, and each new alias has a node. What is
// merged (`<<`) is a mapping or a list of mappings, because other readers refuse anything else.
import { printNodePath, Refusal, visibleLine } from '../../security/index.ts';
import { isMerge, visitNodes } from '../tree/keys.ts';
import {
  type AliasNode,
  type AliasTargets,
  type DocumentSpans,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';
import type { PairObserver } from './tree-comparison.ts';

const MOST_NAMED = 3;

/** The aliases of one document, because anchors do not reach beyond it. */
export class AliasMeanings {
  readonly #old: DocumentSpans;
  readonly #text: string;
  readonly #before: AliasTargets;
  readonly #after: AliasTargets;
  /** For each anchored node that was passed, the node that it has become. Targets come before their aliases. */
  readonly #successors = new Map<SpanNode, SpanNode>();

  /** `text` is that of `before`. */
  constructor(before: DocumentSpans, text: string, after: DocumentSpans) {
    this.#old = before;
    this.#text = text;
    this.#before = before.aliasTargets;
    this.#after = after.aliasTargets;
  }

  get areNone(): boolean {
    return this.#before.size === 0 && this.#after.size === 0;
  }

  /** Observes the nodes that were there before. An alias without a node may stay so. */
  readonly ofOld: PairObserver = {
    anchored: (before, after) => this.#successors.set(before, after),
    alias: (before, after) => {
      const target = this.#before.get(before);
      if (target === undefined) return;
      const successor = this.#successors.get(target);
      if (successor === undefined) throw this.#removesAnchor(before.name, target);
      if (successor !== this.#after.get(after)) throw changesMeaning(before);
    },
  };

  /** Observes the nodes that the operation brings. */
  readonly ofNew: PairObserver = {
    anchored: () => {},
    alias: (_, after) => {
      if (this.#after.get(after) === undefined) throw meansNothing(after);
    },
  };

  /** Makes the refusal for a node that is gone, with the places that mean it. */
  #removesAnchor(name: string, target: SpanNode): Refusal {
    const paths: string[] = [];
    visitNodes(this.#text, this.#old.root, (node, path) => {
      if (this.#before.get(node) === target) paths.push(printNodePath(path));
    });
    const [first] = paths;
    const more = paths.length > MOST_NAMED ? ` and ${counted(paths.length - MOST_NAMED, 'more place')}` : '';
    return new Refusal(
      'ANCHOR_IN_USE',
      `Cannot remove the anchor &${name}: *${name} still uses it at ${paths.slice(0, MOST_NAMED).map(visibleLine).join(', ')}${more}`,
      {},
      {
        ...(first === undefined ? {} : { existingPath: first }),
        advice: [`Replace or delete every *${name} first, then repeat this edit`],
      },
    );
  }

  /** Records what aliases of a replaced node, or of a node in it, mean now: the last new node with the same anchor, if there is one. */
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

function changesMeaning({ name }: AliasNode): Refusal {
  return inUse(
    `Cannot make this edit: the alias *${name} would come to mean another node, because another anchor &${name} stands nearer`,
    `Give one of the anchors &${name} and its aliases another name with op "replace_text" and no path, then repeat this edit`,
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

/** A text without it has no merge key. */
const MERGE_KEY = /<<(?![\w'"-])/;

/**
 * Throws ANCHOR_IN_USE or VALUE_INVALID where the edit makes a merge that cannot be done. `text` is that of `after`. A merge
 * that could not be done before may stay.
 */
export function requireMergeable(
  before: DocumentSpans | undefined,
  after: DocumentSpans,
  text: string,
): void {
  if (!MERGE_KEY.test(text)) return;
  for (const areListsPlain of [true, false]) {
    const found = unmergeable(after, areListsPlain);
    if (found.length === 0) continue;
    const old = before === undefined ? [] : unmergeable(before, areListsPlain);
    if (found.length > old.length)
      throw notMergeable(found.find((node, index) => nameOf(node) !== nameOf(old[index])));
  }
}

/**
 * Returns what is merged but is neither a mapping nor an alias of one, in source order. `areListsPlain` follows readers that
 * accept a list of mappings only directly after the key, and no alias of one.
 */
function unmergeable({ root, aliasTargets }: DocumentSpans, areListsPlain: boolean): SpanNode[] {
  const meaning = (node: SpanNode): SpanNode => aliasTargets.get(node) ?? node;
  const found: SpanNode[] = [];
  for (const node of walk(root)) {
    if (node.kind !== 'mapping') continue;
    for (const { value } of node.entries.filter(isMerge)) {
      const merged = meaning(value);
      const isList = merged.kind === 'sequence' && !(areListsPlain && value.kind === 'alias');
      const sources = isList ? merged.items.map((item) => item.value) : [merged];
      const wrong = sources.map(meaning).flatMap(({ kind, properties }, index) => {
        // The reader that knows a tag of its own, such as !include, makes the mapping of it.
        const isUnclear = kind === 'scalar' && properties?.tag !== undefined;
        return kind === 'mapping' || isUnclear ? [] : (sources[index] ?? []);
      });
      found.push(...wrong.map((source) => (value.kind === 'alias' ? value : source)));
    }
  }
  return found;
}

function nameOf(node: SpanNode | undefined): string | undefined {
  return node?.kind === 'alias' ? node.name : undefined;
}

function notMergeable(merged: SpanNode | undefined): Refusal {
  const name = nameOf(merged);
  const node = name === undefined ? 'it' : `the node &${name}`;
  const merge = name === undefined ? '<<' : `<<: *${name}`;
  return new Refusal(
    name === undefined ? 'VALUE_INVALID' : 'ANCHOR_IN_USE',
    `Cannot use this value: ${node} is merged (${merge}), and only a mapping or a list of mappings can be merged`,
    {},
    { advice: [`Set a mapping${name === undefined ? '' : `, or remove every merge of *${name} first`}`] },
  );
}
