// Writes a new part of a collection as text: as lines in block style, as one piece in flow style.
import type { Format, KeyQuotes } from '../tree/format.ts';
import type { Collection } from '../tree/span-tree.ts';
import type { Copied } from './copied-part.ts';
import type { Fragment } from './fragment.ts';
import type { NewKey } from './intent.ts';
import { indentContinuation, layOut } from './lay-out.ts';
import { keySource, withSign } from './neighbour-style.ts';
import type { WriteContext } from './write-context.ts';

export interface PartText {
  /** The keys down to the value, from the outside in. */
  readonly keys: readonly string[];
  /** Whether the value is an item: of the collection itself where there are no keys, else of a new list below the last key. */
  readonly isItem: boolean;
  readonly fragment: Fragment;
  /** The part as it stands in another place, where it is copied from there. */
  readonly copied: Copied | undefined;
  /** The comments that go above its dash. */
  readonly above: readonly string[];
  readonly quotes: KeyQuotes;
  /** The blanks behind its dash, or in flow style behind its colons. */
  readonly gap: string;
  /** The blanks before its colons. */
  readonly beforeColon: string;
  /** The indentation of a block below a dash that is alone on its line; undefined if blocks begin on the line of the dash. */
  readonly belowDash: number | undefined;
  /** Returns the blanks within one-line brackets. */
  readonly pad: (kind: Collection['kind']) => string;
  readonly writeContext: WriteContext;
  readonly format: Format;
}

/** The part on lines of its own, the outermost key or the dash at `column`. */
export function blockLines(part: PartText, column: number): readonly string[] {
  const { fragment, copied, quotes, gap, writeContext, format } = part;
  const { unit, documentStyle } = writeContext;
  const [key, ...below] = part.keys;
  const lines = linesAsTheyAre(part);
  if (lines !== undefined) {
    const isNew = key !== undefined && copied?.key === undefined;
    return lines(column, isNew ? keySource(format, key, false, quotes) : undefined);
  }
  const comments = copied?.comments ?? part.above;
  if (comments.length > 0) {
    const above = comments.map((comment) => ' '.repeat(column) + comment);
    const without = copied && { ...copied, comments: [] };
    return [...above, ...blockLines({ ...part, copied: without, above: [] }, column)];
  }
  const indicator = key === undefined ? '-' : `${keyAsWritten(part, key, false, quotes)}${part.beforeColon}:`;
  const line = ' '.repeat(column) + indicator;
  if (below.length > 0 || (key !== undefined && part.isItem)) {
    const inner = { ...part, keys: below, quotes: quotesBelow(quotes) };
    const isBeside = below.length === 0 && !documentStyle().indentSequences;
    return [line, ...blockLines(inner, isBeside ? column : column + unit())];
  }
  const { belowDash } = part;
  const itemColumn = column + (belowDash ?? 1 + gap.length);
  const { head, below: rest } = layOut(fragment, {
    isFlow: false,
    parentColumn: column,
    compactColumn: key === undefined && belowDash === undefined ? itemColumn : undefined,
    bodyColumn: undefined,
    blockColumn: () => {
      if (key === undefined) return { mapping: itemColumn, sequence: itemColumn };
      const mapping = column + unit();
      return { mapping, sequence: documentStyle().indentSequences ? mapping : column };
    },
    unit,
  });
  return [...(head === '' ? line : line + gap + head).split('\n'), ...rest];
}

/** Returns the lines of a copied part as they are, where it stays an entry or stays an item; else undefined. */
export function linesAsTheyAre({ copied, keys, isItem, writeContext }: PartText): Copied['lines'] {
  const isSame = copied?.isItem === isItem && keys.length + Number(isItem) === 1 && !writeContext.isFlow;
  return isSame ? copied.lines : undefined;
}

/** The part as it stands within `[ ]` or `{ }`. */
export function flowPiece(part: PartText): string {
  return indentContinuation(relativePiece(part), part.writeContext);
}

/** Returns the piece within new brackets, with its lines indented from the column of the first. */
export function bracketedPiece(part: PartText): string {
  return bracketed(part, relativePiece(part), part.keys.length === 0);
}

function relativePiece(part: PartText): string {
  const { keys, isItem, fragment, quotes, gap, beforeColon, writeContext, format } = part;
  const dotted = asDotted(part);
  if (dotted !== undefined) return dotted;
  const written = layOut(fragment, { ...writeContext, parentColumn: -1, tabs: '' }).head;
  const [innermost, ...outer] = keys.map((key) => keyAsWritten(part, key, true, quotes)).reverse();
  if (innermost === undefined) return written;
  const head = isItem ? bracketed(part, written, true) : written;
  // Without a space a tag, an anchor or a sign could be read as one word with the colon, and the colon as part
  // of its key.
  const ownGap = /^["'[{\w]/.test(head) ? gap : ' ';
  const value = withSign(format, innermost, ownGap, beforeColon) + head;
  return outer.reduce(
    (inner, key) => withSign(format, key, gap, beforeColon) + bracketed(part, inner, false),
    value,
  );
}

/** Returns a single dotted key of braces that is copied into other braces as a dotted key; else undefined. */
function asDotted({ keys, isItem, copied, quotes, format }: PartText): string | undefined {
  const [key, second] = keys;
  const node = copied?.node;
  if (isItem || key === undefined || second !== undefined || format.layout !== 'sections') return undefined;
  if (copied === undefined || node?.kind !== 'mapping' || node.style !== 'pair') return undefined;
  const [, more] = node.entries;
  if (more !== undefined) return undefined;
  return `${keySource(format, key, true, quotes)}.${copied.text.slice(node.start, node.end)}`;
}

/** Puts brackets around the text. In JSON its parts get lines of their own where the parts around it have them. */
function bracketed({ pad, writeContext, format }: PartText, inner: string, isList: boolean): string {
  const { isMultiline, tabs, unit } = writeContext;
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const blank = pad(isList ? 'sequence' : 'mapping');
  if (!isMultiline || format.layout !== 'flow') return `${open}${blank}${inner}${blank}${close}`;
  const level = tabs ? '\t' : ' '.repeat(unit());
  return `${open}\n${level}${inner.replaceAll('\n', `\n${level}`)}\n${close}`;
}

/** Returns the keys and items that lead to the value, from the outside in, with the keys as they are written. */
export function writtenPath(part: PartText): (NewKey | 'item')[] {
  const { keys, isItem, copied, quotes } = part;
  if (linesAsTheyAre(part) !== undefined && copied?.key !== undefined) return [copied.key];
  const { isFlow } = part.writeContext;
  const written = keys.map((key, index) => {
    const isPlain =
      keyAsWritten(part, key, isFlow, index > 0 && !isFlow ? quotesBelow(quotes) : quotes) === key;
    return { text: key, isPlain };
  });
  return isItem ? [...written, 'item'] : written;
}

/** A key that comes without quotes, such as `on`, stays the key that it was. */
function keyAsWritten({ copied, format }: PartText, key: string, isFlow: boolean, quotes: KeyQuotes): string {
  const wasPlain = copied?.key?.isPlain === true && format.layout === 'block' && !quotes.isAlways;
  return wasPlain && /^[\w.-]+$/.test(key) ? key : keySource(format, key, isFlow, quotes);
}

/** Returns the style of keys without neighbours: quotes only where they are needed. */
function quotesBelow(quotes: KeyQuotes): KeyQuotes {
  return { ...quotes, isAlways: false };
}
