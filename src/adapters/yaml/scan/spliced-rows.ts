// The rows of one text made into those of another that differs in a stretch: its own rows put in the place of
// those that stood there, all others moved.
import type { Region } from './region.ts';
import { DETAIL, DETAIL_ROW, END, LEAD, NEXT, PARENT_COLUMN, ROW, type Rows, START } from './skeleton.ts';

export interface Exchange {
  readonly region: Region;
  /** How far. */
  readonly grown: number;
  /** Where the last node of the stretch ends. */
  readonly newEnd: number;
}

/** Rows that were read of a part by itself, in the offsets and row numbers of the whole. Those that are given are changed. */
export function placed(rows: Rows, base: number, row: number): Rows {
  const { cells, details } = rows;
  for (let at = 0; at < cells.length; at += ROW) {
    cells[at + START] = (cells[at + START] ?? 0) + base;
    cells[at + END] = (cells[at + END] ?? 0) + base;
    cells[at + NEXT] = (cells[at + NEXT] ?? 0) + row;
    const lead = cells[at + LEAD] ?? -1;
    if (lead !== -1) cells[at + LEAD] = lead + base;
  }
  moveDetails(details, 0, base);
  return rows;
}

/** Whether `part` is what `whole` has from `row` to `stop`; of details it compares the spans. */
export function holds(whole: Rows, part: Rows, row: number, stop: number): boolean {
  if (part.cells.length !== (stop - row) * ROW) return false;
  const { cells } = whole;
  const from = row * ROW;
  for (let i = 0; i < part.cells.length; i += ROW) {
    for (let field = 0; field < DETAIL; field++)
      if (cells[from + i + field] !== part.cells[i + field]) return false;
    if (!isSameDetail(whole, cells[from + i + DETAIL] ?? 0, part, part.cells[i + DETAIL] ?? 0)) return false;
  }
  return true;
}

function isSameDetail(whole: Rows, detail: number, part: Rows, other: number): boolean {
  if (detail === 0 || other === 0) return detail === other;
  for (let i = 0; i < DETAIL_ROW; i++)
    if (whole.details[detail * DETAIL_ROW + i] !== part.details[other * DETAIL_ROW + i]) return false;
  return true;
}

/** `old`: the rows of the stretch, in whose place `fresh` comes. */
export function spliced(whole: Rows, old: Rows, fresh: Rows, exchange: Exchange): Rows {
  const { region, grown } = exchange;
  const { row, stop } = region.part;
  const added = (fresh.cells.length - old.cells.length) / ROW;
  const cells = new Int32Array(whole.cells.length + added * ROW);
  cells.set(whole.cells.subarray(0, row * ROW));
  cells.set(fresh.cells, row * ROW);
  cells.set(whole.cells.subarray(stop * ROW), (stop + added) * ROW);
  closeAround(cells, exchange, added);
  // Details lie in no order: those of the new rows come last, and those that nobody has any more stay.
  const firstDetail = whole.details.length / DETAIL_ROW - 1;
  for (let at = row * ROW; at < (stop + added) * ROW; at += ROW) {
    const detail = cells[at + DETAIL] ?? 0;
    if (detail !== 0) cells[at + DETAIL] = detail + firstDetail;
  }
  if (grown !== 0 || added !== 0) {
    for (let at = (stop + added) * ROW; at < cells.length; at += ROW) {
      cells[at + START] = (cells[at + START] ?? 0) + grown;
      cells[at + END] = (cells[at + END] ?? 0) + grown;
      cells[at + NEXT] = (cells[at + NEXT] ?? 0) + added;
      const lead = cells[at + LEAD] ?? -1;
      if (lead !== -1) cells[at + LEAD] = lead + grown;
    }
  }
  const details = whole.details.slice();
  moveDetails(details, region.part.behind.line, grown);
  for (let i = DETAIL_ROW; i < fresh.details.length; i++) details.push(fresh.details[i] ?? -1);
  return { cells, details, tokens: whole.tokens - old.tokens + fresh.tokens };
}

/** The collections around it end with its last node, or with one that has moved. */
function closeAround(cells: Int32Array, { region, grown, newEnd }: Exchange, added: number): void {
  for (const row of region.around) {
    const at = row * ROW;
    const isLast = cells[at + NEXT] === region.part.stop;
    cells[at + END] = isLast ? newEnd : (cells[at + END] ?? 0) + grown;
    cells[at + NEXT] = (cells[at + NEXT] ?? 0) + added;
  }
}

/** Those offsets that are `from` or more. */
function moveDetails(details: number[], from: number, distance: number): void {
  if (distance === 0) return;
  for (let row = DETAIL_ROW; row < details.length; row += DETAIL_ROW) {
    for (let at = row; at < row + PARENT_COLUMN; at++) {
      const offset = details[at] ?? -1;
      if (offset >= from) details[at] = offset + distance;
    }
  }
}
