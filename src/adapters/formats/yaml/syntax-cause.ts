// Finds the usual mistake because of which a YAML text cannot be read: the place where a parser gives up is often far after it.
// It says nothing about the contents of the file, and nothing where no mistake is found.
import { indentOf, splitLines } from '../../tree/lines.ts';

export interface Cause {
  readonly offset: number;
  readonly message: string;
}

/** Finds the cause; `offset` is that of the first problem that a parser has found. Linear in the length of the text. */
export function findSyntaxCause(text: string, offset: number): Cause | undefined {
  const lines = linesUpTo(text, offset);
  const last = lines.at(-1);
  if (last === undefined) return undefined;
  return conflictMarker(text) ?? tab(lines) ?? openQuote(text, lines) ?? ofLine(lines);
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** A longer line was not written by hand, and the patterns would take too long on it. */
const MAX_LINE = 1_000;

/** Returns the lines up to that of the problem, which is the last. */
function linesUpTo(text: string, offset: number): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of splitLines(text)) {
    if (start > offset) break;
    lines.push({ start, text: line.length > MAX_LINE ? '' : line.replace(/\r?\n$/u, '') });
    start += line.length;
  }
  return lines;
}

function conflictMarker(text: string): Cause | undefined {
  const offset = /^<{7}(?= |$)/mu.exec(text)?.index;
  if (offset === undefined || !/^={7}\r?$/mu.test(text) || !/^>{7}(?= |$)/mu.test(text)) return undefined;
  return {
    offset,
    message:
      'a merge conflict begins here: keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>',
  };
}

function tab(lines: readonly Line[]): Cause | undefined {
  const line = lines.slice(-2).find((one) => /^ *\t\s*\S/u.test(one.text));
  if (line === undefined) return undefined;
  return {
    offset: line.start + line.text.indexOf('\t'),
    message: 'a tab cannot be used as indentation: use spaces',
  };
}

/** Matches the quote at the beginning of a value. */
const OPENING = /^(?:\s*(?:- +)*)(?:[^\s"'#][^"'#]*?:\s+|\[\s*|\{\s*)?(["'])/u;
const BLOCK = /(?:^|[:-])\s*(?:[!&]\S+\s+)*[|>][-+0-9]*\s*(?:#.*)?$/u;

/** Finds the first quote that nothing closes, or whose end stands where a value cannot end. */
function openQuote(text: string, lines: readonly Line[]): Cause | undefined {
  let skipUntil = 0;
  let blockIndent: number | undefined;
  for (const line of lines) {
    const indent = indentOf(line.text);
    if (blockIndent !== undefined && (line.text.trim() === '' || indent > blockIndent)) continue;
    blockIndent = BLOCK.test(line.text) ? indent : undefined;
    if (line.start < skipUntil) continue;
    const opening = OPENING.exec(line.text);
    const quote = opening?.[1];
    if (opening === null || quote === undefined) continue;
    const start = line.start + opening[0].length - 1;
    const end = closingQuote(text, start, quote);
    const behind = end === undefined ? undefined : /^[ \t]*([^\s])?/u.exec(text.slice(end + 1, end + 200));
    const follows = behind?.[1];
    const isOneLine = end !== undefined && !text.slice(start, end).includes('\n');
    if (end === undefined || (!isOneLine && follows !== undefined && !',]}:#'.includes(follows)))
      return { offset: start, message: `the quote (${quote}) that is opened here is not closed` };
    skipUntil = end;
  }
  return undefined;
}

function closingQuote(text: string, start: number, quote: string): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (quote === "'" && text[at + 1] === "'") at += 1;
      else return at;
    }
  }
  return undefined;
}

/** Returns what the line of the problem itself, or the one before it, shows. */
function ofLine(lines: readonly Line[]): Cause | undefined {
  for (const { start, text } of lines.slice(-2).toReversed()) {
    const offset = start + indentOf(text);
    if (/^\s*(?:- +)?[\w.-]+:(?![\s:/]|$)\S/u.test(text))
      return { offset, message: 'no space after ":": a key is followed by a colon and a space' };
    if (/[“”‘’]/u.test(text))
      return { offset, message: 'typographic quotes (“ ”, ‘ ’) are none for YAML: use " or \'' };
  }
  const key = lines.slice(-2).find(({ text }) => /^\s*(?:- +)?[A-Za-z_][\w.-]*\s*(?:#.*)?$/u.test(text));
  if (key === undefined) return undefined;
  return { offset: key.start + indentOf(key.text), message: 'the key on this line has no ":" after it' };
}
