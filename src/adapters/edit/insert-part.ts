// Adds a part (an entry or an item) to a collection: finds its place, and the blank lines and comments that it needs around it.
import type { Edit } from '../../security/index.ts';
import {
  breakAt,
  columnOf,
  endOfBlankLines,
  isBlank,
  lineStart,
  nextLine,
  skipBlanksBack,
} from '../tree/lines.ts';
import {
  type Collection,
  type DocumentSpans,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { blankLines, insertLines } from '../tree/whole-lines.ts';
import { endWithBranches, startWithBranches } from './beside-branch.ts';
import { type Fragment, lastBlockScalar } from './fragment.ts';
import { insertAt } from './intent.ts';
import { blankLinesAround, blankLinesBetween, keepsLineBreaks } from './part-extent.ts';
import { narrowBlankLines } from './replace-node.ts';

/**
 * Adds whole indented lines (without the last line break) as the part `index` of a block collection. `isClose` means directly
 * behind the previous part, not directly before the next one and its comment.
 */
export function insertIntoBlock(
  stream: Stream,
  node: Collection,
  index: number,
  lines: readonly string[],
  fragment: Fragment,
  isClose: boolean,
): Edit[] {
  const { text } = stream;
  const parts = partsOf(node);
  const [previous, next] = [parts[index - 1], parts[index]];
  const { above, below } = blankLinesAround(stream, node, index, lines.length > 1);
  const isApart =
    previous !== undefined && next !== undefined && blankLinesBetween(stream, previous, next) > 0;
  const isKeeping = lastBlockScalar(fragment.node)?.chomp === 'keep';
  const before = keepsLineBreaks(previous) ? [] : blankLines(above);
  const behind = isKeeping ? [] : blankLines(below);
  if (previous !== undefined && (next === undefined || isClose)) {
    const end = endWithBranches(stream, node, previous, isClose);
    // A scalar that keeps its line breaks would take the blank lines behind it as its own text.
    const blankEnd = isKeeping ? endOfBlankLines(text, end) : end;
    const at = blankEnd > end ? nextLine(text, blankEnd) : end;
    const all = [...(at > end ? [] : before), ...lines, ...(isApart ? [] : behind)];
    const inserted = insertLines(text, at, all, needsBreak(fragment));
    const blanks = narrowBlankLines(text, inserted.end, fragment, inserted.insert);
    return [...strippedHeader(text, previous, end), inserted, ...blanks];
  }
  if (next === undefined) throw new Error('a block collection has at least one part');
  const lineBreak = breakAt(text, next.start);
  if (isBlank(text, lineStart(text, next.start), next.start)) {
    // The blank line above the next block stays above it, though it keeps the new part apart as well.
    const isBlock = isApart && lines.length > 1 && text.slice(next.start, next.end).trimEnd().includes('\n');
    const apart = isBlock && behind.length === 0 && !isKeeping ? [''] : behind;
    const all = [...(isApart ? [] : before), ...lines, ...apart];
    return [insertAt(startWithBranches(stream, node, next), all.map((line) => line + lineBreak).join(''))];
  }
  // The first part shares its line with the indicator of its parent: the new one takes that place.
  const moved = lineBreak + ' '.repeat(columnOf(text, next.start));
  return [insertAt(next.start, [...lines, ...behind].join(lineBreak).trimStart() + moved)];
}

/** True if a line break at the end of the text belongs to the last value of the fragment. */
export function needsBreak({ node }: Fragment): boolean {
  return (lastBlockScalar(node)?.chomp ?? 'strip') !== 'strip';
}

/** A block scalar cut off by the end of the file has no final line break; a line after it would give it one. */
export function strippedHeader(text: string, { value }: { readonly value: SpanNode }, end: number): Edit[] {
  const block = lastBlockScalar(value);
  const isCutOff = end === text.length && text[end - 1] !== '\n';
  if (block === undefined || block.chomp === 'strip' || !isCutOff || block.bodyEnd < end) return [];
  const isKept = block.chomp === 'keep';
  const start = isKept ? text.indexOf('+', block.header.start) : block.header.end;
  return [{ start, end: isKept ? start + 1 : start, insert: '-' }];
}

/** The first node of a document, below its comments. */
export function planFirstNode(
  text: string,
  document: DocumentSpans,
  lines: readonly string[],
  fragment: Fragment,
): Edit[] {
  const at = skipBlanksBack(text, document.contentEnd, document.contentStart);
  const insert = insertLines(text, at, lines, needsBreak(fragment));
  // A file that holds nothing at all has no style: it gets a final line break.
  return [/^\uFEFF?$/.test(text) ? { ...insert, insert: `${lines.join('\n')}\n` } : insert];
}
