// Adds and removes whole lines of a text. If its last line has no line break, it has none afterwards either.
import type { Edit } from '../../security/edits/edit.ts';
import { breakAt, nextLine } from './lines.ts';
import type { Span } from './span-tree.ts';

/**
 * Puts lines below the line that holds `after`, or at `after` where a line begins there. A text without a last line break ends so
 * afterwards, too, unless `needsBreak`.
 */
export function insertLines(text: string, after: number, lines: readonly string[], needsBreak = false): Edit {
  return addLines(text, after, lines, breakAt(text, Math.max(after - 1, 0)), needsBreak);
}

/** Does the same with this line break. */
export function addLines(
  text: string,
  after: number,
  lines: readonly string[],
  lineBreak: string,
  needsBreak: boolean,
): Edit {
  const joined = lines.join('\n').replaceAll(/\r?\n/g, lineBreak);
  const isNewLine = after === 0 || text[after - 1] === '\n' || (after === 1 && text.startsWith('\uFEFF'));
  const at = isNewLine ? after : nextLine(text, after);
  const isCutOff = !isNewLine && (at === after || text[at - 1] !== '\n');
  const insert = isCutOff ? lineBreak + joined + (needsBreak ? lineBreak : '') : joined + lineBreak;
  return { start: at, end: at, insert };
}

export function blankLines(count: number): string[] {
  return Array.from({ length: count }, () => '');
}

/** Removes whole lines. Where they are the last and have no line break at their end, the line before loses its own. */
export function removeLines(text: string, { start, end }: Span): Edit {
  const isCutOff = start > 0 && end === text.length && text[end - 1] !== '\n';
  return { start: isCutOff ? start - breakAt(text, start - 1).length : start, end, insert: '' };
}
