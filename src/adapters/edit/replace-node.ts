// Puts a fragment where a node stands: which spans of the text that takes, and nothing about data.
import type { Edit } from '../../security/index.ts';
import { breakAt, isBlank, lineEnd, lineStart, nextLine, skipBlanksBack } from '../tree/lines.ts';
import { propertiesText } from '../tree/slice.ts';
import { isBlockCollection, isEmpty, type SpanNode } from '../tree/span-tree.ts';
import { type Fragment, lastBlockScalar, parseFragment } from './fragment.ts';
import { type Layout, layOut } from './lay-out.ts';
import type { PlanContext } from './plan.ts';
import type { WriteContext } from './write-context.ts';

/** Edits that replace `node`. Of its anchor and tag only `kept` stays. */
export function replaceNode(
  text: string,
  node: SpanNode,
  writeContext: WriteContext,
  fragment: Fragment,
  kept: string,
): Edit[] {
  const layout = layOut(fragment, writeContext);
  const lineBreak = breakAt(text, writeContext.indicatorEnd);
  const shape = shapeOf(text, node, writeContext);
  if (shape === 'below' && !isBlockCollection(node) && layout.below.length === 0 && layout.head !== '') {
    return finish(text, replaceInPlace(text, node, kept, layout), lineBreak, fragment);
  }
  if (writeContext.isRoot && node.properties === undefined && ownsLines(text, node, shape, layout)) {
    // A document's root has no line of an indicator to move to: it stays below what stands above it.
    const lines = [...(layout.head === '' ? [] : [layout.head]), ...layout.below].join('\n');
    return finish(
      text,
      [{ start: lineStart(text, node.start), end: node.end, insert: lines }],
      lineBreak,
      fragment,
    );
  }
  const below = belowEdit(text, node, writeContext, layout, shape, lineBreak);
  const headText = [kept, layout.head].filter((part) => part !== '').join(' ');
  // With lines below, the line break that they begin with is the last one of the old value.
  const inlineEnd = below === undefined ? node.end : lastLineEnd(text, node);
  const head = headEdit(text, node, writeContext, headText, shape, inlineEnd);
  return finish(
    text,
    [head, below].filter((edit) => edit !== undefined),
    lineBreak,
    fragment,
  );
}

/** Edits that put the fragment `source` where `node` stands, behind the anchor and the tag that are there. */
export function replaceContent(
  { stream, ...context }: PlanContext,
  node: SpanNode,
  writeContext: WriteContext,
  source: string,
): Edit[] {
  const fragment = parseFragment(source, context);
  return replaceNode(stream.text, node, writeContext, fragment, propertiesText(stream.text, node));
}

/** `keeps`: what stays of the node, as an intent says it. */
interface Growth {
  readonly edits: readonly Edit[];
  readonly keeps: 'anchor' | 'properties';
}

/** A null grows into a collection. Its tag goes where that is one of scalars: readers refuse a mapping under `!!null`. */
export function growNull(
  { stream, ...context }: PlanContext,
  node: SpanNode,
  writeContext: WriteContext,
  source: string,
): Growth {
  const { text } = stream;
  const fragment = parseFragment(source, context);
  const { anchor, tag } = node.properties ?? {};
  const isScalarTag = tag !== undefined && SCALAR_TAG.test(text.slice(tag.start, tag.end));
  const kept = !isScalarTag
    ? propertiesText(text, node)
    : anchor === undefined
      ? ''
      : text.slice(anchor.start, anchor.end);
  const edits = replaceNode(text, node, writeContext, fragment, kept);
  return { edits, keeps: isScalarTag ? 'anchor' : 'properties' };
}

const SCALAR_TAG = /^!(?:!|<tag:yaml\.org,2002:)(?:null|bool|int|float|str|binary|timestamp)>?$/;

/** `inline`: begins on its indicator's line. `below`: on a later one. `empty`: nowhere. */
type Shape = 'inline' | 'below' | 'empty';

function shapeOf(text: string, node: SpanNode, writeContext: WriteContext): Shape {
  if (isEmpty(node)) return 'empty';
  const from = node.properties?.end ?? writeContext.indicatorEnd;
  return text.slice(Math.min(from, node.start), node.start).includes('\n') ? 'below' : 'inline';
}

/** Whether a root stands on lines of its own, where nothing trails it that lines below would come behind. */
function ownsLines(text: string, node: SpanNode, shape: Shape, { below }: Layout): boolean {
  if (shape !== 'inline') return shape === 'below';
  const isAlone = isBlank(text, lineStart(text, node.start), node.start);
  return isAlone && below.length > 0 && isBlank(text, node.end, lineEnd(text, node.end));
}

/** A scalar or flow collection that stands below its key stays there. */
function replaceInPlace(text: string, node: SpanNode, kept: string, layout: Layout): Edit[] {
  const value = { start: node.start, end: node.end, insert: layout.head };
  const properties = node.properties;
  if (properties === undefined) return [value];
  return [
    {
      start: kept === '' ? skipBlanksBack(text, properties.start) : properties.start,
      end: properties.end,
      insert: kept,
    },
    value,
  ];
}

function headEdit(
  text: string,
  node: SpanNode,
  writeContext: WriteContext,
  head: string,
  shape: Shape,
  inlineEnd: number,
): Edit | undefined {
  const properties = node.properties;
  if (shape !== 'inline' && properties === undefined) {
    if (head === '' && writeContext.missingColon === '') return undefined;
    const rest = lineEnd(text, writeContext.indicatorEnd);
    const end =
      !writeContext.isFlow && isBlank(text, writeContext.indicatorEnd, rest)
        ? rest
        : writeContext.indicatorEnd;
    const space = head === '' || isLineStart(text, writeContext.indicatorEnd) ? '' : ' ';
    return { start: writeContext.indicatorEnd, end, insert: writeContext.missingColon + space + head };
  }
  const start = properties?.start ?? node.start;
  const headerEnd = node.kind === 'scalar' && node.block !== undefined ? node.block.header.end : inlineEnd;
  const end = shape === 'inline' ? headerEnd : (properties?.end ?? start);
  if (head === '')
    return {
      start: isLineStart(text, start) ? start : skipBlanksBack(text, start, writeContext.indicatorEnd),
      end,
      insert: '',
    };
  return { start, end, insert: separates(text, start, head) ? head : ` ${head}` };
}

/** Before the last line break of a collection that ends in a scalar which keeps it. */
function lastLineEnd(text: string, { start, end }: SpanNode): number {
  if (end === start || text[end - 1] !== '\n') return end;
  return text[end - 2] === '\r' ? end - 2 : end - 1;
}

function isLineStart(text: string, at: number): boolean {
  return at === lineStart(text, at);
}

/** After `"key":` in flow style a value may follow at once, unless the two could be read as one word. */
function separates(text: string, at: number, head: string): boolean {
  const before = text.slice(Math.max(at - 2, 0), at);
  return !/[:?-]$/.test(before) || (/["'\]}]:$/.test(before) && /^["'[{\w]/.test(head));
}

function belowEdit(
  text: string,
  node: SpanNode,
  writeContext: WriteContext,
  layout: Layout,
  shape: Shape,
  lineBreak: string,
): Edit | undefined {
  const old = oldLines(text, node, writeContext, shape, layout);
  if (layout.below.length === 0) return old.end > old.start ? { ...old, insert: '' } : undefined;
  const lines = layout.below.join(lineBreak);
  return { ...old, insert: old.atLineStart ? lines : lineBreak + lines };
}

/** The lines below the indicator's line that the old value takes; empty, at that line's end, where it takes none. */
function oldLines(text: string, node: SpanNode, writeContext: WriteContext, shape: Shape, layout: Layout) {
  if (shape === 'below') {
    const start = lineStart(text, node.start);
    // A block that stays a block leaves the comments above it where they are.
    if (isBlockCollection(node) && layout.isCollection)
      return { start, end: endWithComment(text, node), atLineStart: true };
    return {
      start: lineEnd(text, node.properties?.end ?? writeContext.indicatorEnd),
      end: endWithComment(text, node),
      atLineStart: false,
    };
  }
  if (node.kind === 'scalar' && node.block !== undefined) {
    const start = lineEnd(text, node.block.header.end);
    return { start, end: Math.max(start, node.end), atLineStart: false };
  }
  const at = lineEnd(
    text,
    shape === 'inline' ? lastLineEnd(text, node) : (node.properties?.end ?? writeContext.indicatorEnd),
  );
  return { start: at, end: at, atLineStart: false };
}

/** The comment behind the last part of a block is about that part, and goes with it. */
function endWithComment(text: string, node: SpanNode): number {
  const isOver = !isBlockCollection(node) || text[node.end - 1] === '\n';
  return !isOver && /^[ \t]+#/.test(text.slice(node.end, lineEnd(text, node.end)))
    ? lineEnd(text, node.end)
    : node.end;
}

/** Line breaks of the file, and the final line break or blank lines that a block scalar at the end decides on. */
function finish(text: string, edits: readonly Edit[], lineBreak: string, fragment: Fragment): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const result = sorted.map((edit) => ({ ...edit, insert: edit.insert.replaceAll(/\r?\n/g, lineBreak) }));
  const last = result.at(-1);
  if (last === undefined) return result;
  if (last.end > last.start && text[last.end - 1] === '\n') last.end -= text[last.end - 2] === '\r' ? 2 : 1;
  const block = lastBlockScalar(fragment.node);
  // What trails the last line of the old value would become text of the scalar.
  if (block !== undefined && last.insert.includes('\n')) last.end = lineEnd(text, last.end);
  if (block?.chomp === 'keep') last.end = endOfBlankLines(text, last.end);
  if (block !== undefined && block.chomp !== 'strip' && last.end === text.length) last.insert += lineBreak;
  return result;
}

/** The end of the last of the blank lines that follow; a scalar that keeps its line breaks would take them in. */
function endOfBlankLines(text: string, from: number): number {
  let end = from;
  for (
    let next = nextLine(text, end);
    next < text.length && isBlank(text, next, lineEnd(text, next));
    next = nextLine(text, end)
  ) {
    end = lineEnd(text, next);
  }
  return end;
}
