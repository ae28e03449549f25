// Finds the item of a list that a new one goes beside, as a request names it: `[name=web]`, `[2]`, its path, its text, the text
// of a field, or its only key: `- Home: index.md`.

import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { indexIn, parsePath } from '../../security/node-paths/parse-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { mismatch, shownPath } from './path-refusals.ts';
import { type Place, resolvePath } from './resolve-path.ts';
import { selectedItems } from './select-item.ts';
import type { SequenceNode, SpanNode } from './span-tree.ts';

interface Neighbour {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

interface ListAt {
  readonly node: SpanNode;
  readonly path: NodePath;
}

/** The index that a new item gets. Throws TYPE_MISMATCH for no list, NODE_NOT_FOUND where not exactly one item is meant. */
export function indexBeside(place: Place, { node, path }: ListAt, { before, after }: Neighbour): number {
  const text = before ?? after ?? '';
  if (node.kind !== 'sequence')
    throw mismatch(path, node.kind === 'mapping' ? 'a mapping' : 'no list', 'give "key" as well');
  const found = itemsNamed(place, node, path, text);
  const [index, second] = found;
  if (index !== undefined && second === undefined) return before === undefined ? index + 1 : index;
  const shown = found.slice(0, MAX_SHOWN).map((at) => printNodePath([at]));
  throw new Refusal(
    'NODE_NOT_FOUND',
    `Cannot put an item beside ${visibleLine(text.slice(0, MAX_TEXT))} in ${shownPath(path)}: ${found.length === 0 ? 'no item is' : `${found.length} items are`} named so`,
    { path: printNodePath(path) },
    {
      existingPath: printNodePath(path),
      advice: [
        found.length === 0
          ? 'Name the item by its index, [0], by a field, [name=web], by its text, or by its only key'
          : `Name one of them by its index: ${shown.join(', ')}`,
      ],
    },
  );
}

/** True for a list without the item next to which a new one should go. */
export function lacksNeighbour(place: Place, { node, path }: ListAt, { before, after }: Neighbour): boolean {
  const text = before ?? after;
  return text !== undefined && node.kind === 'sequence' && itemsNamed(place, node, path, text).length === 0;
}

const MAX_SHOWN = 8;
const MAX_TEXT = 60;

function itemsNamed(place: Place, list: SequenceNode, path: NodePath, text: string): readonly number[] {
  const { items } = list;
  const are = (isMeant: (item: SpanNode) => boolean) =>
    items.flatMap(({ value }, index) => (isMeant(value) ? [index] : []));
  const isText = are((item) => item.kind === 'scalar' && item.value === text);
  if (isText.length > 0) return isText;
  const [word, ...more] = text.startsWith('[') ? parsePath(text) : [];
  if (word !== undefined && more.length === 0) {
    if (word.kind === 'items') return selectedItems(items, word);
    if (word.kind === 'key') return itemsNamed(place, list, path, word.key);
    const index = word.kind === 'index' ? (word.index < 0 ? items.length + word.index : word.index) : -1;
    return items[index] === undefined ? [] : [index];
  }
  const hasText = are(
    (item) =>
      item.kind === 'mapping' &&
      item.entries.some(({ value }) => value.kind === 'scalar' && value.value === text),
  );
  if (hasText.length > 0) return hasText;
  const hasKey = are(
    (item) => item.kind === 'mapping' && item.entries.length === 1 && item.entries[0]?.name === text,
  );
  if (hasKey.length > 0) return hasKey;
  const digits = indexIn(text);
  // An index where no item can be a number.
  if (digits !== undefined && digits < items.length && items.every(({ value }) => value.kind === 'mapping'))
    return [digits];
  return itemAtPath(place, items.length, path, text);
}

/** Returns the item with this path, if it is in this list. */
function itemAtPath(place: Place, length: number, list: NodePath, text: string): readonly number[] {
  const path = unlessRefused(() => resolvePath(place, text, false)) ?? [];
  const last = path.at(-1);
  const isIn = printNodePath(path.slice(0, -1)) === printNodePath(list);
  if (!isIn || typeof last !== 'number') return [];
  const index = last < 0 ? length + last : last;
  return index >= 0 && index < length ? [index] : [];
}
