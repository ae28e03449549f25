// The exact source slice of a node, with its anchor and tag, as `config_get` returns it.
import { isBlank, lineStart } from './lines.ts';
import { isBlockCollection, type SpanNode } from './span-tree.ts';

/** A block collection begins at the line start of its first entry, so that its indentation is even. */
export function sliceOf(text: string, node: SpanNode): string {
  return text.slice(sliceStart(text, node), node.end);
}

function sliceStart(text: string, node: SpanNode): number {
  if (node.properties !== undefined) return node.properties.start;
  if (!isBlockCollection(node)) return node.start;
  const start = lineStart(text, node.start);
  return isBlank(text, start, node.start) ? start : node.start;
}
