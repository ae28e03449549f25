// Finds the comments that differ between two versions of a file, each with the node that it belongs to: on its line, or else
// below it. Comments switch checks off and pin versions for other tools, so a changed comment is a change, and so is one that
// now belongs to another node.

import type { DataPath } from '../../security/node-paths/node-path.ts';
import { differing, differingLines } from '../compare/changed-lines.ts';
import { segmentOf } from '../tree/keys.ts';
import { columnOf, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  isCollection,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { lastFrom, partsDown } from './parts-down.ts';

export interface ChangedComment {
  readonly side: 'before' | 'after';
  readonly doc: number;
  readonly path: DataPath;
}

export function changedComments(before: Stream, after: Stream): readonly ChangedComment[] {
  const [old, next] = [before.comments, after.comments];
  if (old.length + next.length === 0) return [];
  const { from, oldTo, newTo } = differing(
    old.length,
    next.length,
    (i, j) => textOf(before, old[i]) === textOf(after, next[j]),
  );
  return [
    ...old.slice(from, oldTo).flatMap((comment) => allPlaces(before, comment, 'before')),
    ...next.slice(from, newTo).flatMap((comment) => allPlaces(after, comment, 'after')),
    ...movedComments(before, after),
  ];
}

/** Finds comments that are equal, but now belong to another node that exists in both versions. */
function movedComments(before: Stream, after: Stream): readonly ChangedComment[] {
  const lines = differingLines(before.text, after.text);
  const [old, next] = [commentsNear(before, lines.old, 'before'), commentsNear(after, lines.next, 'after')];
  return [...unlessGone(old, next, after), ...unlessGone(next, old, before)];
}

type Near = ReadonlyMap<string, ChangedComment>;

/** The most comments whose nodes are looked up, because each lookup goes through the siblings of the node. */
const MOST_ASKED = 1_000;

function unlessGone(own: Near, others: Near, other: Stream): readonly ChangedComment[] {
  const found = [...own].flatMap(([key, owner]) => (others.has(key) ? [] : [owner]));
  return found.length > MOST_ASKED ? found : found.filter((owner) => isThere(other, owner));
}

/** Returns the comments on the lines of a span and directly above them, by their text and node. */
function commentsNear(stream: Stream, lines: Span, side: ChangedComment['side']): Near {
  const { text, comments } = stream;
  let { start } = lines;
  while (start > 0 && ABOVE.test(text.slice(lineStart(text, start - 1), start)))
    start = lineStart(text, start - 1);
  const near = comments.filter((one) => one.end > start && one.start <= lines.end);
  return new Map(
    near.map((comment) => {
      const owner = placed(stream, comment, side);
      return [JSON.stringify([textOf(stream, comment), owner.doc, owner.path]), owner];
    }),
  );
}

/** A line without data. */
const ABOVE = /^[ \t]*(?:(?:#|\/\/|\/\*|\*).*)?\r?\n$/;

/** True if the comment's node exists. A comment below all nodes belongs to none of them. */
function isThere({ text, documents }: Stream, { doc, path }: ChangedComment): boolean {
  let node = path.length === 0 ? undefined : documents[doc]?.root;
  for (const name of path) {
    const parts: ReturnType<typeof partsOf> = node !== undefined && isCollection(node) ? partsOf(node) : [];
    node = parts.find((part, index) => segmentOf(text, part, index) === name)?.value;
  }
  return node !== undefined;
}

function textOf({ text }: Stream, comment: Span | undefined): string | undefined {
  return comment && text.slice(comment.start, comment.end).trimEnd();
}

function placed({ text, documents }: Stream, { start }: Span, side: ChangedComment['side']): ChangedComment {
  const after = documents.findIndex((document) => start < document.end);
  const doc = after === -1 ? documents.length - 1 : after;
  const root = documents[doc]?.root;
  const isAlone = /^[\uFEFF\s]*$/.test(text.slice(lineStart(text, start), start));
  return { side, doc, path: root === undefined ? [] : pathAt(text, root, start, isAlone) };
}

/** Returns all places of a comment: one that is last in a block, by its indentation, also belongs to that block. */
function allPlaces(stream: Stream, comment: Span, side: ChangedComment['side']): readonly ChangedComment[] {
  const { text, documents } = stream;
  const place = placed(stream, comment, side);
  const path: (string | number)[] = [];
  const column = columnOf(text, comment.start);
  const indexIn = (node: Collection) => (node.style === 'block' ? lastFrom(node, comment.start) : -1);
  for (const { index, part } of partsDown(documents[place.doc]?.root, indexIn)) {
    if (columnOf(text, part.start) >= column) break;
    path.push(segmentOf(text, part, index));
  }
  const isLast = path.length > 0 && text.slice(lineStart(text, comment.start), comment.start).trim() === '';
  return isLast ? [place, { ...place, path }] : [place];
}

/** Returns the path of a comment. With `isAlone` it has a line of its own and belongs to the part that follows; otherwise to the part before it. */
function pathAt(text: string, root: SpanNode, offset: number, isAlone: boolean): DataPath {
  const indexIn = (node: Collection): number => {
    const behind = lastFrom(node, offset);
    const inside = partsOf(node)[behind];
    const isWithin = inside !== undefined && offset < inside.end;
    // Within brackets, a comment before the first part belongs to that part.
    const isFirst = behind === -1 && node.style === 'flow';
    return isWithin || !(isAlone || isFirst) ? behind : behind + 1;
  };
  const path: (string | number)[] = [];
  for (const { index, part } of partsDown(root, indexIn)) {
    path.push(segmentOf(text, part, index));
    if (isAlone && part.start > offset) break;
  }
  return path;
}
