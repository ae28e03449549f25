// Reports the errors of a YAML text in our own words: `yaml` finds them, but its messages quote the file.
import type { CST, ErrorCode as YamlErrorCode } from 'yaml';
import type { Problem } from '../../../security/errors/refusal.ts';
import type { Limits } from '../../../security/policy/policy.ts';
import { indentOf, lineStart, splitLines, withPlaces } from '../../tree/lines.ts';
import { composed, readTokens } from './second-reader.ts';

const WORDS: Readonly<Record<YamlErrorCode, string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag',
  BAD_ALIAS: 'the name of this alias or anchor is not valid',
  BAD_COLLECTION_TYPE: 'the tag does not fit this kind of collection',
  BAD_DIRECTIVE: 'this directive is not valid',
  BAD_DQ_ESCAPE: 'invalid escape sequence in a double-quoted string',
  BAD_INDENT: 'the indentation does not fit what surrounds it',
  BAD_PROP_ORDER: 'an anchor or tag stands before an indicator that must come first',
  BAD_SCALAR_START: 'a plain value cannot start with this character: quote it',
  BLOCK_AS_IMPLICIT_KEY: 'a nested mapping or list cannot stand on the same line as its key',
  BLOCK_IN_FLOW: 'a block collection or block scalar cannot stand inside [ ] or { }',
  DUPLICATE_KEY: 'this key occurs twice in its mapping',
  IMPOSSIBLE: 'the text is not valid YAML here',
  KEY_OVER_1024_CHARS: 'a key on one line with its value may have at most 1024 characters',
  MISSING_CHAR: 'something is missing here: a closing quote or bracket, a comma, or the space after ":"',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line',
  MULTIPLE_ANCHORS: 'a node can have only one anchor',
  MULTIPLE_DOCS: 'the text holds more than one document',
  MULTIPLE_TAGS: 'a node can have only one tag',
  NON_STRING_KEY: 'this key is not a string',
  RESOURCE_EXHAUSTION: 'the nesting is too deep',
  TAB_AS_INDENT: 'a tab cannot be used as indentation',
  TAG_RESOLVE_FAILED: 'the tag uses a prefix that no %TAG directive declares',
  UNEXPECTED_TOKEN: 'this cannot stand here',
};

/** The message for a line that other readers accept, and the standard does not. */
export const UNDER_INDENTED =
  'this line stands within quotes and must be indented further than the key or dash that the quotes belong to, or a closing quote is missing before it';

const MAX_PROBLEMS = 1_000;
const ENOUGH = new Error('enough problems');

/** Returns every syntax error with its place, in source order, at most `syntaxProblems`; empty for valid YAML. Throws LIMIT_EXCEEDED. */
export function findSyntaxProblems(text: string, limits: Limits): Problem[] {
  const tokens = readTokens(text, limits);
  const most = limits.syntaxProblems ?? MAX_PROBLEMS;
  const found = new Map<number, string>();
  const note = (offset: number, code: YamlErrorCode, theirs: string): void => {
    if (isAboutContent(code, text, offset)) return;
    const line = underIndentedLine(text, offset, theirs);
    if (line !== undefined) found.set(line, UNDER_INDENTED);
    else if (!found.has(offset)) found.set(offset, WORDS[code]);
    if (found.size >= most) throw ENOUGH;
  };
  const control = findControlCharacter(text);
  if (control !== undefined) found.set(control, 'a control character cannot stand in YAML');
  for (const offset of findRepeatedVersions(tokens))
    found.set(offset, 'a document can have only one %YAML directive');
  const [faults, sound] = [tokens.filter(isError), tokens.filter((token) => !isError(token))];
  const noteFaults = () => {
    for (const { offset, message } of faults) note(offset, 'UNEXPECTED_TOKEN', message);
  };
  try {
    // Where only one is wanted, the composer is not needed.
    if (most < faults.length) noteFaults();
    for (const _ of composed(sound, text.length, note));
    noteFaults();
  } catch (reason) {
    if (reason !== ENOUGH) throw reason;
  }
  const first = Math.min(...found.keys());
  const cause = found.size === 0 || most === 1 ? undefined : findSyntaxCause(text, first);
  if (cause !== undefined) {
    // The parser's error on the same line is a consequence.
    const isSameLine = !text
      .slice(Math.min(first, cause.offset), Math.max(first, cause.offset))
      .includes('\n');
    if (isSameLine) found.delete(first);
    found.set(cause.offset, cause.message);
  }
  const problems = [...found].map(
    ([offset, message]) => ({ offset, code: 'SYNTAX_INVALID', message }) as const,
  );
  return withPlaces(
    text,
    problems.sort((a, b) => a.offset - b.offset),
  );
}

function isError(token: CST.Token): token is CST.ErrorToken {
  return token.type === 'error';
}

/** Returns the line that is not indented far enough: `yaml` ends a quoted scalar before it, and misses the quote that is below. */
function underIndentedLine(text: string, end: number, theirs: string): number | undefined {
  const quote = /^Missing closing (["'])quote/.exec(theirs)?.[1];
  if (quote === undefined || !text.includes(quote, end)) return undefined;
  let at = end;
  while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1;
  return /^(?:---|\.\.\.)/.test(text.slice(at, at + 3)) ? undefined : lineStart(text, at);
}

/** True if the content does not fit its tag (`!!int x`), which is no syntax error; an undeclared prefix is one. */
function isAboutContent(code: YamlErrorCode, text: string, offset: number): boolean {
  if (code === 'BAD_COLLECTION_TYPE') return true;
  if (code !== 'TAG_RESOLVE_FAILED') return false;
  const handle = /^![^\s!]*!/.exec(text.slice(offset, offset + 256))?.[0];
  return handle === undefined || handle === '!!';
}

/** Returns repeated %YAML directives: `yaml` takes the last of several, but the standard allows one for each document. */
function findRepeatedVersions(tokens: readonly CST.Token[]): number[] {
  const repeated: number[] = [];
  let hasVersion = false;
  for (const token of tokens) {
    if (token.type === 'document') hasVersion = false;
    if (token.type !== 'directive' || !/^%YAML[ \t]/.test(token.source)) continue;
    if (hasVersion) repeated.push(token.offset);
    hasVersion = true;
  }
  return repeated;
}

/** Returns the offset of the first C0 control character other than tab and line breaks. */
function findControlCharacter(text: string): number | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return i;
  }
  return undefined;
}

interface Cause {
  readonly offset: number;
  readonly message: string;
}

/**
 * Finds the usual mistake behind a problem: a parser often gives up far after it, at `offset`. The message quotes nothing of the
 * file. Linear in the length of the text.
 */
function findSyntaxCause(text: string, offset: number): Cause | undefined {
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
      return { offset: start, message: notClosed(quote) };
    skipUntil = end;
  }
  return undefined;
}

export function notClosed(quote: string): string {
  return `the quote (${quote}) that is opened here is not closed`;
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
