// Reads YAML by `yaml`, which shares no code with the scan: its data must be what the scan reads, and its errors are what a
// person is told. It takes a hundred times as long, and cannot be interrupted while it composes: so its tokens are counted.
import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  Parser,
  visit,
} from 'yaml';
import { ownThread, stopwatch } from '../../../security/fs/thread-time.ts';
import type { Limits } from '../../../security/policy/policy.ts';
import type { Span, Stream } from '../../tree/span-tree.ts';
import { limitReached, requireAtMost, requireParsable } from '../../tree/wording.ts';
import { type WrittenData, writtenData } from '../../values/written-data.ts';
import { exactNumber } from './scalar-value.ts';

/** Takes an error; `theirs` is the message of `yaml`, which quotes the text. Throws to end the reading. */
export type NoteError = (offset: number, code: ErrorCode, theirs: string) => void;

const TOKENS_BETWEEN_CLOCK_CHECKS = 512;
/** The most syntax errors, each of which costs a kilobyte as an error object: 500,000 closing brackets ended a process of 512 MB. */
const MAX_SYNTAX_ERRORS = 10_000;
/** The most directives; files have two or three, and `yaml` takes more than twice as long for twice as many. */
const MAX_DIRECTIVES = 1_000;

/** Reads the tokens. Throws LIMIT_EXCEEDED where the text exceeds a budget. Syntax errors are tokens; where one is enough, it is the last. */
export function readTokens(text: string, limits: Limits): CST.Token[] {
  requireParsable(text, limits);
  requireAtMost(limits.tokens, countLines(text, limits.tokens), 'number of lines', 'lines');
  const tokens: CST.Token[] = [];
  // `yaml` takes a byte order mark for a column, and a list after one for an error, so it never sees the mark.
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  for (const token of new BudgetedParser(limits, start).parse(text.slice(start))) {
    tokens.push(token);
    if (token.type === 'error' && limits.syntaxProblems === 1) break;
  }
  return tokens;
}

/** Nesting is refused before it is built, because `yaml` aborts the whole process on deep nesting. */
class BudgetedParser extends Parser {
  readonly #limits: Limits;
  readonly #usedMs: () => number;
  #tokens = 0;
  #errors = 0;
  #directives = 0;

  /** Takes the limits; `offset` is where the source begins in the whole text. */
  constructor(limits: Limits, offset: number) {
    super();
    this.offset = offset;
    this.#limits = limits;
    this.#usedMs = stopwatch(ownThread());
  }

  override *next(source: string): Generator<CST.Token, void, unknown> {
    this.#tokens += 1;
    requireAtMost(this.#limits.tokens, this.#tokens, 'number of tokens', 'tokens');
    if (this.#tokens % TOKENS_BETWEEN_CLOCK_CHECKS === 0 && this.#usedMs() > this.#limits.parseMs) {
      throw limitReached('parsing time', this.#limits.parseMs, 'ms');
    }
    yield* this.#counted(super.next(source));
    // The parser's stack holds the document and every open collection: its height is the nesting.
    requireAtMost(this.#limits.depth, this.stack.length - 2, 'nesting', 'levels');
  }

  override *end(): Generator<CST.Token, void, unknown> {
    yield* this.#counted(super.end());
  }

  *#counted(tokens: Iterable<CST.Token>): Generator<CST.Token, void, unknown> {
    for (const token of tokens) {
      if (token.type === 'error') this.#errors += 1;
      if (token.type === 'directive') this.#directives += 1;
      requireAtMost(MAX_DIRECTIVES, this.#directives, 'number of directives', 'directives');
      requireAtMost(MAX_SYNTAX_ERRORS, this.#errors, 'number of syntax errors', 'errors');
      yield token;
    }
  }
}

function countLines(text: string, enough: number): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && count <= enough; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Composes documents from tokens that are no errors. Each error is noted as soon as it is found. */
export function* composed(tokens: readonly CST.Token[], length: number, note: NoteError) {
  const composer = new Composer({
    uniqueKeys: false,
    keepSourceTokens: false,
    logLevel: 'silent',
    strict: true,
    merge: false,
    // Under YAML 1.1 as well, for which the scan reads the same as for 1.2.
    schema: 'core',
  });
  // The composer gets our own listener, and no error tokens: `yaml` would make an error with a stack trace of
  // each, or a million of them in one string.
  const onError = (source: ErrorSource, code: ErrorCode, theirs: string, isWarning?: boolean): void => {
    if (isWarning !== true) note(offsetOf(source), code, theirs);
  };
  Object.assign(composer, { onError });
  for (const document of composer.compose(tokens, true, length)) {
    for (const error of document.errors) note(error.pos[0], error.code, error.message);
    yield document;
  }
}

type ErrorSource = number | readonly [number, number] | { readonly offset: number };

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

/** True if `yaml` reads the data of the stream in its text. */
export function isReadAlike(text: string, { documents }: Stream, limits: Limits): boolean {
  const theirs = readData(text, limits);
  const ours = documents.map(({ root }) => writtenData(root));
  return theirs !== undefined && JSON.stringify(theirs) === JSON.stringify(ours);
}

/** Returns the data of each document; undefined for a text with errors. */
function readData(text: string, limits: Limits): readonly WrittenData[] | undefined {
  const tokens = readTokens(text, limits);
  let hasErrors = tokens.some(({ type }) => type === 'error');
  const note: NoteError = (_, code) => {
    // What a tag asks for is nothing that the scan checks.
    if (code !== 'BAD_COLLECTION_TYPE' && code !== 'TAG_RESOLVE_FAILED') hasErrors = true;
  };
  const documents = [...composed(tokens, text.length, note)];
  return hasErrors ? undefined : documents.map((document) => dataOf(document.contents, text));
}

/** Returns the values and comments of valid YAML that only this reader reads, with the keys in keys. */
export function valuesIn(text: string, limits: Limits): readonly Span[] {
  const values: Span[] = [];
  for (const document of composed(readTokens(text, limits), text.length, () => {}))
    visit(document, {
      Scalar: (key, { range }) => {
        if (key !== 'key' && range) values.push({ start: range[0], end: range[1] });
      },
    });
  const between = [...values, { start: text.length, end: text.length }].flatMap(({ start }, i) =>
    commentsIn(text, values[i - 1]?.end ?? 0, start),
  );
  return [...values, ...between];
}

function commentsIn(text: string, from: number, to: number): readonly Span[] {
  return Array.from(text.slice(from, to).matchAll(/#.*/g), ({ 0: comment, index }) => {
    return { start: from + index, end: from + index + comment.length };
  });
}

function dataOf(node: Document.Parsed['contents'] | null, text: string): WrittenData {
  if (isAlias(node)) return { alias: node.source };
  if (isSeq<ParsedNode>(node)) return node.items.map((item) => dataOf(item, text));
  if (isMap<ParsedNode, ParsedNode | null>(node))
    return { entries: node.items.map(({ key, value }) => [dataOf(key, text), dataOf(value, text)]) };
  if (!isScalar(node)) return null;
  const { value, source = '', tag = '', type, range } = node;
  if (source === '' && /:(?:int|float|bool)$/.test(tag)) return null;
  if (typeof value === 'number') return exactNumber(value, source);
  if (typeof value === 'boolean' || value === null) return value;
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  // The last line of a text without a final newline has no line break to keep; `yaml` invents one.
  const isCutOff =
    isBlock && range[1] === text.length && text.slice(text.lastIndexOf('\n') + 1).trim() !== '';
  return isCutOff && source.endsWith('\n') ? source.slice(0, -1) : source;
}
