// How the parts of a flow collection stand: on lines of their own, and how far in, or one behind the other.
import { indentOf, lineEnd, lineStart } from '../tree/lines.ts';
import { type Collection, isFlowCollection, partsOf, type SpanNode, walk } from '../tree/span-tree.ts';
import { isTight } from './new-key.ts';

/** Whether the parts of a flow collection stand on lines of their own; undefined where it has none. */
export function isMultiline(text: string, node: SpanNode): boolean | undefined {
  if (!isFlowCollection(node)) return undefined;
  const first = partsOf(node)[0];
  return first === undefined ? undefined : text.slice(node.start, first.start).includes('\n');
}

/** How far the parts of a flow collection over several lines are indented. */
export function multilineUnit(text: string, node: Collection): number | undefined {
  const first = partsOf(node)[0];
  if (first === undefined || isMultiline(text, node) !== true) return undefined;
  const unit = lineIndent(text, first.start) - lineIndent(text, node.start);
  return unit > 0 ? unit : undefined;
}

export function lineIndent(text: string, at: number): number {
  const line = lineStart(text, at);
  return indentOf(text.slice(line, lineEnd(text, line)));
}

/** What the line begins with, where that is tabs; '' elsewhere. */
export function tabsAt(text: string, at: number): string {
  return /^[ \t]*\t[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** What stands behind the commas and colons of a file in flow style, as far as its first one tells; undefined without one. */
export function gapIn(text: string, root: SpanNode): string | undefined {
  for (const node of walk(root)) {
    const entry = node.kind === 'mapping' ? node.entries[0] : undefined;
    if (entry !== undefined) return isTight(entry) ? '' : ' ';
    const [first, second] = node.kind === 'sequence' ? node.items.slice(0, 2) : [];
    const gap = first && second && /^,( *)\S/.exec(text.slice(first.end, second.start + 1))?.[1];
    if (gap !== undefined) return gap;
  }
  return undefined;
}
