// The rows of one text made into those of another that differs in a stretch: its own rows put in the place of
// those that stood there, all others moved.
import { DETAIL, DETAIL_ROW, END, LEAD, NEXT, PARENT_COLUMN, ROW, type Rows, START } from './skeleton.ts';

export interface Exchange {
  /** The first row of the stretch, and the first behind it. */
  readonly row: number;
  readonly stop: number;
  /** The collections that stand around it. */
  readonly around: readonly number[];
  /** Where the stretch ends: what begins there or later moves. */
  readonly behind: number;
  /** How far. */
  readonly grown: number;
  /** Where the last node of the stretch ends. */
  readonly newEnd: number;
}

/** Whether `part`, which was read by itself, is what `whole` has from `row` to `stop`; of details it compares the spans. */
export function holds(whole: Rows, part: Rows, row: number, stop: number): boolean {
  if (part.cells.length !== (stop - row) * ROW) return false;
  const { cells } = whole;
  const from = row * ROW;
  for (let i = 0; i < part.cells.length; i += ROW) {
    for (let field = 0; field < DETAIL; field++) {
      const moved = field === NEXT ? row : 0;
      if (cells[from + i + field] !== (part.cells[i + field] ?? 0) + moved) return false;
    }
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

/** `tokens`: of all the rows together. */
export function spliced(whole: Rows, fresh: Rows, exchange: Exchange, tokens: number): Rows {
  const { row, stop } = exchange;
  const old = whole.cells;
  const added = fresh.cells.length / ROW - (stop - row);
  const cells = new Int32Array(old.length + added * ROW);
  cells.set(old.subarray(0, row * ROW));
  cells.set(fresh.cells, row * ROW);
  cells.set(old.subarray(stop * ROW), (stop + added) * ROW);
  closeAround(cells, exchange, added);
  // Details lie in no order: those of the new rows come last, and those that nobody has any more stay.
  const firstDetail = whole.details.length / DETAIL_ROW - 1;
  for (let at = row * ROW; at < (stop + added) * ROW; at += ROW) {
    cells[at + NEXT] = (cells[at + NEXT] ?? 0) + row;
    const detail = cells[at + DETAIL] ?? 0;
    if (detail !== 0) cells[at + DETAIL] = detail + firstDetail;
  }
  const { grown } = exchange;
  if (grown !== 0 || added !== 0) {
    for (let at = (stop + added) * ROW; at < cells.length; at += ROW) {
      cells[at + START] = (cells[at + START] ?? 0) + grown;
      cells[at + END] = (cells[at + END] ?? 0) + grown;
      cells[at + NEXT] = (cells[at + NEXT] ?? 0) + added;
      const lead = cells[at + LEAD] ?? -1;
      if (lead !== -1) cells[at + LEAD] = lead + grown;
    }
  }
  return {
    cells,
    details: [...movedDetails(whole.details, exchange), ...fresh.details.slice(DETAIL_ROW)],
    tokens,
  };
}

/** The collections around it end with its last node, or with one that has moved. */
function closeAround(cells: Int32Array, { around, stop, grown, newEnd }: Exchange, added: number): void {
  for (const row of around) {
    const at = row * ROW;
    const isLast = cells[at + NEXT] === stop;
    cells[at + END] = isLast ? newEnd : (cells[at + END] ?? 0) + grown;
    cells[at + NEXT] = (cells[at + NEXT] ?? 0) + added;
  }
}

function movedDetails(details: readonly number[], { behind, grown }: Exchange): readonly number[] {
  if (grown === 0) return details;
  return details.map((value, i) =>
    i % DETAIL_ROW !== PARENT_COLUMN && value >= behind ? value + grown : value,
  );
}
