// Masks a template to a text of the same length that YAML can read. A line of actions alone becomes a comment, and so does an
// action that begins a block of lines; every other action becomes scalar text. So each offset is that of the source.
import { type Action, depthOf, isDefined } from '../../tree/actions.ts';
import { withoutEnd } from '../../tree/lines.ts';
import type { Lexeme } from './lex-actions.ts';
import {
  BLOCK_HEADER,
  type Head,
  headOf,
  isEmptyBetween,
  isPlainText,
  type Line,
  lastOfPlainText,
  lastOfRun,
  linesOf,
  unseenLines,
} from './template-lines.ts';

export interface Masked {
  readonly mask: string;
  readonly actions: readonly Action[];
  /** The character that replaces each character of an action that is scalar text. */
  readonly fill: string;
}

/** Masks a text, and marks the actions that it hides. With `isWide` it also accepts lines that combine literal text and actions in rarer ways. */
export function maskText(text: string, lexemes: readonly Lexeme[], fill: string, isWide = false): Masked {
  return { mask: new Masker(text, lexemes, fill, isWide).read(), actions: lexemes, fill };
}

class Masker {
  readonly #text: string;
  readonly #fill: string;
  readonly #isWide: boolean;
  readonly #lines: readonly Line[];
  readonly #pieces: string[];
  readonly #lexemes: readonly Lexeme[];
  /** The lines whose text is hidden as well. */
  readonly #unread = new Set<number>();

  constructor(text: string, lexemes: readonly Lexeme[], fill: string, isWide: boolean) {
    this.#isWide = isWide;
    this.#text = text;
    this.#fill = fill;
    this.#lexemes = lexemes;
    this.#lines = linesOf(text, lexemes, fill, isWide);
    this.#pieces = this.#lines.map(({ actions, start, literal, end, next }) =>
      actions.length === 0 ? text.slice(start, next) : literal + text.slice(end, next),
    );
  }

  read(): string {
    if (this.#isWide)
      for (const index of unseenLines(this.#text, this.#lexemes, this.#lines)) this.#hideWhole(index);
    if (!this.#isAllActions()) for (let i = 0; i < this.#lines.length; ) i = this.#readLine(i);
    return this.#pieces.join('');
  }

  /** A text that only actions write is one value, below the comments at its top. */
  #isAllActions(): boolean {
    const isAll = this.#lines.every(({ kind }, i) => kind !== 'content' || isEmptyBetween(this.#lines, i));
    const writes = this.#lexemes.some(({ kind }) => kind === 'output');
    if (!isAll || !writes) return false;
    const isOfActions = ({ kind }: Line): boolean => kind === 'actions';
    this.#fillLines(this.#lines.findIndex(isOfActions), this.#lines.findLastIndex(isOfActions), 0);
    return true;
  }

  /** The line with its text becomes a comment. */
  #hideWhole(index: number): void {
    const line = this.#lines[index];
    if (line === undefined) return;
    for (const action of line.actions) action.isHidden = true;
    const blank = line.literal.search(/\S/);
    const comment = `#${this.#fill.repeat(line.literal.length - blank - 1)}`;
    this.#pieces[index] = line.literal.slice(0, blank) + comment + this.#text.slice(line.end, line.next);
    this.#unread.add(index);
  }

  /** Returns the line to go on with. */
  #readLine(index: number): number {
    const line = this.#lines[index];
    if (line === undefined) return index + 1;
    if (line.kind === 'actions') this.#hide(index, line.actions);
    if (line.kind !== 'content' || this.#unread.has(index) || this.#isAlone(line, index)) return index + 1;
    const before = this.#withoutFilledEnd(line.literal);
    const behind = line.literal.slice(before.length);
    const head = headOf(before);
    if (BLOCK_HEADER.test(before) && head !== undefined) {
      if (behind !== '') this.#hide(index, this.#actionsBehind(line, before));
      return this.#readBlockScalar(index, head);
    }
    if (head === undefined) return index + 1;
    if (this.#isWide && isPlainText(before, head)) return this.#readPlainLines(index, head);
    const isBeginning = head.valueAt === before.length && behind !== '';
    if (isBeginning && /^[ \t]/.test(behind) && this.#isDeeperBelow(index, head))
      this.#hide(index, this.#actionsBehind(line, before));
    if (/(?::|^ *-)[ \t]*(?:#.*)?$/.test(before) && behind === '') return this.#readRun(index, head);
    return index + 1;
  }

  /** True for most lines: literal text with no text and no action below that belongs to it. */
  #isAlone({ actions, literal }: Line, index: number): boolean {
    if (this.#isWide || actions.length > 0 || this.#lines[index + 1]?.kind !== 'content') return false;
    return !literal.includes('|') && !literal.includes('>');
  }

  /** Returns the text without the actions at its end, and the blanks before them; all of it where there are none. */
  #withoutFilledEnd(literal: string): string {
    const rest = withoutEnd(literal, `${this.#fill} \t`);
    return literal.includes(this.#fill, rest.length) ? rest : literal;
  }

  #actionsBehind(line: Line, before: string): readonly Lexeme[] {
    return line.actions.filter(({ start }) => start >= line.start + before.length);
  }

  /** Turns the actions of a line into a comment. */
  #hide(index: number, actions: readonly Lexeme[]): void {
    const [line, first] = [this.#lines[index], actions[0]];
    const last = actions.at(-1);
    if (line === undefined || first === undefined || last === undefined) return;
    for (const action of actions) action.isHidden = true;
    const from = first.start - line.start;
    const isGlued = from > 0 && !/[ \t]/.test(line.literal[from - 1] ?? ' ');
    const length = last.end - first.start;
    const comment = `${isGlued ? ' #' : '#'}${this.#fill.repeat(length)}`.slice(0, length);
    this.#pieces[index] =
      line.literal.slice(0, from) +
      comment +
      line.literal.slice(from + length) +
      this.#text.slice(line.end, line.next);
  }

  /** The actions between the lines of a plain text are text as well. */
  #readPlainLines(index: number, { column }: Head): number {
    const last = lastOfPlainText(this.#lines, index, column);
    for (let i = index + 1; i < last; i++) {
      const line = this.#lines[i];
      if (line?.kind === 'actions' && line.indent <= column) this.#pieces[i] = this.#moved(line, column + 1);
    }
    return last + 1;
  }

  /** True if the next line of content belongs to the value of the head. */
  #isDeeperBelow(index: number, { column, isKey }: Head): boolean {
    for (let i = index + 1; i < this.#lines.length; i++) {
      const line = this.#lines[i];
      if (line?.actions.some((action) => this.#endsDefinition(action, index)) === true) return false;
      if (line?.kind !== 'content') continue;
      return line.indent > column || (isKey && line.indent === column && /^\s*-(?:\s|$)/.test(line.literal));
    }
    return false;
  }

  /** True if the action ends the definition around a line: what follows is written elsewhere. */
  #endsDefinition({ kind, block }: Lexeme, index: number): boolean {
    const start = this.#lines[index]?.start ?? 0;
    return kind === 'end' && block !== undefined && block.start < start && isDefined(this.#text, block);
  }

  /** Reads a run of actions below a key or dash without another value: if it writes something, it is the value, as scalar text. */
  #readRun(index: number, head: Head): number {
    const last = lastOfRun(this.#text, this.#lines, index, head);
    let first = index + 1;
    while (this.#lines[first]?.kind === 'blank') first += 1;
    if (last === undefined || this.#isDeeperBelow(last, head)) return index + 1;
    return this.#fillLines(first, last, head.column + 1) ? last + 1 : index + 1;
  }

  /**
   * Fills lines from the first of their actions to the last with one scalar, line breaks included. Where the actions are left
   * of what they write, the scalar begins at `column`, within the first action. Returns whether there is room for that.
   */
  #fillLines(first: number, last: number, column: number): boolean {
    const lines = this.#lines.slice(first, last + 1);
    const from = lines.find(({ actions }) => actions.length > 0)?.actions[0];
    const to = lines.findLast(({ actions }) => actions.length > 0)?.actions.at(-1)?.end;
    const [top, bottom] = [lines[0], lines.at(-1)];
    if (from === undefined || to === undefined || top === undefined || bottom === undefined) return false;
    const text = this.#text;
    const blanks = Math.max(column - (from.start - top.start), 0);
    if (from.start + blanks >= from.end) return false;
    this.#pieces[first] =
      text.slice(top.start, from.start) +
      ' '.repeat(blanks) +
      this.#fill.repeat(to - from.start - blanks) +
      text.slice(to, bottom.next);
    for (let i = first + 1; i <= last; i++) this.#pieces[i] = '';
    return true;
  }

  /** Reads a block scalar, whose lines are text, also where actions are too far to the left for YAML. */
  #readBlockScalar(index: number, { column }: Head): number {
    const header = this.#lines[index];
    if (header === undefined) return index + 1;
    let lastContent = index;
    for (let i = index + 1; i < this.#lines.length; i++) {
      const line = this.#lines[i];
      if (line === undefined || line.kind === 'blank' || line.kind === 'actions') continue;
      if (line.indent <= column) break;
      lastContent = i;
    }
    const last = this.#lastOfBody(header.start, lastContent, column);
    const body = this.#lines.slice(index + 1, last + 1);
    const indents = body
      .filter(({ kind }) => kind === 'content' || kind === 'comment')
      .map(({ indent }) => indent);
    const own = body
      .filter(({ kind, indent }) => kind === 'actions' && indent > column)
      .map(({ indent }) => indent);
    const least = Math.min(...(indents.length > 0 ? indents : own.length > 0 ? own : [column + 1]));
    let isFirst = true;
    for (const [i, line] of body.entries()) {
      if (line.kind === 'blank') continue;
      if (line.kind === 'actions' && (line.indent < least || isFirst))
        this.#pieces[index + 1 + i] = this.#moved(line, least);
      isFirst = false;
    }
    return last + 1;
  }

  #moved({ start, end, next }: Line, column: number): string {
    const length = end - start;
    const blanks = ' '.repeat(Math.min(column, length));
    return blanks + this.#fill.repeat(length - blanks.length) + this.#text.slice(end, next);
  }

  /**
   * Returns the last line of a block scalar: actions after its last line of text belong to it as long as they close what it
   * opens, and write within it.
   */
  #lastOfBody(headerStart: number, lastContent: number, column: number): number {
    let last = lastContent;
    const open = new Set<unknown>();
    for (let i = lastContent + 1; i < this.#lines.length; i++) {
      const line = this.#lines[i];
      if (line?.kind === 'blank') continue;
      if (line?.kind !== 'actions') break;
      for (const action of line.actions) {
        if (action.kind === 'open') open.add(action.block);
        else if (action.kind === 'output') {
          if (depthOf(this.#text, action) <= column) return last;
        } else if (action.block !== undefined && action.block.start < headerStart) return last;
        if (action.kind === 'end') open.delete(action.block);
      }
      if (open.size === 0 && line.actions.some(({ kind }) => kind === 'output' || kind === 'end')) last = i;
    }
    return last;
  }
}
