// Reads keys, and what follows a `=`: scalars, arrays, and tables in braces with all that dotted keys make in them.
import type { Entry, Item, MappingNode, Span, SpanNode } from '../../tree/span-tree.ts';
import { type Cursor, readString } from './cursor.ts';
import { type PlainKind, TomlScalar } from './write-toml.ts';

/** Reads dotted keys, with the blanks behind them. */
export function readKeys(cursor: Cursor): [TomlScalar, ...TomlScalar[]] {
  const keys: [TomlScalar, ...TomlScalar[]] = [readKey(cursor)];
  for (cursor.skipBlanks(); cursor.takes('.'); cursor.skipBlanks()) {
    cursor.skipBlanks();
    keys.push(readKey(cursor));
  }
  return keys;
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;

function readKey(cursor: Cursor): TomlScalar {
  const { text, at: start, char } = cursor;
  cursor.count();
  if (char === '"' || char === "'") return readString(cursor, true);
  BARE_KEY.lastIndex = start;
  const [source] = BARE_KEY.exec(text) ?? [];
  if (source === undefined)
    throw cursor.invalid('a key must be here: letters, digits, "_" and "-", or any text in quotes');
  cursor.at += source.length;
  return new TomlScalar('plain', { start, end: cursor.at }, source);
}

/** Passes the `=` behind a key with the blanks around it; returns where it is. */
export function readSign(cursor: Cursor): number {
  const { at } = cursor;
  if (!cursor.takes('=')) throw cursor.invalid('"=" must follow the key on its line');
  cursor.skipBlanks();
  return at;
}

export function readValue(cursor: Cursor, depth: number): SpanNode {
  cursor.requireDepth(depth);
  cursor.count();
  switch (cursor.char) {
    case '"':
    case "'":
      return readString(cursor, false);
    case '[':
      return readArray(cursor, depth);
    case '{':
      return readBraces(cursor, depth);
    default:
      return readPlain(cursor);
  }
}

function readArray(cursor: Cursor, depth: number): SpanNode {
  const { at: start } = cursor;
  const items: Item[] = [];
  const trailingComma = readParts(cursor, ']', () => {
    const value = readValue(cursor, depth + 1);
    items.push({ value, start: value.start, end: value.end });
  });
  const span = { start, end: cursor.at };
  return { kind: 'sequence', style: 'flow', items, trailingComma, properties: undefined, ...span };
}

/** A part of a table in braces. A dotted key has parts `below`, and its value is made once all of them are known. */
interface Open {
  readonly key: TomlScalar;
  readonly value: SpanNode | undefined;
  readonly colon: number | undefined;
  readonly below: Map<string, Open>;
}

function readBraces(cursor: Cursor, depth: number): MappingNode {
  const { at: start } = cursor;
  const parts = new Map<string, Open>();
  const trailingComma = readParts(cursor, '}', () => {
    const keys = readKeys(cursor);
    const colon = readSign(cursor);
    addDotted(cursor, parts, keys, readValue(cursor, depth + keys.length), colon);
  });
  const span = { start, end: cursor.at };
  const entries = entriesOf(parts);
  return { kind: 'mapping', style: 'flow', entries, trailingComma, properties: undefined, ...span };
}

function addDotted(
  cursor: Cursor,
  parts: Map<string, Open>,
  keys: readonly TomlScalar[],
  value: SpanNode,
  colon: number,
): void {
  let at = parts;
  for (const [index, key] of keys.entries()) {
    const there = at.get(key.value);
    const isLast = index === keys.length - 1;
    if (there !== undefined && (isLast || there.value !== undefined)) throw definedTwice(cursor, key);
    const own = there ?? { key, below: new Map(), ...(isLast ? { value, colon } : NOTHING_YET) };
    at.set(key.value, own);
    at = own.below;
  }
}

const NOTHING_YET = { value: undefined, colon: undefined };

/** The entries; a dotted key leads to a mapping without braces of its own. */
function entriesOf(parts: ReadonlyMap<string, Open>): readonly Entry[] {
  return [...parts].map(([name, { key, value: own, colon, below }]): Entry => {
    const value = own ?? dotted(entriesOf(below), key);
    return { key, value, name, colon, start: key.start, end: value.end };
  });
}

function dotted(entries: readonly Entry[], key: Span): MappingNode {
  const span = { start: (entries[0] ?? key).start, end: (entries.at(-1) ?? key).end };
  return {
    kind: 'mapping',
    style: 'pair',
    entries,
    trailingComma: undefined,
    properties: undefined,
    ...span,
  };
}

/** Reads what is between brackets; returns where a comma is after the last part. */
function readParts(cursor: Cursor, close: ']' | '}', readPart: () => void): number | undefined {
  let comma: number | undefined;
  cursor.at += 1;
  for (cursor.skipLines(); !cursor.takes(close); cursor.skipLines()) {
    readPart();
    cursor.skipLines();
    comma = cursor.char === ',' ? cursor.at : undefined;
    if (!cursor.takes(',') && cursor.char !== close) throw cursor.invalid(`"," or "${close}" must be here`);
  }
  return comma;
}

export function definedTwice(cursor: Cursor, { start, value }: Span & { readonly value: string }) {
  return cursor.invalid(`${JSON.stringify(value.slice(0, MAX_SHOWN))} is already defined`, start);
}

const MAX_SHOWN = 60;

const WORD = /[\w.:+-]+/y;
const DIGITS = /^[-+]?(?:0|[1-9](?:_?\d)*)$/;
const OTHER_DIGITS = /^0(?:x[\dA-Fa-f](?:_?[\dA-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$/;
const FLOAT = /^[-+]?(?:(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?|inf|nan)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** A time behind the blank that may stand for the `T` of a date. */
const TIME_BEHIND = / \d\d:[\w.:+-]+/y;

function readPlain(cursor: Cursor): TomlScalar {
  const { text, at: start } = cursor;
  WORD.lastIndex = start;
  let [source = ''] = WORD.exec(text) ?? [];
  TIME_BEHIND.lastIndex = start + source.length;
  if (DATE.test(source)) source += TIME_BEHIND.exec(text)?.[0] ?? '';
  const kind = kindOf(source);
  if (kind === undefined)
    throw cursor.invalid(
      source === ''
        ? 'a value must be here'
        : 'this is no value: a text needs quotes; else it is a number, true, false or a date',
    );
  cursor.at += source.length;
  return new TomlScalar('plain', { start, end: cursor.at }, source, kind);
}

function kindOf(source: string): PlainKind | undefined {
  if (source === 'true' || source === 'false') return 'boolean';
  if (DIGITS.test(source) || OTHER_DIGITS.test(source)) return 'integer';
  if (FLOAT.test(source)) return 'float';
  return isDate(source) ? 'date' : undefined;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)(?:$|[Tt ])/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?([Zz]|[-+](\d\d):(\d\d))?$/;

/** True for a date, a time of day, or both with or without an offset. */
function isDate(source: string): boolean {
  const [date, year, month, day] = DAY.exec(source) ?? [];
  if (date !== undefined && (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))))
    return false;
  if (date === source) return /\d$/.test(source);
  const [time, hour, minute, second = 0, zone, zoneHour = 0, zoneMinute = 0] =
    TIME.exec(source.slice(date?.length)) ?? [];
  return (
    time !== undefined &&
    (zone === undefined || date !== undefined) &&
    [hour, zoneHour].every((one) => Number(one) <= 23) &&
    [minute, second, zoneMinute].every((one) => Number(one) <= 59)
  );
}

function daysIn(year: number, month: number): number {
  const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return days + Number(isLeap && month === 2);
}
