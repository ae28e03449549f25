// The source text of a file that leaves towards an agent or a log. Whatever a reply, a warning or an error quotes of a
// file is made here.
import { visible } from '../../security/index.ts';
import { sliceOf } from '../tree/slice.ts';
import type { Span, SpanNode, Stream } from '../tree/span-tree.ts';

/** The exact source of a node, with its anchor and tag. */
export function shownSource({ text }: Stream, node: SpanNode): string {
  return sliceOf(text, node);
}

/** The exact text of a scalar, a tag or a comment. */
export function shownSpan({ text }: Stream, { start, end }: Span): string {
  return text.slice(start, end);
}

const MAX_EXCERPT = 200;

/** A source text that a preview keeps, as it is named beside a diff: whoever wants all of it finds it there. */
export function shownExcerpt(source: string): string {
  return visible(cutText(source, MAX_EXCERPT));
}

/** A text that is too long to be shown whole says so: nobody may take it for the whole. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`;
}
