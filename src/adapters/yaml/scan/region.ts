// The smallest part of a text that holds an edit and can be scanned by itself: entries of one block mapping, or
// items of one block sequence, that follow each other, the first of them on a line of its own and untouched up
// to its value. So whatever stands before them was read without a look at anything that the edit changes.
import { isBlank, lineStart } from '../../tree/lines.ts';
import type { ScannedStream } from './scanned-nodes.ts';
import { BLOCK_MAPPING, BLOCK_SEQUENCE, type Skeleton } from './skeleton.ts';

/** From the first character that may be other to behind the last one. */
export interface Touched {
  readonly from: number;
  readonly to: number;
}

export interface Region {
  /** The first of its rows, and the first behind them. */
  readonly row: number;
  readonly stop: number;
  readonly isMapping: boolean;
  /** Of its first key or dash. */
  readonly start: number;
  readonly column: number;
  /** How many collections are open around it: those of the rows `around`. */
  readonly depth: number;
  readonly around: readonly number[];
  /** Of the content behind it, and of that content's line. */
  readonly end: number;
  readonly endLine: number;
}

export function smallestRegion(stream: ScannedStream, touched: Touched): Region | undefined {
  const { documents, rootRows } = stream.found;
  const index = documents.findIndex(
    ({ contentStart, contentEnd }) => contentStart <= touched.from && touched.to <= contentEnd,
  );
  const document = documents[index];
  const root = rootRows[index];
  if (document === undefined || root === undefined) return undefined;
  const { text, skeleton } = stream.source;
  // At a marker, or at the end of the text, a line begins with the content.
  let behind = { end: document.contentEnd, endLine: document.contentEnd };
  let found: Region | undefined;
  const around: number[] = [];
  for (let row: number | undefined = root; row !== undefined; ) {
    const kind = skeleton.kind(row);
    if (kind !== BLOCK_MAPPING && kind !== BLOCK_SEQUENCE) return found;
    around.push(row);
    const isMapping = kind === BLOCK_MAPPING;
    const part = touchedPart(text, skeleton, row, isMapping, touched, behind);
    if (part === undefined) return found;
    const line = lineStart(text, part.start);
    if (isBlank(text, line, part.start)) {
      const column = part.start - line;
      found = { ...part, isMapping, column, depth: around.length, around: [...around] };
    }
    // Several entries, or their surroundings, cannot be looked at more closely.
    behind = { end: part.end, endLine: part.endLine };
    row = part.value;
  }
  return found;
}

interface Behind {
  readonly end: number;
  readonly endLine: number;
}

interface Part extends Behind {
  readonly row: number;
  readonly stop: number;
  readonly start: number;
  /** The row of the only value in it. */
  readonly value: number | undefined;
}

/** The fewest children of a collection that hold all that is touched, from behind the first one's colon or dash on. */
function touchedPart(
  text: string,
  skeleton: Skeleton,
  collection: number,
  isMapping: boolean,
  { from, to }: Touched,
  behindAll: Behind,
): Part | undefined {
  const last = skeleton.next(collection);
  const valueRow = (row: number): number => (isMapping ? skeleton.next(row) : row);
  let first: number | undefined;
  for (let row = collection + 1; row < last; row = skeleton.next(valueRow(row))) {
    // A dash is one only with the space behind it.
    const begun = skeleton.lead(row) + (isMapping ? 1 : 2);
    if (begun > from) break;
    first = row;
  }
  if (first === undefined) return undefined;
  for (let row = first; row < last; ) {
    const next = skeleton.next(valueRow(row));
    const behind = next < last ? startOf(text, skeleton, next, isMapping) : behindAll;
    if (to <= behind.endLine) {
      const { end: start } = startOf(text, skeleton, first, isMapping);
      return { row: first, stop: next, start, ...behind, value: row === first ? valueRow(row) : undefined };
    }
    row = next;
  }
  return undefined;
}

/** Of a key with its properties, or of a dash. */
function startOf(text: string, skeleton: Skeleton, row: number, isMapping: boolean): Behind {
  const own = skeleton.propertiesStart(skeleton.detail(row));
  const end = isMapping ? (own === -1 ? skeleton.start(row) : own) : skeleton.lead(row);
  return { end, endLine: lineStart(text, end) };
}
