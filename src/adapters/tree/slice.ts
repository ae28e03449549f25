// The exact source slice of a node, with its anchor and tag, as `config_get` returns it.
import { isBlank, lineStart } from './lines.ts';
import { isBlockCollection, type SpanNode } from './span-tree.ts';

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
