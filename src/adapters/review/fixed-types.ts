// Finds values where Kubernetes takes texts only: it would refuse a number, `true` or a mapping there, long after the edit was
// reviewed.
import { keyOf, type NodePath, printNodePath } from '../../security/index.ts';
import { visitNodes } from '../tree/keys.ts';
import { scalarAt } from '../tree/locate.ts';
import { type DocumentSpans, isEmpty, isWritten, type SpanNode, type Stream } from '../tree/span-tree.ts';

/** The keys of mappings of texts in any object. */
const OF_TEXTS = ['labels', 'annotations', 'matchLabels', 'nodeSelector'];
/** All keys whose parts can only be texts. */
export const TAKES_TEXTS: readonly string[] = [...OF_TEXTS, 'data', 'stringData'];
const MOST_NAMED = 5;

/** Returns whole sentences with a question about `now`, which is new at this path, and all below it. */
export function findNoTexts(
  { text }: Stream,
  document: DocumentSpans,
  at: NodePath,
  now: SpanNode,
): string[] {
  const found: string[] = [];
  if (!isObject(document.root)) return found;
  visitNodes(text, now, (node, below) => {
    const path = [...at, ...below];
    const is = kindOf(node);
    if (found.length >= MOST_NAMED || is === 'text' || is === 'alias' || is === 'null') return;
    if (!takesText(document.root, path)) return;
    const meant =
      node.kind === 'scalar'
        ? `Did you mean "json": ${JSON.stringify(node.value.slice(0, 60))}?`
        : 'Did you mean a text? Then send it as "json".';
    found.push(`${printNodePath(path)}: becomes ${is}, where only texts can stand. ${meant}`);
  });
  return found;
}

function takesText(root: SpanNode, path: NodePath): boolean {
  const parent = path.at(-2);
  if (typeof parent === 'number') return keyOf(path.at(-1)) === 'value' && keyOf(path.at(-3)) === 'env';
  const [key, kind] = [keyOf(parent), scalarAt(root, ['kind'])];
  if (key === undefined || kind === 'CustomResourceDefinition') return false;
  if (OF_TEXTS.includes(key)) return true;
  return path.length === 2 && (key === 'stringData' || (key === 'data' && kind === 'ConfigMap'));
}

function isObject(node: SpanNode): boolean {
  return ['apiVersion', 'kind'].every((key) => scalarAt(node, [key]) !== undefined);
}

/** Names the kind of a node in words, as a reader takes it. */
export function kindOf(
  node: SpanNode,
): 'a mapping' | 'a list' | 'text' | 'a number' | 'true or false' | 'null' | 'alias' {
  switch (node.kind) {
    case 'mapping':
      return 'a mapping';
    case 'sequence':
      return 'a list';
    case 'alias':
      return 'alias';
    case 'scalar': {
      const { typedValue } = node;
      // Only its readers, or whoever fills in the template, know what it is.
      if (node.properties?.tag !== undefined || isWritten(node)) return 'alias';
      if (typedValue === null || isEmpty(node)) return 'null';
      if (typeof typedValue === 'boolean') return 'true or false';
      // A number that JSON cannot hold comes as its source text.
      return typeof typedValue === 'string' ? 'text' : 'a number';
    }
  }
}
