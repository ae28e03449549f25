// Writes a new part of a collection: in a table, on lines, in brackets, or as the first part of what becomes a collection.
import { breakAt, columnOf } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import {
  type Collection,
  isBlockCollection,
  isCollection,
  isEmpty,
  isFlowCollection,
  isSectional,
  isWritten,
  partsOf,
  propertiesText,
  type SpanNode,
} from '../tree/span-tree.ts';
import { insertInBlock } from './block.ts';
import { insertPiece } from './brackets.ts';
import { lineIndent } from './columns.ts';
import { isDottedInBraces } from './dotted-braces.ts';
import {
  beside,
  colonGap,
  dashGap,
  gapToColumn,
  indentBelowDash,
  isSpread,
  keyQuotes,
  modelFor,
  signGap,
} from './neighbours.ts';
import {
  columnInBrackets,
  continued,
  layOut,
  type Place,
  placeOf,
  spreadUnit,
  tabsAt,
  unitWithin,
} from './place.ts';
import { printKey } from './print.ts';
import { commentInLine, type Written, writeReplace } from './replace.ts';
import { emptyItem, parseSource, type Source, type Target } from './source.ts';
import type { Value } from './step.ts';
import { styleOf } from './style.ts';
import { insertDottedValue, insertTableValue } from './table-value.ts';
import { columnBelowActions } from './template.ts';
import { sourceFor } from './value-text.ts';

/** Inserts an entry with this key, or an item. Null and empty brackets may become a collection. `isClose`: directly after the part before. */
export function writeInsert(
  target: Target,
  at: Located,
  index: number,
  key: string | undefined,
  value: Value,
  isClose: boolean,
): Written {
  const { node } = at;
  if (isSectional(node)) return insertTableValue(target, at, index, key, value, isClose);
  if (isDottedInBraces(target, node)) return insertDottedValue(target, at, node, index, key ?? '', value);
  if (!isCollection(node) || growsInBlock(target, at, node)) return grow(target, at, key, value);
  return node.style === 'block'
    ? intoBlock(target, at, node, index, key, value, isClose)
    : intoBrackets(target, at, node, index, key, value, isClose);
}

function modelBeside(
  { format }: Target,
  node: Collection,
  index: number,
  value: Value,
): SpanNode | undefined {
  return 'json' in value
    ? modelFor(value.json, node, index, (key) => format.isPlainKey(key, true))
    : undefined;
}

/** True if empty brackets become lines, as they do unless their neighbours are in brackets. */
function growsInBlock({ format, stream: { text } }: Target, { steps }: Located, node: Collection): boolean {
  if (format.layout !== 'block' || node.style !== 'flow' || partsOf(node).length > 0) return false;
  if (steps.some(({ container }) => container.style !== 'block')) return false;
  if (text.slice(node.start, node.end).includes('\n')) return false;
  const step = steps.at(-1);
  const near =
    step &&
    beside(step.container, step.index)
      .map((part) => part.value)
      .find((one) => isCollection(one) && one.kind === node.kind && partsOf(one).length > 0);
  return near === undefined || isBlockCollection(near);
}

/** Turns null or empty brackets into a collection of one part, with their anchor and tag. */
function grow(target: Target, at: Located, key: string | undefined, value: Value): Written {
  const { stream, document, format } = target;
  const { node, steps } = at;
  const place = placeOf(target, at);
  const style = styleOf(stream.text, document);
  const isFlow = place.isFlow || format.layout === 'flow';
  if (isFlow && 'json' in value)
    return writeReplace(target, at, { json: key === undefined ? [value.json] : { [key]: value.json } });
  const source =
    key === undefined && !isFlow
      ? itemSource(target, value)
      : sourceFor(target, value, { ...place, isFlow }, undefined);
  const isMerge = key === format.mergeKey;
  const name = key === undefined || isMerge ? key : printKey(key, { target, isFlow, style }, undefined);
  const kept = keptOfGrowth(stream.text, node);
  if (isWritten(node)) return belowActions(target, at, name, source, place);
  if (isFlow) {
    const head = layOut(source, { ...place, isFlow: true, parentColumn: -1, tabs: '' }).head;
    const inner = name === undefined ? `[${head}]` : `{${name}: ${head}}`;
    return writeReplace(target, at, { text: kept === '' ? inner : `${kept} ${inner}` });
  }
  const lines = partLines(target, undefined, 0, name, source, 0, place.unit);
  const text = `${[...(kept === '' ? [] : [kept]), ...lines].join('\n')}\n`;
  return writeReplace(
    target,
    at,
    { text },
    steps.length === 0 && isEmpty(node) && node.properties === undefined,
  );
}

/** Inserts a part below the actions that write all of a value, at the depth that they name. Throws TEMPLATE_ACTION. */
function belowActions(
  target: Target,
  { node }: Located,
  name: string | undefined,
  source: Source,
  { parentColumn, unit, isFlow }: Place,
): Written {
  const { stream } = target;
  // The items of a list may be in the column of its key; the keys of a mapping are deeper.
  const least = isFlow ? Number.POSITIVE_INFINITY : parentColumn + (name === undefined ? 0 : 1);
  const column = columnBelowActions(stream, node, least);
  const lineBreak = breakAt(stream.text, node.start);
  const lines = partLines(target, undefined, 0, name, source, column, unit);
  const insert = lines.map((line) => lineBreak + line).join('');
  const alone = partLines(target, undefined, 0, name, source, 0, unit).join('\n');
  return { edits: [{ start: node.end, end: node.end, insert }], source: parseSource(alone, target) };
}

/** Returns the anchor and the tag that stay. Tags of scalars do not: readers refuse a mapping under `!!null`. */
function keptOfGrowth(text: string, node: SpanNode): string {
  const { anchor, tag } = node.properties ?? {};
  if (tag === undefined || !SCALAR_TAG.test(text.slice(tag.start, tag.end)))
    return propertiesText(text, node);
  return anchor === undefined ? '' : text.slice(anchor.start, anchor.end);
}

const SCALAR_TAG = /^!(?:!|<tag:yaml\.org,2002:)(?:null|bool|int|float|str|binary|timestamp)>?$/;

function intoBlock(
  target: Target,
  at: Located,
  node: Collection,
  index: number,
  key: string | undefined,
  value: Value,
  isClose: boolean,
): Written {
  const { stream } = target;
  const { text } = stream;
  const unit = unitWithin(text, node) ?? placeOf(target, at).unit;
  const source =
    key === undefined
      ? itemSource(target, value, node, index, unit)
      : sourceFor(target, value, { isFlow: false, unit }, modelBeside(target, node, index, value));
  const name = key === undefined ? undefined : nameOf(target, node, key, source, false);
  const lines = partLines(target, node, index, name, source, columnOf(text, node.start), unit, key);
  return { edits: insertInBlock(stream, node, index, lines, source, isClose), source, name };
}

/** Returns the key as it is written. A moved key without quotes, such as `on`, stays as it was. */
function nameOf(target: Target, node: Collection, key: string, { part }: Source, isFlow: boolean): string {
  const { format, stream, document } = target;
  if (key === format.mergeKey) return key;
  const { isAlways } = keyQuotes(stream.text, node, (name) => format.isPlainKey(name, true));
  const stays = part?.plainKey === key && format.layout === 'block' && !isAlways;
  if (stays && /^[\w.-]+$/.test(key)) return key;
  return printKey(key, { target, isFlow, style: styleOf(stream.text, document) }, node);
}

/** Returns an item. Comments at the beginning of a value go above its dash, where people write them. */
function itemSource(target: Target, value: Value, node?: Collection, index = 0, unit = 2): Source {
  const place = { isFlow: false, unit };
  const [head = ''] = ('text' in value && /^(?:[ \t]*#(?!.*\{\{).*\r?\n)+(?=.*\S)/.exec(value.text)) || [];
  if (head === '' || !('text' in value))
    return sourceFor(target, value, place, node && modelBeside(target, node, index, value));
  const above = head.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return { ...sourceFor(target, { text: value.text.slice(head.length) }, place, undefined), above };
}

/** Returns a part as whole lines, with its key or dash at `column`. Without a collection it is the first part of a new one. */
function partLines(
  target: Target,
  node: Collection | undefined,
  index: number,
  name: string | undefined,
  source: Source,
  column: number,
  unit: number,
  key?: string,
): readonly string[] {
  const { text } = target.stream;
  const style = styleOf(text, target.document);
  if (source.part?.isItem === (name === undefined) && source.part.lines !== undefined)
    return source.part.lines(column, key === source.part.name ? undefined : name);
  const before =
    name === undefined
      ? ''
      : node === undefined
        ? style.beforeColon
        : colonGap(text, node, index, name.length);
  const gap =
    node === undefined
      ? ' '
      : name === undefined
        ? dashGap(text, node)
        : gapToColumn(text, node, index, name.length + before.length + 1);
  const belowDash = name === undefined && node !== undefined ? indentBelowDash(text, node) : undefined;
  const item = column + (belowDash ?? 1 + gap.length);
  const below = column + unit;
  const { head, below: rest } = layOut(source, {
    isFlow: false,
    isRoot: false,
    indicatorEnd: 0,
    missingColon: '',
    parentColumn: column,
    mapping: name === undefined ? item : below,
    sequence: name === undefined ? item : style.areListsBeside ? column : below,
    compact: name === undefined && belowDash === undefined ? item : undefined,
    body: undefined,
    unit,
    tabs: '',
  });
  const line = ' '.repeat(column) + (name === undefined ? '-' : `${name}${before}:`);
  return [
    ...source.above.map((comment) => ' '.repeat(column) + comment),
    ...(head === '' ? line : line + gap + head).split('\n'),
    ...rest,
  ];
}

function intoBrackets(
  target: Target,
  at: Located,
  node: Collection,
  index: number,
  key: string | undefined,
  value: Value,
  isClose: boolean,
): Written {
  const { stream, document, format } = target;
  const { text } = stream;
  const style = styleOf(text, document);
  const { place, isSpread: isWithinSpread } = placeWithin(target, at, node);
  const model = modelBeside(target, node, index, value);
  const isLikeModel = model !== undefined && isFlowCollection(model) && partsOf(model).length > 0;
  const isNewSpread = isLikeModel
    ? isSpread(text, model)
    : isWithinSpread && (format.layout !== 'sections' || node.kind !== 'mapping');
  const source = sourceFor(target, value, place, model, isNewSpread);
  if (key === undefined && isEmpty(source.node) && source.node.properties === undefined) throw emptyItem();
  const name = key === undefined ? undefined : nameOf(target, node, key, source, true);
  const { head } = layOut(source, { ...place, parentColumn: -1, tabs: '' });
  const piece = continued(name === undefined ? head : signed(target, node, index, name, head), place);
  if (node.style === 'pair') {
    // A lone `a: b` in `[ ]` is a mapping of one entry: a second one needs braces.
    const [before, behind] = index === 0 ? [`{${piece}, `, '}'] : ['{', `, ${piece}}`];
    const edits = [
      { start: node.start, end: node.start, insert: before },
      { start: node.end, end: node.end, insert: behind },
    ];
    return { edits, source, name };
  }
  const edits = insertPiece(
    stream,
    node,
    index,
    { text: piece, above: source.above, behind: source.behind },
    {
      isSpread: isWithinSpread && (format.layout !== 'sections' || node.kind !== 'mapping'),
      level: place.tabs === '' ? ' '.repeat(place.unit) : '\t',
      gap: style.gap,
      pad: format.layout === 'sections' && node.kind === 'mapping' ? (style.pads.mapping ?? ' ') : '',
    },
    isClose,
  );
  const isWritten = edits.some(({ insert }) => insert.includes(source.behind));
  return { edits: isWritten ? edits : [...edits, ...commentInLine(target, at, source.behind)], source, name };
}

/** Joins key and value. The blank prevents that a tag or a sign is read as one word with the colon. */
function signed(target: Target, node: Collection, index: number, name: string, head: string): string {
  const { format, stream, document } = target;
  const { text } = stream;
  if (format.layout === 'sections') return `${name} = ${head}`;
  const isFirst = format.layout === 'flow' && partsOf(node).length === 0;
  const isQuoted = format.layout === 'flow' || /^["']/.test(name);
  const gap = isFirst ? styleOf(text, document).gap : signGap(node, isQuoted);
  const own = /^["'[{\w]/.test(head) ? gap : ' ';
  return `${name}${colonGap(text, node, index, name.length)}:${own}${head}`;
}

/** Returns the place of a new part in brackets, and whether it has lines of its own. */
function placeWithin(
  target: Target,
  at: Located,
  node: Collection,
): { readonly place: Place; readonly isSpread: boolean } {
  const { text } = target.stream;
  const where = { ...placeOf(target, at), isFlow: true };
  const [first] = partsOf(node);
  const step = at.steps.at(-1);
  if (first !== undefined) {
    const unit = spreadUnit(text, node) ?? where.unit;
    const isInBrackets = at.steps.some(({ container }) => container.style !== 'block');
    const parentColumn = isInBrackets
      ? Math.max(lineIndent(text, first.start), where.parentColumn)
      : columnInBrackets(text, first.start, where.parentColumn, unit);
    const tabs = tabsAt(text, first.start);
    return { place: { ...where, unit, parentColumn, tabs }, isSpread: isSpread(text, node) };
  }
  const isNewSpread =
    step === undefined ? node.kind === 'mapping' && text.includes('\n') : isSpread(text, step.container);
  if (!isNewSpread) return { place: { ...where, tabs: '' }, isSpread: false };
  const tabs = tabsAt(text, node.start);
  const parentColumn = lineIndent(text, node.start) + where.unit;
  return { place: { ...where, parentColumn, tabs: tabs && `${tabs}\t` }, isSpread: true };
}
