// `append` and `insert`: a new item in a list, or a new key at a chosen place of a mapping.
import { type Edit, Refusal } from '../../security/index.ts';
import { indexesOf } from '../tree/key-index.ts';
import { columnOf } from '../tree/lines.ts';
import { type Located, locateExisting, notFound } from '../tree/locate.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import { isEmpty, type MappingNode, type SequenceNode, type SpanNode } from '../tree/span-tree.ts';
import { endsWithKeptLines, type Fragment, parseFragment } from './fragment.ts';
import { insertIntoBlock, insertIntoFlow } from './insert-part.ts';
import { positionOf } from './intent.ts';
import { modelOf } from './json-text.ts';
import { layOut } from './lay-out.ts';
import { keyQuotesOf, newKey } from './new-key.ts';
import type { Plan, PlanContext } from './plan.ts';
import { planNewEntry } from './plan-create.ts';
import { planReplace } from './plan-replace.ts';
import { planSet } from './plan-set.ts';
import { type NewValue, readValue, requireFlowItem } from './read-value.ts';
import { type Site, siteBeside, siteOf, siteWithin } from './site.ts';

/** At the end of the list at `path`; an implicit null becomes a list. Throws TYPE_MISMATCH elsewhere. */
export function planAppend(context: PlanContext, path: NodePath, value: NewValue): Plan {
  const located = locateExisting(context.stream.text, context.document, path, 'append to');
  const { node } = located;
  if (isEmpty(node)) return planFirstItem(context, located, value);
  if (node.kind !== 'sequence') throw notA('list', located, 'append to');
  return planItem(context, located, node, node.items.length, value);
}

/** Before the item with this index; the length of the list appends, negative indexes count from the end. */
export function planInsertItem(context: PlanContext, path: NodePath, index: number, value: NewValue): Plan {
  const { text } = context.stream;
  const located = locateExisting(text, context.document, path, 'insert into');
  const { node } = located;
  if (isEmpty(node) && index === 0) return planFirstItem(context, located, value);
  if (node.kind !== 'sequence') throw notA('list', located);
  const at = index < 0 ? node.items.length + index : index;
  if (at < 0 || at > node.items.length) {
    const missing = [indexSegment(index)];
    throw notFound(text, { ...located, missing }, [...located.path, ...missing], 'insert at');
  }
  return planItem(context, located, node, at, value);
}

export interface KeyPlace {
  readonly key: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A new key of the mapping at `path`. Throws DUPLICATE_KEY where it stands there already. */
export function planInsertKey(context: PlanContext, path: NodePath, place: KeyPlace, value: NewValue): Plan {
  const { stream, document, syntax } = context;
  const located = locateExisting(stream.text, document, path, 'insert into');
  const { node } = located;
  if (isEmpty(node) && place.before === undefined && place.after === undefined) {
    return planSet(context, [...path, keySegment(place.key)], value, true);
  }
  if (node.kind !== 'mapping') throw notA('mapping', located);
  if (indexesOf(stream.text, node, place.key).length > 0) {
    const there = printNodePath([...located.path, keySegment(place.key)]);
    throw new Refusal(
      'DUPLICATE_KEY',
      `Cannot insert ${there}: the key exists already`,
      {},
      {
        existingPath: there,
        advice: ['Use op "set" to change its value'],
      },
    );
  }
  const after = indexBefore(context, located, node, place);
  const where = siteOf(stream.text, document, located);
  const site = siteWithin(stream.text, where, node);
  const fragment = readValue(context, value, site);
  const quotes = keyQuotesOf(stream.text, node);
  const newEntry = { keys: [place.key], fragment, quotes };
  const edits = planNewEntry(stream, node, after, site, newEntry, syntax, place.before === undefined);
  const at = positionOf(context.documentIndex, located.steps);
  const key = newKey(place.key, site.isFlow, syntax, quotes);
  return { edits, intent: { kind: 'insert', at, index: after + 1, key, value: { around: [], fragment } } };
}

/** The index of the entry that the new one follows; -1 where it comes first. */
function indexBefore(
  context: PlanContext,
  located: Located,
  node: MappingNode,
  { before, after }: KeyPlace,
): number {
  const { text } = context.stream;
  const neighbour = before ?? after;
  if (neighbour === undefined) return node.entries.length - 1;
  const [index] = indexesOf(text, node, neighbour);
  if (index === undefined) {
    const missing = [keySegment(neighbour)];
    throw notFound(text, { ...located, missing }, [...located.path, ...missing], 'insert beside');
  }
  return before === undefined ? index : index - 1;
}

function planItem(
  context: PlanContext,
  located: Located,
  node: SequenceNode,
  index: number,
  value: NewValue,
): Plan {
  const { stream, document } = context;
  const where = siteOf(stream.text, document, located);
  const neighbour = (node.items.at(index - 1) ?? node.items.at(0))?.value;
  const model = 'json' in value ? modelOf(value.json, neighbour) : undefined;
  const site = siteBeside(stream.text, siteWithin(stream.text, where, node), model);
  const fragment = readValue(context, value, site, model);
  const edits = site.isFlow
    ? flowItem(context, node, index, site, fragment)
    : blockItem(context, node, index, site, fragment);
  const at = positionOf(context.documentIndex, located.steps);
  return { edits, intent: { kind: 'insert', at, index, key: 'item', value: { around: [], fragment } } };
}

function flowItem(
  { stream }: PlanContext,
  node: SequenceNode,
  index: number,
  site: Site,
  fragment: Fragment,
): readonly Edit[] {
  requireFlowItem(fragment);
  return insertIntoFlow(stream, node, index - 1, layOut(fragment, site).head, site.unit());
}

function blockItem(
  { stream }: PlanContext,
  node: SequenceNode,
  index: number,
  site: Site,
  fragment: Fragment,
): readonly Edit[] {
  const isLast = index === node.items.length;
  // In the middle, blank lines that follow would become part of a scalar that keeps them.
  const closely = isLast || endsWithKeptLines(fragment.node);
  const lines = itemLines(stream.text, node, site, fragment);
  return insertIntoBlock(stream, node, index - 1, lines, fragment, closely && isLast);
}

/** `- value`, with the spacing behind the dash that the list has. */
function itemLines(text: string, node: SequenceNode, site: Site, fragment: Fragment): string[] {
  const dash = columnOf(text, node.start);
  const model = node.items.last;
  const gap =
    model === undefined ? undefined : /^ +(?=\S)/.exec(text.slice(model.start + 1, model.start + 40))?.[0];
  const column = dash + 1 + (gap?.length ?? 1);
  const { head, below } = layOut(fragment, {
    isFlow: false,
    parentColumn: dash,
    blockColumn: () => ({ mapping: column, sequence: column }),
    compactColumn: column,
    bodyColumn: undefined,
    unit: site.unit,
  });
  const first = head === '' ? '-' : `-${gap ?? ' '}${head}`;
  return [...(' '.repeat(dash) + first).split('\n'), ...below];
}

/** An implicit null becomes a list of one item. */
function planFirstItem(context: PlanContext, located: Located, value: NewValue): Plan {
  const { stream, document, syntax } = context;
  const site = siteOf(stream.text, document, located);
  const item = readValue(context, value, site);
  if (site.isFlow) requireFlowItem(item);
  const source = site.isFlow ? `[${layOut(item, site).head}]` : listText(item, site);
  const fragment = parseFragment(source, { syntax, limits: context.limits, tagHandles: document.tagHandles });
  if (located.steps.length === 0 && located.node.properties === undefined)
    return planSet(context, [], { source }, true);
  const properties = located.node.properties;
  const kept = properties === undefined ? '' : stream.text.slice(properties.start, properties.end);
  const edits = planReplace(stream.text, located.node, site, fragment, kept);
  const at = positionOf(context.documentIndex, located.steps);
  const list = { around: ['item'], fragment: item } as const;
  return { edits, intent: { kind: 'replace', at, value: list, keeps: 'properties' } };
}

function listText(item: Fragment, { unit }: Site): string {
  const place = {
    isFlow: false,
    parentColumn: 0,
    blockColumn: () => ({ mapping: 2, sequence: 2 }),
    compactColumn: 2,
    bodyColumn: undefined,
    unit,
  };
  const { head, below } = layOut(item, place);
  return [head === '' ? '-' : `- ${head}`, ...below].join('\n');
}

function notA(kind: 'list' | 'mapping', located: Located, action = 'insert into'): Refusal {
  const path = printNodePath(located.path);
  const shown = path === '' ? 'the root of the document' : path;
  const { node } = located;
  if (node.kind === 'alias') {
    return new Refusal(
      'ALIAS_CROSSED',
      `Cannot ${action} ${shown}: it is the alias *${node.name}`,
      {},
      {
        existingPath: path,
        advice: [`Edit the node that carries &${node.name}: its aliases follow`],
      },
    );
  }
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot ${action} ${shown}: it is ${describe(node)}, not a ${kind}`,
    {},
    { existingPath: path, advice: [otherWay(node, kind)] },
  );
}

function otherWay({ kind }: SpanNode, wanted: 'list' | 'mapping'): string {
  if (kind === 'mapping') return 'Use op "set" with the path of the new key, or "insert" with "key"';
  if (kind === 'sequence') return 'Use op "append", or "insert" with "index"';
  return `Use op "set" to make it a ${wanted}`;
}

function describe(node: SpanNode): string {
  if (isEmpty(node)) return 'empty';
  return node.kind === 'sequence' ? 'a list' : `a ${node.kind}`;
}
