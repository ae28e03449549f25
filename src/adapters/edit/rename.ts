// Writes another key for an entry, in the same place and quotes.
import type { Edit } from '../../security/edits/edit.ts';
import type { Located } from '../tree/locate.ts';
import { isEmpty, isSectional } from '../tree/span-tree.ts';
import { keepingColumn, keepingValueColumn } from './columns.ts';
import { quotesOf } from './neighbours.ts';
import type { Target } from './source.ts';
import { keyPlaces } from './tables.ts';

/** Returns the edits and the key as it is written. Aligned values and comments stay aligned. */
export function writeRename(
  { stream, format }: Target,
  at: Located,
  newKey: string,
): { readonly edits: readonly Edit[]; readonly name: string } {
  const step = at.steps.at(-1);
  if (step?.kind !== 'entry') throw new Error('only entries have keys');
  const { key } = step.part;
  const isFlow = at.steps.some(({ container }) => container.style !== 'block');
  // A key that is a block scalar is quoted: the new one is one line.
  const quotes = key.kind === 'scalar' && key.block !== undefined ? undefined : quotesOf(key);
  const name = format.writeKey(newKey, isFlow, {
    style: quotes ?? 'double',
    isAlways: quotes !== undefined,
  });
  // An empty key has no byte between it and its indicator, anchor or tag.
  const gap = isEmpty(key) && /\S/.test(stream.text[key.start - 1] ?? ' ') ? ' ' : '';
  const places = isSectional(step.container) ? keyPlaces(at) : [key];
  const edits = places.map(({ start, end }) => {
    const edit = { start, end, insert: gap + name };
    return end === key.end ? keepingValueColumn(stream, edit) : edit;
  });
  const [first, second] = edits;
  const isOne = first !== undefined && second === undefined;
  return { edits: isOne ? [keepingColumn(stream, first)] : edits, name };
}
