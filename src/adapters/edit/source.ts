// A value as text, which is all that is ever written: sent by a call, printed from JSON, or taken from a file.

import { splice } from '../../security/edits/edit.ts';
import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import type { Limits } from '../../security/policy/policy.ts';
import { commentsWithin } from '../tree/comments.ts';
import type { Format } from '../tree/format.ts';
import type { Json } from '../tree/json.ts';
import { findDuplicateKey } from '../tree/keys.ts';
import { indentOf, withoutEnd } from '../tree/lines.ts';
import {
  type DocumentSpans,
  isBlockCollection,
  isEmpty,
  isSectional,
  outerStart,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { strictly } from './flow-text.ts';
import type { TemplatePart } from './template-scope.ts';

/** The file for which a value is meant. */
export interface Target {
  readonly format: Format;
  readonly limits: Limits;
  readonly stream: Stream;
  readonly document: DocumentSpans;
  readonly doc: number;
}

export interface Source {
  readonly text: string;
  readonly node: SpanNode;
  readonly comments: Stream['comments'];
  /** Lines of comments above the part, without indentation; and the comment behind it. */
  readonly above: readonly string[];
  readonly behind: string;
  /** For TOML: `free` may become a line or sections, `dotted` came from dotted keys; undefined stays as it was given. */
  readonly form?: 'free' | 'dotted' | undefined;
  /** The words of all its comments, if they are not just those above. */
  readonly given?: readonly string[] | undefined;
  /** Set for a part that was taken from another place. */
  readonly part?: TakenPart;
  /** The template actions in it, if it is moved or copied. */
  readonly template?: TemplatePart | undefined;
  /** The number of columns that are added to the depth that its actions name. */
  readonly deeperBy?: number;
}

export interface TakenPart {
  readonly isItem: boolean;
  /** The name of its key; `plainKey` is set if it is written without quotes. */
  readonly name: string | undefined;
  readonly plainKey: string | undefined;
  /** Its key as it is written. */
  readonly key: string | undefined;
  /** Returns the lines of the part, with another key if one is given; undefined for a part in brackets. */
  readonly lines: ((column: number, key: string | undefined) => readonly string[]) | undefined;
}

/** Parses a fragment: exactly one node, at any indentation. `isTaken`: it comes from a file and may be less strict. Throws VALUE_INVALID. */
export function parseSource(source: string, target: Target, isTaken = false): Source {
  const text = cleaned(source, target);
  const { stream, node } = readOrIndented(text, target, isTaken);
  const before = stream.text.slice(0, outerStart(node)).trim();
  const behind = stream.text.slice(node.end).trim();
  const isAlone = !isBlockCollection(node) && !isSectional(node);
  if (isEmpty(node) && before + behind !== '')
    throw invalid('it holds only a comment; quote the text if "#" belongs to it');
  if (
    isAlone &&
    (before !== '' || behind.includes('\n') || (behind !== '' && stream.text[node.end] === '\n'))
  )
    throw invalid('a comment on a line of its own has no place beside a single value');
  const comments = isAlone ? commentsWithin(stream.comments, 0, node.end) : stream.comments;
  return { text: stream.text, node, comments, above: [], behind: isAlone ? behind : '' };
}

/** Returns the text with LF line breaks, one at its end, and without common indentation. */
function cleaned(source: string, { format }: Target): string {
  if (!source.isWellFormed()) throw invalid('it holds half of a surrogate pair');
  if (source.startsWith('\uFEFF')) throw invalid('it starts with a byte order mark');
  // Some readers take these characters for line ends, so what follows could become another key.
  if (/\r(?!\n)|[\u0085\u2028\u2029]/.test(source))
    throw invalid('it holds a character that some readers take for the end of a line (CR, NEL, LS or PS)');
  const unbroken = source.replaceAll('\r\n', '\n').replace(/^(?:[ \t]*\n)+/, '');
  const whole = unbroken.endsWith('\n') ? unbroken : `${unbroken}\n`;
  const text = format.layout === 'sections' ? whole : dedent(whole);
  if (format.layout !== 'sections' && /^(?:---|\.\.\.)(?:\s|$)/m.test(text))
    throw invalid('it holds a document marker (--- or ...), so it is more than one node');
  if (text.trim() === '' && !format.hasEmptyValues)
    throw invalid(`it is empty; ${format.name} has no empty value, use null`);
  return text;
}

/** Parses the text; if that fails, as a block that was cut from behind a dash, so that its first line is too far left. */
function readOrIndented(text: string, target: Target, isTaken: boolean): OnlyNode {
  try {
    return onlyNode(text, target, isTaken);
  } catch (error) {
    const indented = dedent(withFirstIndented(text));
    if (indented === text || !(error instanceof Refusal) || error.code === 'LIMIT_EXCEEDED') throw error;
    const read = unlessRefused(() => onlyNode(indented, target, isTaken));
    if (read === undefined) throw error;
    return read;
  }
}

interface OnlyNode {
  readonly stream: Stream;
  readonly node: SpanNode;
}

/** Parses the only node. Flow YAML that YAML 1.1 readers would read differently is rewritten so that all agree. */
function onlyNode(text: string, target: Target, isTaken: boolean): OnlyNode {
  const stream = parsed(text, target, isTaken);
  const [document, second] = stream.documents;
  if (document === undefined || second !== undefined) throw invalid('it is more than one document');
  requireDistinctKeys(stream);
  const mayBeLoose = target.format.layout === 'block' && /[[{]/.test(text) && /[?:]/.test(text);
  const edits = mayBeLoose ? strictly(text, document.root) : [];
  return edits.length === 0 ? { stream, node: document.root } : onlyNode(splice(text, edits), target, false);
}

function parsed(text: string, { format, limits }: Target, isTaken: boolean): Stream {
  // The tree of a fragment is not worth caching.
  const within = { ...limits, isOneOfMany: true };
  try {
    const stream = (format.readFragment ?? format.parse)(text, within);
    // Unlike what a file holds already, a new value has to be valid by the specification.
    if (isTaken || stream.unindented === undefined) return stream;
    throw invalid('a line within quotes has to be indented further than the key or dash that they belong to');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'UNSUPPORTED_FORMAT')
      throw invalid(
        `about its line ${error.where.line} it is ${format.name} of a kind that is read as text only`,
      );
    throw error.code === 'SYNTAX_INVALID' ? notOneValue(error, text, format, limits) : error;
  }
}

function dedent(text: string): string {
  const lines = text.split('\n');
  const shared = sharedIndent(lines);
  if (!Number.isFinite(shared) || shared === 0) return text;
  return lines.map((line) => line.slice(Math.min(shared, indentOf(line)))).join('\n');
}

/** Indents the first line like the others, if it is left of all of them. */
function withFirstIndented(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const shared = sharedIndent(rest);
  return Number.isFinite(shared) && indentOf(first) < shared
    ? [' '.repeat(shared - indentOf(first)) + first, ...rest].join('\n')
    : text;
}

/** Returns the least indentation of non-blank lines, or infinity. Math.min(...) would overflow the stack at a million lines. */
function sharedIndent(lines: readonly string[]): number {
  return lines.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, indentOf(line))),
    Number.POSITIVE_INFINITY,
  );
}

/** Shifts the lines of a block from one column to another. */
export function shifted(lines: readonly string[], from: number, to: number): string[] {
  return lines.map((line) => shiftedLine(line, from, to));
}

/** Shifts a line; one that is left of the block (a comment, a continuation) as far as possible. */
export function shiftedLine(line: string, from: number, to: number): string {
  if (line.trim() === '' && line.length <= from) return '';
  return ' '.repeat(to) + line.slice(Math.min(from, indentOf(line)));
}

/** Returns the block scalar that the node ends in, if it ends in one. */
export function lastScalar(node: SpanNode) {
  let last: SpanNode | undefined = node;
  while (last !== undefined && isBlockCollection(last)) last = partsOf(last).at(-1)?.value;
  return last?.kind === 'scalar' ? last.block : undefined;
}

export function hasParts(json: Json): json is Exclude<Json, null | boolean | number | string> {
  return typeof json === 'object' && json !== null && Object.keys(json).length > 0;
}

/** Makes the refusal of a text that is not a value in its format. */
function notOneValue(error: Refusal, text: string, format: Format, limits: Limits): Refusal {
  const first = error.clues.problems?.[0];
  const place =
    first === undefined ? '' : ` (line ${first.line}, column ${first.column} of the value: ${first.message})`;
  const reason = `it is not one complete ${format.name} value${place}`;
  return /\{[{%]/.test(text) && format.requireData !== undefined
    ? notWholeWithActions(reason, text, format, limits)
    : invalid(reason, quoted(format.name)).hinting({ wantedFormat: format.name });
}

/** Makes the refusal of a fragment with incomplete actions; it advises quotes if the text in quotes is one value. */
function notWholeWithActions(reason: string, text: string, format: Format, limits: Limits): Refusal {
  const source = format.writeScalar(withoutEnd(text, '\n'), {
    style: 'double',
    isFlow: false,
    quotes: () => 'double',
    unit: () => 2,
  });
  if (!isOneText(source, format, limits))
    return new Refusal(
      'TEMPLATE_ACTION',
      `Cannot use this value: the actions of the template in it are not whole: ${reason}`,
      {},
      { advice: WHOLE_ACTIONS },
    );
  const advice = ['Put the text in quotes, its actions included: "a: {{ … }}"', ...WHOLE_ACTIONS.slice(1)];
  const instead = { fields: { value: source }, what: 'Send it as a string, quoted as needed' };
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice, instead });
}

function isOneText(source: string, format: Format, limits: Limits): boolean {
  const { documents = [] } = unlessRefused(() => format.parse(`${source}\n`, limits)) ?? {};
  return documents.length === 1 && documents[0]?.root.kind === 'scalar';
}

/** Throws VALUE_INVALID for a repeated key: readers take the first entry, the last, or refuse the file. */
function requireDistinctKeys(stream: Stream): void {
  const repeated = findDuplicateKey(stream);
  if (repeated === undefined) return;
  throw invalid(
    `its key ${(repeated.path ?? '').replace(/\[#\d+\]$/, '')} stands twice in one mapping (again in line ${repeated.line} of the value)`,
  );
}

const AS_DATA = 'Send plain data in "json" instead of "value": it is quoted as needed';

/** Advises how to quote text. `format` is the name of the file's format. */
function quoted(format: string): readonly string[] {
  return [AS_DATA, `Quote text that is no value of ${format} by itself, or would be read as structure`];
}

const WHOLE_ACTIONS = [
  'Send whole actions: each is closed, and each if, range, with or define has its end in the value',
  'To change only one of them, use op "replace_text" and no path',
];

export function invalid(
  reason: string,
  advice: readonly string[] = [AS_DATA, 'Quote text that would be read as structure'],
): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice });
}

export function emptyItem(): Refusal {
  return new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: a list in [ ] can have no empty item',
    {},
    { advice: ['Write null instead'] },
  );
}

/** Makes the refusal of an alias in the place of a node with an anchor. */
export function aliasUnderAnchor(name: string): Refusal {
  return new Refusal(
    'ANCHOR_IN_USE',
    `Cannot put an alias here: the node carries the anchor &${name}, and an alias can have none`,
    {},
    {
      advice: [
        `Set a copy of the value instead of an alias, or give the anchor &${name} to another node first`,
      ],
    },
  );
}
