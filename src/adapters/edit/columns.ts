// The gap before comments at the end of lines, and the indentation of a line.
import { indentOf, isBlank, lineEnd, lineStart, skipBlanksBack } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';
import { vote } from './style.ts';

/** The number of comments that are enough to tell the usual gap. */
const ENOUGH = 300;

/** Returns the blanks before a comment at the end of a line: two or one, as before most others. */
export function usualGap({ text, comments }: Stream): string {
  const widths = comments
    .slice(0, ENOUGH)
    .filter(({ start }) => !isBlank(text, lineStart(text, start), start))
    .map(({ start }) => Math.min(start - skipBlanksBack(text, start), 2));
  return ' '.repeat(vote(widths.sort()) ?? 1);
}

export function lineIndent(text: string, at: number): number {
  return indentOf(text.slice(lineStart(text, at), lineEnd(text, at)));
}
