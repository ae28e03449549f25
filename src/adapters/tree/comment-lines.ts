// The lines of comments by their words alone, so that a comment is known again in another place: marks and indentation may change.
import { withoutEnd } from './lines.ts';
import type { Span } from './span-tree.ts';

/** Returns the lines of these comments that hold words. */
export function commentLines(text: string, comments: readonly Span[]): readonly string[] {
  return comments.flatMap(({ start, end }) => linesOfComment(text.slice(start, end)));
}

/**
 * Returns the lines of a text that is nothing but comments. Those that were joined to one (see `CommentSyntax`) are two. Only `exec` is
 * fast on a regular expression under the lock-down: `split` and `replace` took a third of a call.
 */
export function linesOfComment(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split('; '))
    .flatMap((line) => {
      const start = /[^\s#/*]/u.exec(line)?.index;
      return start === undefined ? [] : withoutEnd(line.slice(start), ' \t\r*/');
    });
}
