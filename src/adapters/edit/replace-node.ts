// Puts a fragment in the place of a node: decides which spans of the text change, and does not look at the data.
import type { Edit } from '../../security/index.ts';
import {
  breakAt,
  columnOf,
  endOfBlankLines,
  indentOf,
  isBlank,
  lineEnd,
  lineStart,
  nextLine,
  skipBlanksBack,
  withoutBreak,
} from '../tree/lines.ts';
import { isBlockCollection, isEmpty, isWritten, propertiesText, type SpanNode } from '../tree/span-tree.ts';
import { type Fragment, lastBlockScalar, parseFragment } from './fragment.ts';
import type { PlanContext } from './intent.ts';
import { type Layout, layOut } from './lay-out.ts';
import type { WriteContext } from './write-context.ts';

/** Returns the edits that replace `node`. Only `kept` remains of its anchor and tag. */
export function replaceNode(
  text: string,
  node: SpanNode,
  writeContext: WriteContext,
  fragment: Fragment,
  kept: string,
): Edit[] {
  const edits = new Replacement(text, node, writeContext, fragment).edits(kept);
  return withFileBreaks(text, edits, breakAt(text, writeContext.indicatorEnd), fragment);
}

/** Returns the edits that put the fragment `source` in the place of `node`, behind its anchor and tag, or behind `kept`. */
export function replaceContent(
  { stream, ...context }: PlanContext,
  node: SpanNode,
  writeContext: WriteContext,
  source: string,
  kept = propertiesText(stream.text, node),
): Edit[] {
  return replaceNode(stream.text, node, writeContext, parseFragment(source, context), kept);
}

/** The edits for a new collection; `keeps` names what the node keeps, as in an intent. */
interface Growth {
  readonly edits: readonly Edit[];
  readonly keeps: 'anchor' | 'properties';
}

/** A null grows into a collection. A tag for scalars is removed, because readers refuse a mapping under, say, `!!null`. */
export function growNull(
  context: PlanContext,
  node: SpanNode,
  writeContext: WriteContext,
  source: string,
): Growth {
  const { text } = context.stream;
  const { anchor, tag } = node.properties ?? {};
  const isScalarTag = tag !== undefined && SCALAR_TAG.test(text.slice(tag.start, tag.end));
  if (!isScalarTag)
    return { edits: replaceContent(context, node, writeContext, source), keeps: 'properties' };
  const kept = anchor === undefined ? '' : text.slice(anchor.start, anchor.end);
  return { edits: replaceContent(context, node, writeContext, source, kept), keeps: 'anchor' };
}

const SCALAR_TAG = /^!(?:!|<tag:yaml\.org,2002:)(?:null|bool|int|float|str|binary|timestamp)>?$/;

/** A part of the text that is replaced; `isLine` is true if it begins with its line. */
interface Lines {
  readonly start: number;
  readonly end: number;
  readonly isLine: boolean;
}

class Replacement {
  readonly #text: string;
  readonly #node: SpanNode;
  readonly #place: WriteContext;
  readonly #layout: Layout;
  readonly #isNewBlock: boolean;
  readonly #bringsComment: boolean;
  /** Where the node begins: `inline` on the line of its indicator, `below` on a later line, `empty` for no content. */
  readonly #shape: 'inline' | 'below' | 'empty';
  /** The offset behind the indicator, and behind the anchor and tag where there are any. */
  readonly #headEnd: number;

  constructor(text: string, node: SpanNode, place: WriteContext, fragment: Fragment) {
    this.#text = text;
    this.#node = node;
    this.#place = place;
    this.#layout = layOut(fragment, place);
    this.#isNewBlock = isBlockCollection(fragment.node);
    this.#bringsComment = fragment.trailingComment !== '';
    this.#headEnd = node.properties?.end ?? place.indicatorEnd;
    const isBelow = text.slice(Math.min(this.#headEnd, node.start), node.start).includes('\n');
    this.#shape = isEmpty(node) ? 'empty' : isBelow ? 'below' : 'inline';
  }

  edits(kept: string): readonly Edit[] {
    const { head, below } = this.#layout;
    const { start, end, properties } = this.#node;
    const isScalarBelow = this.#shape === 'below' && !isBlockCollection(this.#node);
    if (isScalarBelow && below.length === 0 && head !== '' && this.#fitsInPlace(head))
      return this.#inPlace(kept);
    if (this.#place.isRoot && properties === undefined && this.#ownsLines()) {
      // A document's root has no line of an indicator to move to: it stays below what stands above it.
      const lines = [...(head === '' ? [] : [head]), ...below].join('\n');
      return [{ start: lineStart(this.#text, start), end, insert: lines }];
    }
    const newLines = this.#below();
    const headText = [kept, head].filter((part) => part !== '').join(' ');
    // The line break before the new lines below is the last line break of the old value.
    const inlineEnd = newLines === undefined ? this.#endOnLine(end) : this.#lastLineEnd();
    return [this.#head(headText, inlineEnd), newLines].filter((edit) => edit !== undefined);
  }

  /** A comment behind a block would become a part of the one that the new value brings. */
  #endOnLine(end: number): number {
    return this.#bringsComment ? this.#endWithComment() : end;
  }

  /** Whether the new value may stand where the old one does. In the place of actions it needs actions, and without `indent` a column deeper than the parent. */
  #fitsInPlace(head: string): boolean {
    if (!isWritten(this.#node)) return true;
    if (!/\{[{%]/.test(head)) return false;
    if (/\bindent\b/.test(head)) return true;
    return columnOf(this.#text, this.#node.start) > this.#place.parentColumn;
  }

  /** Whether a root stands on lines of its own, so that no text behind it on its line would come after the new lines below. */
  #ownsLines(): boolean {
    if (this.#shape !== 'inline') return this.#shape === 'below';
    const { start, end } = this.#node;
    const isAlone = isBlank(this.#text, lineStart(this.#text, start), start);
    return isAlone && this.#layout.below.length > 0 && isBlank(this.#text, end, lineEnd(this.#text, end));
  }

  /** A scalar or flow collection that stands below its key stays there. */
  #inPlace(kept: string): Edit[] {
    const { start, end, properties } = this.#node;
    const value = { start, end, insert: this.#layout.head };
    if (properties === undefined) return [value];
    const from = kept === '' ? skipBlanksBack(this.#text, properties.start) : properties.start;
    return [{ start: from, end: properties.end, insert: kept }, value];
  }

  #head(head: string, inlineEnd: number): Edit | undefined {
    const text = this.#text;
    const { indicatorEnd, missingColon, isFlow } = this.#place;
    const node = this.#node;
    const { properties } = node;
    if (this.#shape !== 'inline' && properties === undefined) {
      if (head === '' && missingColon === '') return undefined;
      const rest = lineEnd(text, indicatorEnd);
      const end = !isFlow && isBlank(text, indicatorEnd, rest) ? rest : indicatorEnd;
      const space = head === '' || isLineStart(text, indicatorEnd) ? '' : ' ';
      return { start: indicatorEnd, end, insert: missingColon + space + head };
    }
    const start = properties?.start ?? node.start;
    const headerEnd = node.kind === 'scalar' && node.block !== undefined ? node.block.header.end : inlineEnd;
    const end = this.#shape === 'inline' ? headerEnd : (properties?.end ?? start);
    if (head !== '') return { start, end, insert: needsNoSpace(text, start, head) ? head : ` ${head}` };
    const from = isLineStart(text, start) ? start : skipBlanksBack(text, start, indicatorEnd);
    return { start: from, end, insert: isFlow && joinsColon(text, from, end) ? ' ' : '' };
  }

  #below(): Edit | undefined {
    const { start, end, isLine } = this.#oldLines();
    const { below } = this.#layout;
    if (below.length === 0) return end > start ? { start, end, insert: '' } : undefined;
    return { start, end, insert: (isLine ? '' : '\n') + below.join('\n') };
  }

  /** The lines below the indicator's line that the old value takes; empty, at that line's end, where it takes none. */
  #oldLines(): Lines {
    const [text, node] = [this.#text, this.#node];
    if (this.#shape === 'below') {
      const end = this.#endWithComment();
      // A block takes the place of what stands on lines of its own, and leaves the comments above it where they are.
      if (this.#isNewBlock && isBlank(text, lineStart(text, node.start), node.start))
        return { start: lineStart(text, node.start), end, isLine: true };
      return { start: lineEnd(text, this.#headEnd), end, isLine: false };
    }
    if (node.kind === 'scalar' && node.block !== undefined) {
      const start = lineEnd(text, node.block.header.end);
      return { start, end: Math.max(start, node.end), isLine: false };
    }
    const at = lineEnd(text, this.#shape === 'inline' ? this.#lastLineEnd() : this.#headEnd);
    return { start: at, end: at, isLine: false };
  }

  /** Returns the end of the node, before the last line break where it ends in a scalar that keeps its line breaks. */
  #lastLineEnd(): number {
    const { start, end } = this.#node;
    return end === start ? end : withoutBreak(this.#text, end);
  }

  /** The comment behind the last part of a block is about that part, and goes with it. */
  #endWithComment(): number {
    const { end } = this.#node;
    const stop = lineEnd(this.#text, end);
    const isOver = !isBlockCollection(this.#node) || this.#text[end - 1] === '\n';
    return !isOver && /^[ \t]+#/.test(this.#text.slice(end, stop)) ? stop : end;
  }
}

function isLineStart(text: string, at: number): boolean {
  return at === lineStart(text, at);
}

/** Whether the colon would become part of the key before it, because no space stands behind it. */
function joinsColon(text: string, at: number, end: number): boolean {
  return /[^"'\]}]:$/.test(text.slice(Math.max(at - 2, 0), at)) && /[,[\]{}?]/.test(text[end] ?? ' ');
}

/** Whether no space is needed before the value: no indicator stands there, or it stands behind `"key":` and begins with a quote, bracket or word. */
function needsNoSpace(text: string, at: number, head: string): boolean {
  const before = text.slice(Math.max(at - 2, 0), at);
  return !/[:?-]$/.test(before) || (/["'\]}]:$/.test(before) && /^["'[{\w]/.test(head));
}

/** Removes blanks from the empty lines at `at` that are wider than the last block scalar of the fragment: they would become its text. */
export function narrowBlankLines(text: string, at: number, { node }: Fragment, written: string): Edit[] {
  const edits: Edit[] = [];
  if (lastBlockScalar(node) === undefined || at !== lineStart(text, at)) return edits;
  const column = indentOf(written.trimEnd().split('\n').at(-1) ?? '');
  for (
    let line = at;
    line < text.length && isBlank(text, line, lineEnd(text, line));
    line = nextLine(text, line)
  )
    if (lineEnd(text, line) - line > column || text[line] === '\t')
      edits.push({ start: line, end: lineEnd(text, line), insert: '' });
  return edits;
}

/** Writes the line breaks of the file, and the last line break or blank lines that a block scalar at the end needs. */
function withFileBreaks(text: string, edits: readonly Edit[], lineBreak: string, fragment: Fragment): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const result = sorted.map((edit) => ({ ...edit, insert: edit.insert.replaceAll(/\r?\n/g, lineBreak) }));
  const last = result.at(-1);
  if (last === undefined) return result;
  if (last.end > last.start) last.end = withoutBreak(text, last.end);
  const block = lastBlockScalar(fragment.node);
  // Text behind the last line of the old value would become text of the scalar.
  if (block !== undefined && last.insert.includes('\n')) last.end = lineEnd(text, last.end);
  if (block?.chomp === 'keep') last.end = endOfBlankLines(text, last.end);
  if (block !== undefined && block.chomp !== 'strip' && last.end === text.length) last.insert += lineBreak;
  return [...result, ...narrowBlankLines(text, nextLine(text, last.end), fragment, last.insert)];
}
