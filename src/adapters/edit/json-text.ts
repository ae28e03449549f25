// Writes a typed value (`json`) in the style of what it replaces or stands beside. Keys and brackets around it: see `part-text.ts`.
import { Refusal } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import type { Json } from '../tree/json.ts';
import { indexesOf } from '../tree/keys.ts';
import { columnOf } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  isBlockCollection,
  isFlowCollection,
  type ScalarNode,
  type ScalarStyle,
  type SpanNode,
} from '../tree/span-tree.ts';
import { isShortList, padFor } from './document-style.ts';
import { isAlike, modelOf } from './model.ts';
import { isMultiline, keyQuotesOf, multilineUnit, padWithin, quotesOf, withSign } from './neighbour-style.ts';
import type { WriteContext } from './write-context.ts';

export interface JsonStyle extends Pick<WriteContext, 'isFlow' | 'isMultiline' | 'unit' | 'documentStyle'> {
  readonly format: Format;
  /** The node that is replaced, or a part beside the new one (see `modelOf`); undefined if there is no style to keep. */
  readonly old: SpanNode | undefined;
  /** The text that `old` is a node of. */
  readonly text: string;
}

/** Throws VALUE_INVALID for a number that lost digits when it passed through JSON. */
export function jsonText(value: Json, style: JsonStyle): string {
  assertExact(value);
  const { layout } = style.format;
  if (layout === 'sections' && (typeof value !== 'object' || value === null)) return scalar(value, style);
  return layout === 'block' ? lines(value, style).join('\n') : flow(value, style);
}

function assertExact(value: Json): void {
  if (
    typeof value === 'number' &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    throw inexact(
      'a number beyond 2^53 loses digits in json',
      'Send the number as text in "value": it is written exactly as it is',
    );
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw inexact('it holds half of a surrogate pair', 'Send whole characters');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    assertExact(key);
    assertExact(part);
  }
}

function inexact(reason: string, advice: string): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice: [advice] });
}

function lines(value: Json, style: JsonStyle): string[] {
  if (!hasParts(value)) return scalar(value, style).split('\n');
  if (style.isFlow || isFlowNode(style.old)) return flow(value, style).split('\n');
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const [first = '', ...rest] = lines(item, styleOfItem(style, item, index));
      // The lines of a block scalar are indented already.
      const indent = typeof item === 'string' ? '' : '  ';
      return [`- ${first}`, ...rest.map((line) => (line === '' ? '' : indent + line))];
    });
  }
  return Object.entries(value).flatMap(([key, part]) => {
    const { name: bare, inner, step } = entryIn(style, key, part);
    const name = bare + style.documentStyle().beforeColon;
    if (part === null && inner.old === undefined && style.documentStyle().areNullsEmpty) return [`${name}:`];
    const below = lines(part, inner);
    if (!hasParts(part) || isFlowNode(inner.old))
      return [`${name}: ${below[0] ?? ''}`.trimEnd(), ...below.slice(1)];
    const indent = ' '.repeat(
      step ?? (Array.isArray(part) && !style.documentStyle().indentSequences ? 0 : style.unit()),
    );
    return [`${name}:`, ...below.map((line) => (line === '' ? '' : indent + line))];
  });
}

function hasParts(value: Json): value is Exclude<Json, null | boolean | number | string> {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isFlowNode(node: SpanNode | undefined): node is Collection {
  return node !== undefined && isFlowCollection(node);
}

/** Writes the value in flow style: on one line, or with each part on its own line where the parts of `old` are so. */
function flow(value: Json, outer: JsonStyle): string {
  if (typeof value !== 'object' || value === null) return scalar(value, { ...outer, isFlow: true });
  const { old, text, format } = outer;
  // TOML 1.0 allows braces on one line only.
  const isOther = format.layout === 'sections' && !Array.isArray(value) && old?.kind !== 'mapping';
  const wasSpread = old === undefined ? undefined : isOther ? undefined : isMultiline(text, old);
  const isSpaced = format.layout === 'flow';
  const isSpread =
    isSpaced && outer.isMultiline && !(isShortList(value) && outer.documentStyle().areListsOnOneLine);
  const style = { ...outer, isFlow: true, isMultiline: wasSpread ?? isSpread };
  const gap = isSpaced ? style.documentStyle().gap : ' ';
  const parts = Array.isArray(value)
    ? value.map((item, index) => flow(item, styleOfItem(style, item, index)))
    : Object.entries(value).map(([key, part]) => {
        const { name, inner } = entryIn(style, key, part);
        return withSign(format, name, gap, style.documentStyle().beforeColon) + flow(part, inner);
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  if (style.isMultiline) {
    const level =
      isSpaced || !isFlowNode(old) ? levelOf(style) : ' '.repeat(multilineUnit(text, old) ?? style.unit());
    const rows = parts.map((part) => level + part.replaceAll('\n', `\n${level}`));
    const hasComma = isSpaced
      ? style.documentStyle().areLastCommasUsual
      : isFlowNode(old) && old.trailingComma !== undefined;
    const comma = hasComma ? ',' : '';
    return `${open}\n${rows.join(',\n')}${comma}\n${close}`;
  }
  const pad =
    wasSpread === false && old !== undefined
      ? padWithin(text, old)
      : padFor(style.documentStyle(), Array.isArray(value) ? 'sequence' : 'mapping', format);
  return `${open}${pad}${parts.join(`,${gap}`)}${pad}${close}`;
}

/** The indentation of parts on lines of their own. */
function levelOf({ documentStyle, unit }: JsonStyle): string {
  return documentStyle().isTabbed ? '\t' : ' '.repeat(unit());
}

function styleOfItem(style: JsonStyle, item: Json, index: number): JsonStyle {
  const { old } = style;
  const twin = old?.kind === 'sequence' ? (old.items[index] ?? old.items.at(-1))?.value : undefined;
  return { ...style, old: modelOf(item, twin) };
}

function entryIn(style: JsonStyle, key: string, part: Json) {
  const twin = twinOf(style, key);
  const inner: JsonStyle = { ...style, old: modelOf(part, twin?.value) };
  return { name: nameOf(key, twin?.key, style), inner, step: twin && stepOf(style.text, twin, part) };
}

/** Returns the columns by which the entry indents a block of this kind; undefined for another kind. */
function stepOf(text: string, { start, value }: Entry, part: Json): number | undefined {
  const isTwin = isBlockCollection(value) && isAlike(part, value);
  return isTwin ? columnOf(text, value.start) - columnOf(text, start) : undefined;
}

/** The entry of what is replaced that has the same key. */
function twinOf({ old }: JsonStyle, key: string) {
  if (old?.kind !== 'mapping') return undefined;
  const [index] = indexesOf(old, key);
  return index === undefined ? undefined : old.entries[index];
}

/** A key that stands there without quotes, such as `on`, stays the key that it was. */
function nameOf(key: string, twin: SpanNode | undefined, style: JsonStyle): string {
  style.format.requireData?.(key, scalarText(twin));
  const own = twin === undefined ? undefined : quotesOf(twin);
  const isPlain = twin?.kind === 'scalar' && twin.style === 'plain' && style.format.layout === 'block';
  if (isPlain && /^[\w.-]+$/.test(key)) return key;
  const asJson = style.isFlow && style.documentStyle().isLikeJson ? 'double' : undefined;
  const always = own ?? asJson;
  const quotes =
    always === undefined
      ? keyQuotesOf(style.format, style.text, style.old)
      : { style: always, isAlways: true };
  return style.format.writeKey(key, style.isFlow, quotes);
}

function scalar(value: Json, style: JsonStyle): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  const { old, text, format, isFlow, unit } = style;
  const quotes = () => style.documentStyle().quotes;
  if (typeof value === 'string') format.requireData?.(value, scalarText(old));
  if (old?.kind !== 'scalar') {
    const asJson = isFlow && typeof value === 'string' && style.documentStyle().isLikeJson;
    return format.writeScalar(value, { style: asJson ? 'double' : 'empty', isFlow, quotes, unit });
  }
  // A null is written as the null beside it: empty, or with the same word.
  if (value === null && old.typedValue === null && !isFlow) return text.slice(old.start, old.end);
  return format.writeScalar(value, { style: styleFor(value, old), isFlow, quotes, unit });
}

function scalarText(old: SpanNode | undefined): string {
  return old?.kind === 'scalar' ? old.value : '';
}

/** A folded scalar that is no longer is better read on the line of its key. */
const SHORT_CHARS = 60;

/** The style of what stood there, unless its lines become one or the other way round. */
function styleFor(value: Json, { style, block, value: before }: ScalarNode): ScalarStyle {
  if (typeof value !== 'string') return style;
  const [isOfLines, wasOfLines] = [value.includes('\n'), before.includes('\n')];
  // What an action writes may hold quotes and line breaks.
  if (block !== undefined)
    return isOfLines || /(?:^|[^$])\{\{/.test(value) || (style === 'folded' && value.length > SHORT_CHARS)
      ? style
      : 'empty';
  return isOfLines && !wasOfLines ? 'empty' : style;
}
