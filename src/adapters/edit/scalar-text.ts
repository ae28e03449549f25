// `replace_text` in a scalar: replaces a text that occurs once in its value. Only that place in the source changes if the style of the
// scalar can hold the new text; otherwise the whole scalar is rewritten in its style.

import type { Edit } from '../../security/edits/edit.ts';
import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { printNodePath } from '../../security/node-paths/node-path.ts';
import { cutsPlaceholder, holdsPlaceholder } from '../../security/text/placeholders.ts';
import { actionsIn } from '../tree/actions.ts';
import { breakAt, indentOf, lineEnd, nextLine } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';
import { contentIndent, type ScalarNode, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { parseSource, type Target } from './source.ts';
import type { Value } from './step.ts';

/** The edits and the new text of the scalar, or the value with which it has to be rewritten. */
export type ReplacedText =
  | { readonly edits: readonly Edit[]; readonly text: string }
  | { readonly value: Value };

/** Throws TEXT_NOT_FOUND, TEXT_AMBIGUOUS, TYPE_MISMATCH, ALIAS_CROSSED. */
export function replaceInScalar(
  target: Target,
  located: Located,
  { old: given, next: wanted }: { readonly old: string; readonly next: string },
): ReplacedText {
  const { stream, format } = target;
  const { node } = located;
  if (node.kind !== 'scalar') throw notAScalar(located, isOnce(stream.text, given));
  const { old, next } = withoutIndent(stream.text, node, {
    old: given.replaceAll('\r\n', '\n'),
    next: wanted.replaceAll('\r\n', '\n'),
  });
  const at = onlyPlace(node.value, old, located, stream.lines.at(node.start));
  if (old === next) return { edits: [], text: node.value };
  const value = node.value.slice(0, at) + next + node.value.slice(at + old.length);
  // TOML has no escape for a quote between single quotes, and does not accept DEL.
  const isElsewhere = format.layout === 'sections' && /['\u007f]/.test(next);
  const found =
    isElsewhere || needsOtherQuotes(target, node, value)
      ? undefined
      : editInPlace(target, node, { at, old, next });
  const edit = found?.at(-1);
  const isInAction = edit !== undefined && node.block === undefined && isWithinAction(stream, edit);
  if (isInAction && !(node.style === 'plain' && node.value.includes('\n')))
    return { value: { text: withActions(target, node, value) } };
  // Its lines keep their indentation, by which some of them are read.
  const edits = isInAction ? [wholeOf(stream.text, node, edit)] : found;
  const isFlow = located.steps.some(({ container }) => container.style !== 'block');
  if (edit === undefined || edits === undefined || !canHold(target, node, edit, value, isFlow))
    return { value: anew(target, node, value, isFlow) };
  return { edits, text: value };
}

/** Advises that old_text is not compared with masked values, without saying whether one would match. */
export function maskedAdvice(text: string): readonly string[] {
  return holdsPlaceholder(text) ? ['Masked values (<secret:…>) are not compared with old_text'] : [];
}

/** Removes the indentation of the file from copied lines, so that they are lines of the value. */
function withoutIndent(
  text: string,
  { value, block }: ScalarNode,
  texts: Pick<TextReplacement, 'old' | 'next'>,
): Pick<TextReplacement, 'old' | 'next'> {
  const column = block && contentIndent(text, block);
  if (column === undefined || column === 0 || value.includes(texts.old)) return texts;
  const indent = ' '.repeat(column);
  const lines = [texts.old, texts.next].map((one) => one.split('\n'));
  const isCopied = lines.every(([, ...rest]) =>
    rest.every((line) => line.trim() === '' || line.startsWith(indent)),
  );
  const [old = '', next = ''] = lines.map((all) =>
    all.map((line) => (line.startsWith(indent) ? line.slice(column) : line)).join('\n'),
  );
  return isCopied && value.includes(old) ? { old, next } : texts;
}

/** True if the edit changes a part of an action: then the whole value has to be written. */
function isWithinAction({ actions = [] }: Stream, { start, end }: Edit): boolean {
  const met = actionsIn(actions, { start, end: Math.max(end, start + 1) });
  return met.some((action) => action.start < start || (action.start < end && action.end > end));
}

/** True if the value cannot be written in the quotes of the scalar. */
function needsOtherQuotes({ format, stream }: Target, { style }: ScalarNode, value: string): boolean {
  if (format.layout !== 'block' || stream.actions !== undefined) return false;
  if (style !== 'single' && style !== 'double') return false;
  return !format.writeScalar(value, { ...IN_QUOTES, style }).startsWith(style === 'single' ? "'" : '"');
}

function wholeOf(text: string, { start, end }: ScalarNode, edit: Edit): Edit {
  return { start, end, insert: text.slice(start, edit.start) + edit.insert + text.slice(edit.end, end) };
}

/** Returns the whole value as it is rewritten, with its actions unchanged. */
function withActions({ stream: { text }, format }: Target, node: ScalarNode, value: string): string {
  const tag = node.properties?.tag;
  const isSingle = node.style === 'single' && !/['\n]/.test(value);
  const asItIs = isSingle ? `'${value}'` : value;
  const written = isSingle || node.style === 'plain' ? asItIs : format.writeScalar(value, IN_QUOTES);
  return tag === undefined ? written : `${text.slice(tag.start, tag.end)} ${written}`;
}

/** Returns the value to rewrite, in the style of the scalar and with its tag. */
function anew(
  { stream: { text }, format }: Target,
  { properties, style }: ScalarNode,
  value: string,
  isFlow: boolean,
): Value {
  const tag = properties?.tag;
  if (tag === undefined) return { json: value };
  const quotes = () => QUOTES;
  const usual = style === 'plain' ? 'empty' : style;
  const source = format.writeScalar(value, { style: usual, isFlow, quotes, unit: () => 2 });
  return { text: `${text.slice(tag.start, tag.end)} ${source}` };
}

interface TextReplacement {
  /** The offset in the value. */
  readonly at: number;
  readonly old: string;
  readonly next: string;
}

function editInPlace(
  { stream: { text, actions } }: Target,
  node: ScalarNode,
  replacement: TextReplacement,
): readonly Edit[] | undefined {
  const { style, block } = node;
  if (style === 'literal' && block !== undefined) return editInLiteral(text, node, replacement);
  const written = ESCAPES[style];
  if (written === undefined) return undefined;
  const source = text.slice(node.start, node.end);
  const { flat, offsets } = unfolded(source);
  // Nothing is escaped within an action.
  const isRaw = actions !== undefined && !isOnce(flat, written(replacement.old));
  const [old, next] = [replacement.old, replacement.next].map((one) => (isRaw ? one : written(one)));
  if (old === undefined || next === undefined || !isOnce(flat, old) || /\n/.test(next)) return undefined;
  const found = flat.indexOf(old);
  // A line that begins with a blank is not folded, and a first one would set the indentation of all.
  if (style === 'folded' && /^[ \t]/.test(next)) return undefined;
  const { head, tail } = sharedEnds(old, next);
  const offsetOf = (at: number) => node.start + (offsets[at] ?? source.length);
  const insert = next.slice(head, next.length - tail);
  return [{ start: offsetOf(found + head), end: offsetOf(found + old.length - tail), insert }];
}

/** Joins folded lines by blanks; `offsets` has the offset of each character in the source. */
function unfolded(source: string): { readonly flat: string; readonly offsets: readonly number[] } {
  let flat = '';
  const offsets: number[] = [];
  let from = 0;
  const take = (end: number) => {
    for (; from < end; from++) offsets.push(from);
  };
  for (const { index, 0: fold } of source.matchAll(/(?<![ \t\r\n])[ \t]*\r?\n[ \t]*(?![ \t\r\n])/g)) {
    flat += `${source.slice(from, index)} `;
    take(index);
    offsets.push(index);
    from = index + fold.length;
  }
  flat += source.slice(from);
  take(source.length);
  return { flat, offsets };
}

/** Counts the characters at both ends that stay, so that the folding there stays too. */
function sharedEnds(old: string, next: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(old.length, next.length);
  let head = 0;
  while (head < most && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const isBlankBeside = /^[ \t]|[ \t]$/.test(next.slice(head, next.length - tail));
  return isBlankBeside ? { head: 0, tail: 0 } : { head, tail };
}

/** Escapes a text for a scalar of this style, with folded lines as one. */
const ESCAPES: Readonly<Partial<Record<ScalarNode['style'], (text: string) => string>>> = {
  plain: (text) => text,
  folded: (text) => text,
  single: (text) => text.replaceAll("'", "''"),
  double: (text) => JSON.stringify(text).slice(1, -1),
};

/** Edits a literal scalar: each line of its value is a line of the body, after the indentation. */
function editInLiteral(
  text: string,
  node: ScalarNode,
  { at, old, next }: TextReplacement,
): readonly Edit[] | undefined {
  const { block } = node;
  const column = block && contentIndent(text, block);
  if (block === undefined || column === undefined) return undefined;
  // Without its last line break it would need another chomping indicator; some texts cannot be literal.
  const isAtEnd = old.endsWith('\n') && at + old.length === node.value.length;
  const isOther = /[^\P{Cc}\n\t]/u.test(next) || node.value.length === old.length;
  if (isAtEnd || isOther) return undefined;
  const offsetOf = (offset: number): number => {
    const lines = node.value.slice(0, offset).split('\n');
    let line = block.bodyStart;
    for (let i = 1; i < lines.length; i++) line = nextLine(text, line);
    const own = text.slice(line, lineEnd(text, line));
    return line + Math.min(column, indentOf(own)) + (lines.at(-1)?.length ?? 0);
  };
  const value = node.value.slice(0, at) + next + node.value.slice(at + old.length);
  const hasIndicator = /[1-9]/.test(text.slice(block.header.start, block.header.end));
  // The first line sets the indentation of all lines, unless the header does.
  const needsIndicator = !hasIndicator && /^\n*[ \t]/.test(value) && !/^\n*\t/.test(node.value);
  const depth = column - block.parentColumn;
  if (needsIndicator && (depth < 1 || depth > 9)) return undefined;
  const behindStyle = block.header.start + 1;
  const indicator = needsIndicator ? [{ start: behindStyle, end: behindStyle, insert: `${depth}` }] : [];
  const [start, end] = [offsetOf(at), offsetOf(at + old.length)];
  const [first = '', ...rest] = next.split('\n');
  const below = rest.map((line, i) => {
    const isBlank = line === '' && (i < rest.length - 1 || text.slice(end, lineEnd(text, end)) === '');
    return isBlank ? '' : ' '.repeat(column) + line;
  });
  return [...indicator, { start, end, insert: [first, ...below].join(breakAt(text, block.header.start)) }];
}

const QUOTES = 'double' as const;
const IN_QUOTES = { style: QUOTES, isFlow: false, quotes: () => QUOTES, unit: () => 2 };

/** True if the style of the scalar can hold the new text. */
function canHold(
  target: Target,
  node: ScalarNode,
  { start, end, insert }: Edit,
  value: string,
  isFlow: boolean,
): boolean {
  if (node.style !== 'plain') return true;
  const { text } = target.stream;
  const source = text.slice(node.start, start) + insert + text.slice(end, node.end);
  const isIt = (one: SpanNode | undefined) =>
    one?.kind === 'scalar' && one.style === 'plain' && one.value === value;
  if (!isIt(unlessRefused(() => parseSource(source, target))?.node)) return false;
  if (!isFlow) return true;
  const list = unlessRefused(() => parseSource(`[${source}]`, target))?.node;
  const [only, second] = list?.kind === 'sequence' ? list.items : [];
  return second === undefined && isIt(only?.value);
}

function isOnce(text: string, part: string): boolean {
  const at = part === '' ? -1 : text.indexOf(part);
  return at !== -1 && at === text.lastIndexOf(part);
}

const IN_FILE = { fields: { path: undefined, doc: undefined }, what: 'Replace it in the file' };

/** Makes the refusal. `isInFile`: the text occurs once in the file, so the same edit without a path would work. */
function notAScalar({ node, path }: Located, isInFile: boolean): Refusal {
  const existingPath = printNodePath(path);
  const isAlias = node.kind === 'alias';
  const reason = isAlias ? `it is the alias *${node.name}` : 'it is no scalar';
  const advice = isAlias
    ? `Edit the node that carries &${node.name}: its aliases follow`
    : 'Give the path of a scalar below it, or no path for the whole file';
  return new Refusal(
    isAlias ? 'ALIAS_CROSSED' : 'TYPE_MISMATCH',
    `Cannot replace text in ${shownPath(path)}: ${reason}`,
    {},
    { existingPath, advice: [advice], ...(isInFile && !isAlias ? { instead: IN_FILE } : {}) },
  );
}

const NOT_THERE = [
  'TEXT_NOT_FOUND',
  'it does not occur in the value',
  'Copy old_text from view "value"; spaces and letter case count',
] as const;
const NO_TEXT = [
  'VALUE_INVALID',
  'old_text is empty',
  'To write before the value, give its first characters in old_text, and the new text with them in new_text',
] as const;

/** Returns the offset of the only match; `line` is where the scalar begins. Throws VALUE_INVALID, TEXT_NOT_FOUND and TEXT_AMBIGUOUS. */
function onlyPlace(value: string, old: string, located: Located, line: number): number {
  const path = printNodePath(located.path);
  const places: number[] = [];
  for (let at = value.indexOf(old); old !== '' && at !== -1; at = value.indexOf(old, at + 1))
    if (!cutsPlaceholder(value, { start: at, end: at + old.length })) places.push(at);
  const [place, second] = places;
  if (place === undefined) {
    const [code, reason, advice] = old === '' ? NO_TEXT : NOT_THERE;
    const message = `Cannot replace this text in ${shownPath(located.path)}: ${reason}`;
    throw new Refusal(
      code,
      message,
      { path, line },
      { existingPath: path, advice: [advice, ...maskedAdvice(value)] },
    );
  }
  if (second === undefined) return place;
  throw new Refusal(
    'TEXT_AMBIGUOUS',
    `Cannot replace this text in ${shownPath(located.path)}: it occurs ${places.length} times in the value`,
    { path, line },
    {
      existingPath: path,
      advice: [
        'Give more of the text around the place that is meant, so that old_text occurs once',
        'To replace every place in the file send no path, and their number as expect',
      ],
    },
  );
}
