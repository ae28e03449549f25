// Finds the text of a scalar or a comment, without its marks.
import type { ScalarNode, Span } from '../tree/span-tree.ts';

/** Returns the span of a scalar; of a block scalar without its header. */
export function leafOf(node: ScalarNode): Span {
  return node.block === undefined ? node : { start: node.block.bodyStart, end: node.end };
}

/** Returns the span without quotes; of a block scalar from its first letter on. */
export function contentOf(node: ScalarNode, text: string): Span {
  let { start, end } = leafOf(node);
  if (node.style === 'single' || node.style === 'double') {
    const width = /^("""|''')/u.test(text.slice(start, end)) && end - start >= 6 ? 3 : 1;
    return { start: start + width, end: end - width };
  }
  while (start < end && /\s/u.test(text[start] ?? '')) start += 1;
  while (end > start && /\s/u.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Returns the end of a leaf without its closing mark: a quote, or the end of a comment. */
export function endOf({ start, end }: Span, text: string): number {
  if (/["']/u.test(text[start] ?? '')) return end - 1;
  return /[/{]/u.test(text[start] ?? '')
    ? start + text.slice(start, end).replace(COMMENT_END, '').length
    : end;
}

const COMMENT_END = /(?:\*\/(?:\s?-?\}\})?|-?#\})$/u;
