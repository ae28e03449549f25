// Adds an entry or an item to a collection: where the new text goes, and what it needs around it.
import type { Edit } from '../../security/index.ts';
import { breakAt, indentOf, isBlank, lineEnd, lineStart, nextLine } from '../tree/lines.ts';
import { isEmpty, type MappingNode, type SequenceNode, type SpanNode } from '../tree/span-tree.ts';
import { type Fragment, lastBlockScalar } from './fragment.ts';

/** Whole lines, indented and without the last line break. */
export type Lines = readonly string[];

/** Lines after `last`, the last part of a block collection: behind its content, before what trails it. */
export function insertAfter(
  text: string,
  last: SpanNode,
  lastEnd: number,
  lines: Lines,
  fragment: Fragment | undefined,
): Edit[] {
  const edits: Edit[] = [];
  const block = lastBlockScalar(last);
  const lineBreak = breakAt(text, Math.max(lastEnd - 1, 0));
  // A block scalar cut off by the end of the file has no final line break; a line after it would give it one.
  if (
    block !== undefined &&
    block.chomp !== 'strip' &&
    lastEnd === text.length &&
    text[lastEnd - 1] !== '\n'
  ) {
    const chompAt = block.chomp === 'keep' ? text.indexOf('+', block.header.start) : block.header.end;
    edits.push({ start: chompAt, end: chompAt + (block.chomp === 'keep' ? 1 : 0), insert: '-' });
  }
  edits.push(insertLines(text, lastEnd, lines, lineBreak, fragment));
  return edits;
}

/** Lines below the line that holds `after`, or right there where a line begins. */
export function insertLines(
  text: string,
  after: number,
  lines: Lines,
  lineBreak: string,
  fragment: Fragment | undefined,
): Edit {
  const joined = lines.join(lineBreak);
  const isNewLine = after === 0 || text[after - 1] === '\n' || (after === 1 && text.startsWith('\uFEFF'));
  const at = isNewLine ? after : nextLine(text, after);
  const isBrokenOff = !isNewLine && (at === after || text[at - 1] !== '\n');
  if (isBrokenOff) {
    const needsBreak = fragment !== undefined && lastBlockScalar(fragment.node) !== undefined;
    return { start: at, end: at, insert: lineBreak + joined + (needsBreak ? lineBreak : '') };
  }
  return { start: at, end: at, insert: joined + lineBreak };
}

/** `piece` as the last part of a flow collection, in the layout that its parts have. */
export function insertIntoFlow(
  text: string,
  node: MappingNode | SequenceNode,
  piece: string,
  unit: number,
): Edit[] {
  const parts = node.kind === 'mapping' ? node.entries : node.items;
  const last = parts.at(-1);
  const close = node.end - 1;
  if (last === undefined) return [insertIntoEmptyFlow(text, node, piece, unit)];
  const lastLine = lineStart(text, last.start);
  const isMultiLine =
    lineStart(text, close) !== lineStart(text, last.end) && isBlank(text, lastLine, last.start);
  if (!isMultiLine) return [{ start: last.end, end: last.end, insert: `, ${piece}` }];
  const lineBreak = breakAt(text, last.end);
  const indent = text.slice(lastLine, last.start);
  const comma = node.trailingComma;
  const lineEndAt = lineEnd(text, comma ?? last.end);
  const line = `${lineBreak}${indent}${piece}${comma === undefined ? '' : ','}`;
  if (comma !== undefined) return [{ start: lineEndAt, end: lineEndAt, insert: line }];
  if (lineEndAt === last.end) return [{ start: last.end, end: last.end, insert: `,${line}` }];
  return [
    { start: last.end, end: last.end, insert: ',' },
    { start: lineEndAt, end: lineEndAt, insert: line },
  ];
}

function insertIntoEmptyFlow(text: string, node: SpanNode, piece: string, unit: number): Edit {
  const inner = text.slice(node.start + 1, node.end - 1);
  if (!inner.includes('\n')) {
    const pad = inner.trim() === '' && inner !== '' ? ' ' : '';
    return { start: node.start + 1, end: node.end - 1, insert: pad + piece + pad };
  }
  // Comments may stand between the brackets: the new line goes below them.
  const lineBreak = breakAt(text, node.start);
  const openLine = lineStart(text, node.start);
  const outer = indentOf(text.slice(openLine, lineEnd(text, openLine)));
  const closeLine = lineStart(text, node.end - 1);
  return { start: closeLine, end: closeLine, insert: `${' '.repeat(outer + unit)}${piece}${lineBreak}` };
}

/** Where a collection's last part ends; comments that belong inside an empty value are passed. */
export function endOfLast(text: string, node: SpanNode, end: number, column: number): number {
  let leaf: SpanNode | undefined = node;
  while (leaf !== undefined && leaf.kind !== 'scalar' && leaf.kind !== 'alias') {
    leaf = leaf.kind === 'mapping' ? leaf.entries.at(-1)?.value : leaf.items.at(-1)?.value;
  }
  if (leaf === undefined || !isEmpty(leaf)) return end;
  let last = end;
  for (let at = nextLine(text, end); at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at, lineEnd(text, at));
    if (!line.trimStart().startsWith('#') || indentOf(line) <= column) break;
    last = at + line.length;
    if (nextLine(text, at) === at) break;
  }
  return last;
}
