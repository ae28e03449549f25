// The parts of a collection that was scanned: made when somebody asks for one, while where they stand is read off
// the skeleton.
import { Parts } from '../../tree/parts.ts';
import type { Span } from '../../tree/span-tree.ts';
import type { Skeleton } from './skeleton.ts';

export class ScannedParts<Part extends Span> extends Parts<Part> {
  readonly #skeleton: Skeleton;
  readonly #collection: number;
  readonly #isMapping: boolean;
  readonly #make: (row: number) => Part;
  #rows: readonly number[] | undefined;
  #made: Map<number, Part> | undefined;
  #all: readonly Part[] | undefined;

  /** `collection`: its row. `make`: of the row of an entry's key or of an item. */
  constructor(skeleton: Skeleton, collection: number, isMapping: boolean, make: (row: number) => Part) {
    super();
    this.#skeleton = skeleton;
    this.#collection = collection;
    this.#isMapping = isMapping;
    this.#make = make;
  }

  get length(): number {
    return this.#firstRows().length;
  }

  at(index: number): Part | undefined {
    if (this.#all !== undefined) return this.#all[index];
    const row = this.#firstRows()[index];
    if (row === undefined) return undefined;
    this.#made ??= new Map();
    const part = this.#made.get(index) ?? this.#make(row);
    this.#made.set(index, part);
    return part;
  }

  all(): readonly Part[] {
    this.#all ??= this.#firstRows().map((row, index) => this.#made?.get(index) ?? this.#make(row));
    this.#made = undefined;
    return this.#all;
  }

  startOf(index: number): number {
    const row = this.#firstRows()[index];
    if (row === undefined) return -1;
    const dash = this.#isMapping ? -1 : this.#skeleton.lead(row);
    return dash === -1 ? outerStartAt(this.#skeleton, row) : dash;
  }

  endOf(index: number): number {
    const row = this.#firstRows()[index];
    return row === undefined ? -1 : this.#skeleton.end(this.#valueRow(row));
  }

  colonOf(index: number): number {
    const row = this.#firstRows()[index];
    return row === undefined || !this.#isMapping ? -1 : this.#skeleton.lead(row);
  }

  /** Of each part. */
  #firstRows(): readonly number[] {
    if (this.#rows !== undefined) return this.#rows;
    const rows: number[] = [];
    const stop = this.#skeleton.next(this.#collection);
    for (let row = this.#collection + 1; row < stop; row = this.#skeleton.next(this.#valueRow(row)))
      rows.push(row);
    this.#rows = rows;
    return rows;
  }

  #valueRow(row: number): number {
    return this.#isMapping ? this.#skeleton.next(row) : row;
  }
}

/** Of a node with its properties. */
export function outerStartAt(skeleton: Skeleton, row: number): number {
  const detail = skeleton.detail(row);
  const start = detail === 0 ? -1 : skeleton.propertiesStart(detail);
  return start === -1 ? skeleton.start(row) : start;
}
