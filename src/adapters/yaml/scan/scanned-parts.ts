// The parts of a collection that was scanned: made when somebody asks for one, while where they stand is read off
// the skeleton.
import { Parts } from '../../tree/parts.ts';
import type { Span } from '../../tree/span-tree.ts';
import type { Skeleton } from './skeleton.ts';

/** The text and the rows that were read from it. */
export interface Source {
  readonly text: string;
  readonly skeleton: Skeleton;
}

export class ScannedParts<Part extends Span> extends Parts<Part> {
  readonly #source: Source;
  readonly #skeleton: Skeleton;
  readonly #first: number;
  readonly #stop: number;
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
    this.#first = collection + 1;
    this.#stop = source.skeleton.next(collection);
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
    const parts: Part[] = [];
    for (let row = this.#first; row < this.#stop; row = this.#behind(row))
      parts.push(this.#made?.get(parts.length) ?? this.#make(this.#source, row));
    this.#made = undefined;
    this.#all = parts;
    return parts;
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
    for (let row = this.#first; row < this.#stop; row = this.#behind(row)) rows.push(row);
    this.#rows = rows;
    return rows;
  }

  #behind(row: number): number {
    return this.#skeleton.next(this.#valueRow(row));
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
