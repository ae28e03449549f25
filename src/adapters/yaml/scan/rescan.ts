// The tree of a text after a small edit, from the tree before it. What the edit touched is scanned anew: the
// entries of the smallest block collection that hold all of it. What stands around them is taken over, moved by
// what the text grew. That is the tree that scanning all of the new text gives: between two entries the scan
// knows nothing but its place, the columns around it and its budgets; so where it comes out of the new entries
// as it came out of the old ones, before the same text, it would go on as before. The old entries are scanned
// again as well: where that does not give the very rows that they have, nothing is taken over.
import type { Limits } from '../../../security/index.ts';
import { nextLine } from '../../tree/lines.ts';
import type { DocumentSpans, SpanNode, Stream } from '../../tree/span-tree.ts';
import { readEntries, readItems, readKey } from './block.ts';
import { type Counts, Cursor, checkBudgets } from './cursor.ts';
import { HandOver } from './hand-over.ts';
import { type Region, smallestRegion, type Touched } from './region.ts';
import { nodeAt } from './scanned-nodes.ts';
import { type Found, ScannedStream } from './scanned-stream.ts';
import { ROW, type Rows, Skeleton } from './skeleton.ts';
import { holds, placed, spliced } from './spliced-rows.ts';

/** Undefined where all of the text has to be scanned. `touched`: where alone `after` may differ from the text before. */
export function rescan(before: Stream, after: string, touched: Touched, limits: Limits): Stream | undefined {
  if (!(before instanceof ScannedStream)) return undefined;
  const region = smallestRegion(before, touched);
  if (region === undefined || !isSameAround(before.text, after, region)) return undefined;
  try {
    return exchanged(before, after, region, limits);
  } catch (reason) {
    // What is unusual, or over a budget, is told by the scan of the whole text.
    if (reason instanceof HandOver) return undefined;
    throw reason;
  }
}

function isSameAround(before: string, after: string, { part: { start, behind } }: Region): boolean {
  const grown = after.length - before.length;
  return (
    behind.line + grown >= start &&
    before.slice(0, start) === after.slice(0, start) &&
    before.slice(behind.line) === after.slice(behind.line + grown)
  );
}

function exchanged(before: ScannedStream, after: string, region: Region, limits: Limits): Stream | undefined {
  const grown = after.length - before.text.length;
  const old = scanned(before.text, region, 0, limits);
  const fresh = scanned(after, region, grown, limits);
  const { source, found } = before;
  const whole = source.skeleton.rows;
  const { row, stop, behind } = region.part;
  const isGoingOn = old.at === behind.at && fresh.at === behind.at + grown && fresh.column === old.column;
  if (!isGoingOn || !holds(whole, old.rows, row, stop)) return undefined;
  const rows = spliced(whole, old.rows, fresh.rows, { region, grown, newEnd: fresh.end });
  const skeleton = new Skeleton(0, limits.tokens, rows);
  const comments = splicedComments(found.comments, fresh.comments, region, grown);
  const counts = changed(found.counts, old.counts, fresh.counts);
  checkBudgets(counts, skeleton, comments, found.documents.length, limits);
  const added = (fresh.rows.cells.length - old.rows.cells.length) / ROW;
  const firstRows = source.firstRows.spliced(skeleton, region, added);
  const moved = { text: after, skeleton, firstRows };
  const rootRows = found.rootRows.map((root) => (root >= stop ? root + added : root));
  const documents = found.documents.map((document, i) =>
    movedDocument(document, region, grown, nodeAt(moved, rootRows[i] ?? 0)),
  );
  const all: Found = { documents, rootRows, comments, counts };
  return new ScannedStream(moved, all);
}

/** What came of a region, in offsets of the whole text. */
interface ScannedRegion {
  readonly rows: Rows;
  readonly comments: readonly number[];
  readonly counts: Counts;
  /** Where its last node ends. */
  readonly end: number;
  /** Where the scan stood behind it, and the column there. */
  readonly at: number;
  readonly column: number;
}

/**
 * The entries of the region alone, from where the scan came to the first of them. They are read as a text of their own,
 * from the start of their first line to the end of the line behind them: nobody looks further to see that they are over.
 */
function scanned(text: string, region: Region, grown: number, limits: Limits): ScannedRegion {
  const { column, isMapping, around } = region;
  const { row, start, behind } = region.part;
  const base = start - column;
  const own = text.slice(base, nextLine(text, behind.at + grown));
  const stop = behind.at + grown - base;
  const cursor = new Cursor(own, limits, { at: column, column, depth: around.length });
  const end = isMapping
    ? readEntries(cursor, column, readKey(cursor, column), stop)
    : readItems(cursor, column, stop);
  return {
    rows: placed(cursor.skeleton.rows, base, row),
    comments: cursor.comments.map((bound) => base + bound),
    counts: cursor.counts,
    end: base + end,
    at: base + cursor.at,
    column: cursor.column,
  };
}

function changed(all: Counts, old: Counts, fresh: Counts): Counts {
  return {
    aliases: all.aliases - old.aliases + fresh.aliases,
    lines: all.lines - old.lines + fresh.lines,
    tokenLines: all.tokenLines - old.tokenLines + fresh.tokenLines,
  };
}

function splicedComments(
  all: readonly number[],
  fresh: readonly number[],
  { part: { start, behind } }: Region,
  grown: number,
): readonly number[] {
  const comments: number[] = [];
  let at = 0;
  for (; at < all.length && (all[at] ?? 0) < start; at++) comments.push(all[at] ?? 0);
  for (const bound of fresh) comments.push(bound);
  while (at < all.length && (all[at] ?? 0) < behind.line) at += 2;
  for (; at < all.length; at++) comments.push((all[at] ?? 0) + grown);
  return comments;
}

/** A document that ends behind the region ends later; one that begins behind it has moved. */
function movedDocument(
  { start, contentStart, contentEnd, end, tagHandles }: DocumentSpans,
  { part }: Region,
  grown: number,
  root: SpanNode,
): DocumentSpans {
  if (contentEnd < part.start) return { start, end, contentStart, contentEnd, tagHandles, root };
  const before = contentStart > part.start ? grown : 0;
  return {
    start: start + before,
    end: end + grown,
    contentStart: contentStart + before,
    contentEnd: contentEnd + grown,
    tagHandles,
    root,
  };
}
