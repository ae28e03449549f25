// Brackets that readers of YAML 1.1 (libyaml, PyYAML, yaml.v3) read as all others do: they end a plain scalar at `?`, and take the colon
// of `{a:, b}` for part of the key.
import type { Edit } from '../../security/index.ts';
import { type Entry, isFlowCollection, partsOf, type SpanNode, walk } from '../tree/span-tree.ts';
import { endsInBrackets, holdsActions, isOpenKey } from '../tree/word-ends.ts';

/** The edits that make the brackets in a node of YAML read the same for all; none if they do already. */
export function strictly(text: string, root: SpanNode): readonly Edit[] {
  const edits: Edit[] = [];
  for (const node of walk(root)) {
    if (!isFlowCollection(node)) continue;
    for (const part of partsOf(node)) {
      if ('key' in part) edits.push(...quoted(part.key), ...withBlank(text, part));
      edits.push(...quoted(part.value));
    }
  }
  return edits.sort((a, b) => a.start - b.start);
}

function quoted(node: SpanNode): readonly Edit[] {
  // Quotes around an action would turn whatever it writes into text.
  if (node.kind !== 'scalar' || node.style !== 'plain' || holdsActions(node)) return [];
  if (!endsInBrackets(node.value)) return [];
  return [{ start: node.start, end: node.end, insert: JSON.stringify(node.value) }];
}

/** Returns an edit that puts a blank behind the colon of a plain key, where both could be read as one word with what follows. */
function withBlank(text: string, { key, colon }: Entry): readonly Edit[] {
  if (colon === undefined || !isOpenKey(key) || !/[,[\]{}?]/.test(text[colon + 1] ?? ' ')) return [];
  return [{ start: colon + 1, end: colon + 1, insert: ' ' }];
}
