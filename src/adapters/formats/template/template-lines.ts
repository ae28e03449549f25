// Splits a template into lines as a reader sees them: a line goes on to the end of an action that it begins, and is blank,
// content, a comment, or nothing but actions.

import { depthOf, saidDepth } from '../../tree/actions.ts';
import { columnOf, lineEnd } from '../../tree/lines.ts';
import type { Lexeme } from './lex-actions.ts';

/** A line as a reader sees it: it goes on to the end of an action that it begins. */
export interface Line {
  readonly start: number;
  /** The end, before the line break. */
  readonly end: number;
  /** The start of the next line. */
  readonly next: number;
  readonly actions: readonly Lexeme[];
  /** The text with actions filled in. */
  readonly literal: string;
  readonly indent: number;
  readonly kind: 'blank' | 'actions' | 'comment' | 'content';
}

/** Returns a character that the text does not hold, to fill actions in with; undefined if it holds every candidate. */
export function fillFor(text: string): string | undefined {
  for (let code = 0xe000; code < 0xe100; code++) {
    const fill = String.fromCharCode(code);
    if (!text.includes(fill)) return fill;
  }
  return undefined;
}

/** A key or a dash whose value comes behind it. */
export interface Head {
  readonly column: number;
  readonly valueAt: number;
  /** A list below a key may stand in its column; below a dash that is the next item. */
  readonly isKey: boolean;
}

export const BLOCK_HEADER = /(?:^|[:-])\s+(?:[!&]\S+\s+)*[|>][-+0-9]*[ \t]*(?:#.*)?$/;

/** Splits a text into lines. With `isWide`, a block that is a whole line is one action, and a line of actions may end in a comment. */
export function linesOf(text: string, lexemes: readonly Lexeme[], fill: string, isWide: boolean): Line[] {
  const lines: Line[] = [];
  let action = 0;
  for (let start = 0; start < text.length; ) {
    let literal = '';
    let at = start;
    const first = action;
    let lineFeed = text.indexOf('\n', start);
    for (;;) {
      const next = lexemes[action];
      if (next === undefined || (lineFeed !== -1 && next.start > lineFeed)) break;
      const isFirst = literal === '' && text.slice(at, next.start).trim() === '';
      const end = (isWide && isFirst ? endOfWholeLine(text, next) : undefined) ?? next.end;
      literal += text.slice(at, next.start) + fill.repeat(end - next.start);
      at = end;
      while ((lexemes[action]?.start ?? end) < end) action += 1;
      if (lineFeed !== -1 && lineFeed < at) lineFeed = text.indexOf('\n', at);
    }
    const stop = lineFeed === -1 ? text.length : lineFeed;
    const end = lineFeed > at && text[lineFeed - 1] === '\r' ? stop - 1 : stop;
    literal += text.slice(at, end);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    const actions = first === action ? NO_ACTIONS : lexemes.slice(first, action);
    const isSilent = actions.every(({ kind }) => kind !== 'output');
    const read = isWide && isSilent ? literal.replace(/[ \t]#.*$/, '') : literal;
    lines.push({ start, end, next, actions, literal, ...kindOf(read, actions.length > 0, fill) });
    start = next;
  }
  return lines;
}

const NO_ACTIONS: readonly Lexeme[] = [];

/** Returns the end of a block that begins here and is the whole line, except for blanks and a comment. */
function endOfWholeLine(text: string, { kind, start, block }: Lexeme): number | undefined {
  if (kind !== 'open' || block === undefined) return undefined;
  const stop = lineEnd(text, start);
  return block.end <= stop && /^[ \t]*(?:#.*)?$/.test(text.slice(block.end, stop)) ? block.end : undefined;
}

function kindOf(literal: string, hasActions: boolean, fill: string): Pick<Line, 'kind' | 'indent'> {
  const indent = indentOf(literal);
  const first = literal[indent] ?? '\n';
  if (!hasActions && first > ' ' && first < '\x7f')
    return { kind: first === '#' ? 'comment' : 'content', indent };
  const rest = literal.trim();
  if (rest === '') return { kind: 'blank', indent };
  if (hasActions && rest.replaceAll(fill, '').trim() === '') return { kind: 'actions', indent };
  return { kind: rest.startsWith('#') ? 'comment' : 'content', indent };
}

/** Counts the blanks, and a byte order mark before them. */
function indentOf(literal: string): number {
  let at = 0;
  while (literal[at] === ' ' || literal[at] === '\uFEFF') at += 1;
  return at;
}

/** Returns the last key of the line, or its last dash, and where its value can begin. */
export function headOf(before: string): Head | undefined {
  const dashes = /^[ \t]*(?:-[ \t]+)*(?:-(?=$))?/.exec(before)?.[0] ?? '';
  const rest = before.slice(dashes.length);
  if (rest.trim() === '')
    return dashes.includes('-')
      ? { column: dashes.lastIndexOf('-'), valueAt: before.length, isKey: false }
      : undefined;
  const key = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'\s#][^#]*?):(?=[ \t]|$)/.exec(rest)?.[0];
  if (key === undefined) {
    const isBlock = dashes.includes('-') && /^[|>]/.test(rest);
    return isBlock ? { column: dashes.lastIndexOf('-'), valueAt: dashes.length, isKey: false } : undefined;
  }
  const isBare = rest.slice(key.length).trim() === '';
  return {
    column: columnOf(before, dashes.length),
    valueAt: isBare ? before.length : dashes.length + key.length,
    isKey: true,
  };
}

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

/** Returns the lines of a definition whose first one has no key: they cannot be read along with the keys of others. */
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

/**
 * Returns the index of the last line of the actions below a key or a dash that write its value; undefined if no run below the
 * line `index` writes anything. Empty brackets in a branch belong to it.
 */
export function lastOfRun(
  text: string,
  lines: readonly Line[],
  index: number,
  head: Head,
): number | undefined {
  const least = leastDepth(text, lines, index, head);
  let depth = 0;
  let isWriting = false;
  let last: number | undefined;
  for (let i = index + 1; i < lines.length; i++) {
    const line = lines[i];
    if (line?.kind === 'blank' || isEmptyBetween(lines, i)) continue;
    if (line?.kind !== 'actions') break;
    for (const action of line.actions) {
      if (action.kind === 'open') depth += 1;
      if (action.kind === 'end' || action.kind === 'middle') depth -= 1;
      if (depth < 0) break;
      if (action.kind === 'middle') depth += 1;
      if (action.kind === 'output' && depthOf(text, action) < least) depth = -1;
      if (depth < 0) break;
      if (action.kind === 'output') isWriting = true;
    }
    if (depth < 0) break;
    if (depth === 0 && isWriting && line.actions.some(({ kind }) => kind === 'output' || kind === 'end')) {
      last = i;
      isWriting = false;
      if (least === head.column) break;
    }
  }
  return last;
}

/**
 * Returns the least depth at which actions write the value of the head: deeper than it, or in the column of its key where the
 * first action writes there, as a list may be.
 */
function leastDepth(text: string, lines: readonly Line[], index: number, { column, isKey }: Head): number {
  for (let i = index + 1; isKey && lines[i] !== undefined; i++) {
    const line = lines[i];
    if (line === undefined || line.kind === 'content' || line.kind === 'comment') break;
    const first = line.actions.find(({ kind }) => kind === 'output');
    if (first === undefined) continue;
    return saidDepth(text, first) === column ? column : column + 1;
  }
  return column + 1;
}
