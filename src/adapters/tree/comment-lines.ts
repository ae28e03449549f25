// The lines of comments by their words alone, so that a comment is known again in another place: marks and indentation may change.
import { withoutEnd } from './lines.ts';
import type { Span } from './span-tree.ts';

/** Returns the lines of these comments that hold words. */
export function commentLines(text: string, comments: readonly Span[]): readonly string[] {
  return comments.flatMap(({ start, end }) => linesOfComment(text.slice(start, end)));
}

/** Returns the lines of a text that is nothing but comments. Those that were joined to one (see `CommentSyntax`) are two. */
export function linesOfComment(text: string): readonly string[] {
  const lines = text.split(/\n|; /).map((line) => withoutEnd(line.replace(/^[\s#/*]+/, ''), ' \t\r*/'));
  return lines.filter((line) => line !== '');
}
