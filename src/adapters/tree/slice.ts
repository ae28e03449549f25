// Exact pieces of source: that of a node with its anchor and tag, as `config_get` returns it, and how far the content of
// a block scalar is indented.
import { isBlank, lineStart } from './lines.ts';
import { type BlockHeader, isBlockCollection, type SpanNode } from './span-tree.ts';

/** A block collection begins at the line start of its first entry, so that its indentation is even. */
export function sliceOf(text: string, node: SpanNode): string {
  return text.slice(sliceStart(text, node), node.end);
}

/** The anchor and the tag of a node as they are written; '' where it has none. */
export function propertiesText(text: string, { properties }: SpanNode): string {
  return properties === undefined ? '' : text.slice(properties.start, properties.end);
}

function sliceStart(text: string, node: SpanNode): number {
  if (node.properties !== undefined) return node.properties.start;
  if (!isBlockCollection(node)) return node.start;
  const start = lineStart(text, node.start);
  return isBlank(text, start, node.start) ? start : node.start;
}

/** The column at which the content stands; undefined where no line has any. */
export function contentIndent(text: string, block: BlockHeader): number | undefined {
  const digit = /[1-9]/.exec(text.slice(block.header.start, block.header.end));
  if (digit !== null) return block.parentColumn + Number(digit[0]);
  const firstContent = /^( *)[^ \r\n]/m.exec(text.slice(block.bodyStart, block.bodyEnd));
  return firstContent?.[1]?.length;
}
