// The entries of a mapping or the items of a list, of which only those are read that somebody asks for: an edit of
// one among a hundred thousand reads one. What is not read yet stands as runs of the source's own parts.

/** `from`…`to`: parts of the source that nobody has asked for, and so nobody has changed. */
export type Piece<Part> = { readonly from: number; readonly to: number } | { readonly parts: Part[] };

export class PartList<Part> implements Iterable<Part> {
  readonly #read: (sourceIndex: number) => Part;
  #pieces: Piece<Part>[];
  #isUntouched: boolean;

  private constructor(pieces: Piece<Part>[], read: (sourceIndex: number) => Part) {
    // An empty one would stand in the way of what comes behind it.
    this.#pieces = pieces.filter((piece) => lengthOf(piece) > 0);
    this.#read = read;
    this.#isUntouched = pieces.every((piece) => 'from' in piece);
  }

  static of<Part>(parts: Part[]): PartList<Part> {
    return new PartList<Part>([{ parts }], () => {
      throw new Error('all of these parts were read');
    });
  }

  static unread<Part>(count: number, read: (sourceIndex: number) => Part): PartList<Part> {
    return new PartList([{ from: 0, to: count }], read);
  }

  get length(): number {
    return this.#pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  }

  /** Nobody has asked for any of it, and so nobody has changed it. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /** In order; for comparing what is unread by its source. */
  get pieces(): readonly Piece<Part>[] {
    return this.#pieces;
  }

  at(index: number): Part | undefined {
    return this.#isolated(index)?.[0];
  }

  set(index: number, part: Part): void {
    const parts = this.#isolated(index);
    if (parts !== undefined) parts[0] = part;
  }

  insert(index: number, part: Part): void {
    this.#pieces.splice(this.#cut(index), 0, { parts: [part] });
  }

  remove(index: number): void {
    if (this.#isolated(index) !== undefined) this.#pieces.splice(this.#cut(index), 1);
  }

  push(part: Part): void {
    this.#isUntouched = false;
    this.#pieces.push({ parts: [part] });
  }

  /** Reads the part that stood there in the source, unless it was read before. */
  readSource(sourceIndex: number): void {
    let before = 0;
    for (const piece of this.#pieces) {
      const isHere = 'from' in piece && piece.from <= sourceIndex && sourceIndex < piece.to;
      if (isHere) {
        this.#isolated(before + sourceIndex - piece.from);
        return;
      }
      before += lengthOf(piece);
    }
  }

  /** Reads all that is left. */
  readAll(): readonly Part[] {
    return this.readRun(0, this.length);
  }

  /** `from`…`to`, all of them there: in one go, for one by one each would be a piece of its own. */
  readRun(from: number, to: number): readonly Part[] {
    return this.#run(from, to);
  }

  [Symbol.iterator](): Iterator<Part> {
    return this.readAll()[Symbol.iterator]();
  }

  /** The part in a piece of its own. */
  #isolated(index: number): Part[] | undefined {
    return index < 0 || index >= this.length ? undefined : this.#run(index, index + 1);
  }

  /** Makes one piece of them, which was read. */
  #run(from: number, to: number): Part[] {
    const at = this.#cut(from);
    const end = this.#cut(to);
    const [first] = this.#pieces.slice(at, end);
    if (end === at + 1 && first !== undefined && 'parts' in first) return first.parts;
    const parts = this.#pieces.slice(at, end).flatMap((piece) => this.#partsOf(piece));
    if (parts.length > 0) this.#pieces.splice(at, end - at, { parts });
    return parts;
  }

  #partsOf(piece: Piece<Part>): Part[] {
    if ('parts' in piece) return piece.parts;
    return Array.from({ length: lengthOf(piece) }, (_, index) => this.#read(piece.from + index));
  }

  /** Makes a piece begin at the index, and answers which. */
  #cut(index: number): number {
    this.#isUntouched = false;
    let before = 0;
    for (const [at, piece] of this.#pieces.entries()) {
      const offset = index - before;
      if (offset <= 0) return at;
      if (offset < lengthOf(piece)) {
        this.#pieces.splice(at, 1, ...halves(piece, offset));
        return at + 1;
      }
      before += lengthOf(piece);
    }
    return this.#pieces.length;
  }
}

export function lengthOf<Part>(piece: Piece<Part>): number {
  return 'parts' in piece ? piece.parts.length : piece.to - piece.from;
}

function halves<Part>(piece: Piece<Part>, offset: number): readonly [Piece<Part>, Piece<Part>] {
  if ('parts' in piece)
    return [{ parts: piece.parts.slice(0, offset) }, { parts: piece.parts.slice(offset) }];
  const middle = piece.from + offset;
  return [
    { from: piece.from, to: middle },
    { from: middle, to: piece.to },
  ];
}
