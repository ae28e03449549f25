// Finds what still names a key that was renamed, as in `depends_on: [db]`, `needs: build` and `{{ .Values.old }}`.
import { keyOf, printNodePath, visibleLine } from '../../security/index.ts';
import { visitNodes } from '../tree/keys.ts';
import type { MappingNode, Stream } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';
import type { ChangedNode } from './changed-nodes.ts';

const MAX_PLACES = 3;

export function* findStaleNames(result: Stream, { op, path, old, step }: ChangedNode): Generator<string> {
  if (op !== 'rename' || old?.kind !== 'scalar' || typeof old.typedValue !== 'string') return;
  const name = old.value;
  const above = path.slice(0, -1);
  const siblings = new Set(step?.next?.kind === 'mapping' ? namesIn(step.next) : []).add(name);
  // The same key of an item beside this one is no reference; names of siblings at another depth are.
  const isListOfNames = (node: MappingNode) => {
    const names = namesIn(node);
    return names.includes(name) && names.every((one) => siblings.has(one));
  };
  const expressions = [
    `.Values.${[...above, name].map((part) => keyOf(part) ?? part).join('.')}`,
    `needs.${name}`,
  ];
  const isNamedIn = (text: string) =>
    text.includes('{{') &&
    expressions.some(
      (one) => text.includes(one) && !/^[\w-]/u.test(text.slice(text.indexOf(one) + one.length)),
    );
  const places: string[] = [];
  let count = 0;
  for (const { root } of result.documents)
    visitNodes(result.text, root, (node, at) => {
      const isKey = node.kind === 'mapping' && at.length !== above.length && isListOfNames(node);
      const isText = node.kind === 'scalar' && (node.typedValue === name || isNamedIn(node.value));
      if ((isKey || isText) && count++ < MAX_PLACES) places.push(printNodePath(isKey ? [...at, name] : at));
    });
  const more = count > places.length ? ` and ${counted(count - places.length, 'more place')}` : '';
  if (count > 0) yield `${visibleLine(`${name} is still named at ${places.join(', ')}${more}`)}.`;
}

function namesIn({ entries }: MappingNode): readonly string[] {
  return entries.flatMap(({ key }) => (key.kind === 'scalar' ? [key.value] : []));
}
