// Makes the refusal for an operation on a list or a mapping where another node stands.
import { printNodePath, Refusal } from '../../security/index.ts';
import type { Located } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';
import { canGrow, isEmpty, type SpanNode } from '../tree/span-tree.ts';

/** Throws TYPE_MISMATCH and ALIAS_CROSSED where an item cannot go there: not into a list, and not into a new list below `keys`. */
export function requireList(located: Located, keys: readonly string[], action?: string): void {
  const { node } = located;
  if (!canGrow(node) && node.kind !== (keys.length > 0 ? 'mapping' : 'sequence'))
    throw notA('list', located, action);
}

export function notA(kind: 'list' | 'mapping', located: Located, action = 'insert into'): Refusal {
  const path = printNodePath(located.path);
  const shown = shownPath(located.path);
  const { node } = located;
  if (node.kind === 'alias') {
    return new Refusal(
      'ALIAS_CROSSED',
      `Cannot ${action} ${shown}: it is the alias *${node.name}`,
      {},
      {
        existingPath: path,
        advice: [
          `Edit the node that carries &${node.name}: its aliases follow`,
          `To change this place only, set ${shown} to a value of its own`,
        ],
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

function otherWay(node: SpanNode, wanted: 'list' | 'mapping'): string {
  const { kind } = node;
  if (kind === 'scalar' && node.value.includes('\n'))
    return 'It is a text of several lines: to add one use op "replace_text" with the line before it, or "set" the whole text';
  if (kind === 'mapping')
    return 'Use op "merge" with the new keys, "set" with the path of the new key, or "insert" with "key"';
  if (kind === 'sequence') return 'Use op "append", or "insert" with "index"';
  return `Use op "set" to make it a ${wanted}`;
}

function describe(node: SpanNode): string {
  if (isEmpty(node)) return 'empty';
  return node.kind === 'sequence' ? 'a list' : `a ${node.kind}`;
}
