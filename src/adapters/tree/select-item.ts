// Selects items of a list whose field has a text, `containers[name=web]`, and makes the refusal where there is not exactly one.

import { Refusal } from '../../security/errors/refusal.ts';
import {
  type FieldCondition,
  type NodePath,
  printNodePath,
  printSelector,
  type Selector,
} from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { closest } from './closest.ts';
import { nodeAt } from './locate.ts';
import { mismatch, shownPath } from './path-refusals.ts';
import type { SequenceNode, SpanNode } from './span-tree.ts';
import { compileWildcard, hasWildcard } from './wildcard.ts';

/**
 * The indexes of the items that the selector names: those with exactly its texts, or else those that these texts match as
 * patterns, `[uses=actions/checkout*]`. Aliases are not followed.
 */
export function selectedItems(
  items: readonly { readonly value: SpanNode }[],
  selector: Selector,
): readonly number[] {
  const conditions = [selector, ...(selector.others ?? [])];
  const indexes = (isMeant: (text: string | undefined, value: string) => boolean) =>
    items.flatMap(({ value: item }, index) =>
      conditions.every(({ field, value }) => isMeant(textAt(item, field), value)) ? [index] : [],
    );
  const exact = indexes((text, value) => text === value);
  const isShort = conditions.every(({ value }) => value.length <= MAX_WILDCARD);
  if (exact.length > 0 || !isShort || !conditions.some(({ value }) => hasWildcard(value))) return exact;
  const tests = new Map(conditions.map(({ value }) => [value, compileWildcard(value)]));
  return indexes((text, value) => text !== undefined && tests.get(value)?.(text) === true);
}

/** The index of the one item. Throws NODE_NOT_FOUND with what there is, and NODE_AMBIGUOUS with a path for each. `rest` stands behind it. */
export function selectItem(node: SpanNode, selector: Selector, walked: NodePath, rest: string): number {
  if (node.kind !== 'sequence') throw noList(node, selector, walked);
  const found = selectedItems(node.items, selector);
  const [first, second] = found;
  if (first === undefined) throw noItem(node, selector, walked, rest);
  if (second === undefined) return first;
  const path = `${printNodePath(walked)}${printSelector(selector)}`;
  throw new Refusal(
    'NODE_AMBIGUOUS',
    `Cannot choose one of the items of ${shownPath(walked)}: ${found.length} have ${said(selector)}`,
    { path },
    {
      existingPath: printNodePath(walked),
      nearestPaths: found.slice(0, MAX_PATHS).map((index) => printNodePath([...walked, index]) + rest),
      advice: ['Name one of them by its index'],
    },
  );
}

const MAX_PATHS = 8;
const MAX_SHOWN = 12;
const MAX_TEXT = 60;
const MAX_WILDCARD = 256;

function noItem(list: SequenceNode, selector: Selector, walked: NodePath, rest: string): Refusal {
  const texts = list.items.flatMap(({ value }) => textAt(value, selector.field) ?? []);
  const shown = texts.slice(0, MAX_SHOWN).map((text) => visibleLine(text.slice(0, MAX_TEXT)));
  const more = texts.length > shown.length ? ` and ${texts.length - shown.length} more` : '';
  const listNote =
    list.items.length === 0
      ? 'The list is empty'
      : texts.length === 0
        ? `No item has ${fieldOf(selector)}: use an index from 0 to ${list.items.length - 1}`
        : `Items: ${shown.join(', ')}${more}`;
  const path = `${printNodePath(walked)}${printSelector(selector)}${rest}`;
  return new Refusal(
    'NODE_NOT_FOUND',
    `Cannot find ${path}: no item with ${said(selector)}. ${listNote}`,
    { path },
    {
      existingPath: printNodePath(walked),
      nearestPaths: meantInstead(list, selector, texts).map((end) => `${printNodePath(walked)}${end}${rest}`),
      advice: ['See the items with config_get and view "outline"'],
    },
  );
}

/** The ends of paths that lead to items: what `[a=1,b=*]` can mean, else the nearest texts. */
function meantInstead(list: SequenceNode, selector: Selector, texts: readonly string[]): readonly string[] {
  const conditions = [selector, ...(selector.others ?? [])].flatMap(apart);
  const isLike = conditions.map(({ value }) => compileWildcard(value.slice(0, MAX_WILDCARD)));
  const found = list.items.flatMap(({ value: item }, index) => {
    const are = conditions.every(({ field }, at) => isLike[at]?.(textAt(item, field) ?? '') === true);
    return are ? [printNodePath([index])] : [];
  });
  if (found.length > 0) return found.slice(0, MAX_PATHS);
  return closest(selector.value, new Set(texts)).map((value) => printSelector({ ...selector, value }));
}

/** Splits several conditions with a comma between them. */
function apart({ field, value }: FieldCondition): readonly FieldCondition[] {
  const [first = '', ...more] = value.split(/, *(?=[\w.-]+=)/);
  const others = more.map((text) => ({
    field: text.slice(0, text.indexOf('=')).split('.'),
    value: text.slice(text.indexOf('=') + 1),
  }));
  return [{ field, value: first }, ...others];
}

function noList(node: SpanNode, { value, field }: Selector, walked: NodePath): Refusal {
  const isKey = field.join('.') === 'name' && nodeAt(node, [value]) !== undefined;
  const meant = isKey ? [...walked, value] : undefined;
  const kind =
    node.kind === 'mapping' ? 'a mapping, so it has keys, not items' : `a ${node.kind}, not a list`;
  return mismatch(walked, kind, 'name a key instead of an item', meant);
}

function textAt(item: SpanNode, field: readonly string[]): string | undefined {
  const whole = nodeAt(item, field.length === 0 ? [] : [field.join('.')]);
  const node = whole ?? nodeAt(item, field);
  return node?.kind === 'scalar' ? node.value : undefined;
}

function fieldOf({ field }: FieldCondition): string {
  return field.length === 0 ? 'a text' : visibleLine(field.join('.'));
}

function said({ others = [], ...first }: Selector): string {
  const asked = [first, ...others].map(
    ({ field, value }) => `${field.join('.') || 'text'}=${value.slice(0, MAX_TEXT)}`,
  );
  return visibleLine(asked.join(' and '));
}
