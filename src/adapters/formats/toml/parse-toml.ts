// Parses TOML 1.0 and 1.1 to the span tree by two parsers that share no code: `smol-toml` first, which keeps to its own bounds,
// then `toml-eslint-parser`, which gives the places. Where they disagree, the text is refused.
import { parse as parseSecond, TomlError, type TomlTable } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { type Limits, type Problem, Refusal } from '../../../security/index.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { lineAndColumn } from '../../tree/lines.ts';
import type { MappingNode, Span, Stream } from '../../tree/span-tree.ts';
import { limitReached } from '../../tree/wording.ts';
import { singleDocument } from '../single-document.ts';
import { requireBounded } from './bounds.ts';
import { buildTree } from './build-tree.ts';
import { findDisagreement } from './same-data.ts';

/** Parses a text. Throws SYNTAX_INVALID at the first error, or LIMIT_EXCEEDED. */
export function parseToml(text: string, limits: Limits): Stream {
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const { root, comments } = read(text, text.slice(shift), shift, limits);
  return singleDocument(text, root, comments);
}

/** Text put before a value, so that it is a line of a file. */
const KEY = 'v=';
/** The beginning of a line of a file: a key, or a header. */
const LINE = /^\s*(?:#.*\n\s*)*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*[.=]|^\s*(?:#.*\n\s*)*\[/;

/** Parses one value, or lines of keys and headers, which make a table. Throws as `parseToml` does. */
export function readTomlFragment(text: string, limits: Limits): Stream {
  try {
    const { root, comments } = read(text, KEY + text, -KEY.length, limits);
    const [entry, second] = root.entries;
    if (entry?.colon !== undefined && second === undefined && entry.key.start < 0)
      return singleDocument(text, entry.value, comments);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'SYNTAX_INVALID') throw error;
    if (!LINE.test(text)) throw inFragment(error);
  }
  return parseToml(text, limits);
}

function inFragment(error: Refusal): Refusal {
  const problems = (error.clues.problems ?? []).map((problem) =>
    problem.line === 1 ? { ...problem, column: Math.max(problem.column - KEY.length, 1) } : problem,
  );
  return invalidSyntax('TOML', problems);
}

interface Parsed {
  readonly root: MappingNode;
  readonly comments: readonly Span[];
}

/** Reads `source`, which is given to the parsers; its offset 0 is `shift` in the text. */
function read(text: string, source: string, shift: number, limits: Limits): Parsed {
  requireBounded(source, limits);
  const second = secondReading(source, limits);
  const program = firstReading(source, limits);
  const root = buildTree(text, program, shift, limits);
  const disagreement = findDisagreement(root, second);
  if (disagreement !== undefined)
    throw invalid(
      'two readers of TOML read this differently',
      lineAndColumn(text, Math.max(disagreement.start, 0)),
    );
  const comments = program.comments.map(({ range: [start, end] }) => ({
    start: start + shift,
    end: end + shift,
  }));
  return { root, comments };
}

function secondReading(source: string, { depth }: Limits): TomlTable {
  try {
    return parseSecond(source, { integersAsBigInt: true, maxDepth: depth, useLegacyDate: true });
  } catch (error) {
    if (error instanceof TomlError) throw invalid(reasonIn(error, source), error);
    throw orTooDeep(error, depth);
  }
}

/** Returns the parser's message without the lines of the file that it shows. */
function reasonIn({ message, line, column }: TomlError, source: string): string {
  const [, text = ''] = /^(.*?)\r?$/s.exec(source.split('\n')[line - 1] ?? '') ?? [];
  if (message.includes('not allowed in strings') && column > text.length)
    return 'this string has no end: it needs a closing quote on its line, or three quotes on either side';
  return (message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '');
}

function firstReading(source: string, { depth }: Limits): AST.TOMLProgram {
  try {
    // The parser finds no place for a 0 that nothing follows.
    return parseTOML(source.endsWith('0') ? `${source}\n` : source, { tomlVersion: '1.1' });
  } catch (error) {
    if (error instanceof ParseError) {
      const message = error.message.charAt(0).toLowerCase() + error.message.slice(1);
      throw invalid(message, { line: error.lineNumber, column: error.column + 1 });
    }
    throw orTooDeep(error, depth);
  }
}

/** Turns a stack overflow into LIMIT_EXCEEDED, for texts that pass the bounds and are still too much for a parser. */
function orTooDeep(error: unknown, depth: number): unknown {
  return error instanceof RangeError ? limitReached('nesting', depth, 'levels') : error;
}

function invalid(message: string, { line, column }: Pick<Problem, 'line' | 'column'>): Refusal {
  return invalidSyntax('TOML', [{ code: 'SYNTAX_INVALID', message, line, column }]);
}
