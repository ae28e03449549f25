// Reports the errors of a YAML text in our own words: `yaml` finds them, but its messages quote the file.
import type { CST, ErrorCode as YamlErrorCode } from 'yaml';
import type { Limits, Problem } from '../../../security/index.ts';
import { lineStart, withPlaces } from '../../tree/lines.ts';
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
const UNDER_INDENTED =
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
  const conflict = found.size === 0 || most === 1 ? undefined : mergeConflict(text);
  if (conflict !== undefined) found.set(conflict, CONFLICT);
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

const CONFLICT =
  'a merge conflict begins here: keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>';

/** Returns where a merge conflict begins, which a parser takes for something else, often far below. */
function mergeConflict(text: string): number | undefined {
  const offset = /^<{7}(?= |$)/mu.exec(text)?.index;
  return /^={7}\r?$/mu.test(text) && /^>{7}(?= |$)/mu.test(text) ? offset : undefined;
}
