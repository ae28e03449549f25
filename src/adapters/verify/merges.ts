// What stands behind a merge key (`<<`) must be a mapping or a list of mappings: readers that merge refuse the whole file
// otherwise.
import { Refusal } from '../../security/index.ts';
import { type DocumentSpans, type SpanNode, walk } from '../tree/span-tree.ts';

/** A text without it has no merge key. */
const MERGE_KEY = /<<(?![\w'"-])/;

/**
 * Throws ANCHOR_IN_USE or VALUE_INVALID where the edit makes a merge that cannot be done. `text`: that of `after`. What
 * could not be merged before may stay.
 */
export function requireMergeable(before: DocumentSpans, after: DocumentSpans, text: string): void {
  if (!MERGE_KEY.test(text)) return;
  for (const areListsPlain of [true, false]) {
    const found = unmergeable(after, areListsPlain);
    if (found.length === 0) continue;
    const old = unmergeable(before, areListsPlain);
    if (found.length > old.length)
      throw notMergeable(found.find((node, index) => nameOf(node) !== nameOf(old[index])));
  }
}

/**
 * What is merged and is neither a mapping nor an alias of one, in source order. `areListsPlain`: as some readers see it,
 * who take a list of mappings only behind the key itself, and no alias of one.
 */
function unmergeable({ root, aliasTargets }: DocumentSpans, areListsPlain: boolean): SpanNode[] {
  const meaning = (node: SpanNode): SpanNode => aliasTargets.get(node) ?? node;
  const found: SpanNode[] = [];
  for (const node of walk(root)) {
    if (node.kind !== 'mapping') continue;
    for (const { key, value, name } of node.entries) {
      if (name !== '<<' || key.kind !== 'scalar' || key.style !== 'plain') continue;
      const merged = meaning(value);
      const isList = merged.kind === 'sequence' && !(areListsPlain && value.kind === 'alias');
      const sources = isList ? merged.items.map((item) => item.value) : [merged];
      const wrong = sources.filter((source) => meaning(source).kind !== 'mapping');
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
