// Prints JSON as text of a format, in the style of a neighbour, or of the whole document.
import { Refusal } from '../../security/errors/refusal.ts';
import type { Json } from '../tree/json.ts';
import { indexesOf } from '../tree/keys.ts';
import { columnOf } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  isBlockCollection,
  isFlowCollection,
  partsOf,
  type ScalarNode,
  type ScalarStyle,
  type SpanNode,
} from '../tree/span-tree.ts';
import { gapOf, isOfKind, isSpread, keyQuotes, modelOf, padOf, quotesOf } from './neighbours.ts';
import { spreadUnit } from './place.ts';
import { hasParts, type Target } from './source.ts';
import { SHORT, type Style } from './style.ts';

export interface Printing {
  readonly target: Target;
  readonly style: Style;
  readonly isFlow: boolean;
  /** True if brackets have their parts on lines of their own. */
  readonly isSpread: boolean;
  readonly unit: number;
  /** The node whose style is kept. */
  readonly model: SpanNode | undefined;
}

/** Throws VALUE_INVALID for a number that lost digits in JSON, and for ill-formed text. */
export function printJson(json: Json, how: Printing): string {
  requireExact(json);
  const { layout } = how.target.format;
  return how.isFlow || layout !== 'block' ? flow(json, how) : block(json, how).join('\n');
}

function requireExact(json: Json): void {
  if (
    typeof json === 'number' &&
    (!Number.isFinite(json) || (Number.isInteger(json) && !Number.isSafeInteger(json)))
  )
    throw inexact(
      'a number beyond 2^53 loses digits in json',
      'Send the number as text in "value": it is written exactly as it is',
    );
  if (typeof json === 'string' && !json.isWellFormed())
    throw inexact('it holds half of a surrogate pair', 'Send whole characters');
  if (typeof json !== 'object' || json === null) return;
  for (const [key, part] of Object.entries(json)) {
    requireExact(key);
    requireExact(part);
  }
}

function inexact(reason: string, advice: string): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice: [advice] });
}

function block(json: Json, how: Printing): string[] {
  if (!hasParts(json)) return scalar(json, how).split('\n');
  if (isFlowModel(how.model)) return flow(json, how).split('\n');
  if (Array.isArray(json))
    return json.flatMap((item, index) => {
      const [first = '', ...rest] = block(item, itemIn(how, item, index));
      // The lines of a block scalar are indented already.
      const indent = typeof item === 'string' ? '' : '  ';
      return [`- ${first}`, ...rest.map((line) => (line === '' ? line : indent + line))];
    });
  return Object.entries(json).flatMap(([key, value]) => entryLines(key, value, how));
}

function entryLines(key: string, value: Json, how: Printing): string[] {
  const { style, unit } = how;
  const twin = twinOf(how.model, key);
  const inner = entryIn(how, twin, value);
  const name = printKey(key, how, how.model, twin) + style.beforeColon;
  if (value === null && inner.model === undefined && style.isNullEmpty) return [`${name}:`];
  const below = block(value, inner);
  if (!hasParts(value) || isFlowModel(inner.model))
    return [`${name}: ${below[0] ?? ''}`.trimEnd(), ...below.slice(1)];
  const usual = Array.isArray(value) && style.areListsBeside ? 0 : unit;
  const indent = ' '.repeat(indentOfTwin(how.target.stream.text, twin, value) ?? usual);
  return [`${name}:`, ...below.map((line) => (line === '' ? '' : indent + line))];
}

/** Returns the indentation of the block of the same kind below the same key in the model. */
function indentOfTwin(text: string, twin: Entry | undefined, value: Json): number | undefined {
  if (twin === undefined || !isBlockCollection(twin.value) || !isOfKind(value, twin.value)) return undefined;
  return columnOf(text, twin.value.start) - columnOf(text, twin.start);
}

function isFlowModel(node: SpanNode | undefined): node is Collection {
  return node !== undefined && isFlowCollection(node);
}

function flow(json: Json, outer: Printing): string {
  const { layout } = outer.target.format;
  if (typeof json !== 'object' || json === null)
    return scalar(json, layout === 'sections' ? outer : { ...outer, isFlow: true });
  const how = { ...outer, isFlow: true, isSpread: hasLines(json, outer) };
  const gap = bracketGap(outer);
  const sign = layout === 'sections' ? ' = ' : `${outer.style.beforeColon}:${gap}`;
  const parts = Array.isArray(json)
    ? json.map((item, index) => flow(item, itemIn(how, item, index)))
    : Object.entries(json).map(([key, value]) => {
        const twin = twinOf(how.model, key);
        return printKey(key, how, how.model, twin) + sign + flow(value, entryIn(how, twin, value));
      });
  const [open, close] = Array.isArray(json) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  if (!how.isSpread) {
    const pad = padWithin(json, outer);
    return open + pad + parts.join(`,${gap}`) + pad + close;
  }
  const level = levelIn(outer);
  const rows = parts.map((part) => level + part.replaceAll('\n', `\n${level}`));
  return `${open}\n${rows.join(',\n')}${hasLastComma(outer) ? ',' : ''}\n${close}`;
}

/** The model, if it has parts in brackets. */
function bracketModel({ model }: Printing): Collection | undefined {
  return isFlowModel(model) && partsOf(model).length > 0 ? model : undefined;
}

function hasLines(json: Json, how: Printing): boolean {
  const { layout } = how.target.format;
  const model = bracketModel(how);
  // TOML 1.0 allows braces on one line only.
  const isOther = layout === 'sections' && !Array.isArray(json) && model?.kind !== 'mapping';
  if (model !== undefined && !isOther) return isSpread(how.target.stream.text, model);
  const isShort =
    Array.isArray(json) &&
    JSON.stringify(json).length <= SHORT &&
    json.every((item) => typeof item !== 'object' || item === null);
  return layout === 'flow' && how.isSpread && !(isShort && how.style.areListsShort);
}

function bracketGap({ target: { format, stream }, model, style }: Printing): string {
  const own = isFlowModel(model) ? gapOf(stream.text, model) : undefined;
  return format.layout === 'sections' ? ' ' : (own ?? style.gap);
}

function levelIn(how: Printing): string {
  const model = bracketModel(how);
  const { format, stream } = how.target;
  if (format.layout === 'flow' || model === undefined)
    return how.style.isTabbed ? '\t' : ' '.repeat(how.unit);
  return ' '.repeat(spreadUnit(stream.text, model) ?? how.unit);
}

function hasLastComma(how: Printing): boolean {
  return how.target.format.layout === 'flow'
    ? how.style.hasLastComma
    : bracketModel(how)?.trailingComma !== undefined;
}

function padWithin(json: Json, how: Printing): string {
  const { format, stream } = how.target;
  const model = bracketModel(how);
  if (model !== undefined) return padOf(stream.text, model);
  const kind = Array.isArray(json) ? 'sequence' : 'mapping';
  return how.style.pads[kind] ?? (format.layout === 'sections' && kind === 'mapping' ? ' ' : '');
}

function scalar(json: Json, { target: { format, stream }, model, style, isFlow, unit }: Printing): string {
  if (typeof json === 'object' && json !== null) return Array.isArray(json) ? '[]' : '{}';
  const place = { isFlow, quotes: () => style.quotes, unit: () => unit };
  if (typeof json === 'string') format.requireData?.(json, model?.kind === 'scalar' ? model.value : '');
  if (model?.kind !== 'scalar') {
    const asJson = isFlow && typeof json === 'string' && style.isLikeJson;
    return format.writeScalar(json, { ...place, style: asJson ? 'double' : 'empty' });
  }
  // A null is written like the null of the model: empty, or with the same word.
  if (json === null && model.typedValue === null && !isFlow) return stream.text.slice(model.start, model.end);
  return format.writeScalar(json, { ...place, style: styleFor(json, model) });
}

/** Returns the style of the model, unless one line becomes several or the reverse. */
function styleFor(json: Json, { style, block: header, value }: ScalarNode): ScalarStyle {
  if (typeof json !== 'string') return style;
  const [isOfLines, wasOfLines] = [json.includes('\n'), value.includes('\n')];
  if (header === undefined) return isOfLines && !wasOfLines ? 'empty' : style;
  // What an action writes may have quotes and line breaks; a short folded text reads better on one line.
  const isKept = isOfLines || /(?:^|[^$])\{\{/.test(json) || (style === 'folded' && json.length > SHORT);
  return isKept ? style : 'empty';
}

/** Returns a key as it is written, with the quotes of the other keys in `node`. A plain key of the model, such as `on`, stays plain. */
export function printKey(
  key: string,
  { target: { format, stream }, isFlow, style }: Pick<Printing, 'target' | 'isFlow' | 'style'>,
  node: SpanNode | undefined,
  twin?: Entry,
): string {
  format.requireData?.(key, twin?.key.kind === 'scalar' ? twin.key.value : '');
  const isPlain = twin?.key.kind === 'scalar' && twin.key.style === 'plain' && format.layout === 'block';
  if (isPlain && /^[\w.-]+$/.test(key)) return key;
  const always = (twin && quotesOf(twin.key)) ?? (isFlow && style.isLikeJson ? 'double' : undefined);
  const quotes =
    always === undefined
      ? keyQuotes(stream.text, node, (name) => format.isPlainKey(name, true))
      : { style: always, isAlways: true };
  return format.writeKey(key, isFlow, quotes);
}

/** The entry of the model with the same key. */
function twinOf(model: SpanNode | undefined, key: string): Entry | undefined {
  if (model?.kind !== 'mapping') return undefined;
  const [index] = indexesOf(model, key);
  return index === undefined ? undefined : model.entries[index];
}

function entryIn(how: Printing, twin: Entry | undefined, value: Json): Printing {
  return { ...how, model: modelOf(value, twin?.value) };
}

function itemIn(how: Printing, item: Json, index: number): Printing {
  const { model } = how;
  const twin = model?.kind === 'sequence' ? (model.items[index] ?? model.items.at(-1))?.value : undefined;
  return { ...how, model: modelOf(item, twin) };
}
