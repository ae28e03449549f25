// Recognises rarer parts of templates: text in a branch of its own that YAML cannot have beside the other branches, and actions
// between the lines of a plain text.
import type { Lexeme } from './lex-actions.ts';
import type { Head, Line } from './template-lines.ts';

/** The lines of literal text that no node shows: empty brackets alone in a branch, and definitions of text or lists. */
export function unseenLines(
  text: string,
  lexemes: readonly Lexeme[],
  lines: readonly Line[],
): ReadonlySet<number> {
  const unseen = new Set(lines.flatMap((_, index) => (isEmptyBetween(lines, index) ? [index] : [])));
  for (const lexeme of lexemes) for (const index of definedText(text, lexeme, lines)) unseen.add(index);
  return unseen;
}

/** True for empty brackets alone between lines of actions. */
export function isEmptyBetween(lines: readonly Line[], index: number): boolean {
  const isBetween = lines[index - 1]?.kind === 'actions' && lines[index + 1]?.kind === 'actions';
  return isBetween && /^[ \t]*(?:\{\}|\[\])[ \t]*$/.test(lines[index]?.literal ?? '');
}

/** The lines of a definition whose first one has no key: they cannot stand beside the keys of others. */
function definedText(
  text: string,
  { kind, block, start }: Lexeme,
  lines: readonly Line[],
): readonly number[] {
  if (kind !== 'open' || block === undefined) return [];
  if (!/^\{\{-?\s*(?:define|block)\b/.test(text.slice(start, start + 20))) return [];
  const own = lines.flatMap((line, index) => {
    const isWithin = line.start > block.start && line.end < block.lastStart;
    return isWithin && line.kind === 'content' ? [{ index, literal: line.literal }] : [];
  });
  const isKeyed = /^[^\s"'#-][^#]*?:(?:\s|$)/.test(own[0]?.literal ?? 'a:');
  return isKeyed ? [] : own.map(({ index }) => index);
}

/** True if a plain text begins after the key, and may go on in the lines below. */
export function isPlainText(before: string, { isKey, valueAt }: Head): boolean {
  return isKey && /^[ \t]+[^\s"'[{|>&*!#]/.test(before.slice(valueAt));
}

/** The last line of the text that begins on the line `index`, below a key in this column. */
export function lastOfPlainText(lines: readonly Line[], index: number, column: number): number {
  let last = index;
  for (let i = index + 1; i < lines.length; i++) {
    const line = lines[i];
    if (line === undefined || line.kind === 'blank' || line.kind === 'actions') continue;
    const isText = line.kind === 'content' && line.indent > column && !/^\s*- |:(?:\s|$)/.test(line.literal);
    if (!isText) break;
    last = i;
  }
  return last;
}
