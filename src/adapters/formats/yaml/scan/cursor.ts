// The position of the scan: in the text, in its line, and in its budgets. Between two nodes of a block it is always on the
// first character of a line with content, and `column` is the indentation of that.
import type { Limits } from '../../../../security/policy/policy.ts';
import { requireAtMost } from '../../../tree/wording.ts';
import {
  BYTE_ORDER_MARK,
  type Codes,
  CR,
  codesOf,
  END,
  HASH,
  isBlankAt,
  isMarkerAt,
  LF,
  SPACE,
  TAB,
  Unusual,
} from './chars.ts';
import { NodeTable } from './node-table.ts';

/** Tokens are counted as upper bounds. In addition to its nodes, a line has its indentation, the space after it, and its break. */
const TOKENS_PER_LINE = 3;
const TOKENS_PER_DETAIL = 4;
/** The most tokens for a document: its two markers with what is on their lines, and a version. */
const TOKENS_PER_DOCUMENT = 10;

/** The column where no content follows: at a document marker or at the end of the text. */
export const NO_COLUMN = -1;

export class Cursor {
  readonly text: string;
  readonly codes: Codes;
  readonly end: number;
  readonly table: NodeTable;
  /** The start and end of each comment in turn. */
  readonly comments: number[] = [];
  /** The starts of lines within quotes that are not indented far enough: most readers accept them, and `yaml` does not. */
  readonly unindented: number[] = [];
  at: number;
  /** The start of the line with content on which a block node begins; lines within a flow or a scalar do not move it. */
  lineStart: number;
  /** The column of the next content, once a node was read; -1 at a marker or the end. */
  column = NO_COLUMN;
  /** The start of the scalar that was read last, and may turn out to be a key. */
  scalarStart = 0;
  scalarEnd = 0;
  scalarKind = 0;
  /** The number of open flow collections. */
  flowDepth = 0;
  readonly #limits: Limits;
  #depth = 0;
  #aliases = 0;
  #lines = 1;
  /** The lines without those within a scalar, which is one token, or two, however many lines it has. */
  #tokenLines = 1;
  /** True if a line of tabs is before the next content. */
  #hasTabLine = false;
  /** The least column of a blank line or comment before the next content at which `yaml` takes that column for the indentation. */
  #lostColumn = Infinity;

  /** Starts at the beginning of the text. */
  constructor(text: string, limits: Limits) {
    this.text = text;
    this.codes = codesOf(text);
    this.end = text.length;
    this.table = new NodeTable(text.length, limits.tokens);
    this.at = this.codes[0] === BYTE_ORDER_MARK ? 1 : 0;
    this.lineStart = this.at;
    this.#limits = limits;
  }

  enter(): void {
    this.#depth += 1;
    requireAtMost(this.#limits.depth, this.#depth, 'nesting', 'levels');
  }

  leave(): void {
    this.#depth -= 1;
  }

  countAlias(): void {
    this.#aliases += 1;
    requireAtMost(this.#limits.aliases, this.#aliases, 'number of aliases', 'aliases');
  }

  /** Checks the budgets at the end of the text. */
  requireWithinBudgets(documents: number): void {
    const { tokens, detailCount } = this.table;
    const most =
      tokens +
      this.#tokenLines * TOKENS_PER_LINE +
      this.comments.length / 2 +
      detailCount * TOKENS_PER_DETAIL +
      documents * TOKENS_PER_DOCUMENT;
    requireAtMost(this.#limits.tokens, Math.max(most, this.#lines), 'number of tokens', 'tokens');
    requireAtMost(this.#limits.documents, documents, 'number of documents', 'documents');
  }

  skipSpaces(): void {
    const { codes } = this;
    let at = this.at;
    while (codes[at] === SPACE) at += 1;
    if (codes[at] === TAB) throw new Unusual('a tab');
    this.at = at;
  }

  /** True if only a comment may follow on this line. */
  isAtLineEnd(): boolean {
    const code = this.codes[this.at] ?? END;
    return code <= HASH && (code === LF || code === CR || code === HASH || this.at >= this.end);
  }

  /** Goes from a node to the content of the next line, where that has less than `least` columns, as most do; otherwise nothing moves. */
  toShallowLine(least: number): boolean {
    const { codes } = this;
    if (codes[this.at] !== LF) return false;
    const lineStart = this.at + 1;
    let at = lineStart;
    while (codes[at] === SPACE) at += 1;
    const column = at - lineStart;
    const code = codes[at] ?? END;
    if (column >= least || code <= SPACE || code === HASH || (column === 0 && isMarkerAt(codes, at)))
      return false;
    this.at = at;
    this.lineStart = lineStart;
    this.column = column;
    this.#lines += 1;
    this.#tokenLines += 1;
    this.#hasTabLine = false;
    return true;
  }

  /** Goes from the end of a node to the next content: only white space and a comment may be on the rest of the line. */
  finishLine(): void {
    const { codes } = this;
    let at = this.at;
    while (codes[at] === SPACE || codes[at] === TAB) at += 1;
    this.at = at;
    if (codes[at] === HASH) {
      const before = codes[at - 1] ?? END;
      if (before !== SPACE && before !== TAB) throw new Unusual('the end of the line');
      this.readComment();
    }
    if (this.at < this.end) this.readBreak();
    this.toContent();
  }

  /** Reads a comment from its `#` to the end of its line. */
  readComment(): void {
    const lineEnd = endOfLine(this.codes, this.at + 1, this.end);
    this.comments.push(this.at, lineEnd);
    this.at = lineEnd;
  }

  /** Goes over LF or CRLF; not for use within a scalar. */
  readBreak(): void {
    const code = this.codes[this.at] ?? END;
    if (code !== LF && code !== CR) throw new Unusual('the end of the line');
    this.at = this.behindBreak(this.at);
    this.#tokenLines += 1;
  }

  /** The offset behind the LF or CRLF that begins there. */
  behindBreak(at: number): number {
    this.#lines += 1;
    if (this.codes[at] === LF) return at + 1;
    if (at + 1 >= this.end || this.codes[at + 1] !== LF) throw new Unusual('a lone carriage return');
    return at + 2;
  }

  /** Throws if a node is left out above a line of tabs, which `yaml` takes for its indentation. */
  requireNoTabLine(): void {
    if (this.#hasTabLine) throw new Unusual('a tab');
  }

  /** Throws if `yaml` takes less columns than `least` for those of the text here, and so reads the keys below into it. */
  requireKeptIndentation(least: number): void {
    if (this.#lostColumn < least) throw new Unusual('the indentation');
  }

  /** Goes from the start of a line over blank lines and comments to the next content. */
  toContent(): void {
    const { codes, end } = this;
    this.#hasTabLine = false;
    this.#lostColumn = Infinity;
    for (;;) {
      let at = this.at;
      const lineStart = at;
      while (codes[at] === SPACE) at += 1;
      this.at = at;
      if (at >= end) {
        this.column = NO_COLUMN;
        return;
      }
      const code = codes[at] ?? END;
      if ((code === HASH || code === LF) && !isBlankAt(codes, at + 1))
        this.#lostColumn = Math.min(this.#lostColumn, at - lineStart);
      if (code === HASH) {
        this.readComment();
      } else if (code === TAB) {
        this.at = behindBlankTabs(codes, at, end);
        this.#hasTabLine = true;
      } else if (code !== LF && code !== CR) {
        this.lineStart = lineStart;
        this.column = at === lineStart && isMarkerAt(codes, at) ? NO_COLUMN : at - lineStart;
        return;
      }
      if (this.at < end) this.readBreak();
    }
  }
}

/** Returns the end of the line or of the text; anything may be before it. */
export function endOfLine(codes: Codes, from: number, end: number): number {
  let at = from;
  for (;;) {
    const code = codes[at] ?? END;
    if (code >= SPACE || code === TAB) at += 1;
    else if (code === LF || code === CR || at >= end) return at;
    else throw new Unusual('a control character');
  }
}

/** Goes to the end of a line that has only blanks: a tab before anything else would look like indentation. */
export function behindBlankTabs(codes: Codes, from: number, end: number): number {
  let at = from;
  while (codes[at] === TAB || codes[at] === SPACE) at += 1;
  const code = codes[at] ?? END;
  if (at >= end || (code !== LF && code !== CR)) throw new Unusual('a tab');
  return at;
}
