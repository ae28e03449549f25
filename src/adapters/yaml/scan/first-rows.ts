// The rows at which the parts of a collection begin: of its keys, or of its items. Each collection of a text is gone
// through when somebody asks for a part of it; a wide one once, and what an edit leaves of it not again.
import type { Region } from './region.ts';
import { BLOCK_MAPPING, FLOW_MAPPING, PAIR, type Skeleton } from './skeleton.ts';

/** Others take less to be gone through than to be remembered. */
const FEW = 16;

export class FirstRows {
  readonly #skeleton: Skeleton;
  /** By the row of the collection. In cells of their own, for those behind an edit are moved, all of them. */
  readonly #known: Map<number, Int32Array>;

  constructor(skeleton: Skeleton, known = new Map<number, Int32Array>()) {
    this.#skeleton = skeleton;
    this.#known = known;
  }

  of(collection: number): ArrayLike<number> {
    const known = this.#known.get(collection);
    if (known !== undefined) return known;
    const rows = this.#between(collection, collection + 1);
    if (rows.length <= FEW) return rows;
    const kept = Int32Array.from(rows);
    this.#known.set(collection, kept);
    return kept;
  }

  /** Of the text that came of an edit: of the collections around it. */
  spliced(skeleton: Skeleton, { part: { row, stop }, around }: Region, added: number): FirstRows {
    const known = new Map<number, Int32Array>();
    const next = new FirstRows(skeleton, known);
    for (const collection of around) {
      const rows = this.#known.get(collection);
      if (rows === undefined) continue;
      const [from, to] = [firstFrom(rows, row), firstFrom(rows, stop)];
      // The parts that were read anew are all of the innermost collection.
      const fresh = from === to ? [] : next.#between(collection, row, stop + added);
      known.set(collection, exchanged(rows, from, to, fresh, added));
    }
    return next;
  }

  /** From the row of a part up to a row. */
  #between(collection: number, from: number, to = this.#skeleton.next(collection)): readonly number[] {
    const skeleton = this.#skeleton;
    const kind = skeleton.kind(collection);
    const isMapping = kind === BLOCK_MAPPING || kind === FLOW_MAPPING || kind === PAIR;
    const rows: number[] = [];
    for (let row = from; row < to; row = skeleton.next(isMapping ? skeleton.next(row) : row)) rows.push(row);
    return rows;
  }
}

/** The index of the first that is `least` or more. */
function firstFrom(rows: Int32Array, least: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `fresh` in the place of `from`…`to`, and what stands behind it moved. The same where nothing is other. */
function exchanged(
  rows: Int32Array,
  from: number,
  to: number,
  fresh: readonly number[],
  added: number,
): Int32Array {
  const isSame = added === 0 && fresh.length === to - from && fresh.every((row, i) => row === rows[from + i]);
  if (isSame) return rows;
  const behind = from + fresh.length;
  const all = new Int32Array(behind + rows.length - to);
  all.set(rows.subarray(0, from));
  all.set(fresh, from);
  all.set(rows.subarray(to), behind);
  if (added !== 0) for (let i = behind; i < all.length; i++) all[i] = (all[i] ?? 0) + added;
  return all;
}
