// Asks about a value such as `image: nginx`, which is a mapping, among scalars.
import { keyOf, type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import type { Target } from '../edit/source.ts';
import { locateIfClear, nodeAt } from '../tree/locate.ts';
import { isCollection, partsOf, type SpanNode } from '../tree/span-tree.ts';
import type { Given } from './operation.ts';

/** One key with a plain scalar on one line. */
const PAIR = /^[\w.$/-]+:[ \t]+[^\s[{&*!|>#][^\n]*\n?$/;
/** Keys whose value is always a mapping. */
const TAKES_MAPPING =
  /^(?:.*(?:labels|annotations|selector|environment|env|with|permissions|args|data|limits|requests|vars|variables|options|settings|dependencies|scripts|inputs|outputs|secrets|defaults|properties|matrix|on))$/i;
/** The number of scalar neighbours that show that a mapping is unusual. */
const MANY = 2;

/** Returns the question, if any. `path` is that of the new value, or of the list that it is added to. */
export function likelyPair(
  { document }: Target,
  path: NodePath,
  { value = '' }: Given,
  isItem: boolean,
): readonly string[] {
  if (!PAIR.test(value)) return [];
  const above = isItem ? path : path.slice(0, -1);
  const { node, missing } = locateIfClear(document, above) ?? {};
  if (node === undefined || missing?.length !== 0 || !isCollection(node)) return [];
  const old = isItem ? undefined : nodeAt(document.root, path);
  const isNewKey = old === undefined && !isItem;
  if (!isItem && TAKES_MAPPING.test(keyOf(path.at(-1)) ?? '')) return [];
  const others = partsOf(node).map((part) => part.value);
  const isAmongScalars = others.length >= (isNewKey ? MANY : 1) && others.every(isFilled);
  if (old === undefined ? !isAmongScalars : !isFilled(old)) return [];
  const where = visibleLine(printNodePath(path)) || 'The root';
  return [
    `${where}: the value is a mapping, where ${old === undefined ? 'the others are scalars' : 'a scalar was'}. Did you mean the text, or the value without its key? A text goes in "json".`,
  ];
}

function isFilled(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.style !== 'empty';
}
