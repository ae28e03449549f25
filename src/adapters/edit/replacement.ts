// The edits that replace the text of an old value: on the line of its indicator, and on the lines below.
import type { Edit } from '../../security/edits/edit.ts';
import {
  breakAt,
  endOfBlankLines,
  isBlank,
  lineEnd,
  lineStart,
  nextLine,
  skipBlanksBack,
  withoutBreak,
} from '../tree/lines.ts';
import { isBlockCollection, isEmpty, isWritten, type SpanNode } from '../tree/span-tree.ts';
import { narrowBlankLines } from './block.ts';
import { layOut, type Place, type ValueLines } from './place.ts';
import { lastScalar, type Source } from './source.ts';

/** A node and what replaces it. */
interface Replacement {
  readonly text: string;
  readonly node: SpanNode;
  readonly place: Place;
  readonly source: Source;
  /** Where the node begins: on the line of its indicator, on a later line, or nowhere if it is empty. */
  readonly shape: 'inline' | 'below' | 'empty';
  /** The end of the indicator, and of the anchor and tag behind it. */
  readonly headEnd: number;
}

/** Returns the edits that replace a node with a source. `kept` is what stays of its anchor and tag. */
export function replaceNode(
  text: string,
  node: SpanNode,
  place: Place,
  source: Source,
  kept: string,
): Edit[] {
  const headEnd = node.properties?.end ?? place.indicatorEnd;
  const own = withSurroundings(node);
  const isBelow = text.slice(Math.min(headEnd, own.start), own.start).includes('\n');
  const shape = isEmpty(node) ? 'empty' : isBelow ? 'below' : 'inline';
  const one: Replacement = { text, node: own, place, source, shape, headEnd };
  const lines = withActionOnLine(one, layOut(source, place));
  return withFileBreaks(text, nodeEdits(one, lines, kept), place.indicatorEnd, source);
}

/** Keeps an action after the key on its line, if the new value begins with the same action. */
function withActionOnLine(
  { text, node: { start, around }, shape }: Replacement,
  lines: ValueLines,
): ValueLines {
  const [first, ...below] = lines.below;
  if (shape !== 'inline' || start !== around?.start || first === undefined || lines.head !== '') return lines;
  const head = text.slice(start, lineEnd(text, start)).trim();
  return first.trim() === head ? { head, below } : lines;
}

/** Extends the node by the lines of actions that belong to it. */
function withSurroundings(node: SpanNode): SpanNode {
  const { around } = node;
  if (around === undefined) return node;
  return { ...node, start: Math.min(node.start, around.start), end: Math.max(node.end, around.end) };
}

function nodeEdits(one: Replacement, { head, below }: ValueLines, kept: string): readonly Edit[] {
  const { text, node, place, shape } = one;
  const { start, end, properties } = node;
  // A scalar or brackets below their key stay there.
  if (
    shape === 'below' &&
    !isBlockCollection(node) &&
    below.length === 0 &&
    head !== '' &&
    !isWritten(node)
  ) {
    if (properties === undefined) return [{ start, end, insert: head }];
    const from = kept === '' ? skipBlanksBack(text, properties.start) : properties.start;
    return [
      { start: from, end: properties.end, insert: kept },
      { start, end, insert: head },
    ];
  }
  // A root has no indicator to move to: it stays where it is.
  if (place.isRoot && properties === undefined && ownsLines(one, below)) {
    const lines = [...(head === '' ? [] : [head]), ...below].join('\n');
    return [{ start: lineStart(text, start), end, insert: lines }];
  }
  const newLines = linesEdit(one, below);
  const headText = [kept, head].filter((part) => part !== '').join(' ');
  // The last line break of the old value is the one before the new lines below.
  const inlineEnd = newLines === undefined ? endOnLine(one) : lastLineEnd(one);
  return [headEdit(one, headText, inlineEnd), newLines].filter((edit) => edit !== undefined);
}

/** True if a root has lines of its own: text after it on its line would end up after the new lines below. */
function ownsLines({ text, node: { start, end }, shape }: Replacement, below: readonly string[]): boolean {
  if (shape !== 'inline') return shape === 'below';
  const isAlone = isBlank(text, lineStart(text, start), start);
  return isAlone && below.length > 0 && isBlank(text, end, lineEnd(text, end));
}

function headEdit(one: Replacement, head: string, inlineEnd: number): Edit | undefined {
  const { text, node, place, shape } = one;
  const { indicatorEnd, isFlow, missingColon } = place;
  const { properties } = node;
  if (shape !== 'inline' && properties === undefined) {
    if (head === '' && missingColon === '') return undefined;
    const rest = lineEnd(text, indicatorEnd);
    const end = !isFlow && isBlank(text, indicatorEnd, rest) ? rest : indicatorEnd;
    const space = head === '' || isLineStart(text, indicatorEnd) ? '' : ' ';
    return { start: indicatorEnd, end, insert: missingColon + space + head };
  }
  const start = properties?.start ?? node.start;
  const headerEnd = node.kind === 'scalar' && node.block !== undefined ? node.block.header.end : inlineEnd;
  const end = shape === 'inline' ? headerEnd : (properties?.end ?? start);
  if (head !== '') return { start, end, insert: needsNoSpace(text, start, head) ? head : ` ${head}` };
  const from = isLineStart(text, start) ? start : skipBlanksBack(text, start, indicatorEnd);
  return { start: from, end, insert: isFlow && joinsColon(text, from, end) ? ' ' : '' };
}

function isLineStart(text: string, at: number): boolean {
  return at === lineStart(text, at);
}

/** True if the colon would become a part of the key before it, because no space follows. */
function joinsColon(text: string, at: number, end: number): boolean {
  return /[^"'\]}]:$/.test(text.slice(Math.max(at - 2, 0), at)) && /[,[\]{}?]/.test(text[end] ?? ' ');
}

/** True if no indicator is before the value, or if it follows `"key":` and begins with a quote, bracket or word. */
function needsNoSpace(text: string, at: number, head: string): boolean {
  const before = text.slice(Math.max(at - 2, 0), at);
  return !/[:?-]$/.test(before) || (/["'\]}]:$/.test(before) && /^["'[{\w]/.test(head));
}

function linesEdit(one: Replacement, below: readonly string[]): Edit | undefined {
  const { start, end, isLine } = oldLines(one);
  if (below.length === 0) return end > start ? { start, end, insert: '' } : undefined;
  return { start, end, insert: (isLine ? '' : '\n') + below.join('\n') };
}

/** Returns the lines of the old value below the indicator's line; an empty span at the end of that line if there are none. */
function oldLines(one: Replacement): { start: number; end: number; isLine: boolean } {
  const { text, node, source, shape, headEnd } = one;
  if (shape === 'below') {
    const end = endWithComment(one);
    // A block replaces lines of their own where they are, below the comments above them.
    const isKept = isBlockCollection(source.node) && isBlank(text, lineStart(text, node.start), node.start);
    return isKept
      ? { start: lineStart(text, node.start), end, isLine: true }
      : { start: lineEnd(text, headEnd), end, isLine: false };
  }
  if (node.kind === 'scalar' && node.block !== undefined) {
    const start = lineEnd(text, node.block.header.end);
    return { start, end: Math.max(start, node.end), isLine: false };
  }
  const at = lineEnd(text, shape === 'inline' ? lastLineEnd(one) : headEnd);
  return { start: at, end: at, isLine: false };
}

/** Returns the end of the node, before the last line break if it ends in a scalar with `+`. */
function lastLineEnd({ text, node: { start, end } }: Replacement): number {
  return end === start ? end : withoutBreak(text, end);
}

/** Returns the end of the node on its line, with its comment if the new value brings one. */
function endOnLine(one: Replacement): number {
  return one.source.behind === '' ? one.node.end : endWithComment(one);
}

/** Returns the end of the node with the comment after the last part of a block, which is about that part. */
function endWithComment({ text, node }: Replacement): number {
  const stop = lineEnd(text, node.end);
  const isOver = !isBlockCollection(node) || text[node.end - 1] === '\n';
  return !isOver && /^[ \t]+#/.test(text.slice(node.end, stop)) ? stop : node.end;
}

/** Converts to the file's line breaks, and adds the last line break or blank lines that a block scalar at the end needs. */
function withFileBreaks(text: string, edits: readonly Edit[], at: number, source: Source): Edit[] {
  const lineBreak = breakAt(text, at);
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const result = sorted.map((edit) => ({ ...edit, insert: edit.insert.replaceAll(/\r?\n/g, lineBreak) }));
  const last = result.at(-1);
  if (last === undefined) return result;
  if (last.end > last.start) last.end = withoutBreak(text, last.end);
  const block = lastScalar(source.node);
  // What follows the old value on its last line would become text of the scalar.
  if (block !== undefined && last.insert.includes('\n')) last.end = lineEnd(text, last.end);
  if (block?.chomp === 'keep') last.end = endOfBlankLines(text, last.end);
  if (block !== undefined && block.chomp !== 'strip' && last.end === text.length) last.insert += lineBreak;
  return [...result, ...narrowBlankLines(text, nextLine(text, last.end), source, last.insert)];
}
