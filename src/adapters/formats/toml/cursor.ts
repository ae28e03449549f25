// A place in a TOML text that moves forward, and the comments that it has passed.
import type { Limits, Refusal } from '../../../security/index.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { lineAndColumn, lineEnd, skipBlanks } from '../../tree/lines.ts';
import type { Span } from '../../tree/span-tree.ts';
import { requireAtMost, requireParsable } from '../../tree/wording.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

export class Cursor {
  readonly text: string;
  readonly comments: Span[] = [];
  at: number;
  readonly #limits: Limits;
  #tokens = 0;

  /** Throws LIMIT_EXCEEDED, as all that moves it does; SYNTAX_INVALID is thrown at the first error. */
  constructor(text: string, limits: Limits) {
    requireParsable(text, limits);
    this.text = text;
    this.at = text.startsWith('\uFEFF') ? 1 : 0;
    this.#limits = limits;
  }

  /** The character here; '' at the end. */
  get char(): string {
    return this.text.charAt(this.at);
  }

  /** Passes these characters if they are here. */
  takes(characters: string): boolean {
    if (!this.text.startsWith(characters, this.at)) return false;
    this.at += characters.length;
    return true;
  }

  skipBlanks(): void {
    this.at = skipBlanks(this.text, this.at);
  }

  /** Passes blanks, comments and line breaks. */
  skipLines(): void {
    for (;;) {
      this.skipBlanks();
      if (this.char === '#') this.#comment();
      else if (!this.#takesLineBreak()) return;
    }
  }

  /** Passes the end of a line, which only a comment may precede. */
  endLine(): void {
    this.skipBlanks();
    if (this.char === '#') this.#comment();
    if (this.at === this.text.length || this.#takesLineBreak()) return;
    throw this.invalid(
      this.char === '\r'
        ? 'a line ends with LF or CRLF, not with CR'
        : 'only a comment may follow on this line',
    );
  }

  #takesLineBreak(): boolean {
    return this.takes('\n') || this.takes('\r\n');
  }

  #comment(): void {
    const [start, end] = [this.at, lineEnd(this.text, this.at)];
    const control = this.text.slice(start, end).search(CONTROL);
    if (control !== -1) throw this.invalid('a comment holds no control characters', start + control);
    this.comments.push({ start, end });
    this.at = end;
    this.count();
  }

  /** Counts a value or a comment. */
  count(): void {
    this.#tokens += 1;
    requireAtMost(this.#limits.tokens, this.#tokens, 'number of values and comments', 'values');
  }

  requireDepth(depth: number): void {
    requireAtMost(this.#limits.depth, depth, 'nesting', 'levels');
  }

  invalid(message: string, at = this.at): Refusal {
    return invalidSyntax('TOML', [{ code: 'SYNTAX_INVALID', message, ...lineAndColumn(this.text, at) }]);
  }
}
