// Aliases and merges: each alias that stays still means its node, and each new alias means one. What is merged (`<<`) is a mapping or a
// list of mappings, because other readers refuse anything else.

import { Refusal } from '../../security/errors/refusal.ts';
import { printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { isMerge, visitNodes } from '../tree/keys.ts';
import {
  type AliasNode,
  type DocumentSpans,
  isCollection,
  partsOf,
  type SpanNode,
  type Stream,
  walk,
} from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';
import { type Data, partsIn } from './expected.ts';

/** A document before the edits; undefined for a new one. */
export interface Before {
  readonly stream: Stream;
  readonly document: DocumentSpans;
}

/** Throws ANCHOR_IN_USE if an alias would mean another node, or none. `after` must have the data of `expected`. */
export function requireSameMeanings(expected: Data, after: DocumentSpans, before: Before | undefined): void {
  const old: DocumentSpans['aliasTargets'] = before?.document.aliasTargets ?? new Map();
  if (old.size === 0 && after.aliasTargets.size === 0 && !bringsAlias(expected)) return;
  const { successors, aliases } = pairs(expected, after.root);
  const known = new Set(before && walk(before.document.root));
  for (const [was, now] of aliases) {
    const target = after.aliasTargets.get(now);
    if (!known.has(was)) {
      if (target === undefined) throw meansNothing(now);
      continue;
    }
    const meant = old.get(was);
    if (meant === undefined || before === undefined) continue;
    const successor = successors.get(meant);
    if (successor === undefined) throw anchorRemoved(was.name, meant, before);
    if (successor !== target) throw meaningChanged(was);
  }
}

/** True if new data has an alias. */
function bringsAlias(data: Data): boolean {
  if (data.isNew === true) for (const { kind } of walk(data.node)) if (kind === 'alias') return true;
  return (data.parts ?? []).some(
    ({ key, value }) => bringsAlias(value) || (key !== undefined && bringsAlias(key)),
  );
}

/** Maps each expected node, and the nodes that it replaced, to the node of the result; also returns all pairs of aliases. */
function pairs(expected: Data, root: SpanNode) {
  const successors = new Map<SpanNode, SpanNode>();
  const aliases: [AliasNode, AliasNode][] = [];
  const ahead: [Data, SpanNode][] = [[expected, root]];
  for (let pair = ahead.pop(); pair !== undefined; pair = ahead.pop()) {
    const [data, node] = pair;
    successors.set(data.node, node);
    if (data.replaced !== undefined) addHeirs(data.replaced, node, successors);
    if (data.node.kind === 'alias' && node.kind === 'alias') aliases.push([data.node, node]);
    const others = isCollection(node) ? partsOf(node) : [];
    for (const [at, { key, value }] of partsIn(data).entries()) {
      const other = others[at];
      if (other === undefined) break;
      if (key !== undefined && 'key' in other) ahead.push([key, other.key]);
      ahead.push([value, other.value]);
    }
  }
  return { successors, aliases };
}

/** Maps replaced nodes with an anchor to what their aliases now mean: the last new node with the same anchor. */
function addHeirs(replaced: readonly SpanNode[], node: SpanNode, successors: Map<SpanNode, SpanNode>): void {
  const named = new Map([...walk(node)].map((heir) => [heir.properties?.anchor?.name, heir]));
  for (const gone of replaced.flatMap((one) => [...walk(one)])) {
    const heir = named.get(gone.properties?.anchor?.name);
    if (gone.properties?.anchor !== undefined && heir !== undefined) successors.set(gone, heir);
  }
}

const MOST_NAMED = 3;

/** Makes the refusal for a removed node, with the places of its aliases. */
function anchorRemoved(name: string, target: SpanNode, { stream, document }: Before): Refusal {
  const paths: string[] = [];
  visitNodes(stream.text, document.root, (node, path) => {
    if (document.aliasTargets.get(node) === target) paths.push(printNodePath(path));
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

function meaningChanged({ name }: AliasNode): Refusal {
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

export function inUse(message: string, advice: string): Refusal {
  return new Refusal('ANCHOR_IN_USE', message, {}, { advice: [advice] });
}

/** Matches every text with a merge key. */
const MERGE_KEY = /<<(?![\w'"-])/;

/**
 * Throws ANCHOR_IN_USE or VALUE_INVALID if the edit makes an invalid merge; one that was invalid before may stay. `text` is that of
 * `after`.
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
 * Returns the merged values that are neither a mapping nor an alias of one, in source order. `areListsPlain`: as for readers that
 * accept a list of mappings directly after the key, but no alias of one.
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
        // A custom tag, such as !include, may produce a mapping.
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
