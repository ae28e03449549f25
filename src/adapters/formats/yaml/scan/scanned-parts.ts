// The parts of a collection that was scanned: made when somebody asks for one, while where they stand is read off
// the skeleton.
import { Parts } from '../../../tree/parts.ts';
import type { Span } from '../../../tree/span-tree.ts';
import type { Skeleton } from './skeleton.ts';

/** The text and the rows that were read from it. */
export interface Source {
  readonly text: string;
  readonly skeleton: Skeleton;
}

export class ScannedParts<Part extends Span> extends Parts<Part> {
  readonly #source: Source;
  readonly #skeleton: Skeleton;
  readonly #collection: number;
  readonly #isMapping: boolean;
  readonly #make: (source: Source, row: number) => Part;
  #rows: readonly number[] | undefined;
  #made: Map<number, Part> | undefined;
  #all: readonly Part[] | undefined;

  /** `collection`: its row. `make`: of the row of an entry's key or of an item. */
  constructor(
    source: Source,
    collection: number,
    isMapping: boolean,
    make: (source: Source, row: number) => Part,
  ) {
    super();
    this.#source = source;
    this.#skeleton = source.skeleton;
    this.#collection = collection;
    this.#isMapping = isMapping;
    this.#make = make;
  }

  get length(): number {
    return (this.#all ?? this.#firstRows()).length;
  }

  at(index: number): Part | undefined {
    if (this.#all !== undefined) return this.#all[index];
    const row = this.#firstRows()[index];
    if (row === undefined) return undefined;
    this.#made ??= new Map();
    const part = this.#made.get(index) ?? this.#make(this.#source, row);
    this.#made.set(index, part);
    return part;
  }

  all(): readonly Part[] {
    if (this.#all !== undefined) return this.#all;
    const made = this.#made;
    const parts = this.#firstRows().map((row, index) => made?.get(index) ?? this.#make(this.#source, row));
    this.#made = undefined;
    this.#all = parts;
    return parts;
  }

  startOf(index: number): number {
    const row = this.#firstRows()[index];
    return row === undefined ? -1 : this.#start(row);
  }

  endOf(index: number): number {
    const row = this.#firstRows()[index];
    return row === undefined ? -1 : this.#end(row);
  }

  colonOf(index: number): number {
    const row = this.#firstRows()[index];
    return row === undefined ? -1 : this.#colon(row);
  }

  /** The same, row by row: of a hundred thousand parts each is looked at for every edit. */
  override isSpreadAs(from: number, to: number, others: Parts<Span>, at: number, shift: number): boolean {
    if (!(others instanceof ScannedParts)) return super.isSpreadAs(from, to, others, at, shift);
    const [rows, twins] = [this.#firstRows(), others.#firstRows()];
    for (let i = from; i < to; i++) {
      const row = rows[i];
      const twin = twins[at + i - from];
      if (row === undefined || twin === undefined) return false;
      if (others.#start(twin) - this.#start(row) !== shift) return false;
      if (others.#end(twin) - this.#end(row) !== shift) return false;
      const colon = this.#colon(row);
      if (others.#colon(twin) !== (colon === -1 ? -1 : colon + shift)) return false;
    }
    return true;
  }

  /** At which the parts begin: of keys, or of items. */
  #firstRows(): readonly number[] {
    if (this.#rows !== undefined) return this.#rows;
    const rows: number[] = [];
    const skeleton = this.#skeleton;
    const behind = skeleton.next(this.#collection);
    for (let row = this.#collection + 1; row < behind; ) {
      rows.push(row);
      row = skeleton.next(this.#isMapping ? skeleton.next(row) : row);
    }
    this.#rows = rows;
    return rows;
  }

  #start(row: number): number {
    const dash = this.#isMapping ? -1 : this.#skeleton.lead(row);
    return dash === -1 ? outerStartAt(this.#skeleton, row) : dash;
  }

  #end(row: number): number {
    return this.#skeleton.end(this.#isMapping ? this.#skeleton.next(row) : row);
  }

  #colon(row: number): number {
    return this.#isMapping ? this.#skeleton.lead(row) : -1;
  }
}

/** Of a node with its properties. */
export function outerStartAt(skeleton: Skeleton, row: number): number {
  const detail = skeleton.detail(row);
  const start = detail === 0 ? -1 : skeleton.propertiesStart(detail);
  return start === -1 ? skeleton.start(row) : start;
}
