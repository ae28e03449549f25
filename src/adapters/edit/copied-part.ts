// Takes a part of a collection from a file to put it elsewhere: its lines with comments and style, and the node that the new
// place must hold.

import { type Edit, Refusal, splice } from '../../security/index.ts';
import { type Action, actionsIn } from '../tree/actions.ts';
import { commentLines } from '../tree/comment-lines.ts';
import { commentStart } from '../tree/commented-out.ts';
import type { Format } from '../tree/format.ts';
import { commentsWithin, trailingText } from '../tree/head-comment.ts';
import { keyName } from '../tree/keys.ts';
import { columnOf, indentBefore, indentOf, isBlank, lineStart, withoutBreak } from '../tree/lines.ts';
import type { Step } from '../tree/locate.ts';
import {
  isBlockCollection,
  isEmpty,
  isMarked,
  isSectional,
  outerStart,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
  sliceSpan,
  standsOnLines,
} from '../tree/span-tree.ts';
import { bracketPiece, commentsBeside, headOfPiece } from './bracket-piece.ts';
import { headerOf } from './file-header.ts';
import { lastBlockScalar } from './fragment.ts';
import { strippedHeader } from './insert-part.ts';
import type { NewKey, PlanContext } from './intent.ts';
import { moveLine } from './lay-out.ts';
import { commentStartIn, tailEnd } from './part-extent.ts';
import type { NewValue } from './read-value.ts';
import { deepenedBy, type TemplatePart, templatePartOf, wholeOf } from './template-part.ts';

export interface Copied {
  /** The node, and the text that it is of: what the proof compares the result with. */
  readonly node: SpanNode;
  readonly text: string;
  /** The value alone, as a fragment. */
  readonly source: string;
  /** The comments above it; `behind` holds the comments behind it on its line, where it stands in brackets. */
  readonly comments: readonly string[];
  readonly behind: readonly string[];
  /** The lines of all comments that go with it. */
  readonly given: readonly string[];
  /** The one behind the header of a table; '' where there is none. */
  readonly behindHeader: string;
  readonly isItem: boolean;
  /** The name of its key in node paths; undefined for an item. */
  readonly name: string | undefined;
  /** Its key as it is written; undefined for an item, and where the part gets another key. */
  readonly key: NewKey | undefined;
  /** Returns the part on lines of its own, with another key where one is given; undefined for a part of brackets. */
  readonly lines: ((column: number, key: string | undefined) => readonly string[]) | undefined;
  /** The actions of a template in it, where it moves or is copied. */
  readonly template?: TemplatePart | undefined;
}

/** A part that goes to another file, and its own file as it is then. */
export interface Cut {
  /** The copied part; or, for a whole document, its text as `add_document` takes it. */
  readonly copied: Copied | { readonly document: string };
  readonly context: PlanContext;
  /** The template actions in it or on lines that belong to it. */
  readonly actions: readonly Action[];
}

/** Returns a copy of the part that the step leads to, for a move that takes it out of its place. */
export function cutOf(context: PlanContext, step: Step): Cut {
  const { stream, format } = context;
  const { part } = step;
  const whole = wholeOf(stream, part);
  return {
    copied: { ...copiedPart(stream, step, format), template: templatePartOf(stream, part, false, true) },
    context,
    actions: stream.actions === undefined ? [] : actionsIn(stream.actions, whole),
  };
}

/** The whole document, without its marker and without the header of its file. Throws VALUE_INVALID where it has directives. */
export function documentCut(context: PlanContext): Cut {
  const { stream, document, documentIndex } = context;
  if (document.tagHandles.size > 0)
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot move or copy this document: its tags depend on a %TAG directive',
    );
  const start = isMarked(stream.text, document)
    ? document.contentStart
    : (headerOf(stream, document, documentIndex === 0)?.end ?? 0);
  const text = stream.text.slice(start, document.contentEnd).replace(/^[ \t]*\r?\n/, '');
  const isKeeping = lastBlockScalar(document.root)?.chomp === 'keep';
  return { copied: { document: isKeeping ? text : `${text.trimEnd()}\n` }, context, actions: [] };
}

/** The part that the step leads to. */
export function copiedPart(stream: Stream, { part, container, index }: Step, { sections }: Format): Copied {
  const { text } = stream;
  const { value } = part;
  const isOnLines = isBlockCollection(container);
  const piece = standsOnLines(container) ? undefined : bracketPiece(stream, part);
  const beside = piece === undefined ? { before: [], behind: [] } : commentsBeside(stream, part, piece);
  const start = piece?.start ?? part.start;
  const head = isOnLines
    ? commentStartIn(stream, container, index)
    : piece === undefined
      ? commentStart(stream, part)
      : headOfPiece(stream, part, piece);
  const line = lineStart(text, start);
  const above = head < line ? text.slice(head, line).split('\n') : [];
  const indent = text.slice(line, start);
  const comments = above.map((one) => withoutIndent(one, indent).trimEnd()).filter((one) => one !== '');
  const behind = beside.behind.filter((comment) => !comment.includes('\n'));
  const after = piece === undefined ? trailingText(stream, value) : ['', ...behind].slice(0, 2).join(' ');
  const between = piece === undefined ? commentsWithin(stream.comments, part.start, outerStart(value)) : [];
  const below = isBlockCollection(value) ? between.findIndex(isAlone(text)) : -1;
  const behindKey = below === -1 ? between : between.slice(0, below);
  // A comment without a value beside it would be no value.
  const own = isEmpty(value) && piece === undefined && after !== '' ? [after.trim()] : [];
  return {
    node: value,
    text,
    source: isSectional(value)
      ? (sections?.source(text, value) ?? '')
      : sourceOf(text, value, isEmpty(value) ? '' : after, sections !== undefined, between[below]),
    comments: [
      ...comments,
      ...beside.before,
      ...behindKey.map(({ start: from, end }) => text.slice(from, end)),
      ...own,
    ],
    behind,
    given: extentOf(stream, part, head, isOnLines, piece?.stop).flatMap((span) =>
      commentLines(text, commentsWithin(stream.comments, span.start, span.end)),
    ),
    behindHeader:
      isSectional(value) && value.header !== undefined ? trailingText(stream, value.header).trim() : '',
    isItem: !('key' in part),
    name: 'key' in part ? keyName(text, part.key) : undefined,
    key: 'key' in part ? keyOf(text, part.key) : undefined,
    lines: isOnLines ? (column, key) => movedLines(stream, part, head, column, key) : undefined,
  };
}

/** Returns the places of the part with its comments, which begin at `head`. */
function extentOf(
  stream: Stream,
  part: Step['part'],
  head: number,
  isOnLines: boolean,
  stop: number | undefined,
): readonly Span[] {
  const { value } = part;
  const behind = ({ end }: Span) => end + trailingText(stream, { start: end, end }).length;
  if (isSectional(value))
    return (value.pieces ?? []).map((piece, index) => ({
      start: index === 0 ? head : piece.start,
      end: behind(piece),
    }));
  return [{ start: head, end: isOnLines ? tailEnd(stream, part) : (stop ?? behind(part)) }];
}

/** A table that holds nothing has no lines of its own. */
export function newValueOf({ node, source }: Copied): NewValue {
  return isSectional(node) && partsOf(node).length === 0 ? { json: {} } : { source };
}

function keyOf(text: string, key: SpanNode): NewKey {
  const isPlain = key.kind === 'scalar' && (key.style === 'plain' || key.style === 'empty');
  return { text: keyName(text, key), isPlain };
}

function movedLines(
  stream: Stream,
  part: Step['part'],
  head: number,
  column: number,
  key: string | undefined,
): readonly string[] {
  const { text } = stream;
  const own = columnOf(text, part.start);
  // A scalar that keeps its line breaks ends behind one.
  const end = withoutBreak(text, tailEnd(stream, part));
  const deeper = deepenedBy(stream, { start: head, end }, column - own);
  const cut = slices(text, [...deeper, ...strippedHeader(text, part, text.length)]);
  const whole =
    key === undefined || !('key' in part)
      ? cut(head, end)
      : text.slice(head, part.key.start) + key + cut(part.key.end, end);
  const sharesLine = !isBlank(text, lineStart(text, part.start), part.start);
  const lines = `${sharesLine ? ' '.repeat(own) : ''}${whole}`.split(/\r?\n/);
  // An action that stands left of all of them says by itself how deep it writes.
  const isLeft = (line: string) =>
    stream.actions !== undefined &&
    /^[ \t]*\{[{%]/.test(line) &&
    (indentOf(line) < own || /^\{\{(?!-).*\bindent\b/.test(line));
  return lines.map((line) => (isLeft(line) ? line : moveLine(line, own, column)));
}

/** Returns a function that slices the text. A block scalar that the end of the file cuts off gets a header that says so. */
function uncut(text: string, value: SpanNode): (from: number, to: number) => string {
  return slices(text, strippedHeader(text, { value }, text.length));
}

/** Returns a function that slices the text with the edits that lie within the slice. */
function slices(text: string, edits: readonly Edit[]): (from: number, to: number) => string {
  return (from, to) =>
    splice(
      text.slice(from, to),
      edits.flatMap(({ start, end, insert }) =>
        start < from || end > to ? [] : [{ start: start - from, end: end - from, insert }],
      ),
    );
}

/** Returns a test for comments on lines of their own. */
function isAlone(text: string): (comment: Span) => boolean {
  return ({ start }) => isBlank(text, lineStart(text, start), start);
}

/**
 * Returns the source of the node with the comment on its last line, and without the indentation of its first line. `head` is the
 * first comment on a line of its own between the node and its dash or key.
 */
function sourceOf(text: string, node: SpanNode, comment: string, isToml: boolean, head?: Span): string {
  // Behind a dash the first line would stand left of the others, and could be read as another structure.
  if (isBlockCollection(node)) {
    const isBehindDash =
      node.properties === undefined && !isBlank(text, lineStart(text, node.start), node.start);
    const indent = isBehindDash ? ' '.repeat(columnOf(text, node.start)) : '';
    const { start, end } = sliceSpan(text, node);
    const from = head === undefined || head.start > start ? start : lineStart(text, head.start);
    return indent + uncut(text, node)(from, end) + comment;
  }
  const start = outerStart(node);
  const indent = indentBefore(text, start);
  const source = uncut(text, node)(start, node.end);
  // The indentation of its lines is a part of such a string of TOML.
  if (isToml && /"""|'{3}/.test(source)) return source + comment;
  const [first = '', ...others] = source.split('\n');
  return [first, ...others.map((line) => withoutIndent(line, indent))].join('\n') + comment;
}

function withoutIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
}
