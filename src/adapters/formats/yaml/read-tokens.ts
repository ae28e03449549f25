// Reads the tokens of `yaml` from a text under budgets that are checked meanwhile: nesting is refused before it is built,
// because `yaml` aborts the whole process on deep nesting.
import { CST, Parser } from 'yaml';
import { type Limits, ownThread, stopwatch } from '../../../security/index.ts';
import { limitReached, requireAtMost, requireParsable } from '../../tree/wording.ts';

const TOKENS_BETWEEN_CLOCK_CHECKS = 512;
/** The most syntax errors, each of which costs a kilobyte as an error object: 500,000 closing brackets ended a process of 512 MB. */
const MAX_SYNTAX_ERRORS = 10_000;
/** The most directives; files have two or three, and `yaml` takes more than twice as long for twice as many. */
const MAX_DIRECTIVES = 1_000;

/** Reads the tokens. Throws LIMIT_EXCEEDED where the text exceeds a budget. Syntax errors are tokens; where one is enough, it is the last. */
export function readTokens(text: string, limits: Limits): CST.Token[] {
  requireParsable(text, limits);
  const mostLines = limits.referenceLines ?? limits.tokens;
  requireAtMost(mostLines, countLines(text, mostLines), 'number of lines', 'lines');
  const tokens: CST.Token[] = [];
  // `yaml` takes a byte order mark for a column, and a list after one for an error, so it never sees the mark.
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  for (const token of new BudgetedParser(limits, start).parse(text.slice(start))) {
    tokens.push(token);
    if (token.type === 'error' && limits.syntaxProblems === 1) break;
  }
  return tokens;
}

class BudgetedParser extends Parser {
  readonly #limits: Limits;
  readonly #usedMs: () => number;
  #tokens = 0;
  #aliases = 0;
  #documents = 0;
  #errors = 0;
  #directives = 0;
  #isScalarNext = false;

  /** Takes the limits; `offset` is where the source begins in the whole text. */
  constructor(limits: Limits, offset: number) {
    super();
    this.offset = offset;
    this.#limits = limits;
    this.#usedMs = stopwatch(ownThread());
  }

  override *next(source: string): Generator<CST.Token, void, unknown> {
    this.#spend(source);
    yield* this.#counted(super.next(source));
    // The parser's stack holds the document and every open collection: its height is the nesting.
    requireAtMost(this.#limits.depth, this.stack.length - 1, 'nesting', 'levels');
  }

  override *end(): Generator<CST.Token, void, unknown> {
    yield* this.#counted(super.end());
  }

  #spend(source: string): void {
    this.#tokens += 1;
    requireAtMost(this.#limits.tokens, this.#tokens, 'number of tokens', 'tokens');
    if (this.#tokens % TOKENS_BETWEEN_CLOCK_CHECKS === 0 && this.#usedMs() > this.#limits.parseMs) {
      throw limitReached('parsing time', this.#limits.parseMs, 'ms');
    }
    // Plain and block scalars come after a mark of their own; elsewhere `*x` is an alias.
    const isScalar = this.#isScalarNext;
    this.#isScalarNext = source === CST.SCALAR;
    if (isScalar || !source.startsWith('*')) return;
    this.#aliases += 1;
    requireAtMost(this.#limits.aliases, this.#aliases, 'number of aliases', 'aliases');
  }

  /** Counts documents as the parser makes them, and not by `---`, because one may begin after `...` without it. */
  *#counted(tokens: Iterable<CST.Token>): Generator<CST.Token, void, unknown> {
    for (const token of tokens) {
      if (token.type === 'document') this.#documents += 1;
      if (token.type === 'error') this.#errors += 1;
      if (token.type === 'directive') this.#directives += 1;
      requireAtMost(MAX_DIRECTIVES, this.#directives, 'number of directives', 'directives');
      requireAtMost(MAX_SYNTAX_ERRORS, this.#errors, 'number of syntax errors', 'errors');
      requireAtMost(this.#limits.documents, this.#documents, 'number of documents', 'documents');
      yield token;
    }
  }
}

function countLines(text: string, enough: number): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && count <= enough; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
