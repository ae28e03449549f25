// The smallest part of a text that holds an edit and can be scanned by itself: entries of one block mapping, or
// items of one block sequence, that follow each other, the first of them on a line of its own and untouched up
// to its value. So whatever stands before them was read without a look at anything that the edit changes.
import { isBlank, lineStart } from '../../tree/lines.ts';
import type { ScannedStream } from './scanned-stream.ts';
import { BLOCK_MAPPING, BLOCK_SEQUENCE, type Skeleton } from './skeleton.ts';

/** From the first character that may be other to behind the last one. */
export interface Touched {
  readonly from: number;
  readonly to: number;
}

export interface Region {
  readonly part: Part;
  readonly isMapping: boolean;
  /** Of its first key or dash. */
  readonly column: number;
  /** The rows of the collections that are open around it. */
  readonly around: readonly number[];
}

/** Children of one collection that follow each other. */
interface Part {
  /** The first of its rows, and the first behind them. */
  readonly row: number;
  readonly stop: number;
  /** Of its first key or dash. */
  readonly start: number;
  readonly behind: Place;
  /** The row of the only value in it. */
  readonly value: number | undefined;
}

/** Of some content, and of the line that it stands on. */
interface Place {
  readonly at: number;
  readonly line: number;
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
  let behind: Place = { at: document.contentEnd, line: document.contentEnd };
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
      found = { part, isMapping, column, around: [...around] };
    }
    // Several entries, or their surroundings, cannot be looked at more closely.
    behind = part.behind;
    row = part.value;
  }
  return found;
}

/** The fewest children of a collection that hold all that is touched, from behind the first one's colon or dash on. */
function touchedPart(
  text: string,
  skeleton: Skeleton,
  collection: number,
  isMapping: boolean,
  { from, to }: Touched,
  behindAll: Place,
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
    if (to <= behind.line) {
      const { at: start } = startOf(text, skeleton, first, isMapping);
      return { row: first, stop: next, start, behind, value: row === first ? valueRow(row) : undefined };
    }
    row = next;
  }
  return undefined;
}

/** Of a key with its properties, or of a dash. */
function startOf(text: string, skeleton: Skeleton, row: number, isMapping: boolean): Place {
  const own = skeleton.propertiesStart(skeleton.detail(row));
  const at = isMapping ? (own === -1 ? skeleton.start(row) : own) : skeleton.lead(row);
  return { at, line: lineStart(text, at) };
}
