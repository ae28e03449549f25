// Takes a part of a collection from its place to write it elsewhere: its value as a source, its comments, and its lines as they are.
import { type Edit, splice } from '../../security/edits/edit.ts';
import { type Action, actionsIn } from '../tree/actions.ts';
import { commentLines, commentStart, commentsWithin, trailingText } from '../tree/comments.ts';
import { keyName } from '../tree/keys.ts';
import { columnOf, indentBefore, indentOf, isBlank, lineStart, withoutBreak } from '../tree/lines.ts';
import type { PathStep } from '../tree/locate.ts';
import {
  isBlockCollection,
  isEmpty,
  isMarked,
  isSectional,
  outerStart,
  type Span,
  type SpanNode,
  type Stream,
  sliceSpan,
} from '../tree/span-tree.ts';
import { strippedHeader } from './block.ts';
import { headerOf } from './documents.ts';
import { commentOf, tailEnd } from './extent.ts';
import { headOfPiece, pieceOf } from './piece.ts';
import { lastScalar, parseSource, type Source, shiftedLine, type TakenPart, type Target } from './source.ts';
import { takenFromTable } from './tables.ts';
import { deepenedBy, wholeOf } from './template-scope.ts';

export interface Taken extends Source {
  readonly part: TakenPart;
}

/** A part for another file, and the state of its own file when it was cut. */
export interface Cut {
  /** The part; or, for a whole document, its text as `add_document` takes it. */
  readonly taken: Taken | { readonly document: string };
  readonly from: Target;
  /** The step that leads to the part. */
  readonly step: PathStep | undefined;
  /** The template actions in it or on lines that belong to it. */
  readonly actions: readonly Action[];
}

/** Cuts the part that the step leads to. */
export function cutOf(target: Target, step: PathStep): Cut {
  const { stream } = target;
  const actions = stream.actions === undefined ? [] : actionsIn(stream.actions, wholeOf(stream, step.part));
  return { taken: takenFrom(target, step), from: target, step, actions };
}

/** Cuts the whole document, without its marker and the header of the file. */
export function documentCut(target: Target): Cut {
  const { stream, document, doc } = target;
  const start = isMarked(stream.text, document)
    ? document.contentStart
    : (headerOf(stream, document, doc === 0)?.end ?? 0);
  const text = stream.text.slice(start, document.contentEnd).replace(/^[ \t]*\r?\n/, '');
  const isKeeping = lastScalar(document.root)?.chomp === 'keep';
  return {
    taken: { document: isKeeping ? text : `${text.trimEnd()}\n` },
    from: target,
    step: undefined,
    actions: [],
  };
}

export function takenFrom(target: Target, step: PathStep): Taken {
  const { stream } = target;
  const { part, container, index } = step;
  const head = isBlockCollection(container) ? commentOf(stream, container, index) : undefined;
  const source = isSectional(container)
    ? fromTable(target, step)
    : head === undefined
      ? fromBrackets(target, step)
      : fromLines(target, step, head);
  return {
    ...source,
    part: {
      isItem: !('key' in part),
      name: 'key' in part ? keyName(stream.text, part.key) : undefined,
      plainKey:
        'key' in part && part.key.kind === 'scalar' && part.key.style === 'plain'
          ? part.key.value
          : undefined,
      key: 'key' in part ? stream.text.slice(outerStart(part.key), part.key.end) : undefined,
      lines: head === undefined ? undefined : (column, key) => movedLines(stream, part, head, column, key),
    },
  };
}

/** Returns a part that has lines of its own. */
function fromLines(target: Target, { part }: PathStep, head: number): Source {
  const { stream } = target;
  const { text } = stream;
  const { value } = part;
  const behind = trailingText(stream, value).trim();
  const between = commentsWithin(stream.comments, part.start, outerStart(value));
  const isBlock = isBlockCollection(value);
  const below = isBlock ? between.findIndex(isAlone(text)) : -1;
  const behindKey = below === -1 ? between : between.slice(0, below);
  return {
    ...parseSource(
      sourceOf(text, value, false, between[below]) + (isBlock && behind !== '' ? ` ${behind}` : ''),
      target,
      true,
    ),
    above: [
      ...linesAbove(text, head, part.start),
      ...behindKey.map(({ start, end }) => text.slice(start, end)),
      // A comment alone would not parse as a value.
      ...(isEmpty(value) && behind !== '' ? [behind] : []),
    ],
    behind: isBlock || isEmpty(value) ? '' : behind,
    given: commentLines(text, commentsWithin(stream.comments, head, tailEnd(stream, part))),
  };
}

/** Returns a part of a table of TOML, which may be a table itself. */
function fromTable({ stream }: Target, step: PathStep): Source {
  const { part } = step;
  const taken = takenFromTable(stream, { node: part.value, steps: [step], path: [], missing: [] });
  const extents = extentsOf(stream, part);
  return {
    ...taken,
    given: extents.flatMap(({ start, end }) =>
      commentLines(stream.text, commentsWithin(stream.comments, start, end)),
    ),
  };
}

/** Returns a part in brackets. */
function fromBrackets(target: Target, { part }: PathStep): Source {
  const { stream } = target;
  const { text } = stream;
  const { value } = part;
  const piece = pieceOf(stream, part);
  const head = headOfPiece(stream, part, piece);
  const isOneLine = ({ start, end }: Span) => !text.slice(start, end).includes('\n');
  const slices = (spans: readonly Span[]) => spans.map(({ start, end }) => text.slice(start, end));
  const before = commentsWithin(stream.comments, piece.start, part.start);
  const behind = commentsWithin(stream.comments, part.end, piece.stop).filter(isOneLine);
  return {
    ...parseSource(sourceOf(text, value, target.format.layout === 'sections', undefined), target, true),
    above: [...linesAbove(text, head, piece.start), ...slices(before)],
    behind: slices(behind).join(' '),
    given: commentLines(text, commentsWithin(stream.comments, head, piece.stop)),
  };
}

/** Returns the lines of comments above a part, without its indentation. */
function linesAbove(text: string, head: number, start: number): readonly string[] {
  const line = lineStart(text, start);
  const indent = text.slice(line, start);
  const above = head < line ? text.slice(head, line).split('\n') : [];
  return above.map((one) => withoutIndent(one, indent).trimEnd()).filter((one) => one !== '');
}

/** Returns the spans of a part of a table, with its comments. */
function extentsOf(stream: Stream, part: PathStep['part']): readonly Span[] {
  const { value } = part;
  const head = commentStart(stream, part);
  const behind = ({ end }: Span) => end + trailingText(stream, { start: end, end }).length;
  const pieces = isSectional(value) ? (value.pieces ?? []) : [part];
  return pieces.map((piece, at) => ({ start: at === 0 ? head : piece.start, end: behind(piece) }));
}

/** Returns the lines of a part, shifted to a column, with another key if one is given. */
function movedLines(
  stream: Stream,
  part: PathStep['part'],
  head: number,
  column: number,
  key: string | undefined,
): readonly string[] {
  const { text } = stream;
  const own = columnOf(text, part.start);
  // A scalar with `+` ends after a line break.
  const end = withoutBreak(text, tailEnd(stream, part));
  const deeper = deepenedBy(stream, { start: head, end }, column - own);
  const cut = slices(text, [...deeper, ...strippedHeader(text, part.value, text.length)]);
  const whole =
    key === undefined || !('key' in part)
      ? cut(head, end)
      : text.slice(head, part.key.start) + key + cut(part.key.end, end);
  const sharesLine = !isBlank(text, lineStart(text, part.start), part.start);
  const lines = `${sharesLine ? ' '.repeat(own) : ''}${whole}`.split(/\r?\n/);
  // An action to the left of them sets its own depth, so it is not shifted.
  const isLeft = (line: string) =>
    stream.actions !== undefined &&
    /^[ \t]*\{[{%]/.test(line) &&
    (indentOf(line) < own || /^\{\{(?!-).*\bindent\b/.test(line));
  return lines.map((line) => (isLeft(line) ? line : shiftedLine(line, own, column)));
}

/** Returns a function that slices the text and applies the edits within the slice. */
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
 * Returns the source of a node without the indentation of its first line. `head` is the first comment on a line of its own between
 * the node and its dash or key.
 */
function sourceOf(text: string, node: SpanNode, isToml: boolean, head: Span | undefined): string {
  const cut = slices(text, strippedHeader(text, node, text.length));
  // Without its dash the first line would be left of the others, and could be read as another structure.
  if (isBlockCollection(node)) {
    const isBehindDash =
      node.properties === undefined && !isBlank(text, lineStart(text, node.start), node.start);
    const indent = isBehindDash ? ' '.repeat(columnOf(text, node.start)) : '';
    const { start, end } = sliceSpan(text, node);
    return indent + cut(head === undefined || head.start > start ? start : lineStart(text, head.start), end);
  }
  const start = outerStart(node);
  const source = isEmpty(node) && node.properties === undefined ? '' : cut(start, node.end);
  // In a multi-line string of TOML, indentation is content.
  if (isToml && /"""|'{3}/.test(source)) return source;
  const indent = indentBefore(text, start);
  const [first = '', ...others] = source.split('\n');
  return [first, ...others.map((line) => withoutIndent(line, indent))].join('\n');
}

function withoutIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
}
