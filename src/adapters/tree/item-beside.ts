// Finds the item of a list that a new one goes beside, as a request names it: `[name=web]`, `[2]`, its text, or the text of a field.
import { type NodePath, parsePath, printNodePath, Refusal, visibleLine } from '../../security/index.ts';
import { mismatch, shownPath } from './path-refusals.ts';
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
export function indexBeside({ node, path }: ListAt, { before, after }: Neighbour): number {
  const text = before ?? after ?? '';
  if (node.kind !== 'sequence')
    throw mismatch(path, node.kind === 'mapping' ? 'a mapping' : 'no list', 'give "key" as well');
  const found = itemsNamed(node, text);
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
          ? 'Name the item by its index, [0], by a field, [name=web], or by its text'
          : `Name one of them by its index: ${shown.join(', ')}`,
      ],
    },
  );
}

/** True for a list in which a new item would go beside none, because no item is named so. */
export function lacksNeighbour({ node }: Pick<ListAt, 'node'>, { before, after }: Neighbour): boolean {
  const text = before ?? after;
  return text !== undefined && node.kind === 'sequence' && itemsNamed(node, text).length === 0;
}

const MAX_SHOWN = 8;
const MAX_TEXT = 60;

function itemsNamed({ items }: SequenceNode, text: string): readonly number[] {
  const are = (isMeant: (item: SpanNode) => boolean) =>
    items.flatMap(({ value }, index) => (isMeant(value) ? [index] : []));
  const isText = are((item) => item.kind === 'scalar' && item.value === text);
  if (isText.length > 0) return isText;
  const [word, ...more] = text.startsWith('[') ? parsePath(text) : [];
  if (word !== undefined && more.length === 0) {
    if (word.kind === 'items') return selectedItems(items, word);
    const index = word.kind === 'index' ? (word.index < 0 ? items.length + word.index : word.index) : -1;
    return items[index] === undefined ? [] : [index];
  }
  return are(
    (item) =>
      item.kind === 'mapping' &&
      item.entries.some(({ value }) => value.kind === 'scalar' && value.value === text),
  );
}
