// Creates missing mapping keys down to a value: the new lines, and where they go.
import type { Edit } from '../../security/index.ts';
import type { Format, KeyQuotes } from '../tree/format.ts';
import { breakAt, columnOf, skipBlanksBack } from '../tree/lines.ts';
import type { DocumentSpans, MappingNode, Stream } from '../tree/span-tree.ts';
import type { Fragment } from './fragment.ts';
import { type After, insertIntoBlock, insertIntoFlow, insertLines } from './insert-part.ts';
import { layOut } from './lay-out.ts';
import { isTight } from './new-key.ts';
import type { WriteContext } from './write-context.ts';

/** What is created: the missing keys from the outside in, and the value of the last. */
export interface NewEntry {
  readonly keys: readonly string[];
  readonly fragment: Fragment;
  readonly quotes: KeyQuotes;
}

/** The new entry in the mapping, behind the entry with the index `after`. */
export function planNewEntry(
  stream: Stream,
  mapping: MappingNode,
  after: After,
  writeContext: WriteContext,
  entry: NewEntry,
  format: Format,
  closely = true,
): Edit[] {
  if (mapping.style === 'pair') {
    const piece = flowEntry(mapping, entry, writeContext, format);
    return growPair(mapping, after === -1 ? [`{${piece}, `, '}'] : ['{', `, ${piece}}`]);
  }
  if (mapping.style !== 'block') {
    return insertIntoFlow(
      stream,
      mapping,
      after,
      flowEntry(mapping, entry, writeContext, format),
      writeContext.unit(),
    );
  }
  const lines = entryLines(entry, columnOf(stream.text, mapping.start), writeContext, format);
  return insertIntoBlock(stream, mapping, after, lines, entry.fragment, closely);
}

/** A lone `a: b` within `[ ]` can be no more than one entry: with two it needs braces. */
function growPair({ start, end }: MappingNode, [before, behind]: readonly [string, string]): Edit[] {
  return [
    { start, end: start, insert: before },
    { start: end, end, insert: behind },
  ];
}

/** The fragment of a mapping that holds nothing but the new entry: an implicit null grows into it. */
export function newMappingText(entry: NewEntry, writeContext: WriteContext, format: Format): string {
  return writeContext.isFlow
    ? `{${flowPair(entry, writeContext, format, ': ')}}`
    : entryLines(entry, 0, writeContext, format).join('\n');
}

/** The first entry of a document that has no node yet. */
export function planFirstEntry(
  text: string,
  document: DocumentSpans,
  entry: NewEntry,
  writeContext: WriteContext,
  format: Format,
): Edit[] {
  return planFirstNode(text, document, entryLines(entry, 0, writeContext, format), entry.fragment);
}

/** The first node of a document, below its comments. */
export function planFirstNode(
  text: string,
  document: DocumentSpans,
  lines: readonly string[],
  fragment: Fragment,
): Edit[] {
  const at = skipBlanksBack(text, document.contentEnd, document.contentStart);
  const insert = insertLines(text, at, lines, breakAt(text, at), fragment);
  // A file that holds nothing at all has no style: it gets a final line break.
  return [/^\uFEFF?$/.test(text) ? { ...insert, insert: `${lines.join('\n')}\n` } : insert];
}

/** The lines of the whole chain, the outermost key at `column`. */
function entryLines(entry: NewEntry, column: number, writeContext: WriteContext, format: Format): string[] {
  const [key, ...below] = entry.keys;
  if (key === undefined) throw new Error('a new entry has a key');
  const head = `${' '.repeat(column)}${format.writeKey(key, false, entry.quotes)}:`;
  if (below.length > 0)
    return [head, ...entryLines(keysBelow(entry, below), column + writeContext.unit(), writeContext, format)];
  const layout = layOut(entry.fragment, {
    isFlow: false,
    parentColumn: column,
    compactColumn: undefined,
    bodyColumn: undefined,
    blockColumn: () => {
      const mapping = column + writeContext.unit();
      return { mapping, sequence: writeContext.indentSequences() ? mapping : column };
    },
    unit: writeContext.unit,
  });
  const first = layout.head === '' ? head : `${head} ${layout.head}`;
  return [...first.split('\n'), ...layout.below];
}

/** Keys that have no neighbours are quoted as needed. */
function keysBelow(entry: NewEntry, keys: readonly string[]): NewEntry {
  return { ...entry, keys, quotes: { ...entry.quotes, isAlways: false } };
}

/** `key: value` as it stands inside braces; the spacing around the colon follows the entries that are there. */
function flowEntry(
  mapping: MappingNode,
  entry: NewEntry,
  writeContext: WriteContext,
  format: Format,
): string {
  const sibling = mapping.entries.at(-1);
  // Behind a key without quotes the colon needs its space.
  const isQuoted = format.layout === 'flow' || entry.quotes.isAlways;
  return flowPair(
    entry,
    writeContext,
    format,
    isQuoted && sibling !== undefined && isTight(sibling) ? ':' : ': ',
  );
}

function flowPair(entry: NewEntry, writeContext: WriteContext, format: Format, colon: string): string {
  const { head } = layOut(entry.fragment, { ...writeContext, isFlow: true });
  const names = entry.keys.map((key) => format.writeKey(key, true, entry.quotes));
  const [innermost, ...outer] = names.reverse();
  // The two could be read as one word.
  const gap = /^["'[{\w]/.test(head) ? colon : ': ';
  const value = head === '' ? ':' : gap + head;
  return outer.reduce((inner, key) => `${key}${colon}{${inner}}`, `${innermost ?? ''}${value}`);
}
