// The tree while it is read: one row of integers for each node, in the order in which nodes begin, so that a subtree is a run
// of rows. No object is made until the node is needed (see `lazy-nodes.ts`).

import { requireAtMost } from '../../../tree/wording.ts';

/** The kinds of rows. The scalars come first: a row of theirs is a whole subtree. */
export const EMPTY = 0;
export const PLAIN = 1;
export const SINGLE = 2;
export const DOUBLE = 3;
export const LITERAL = 4;
export const FOLDED = 5;
export const ALIAS = 6;
export const BLOCK_MAPPING = 7;
export const FLOW_MAPPING = 8;
export const PAIR = 9;
export const BLOCK_SEQUENCE = 10;
export const FLOW_SEQUENCE = 11;

/** The number of tokens of `yaml` for each kind: a plain scalar has a mark before it, brackets have spaces after them. */
const TOKENS: readonly number[] = [0, 2, 1, 1, 3, 3, 1, 0, 4, 0, 0, 4];
/** A colon, dash or comma with the spaces around it. */
const TOKENS_PER_INDICATOR = 3;

const KIND = 0;
const START = 1;
const END = 2;
/** The row after the subtree. */
const NEXT = 3;
/** The offset of a key's colon, or of an item's dash; -1 where there is none. */
const LEAD = 4;
/** The index of the details that few nodes have; 0 if it has none. */
const DETAIL = 5;
const ROW = 6;

const ANCHOR_START = 0;
const ANCHOR_END = 1;
const TAG_START = 2;
const TAG_END = 3;
const TRAILING_COMMA = 4;
const HEADER_END = 5;
const BODY_START = 6;
const BODY_END = 7;
const PARENT_COLUMN = 8;
const DETAIL_ROW = 9;

/** Real files have a node for every eight to sixteen characters; the array doubles where that is too few. */
const CHARS_PER_NODE = 8;

/** The array of the previous table, which is used again: new memory of this size takes as long as reading the text. */
let spare: Int32Array = new Int32Array(0);
const MOST_SPARE = 2_000_000;

export class NodeTable {
  #cells: Int32Array;
  #capacity: number;
  readonly #maxTokens: number;
  #count = 0;
  #tokens = 0;
  /** The first row stays unused, so that 0 means none. */
  readonly #details = new Array<number>(DETAIL_ROW).fill(-1);

  /** Makes a table; it throws LIMIT_EXCEEDED rather than grow beyond what is allowed. */
  constructor(chars: number, maxTokens: number) {
    this.#maxTokens = maxTokens;
    this.#capacity = Math.min(Math.ceil(chars / CHARS_PER_NODE), maxTokens) + 16;
    const cells = this.#capacity * ROW;
    this.#cells = spare.length < cells ? new Int32Array(cells) : spare;
    spare = new Int32Array(0);
  }

  get count(): number {
    return this.#count;
  }

  /** An upper bound of the tokens of its nodes and their indicators. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Counts a comma between the parts of a flow collection. */
  countComma(): void {
    this.#tokens += TOKENS_PER_INDICATOR;
  }

  get detailCount(): number {
    return this.#details.length / DETAIL_ROW;
  }

  /** Adds a node without children. */
  leaf(kind: number, start: number, end: number, lead: number, detail: number): void {
    this.close(this.open(kind, start, lead, detail), end);
  }

  /** Opens a collection: rows that are added until it is closed are within it. */
  open(kind: number, start: number, lead: number, detail: number): number {
    if (this.#count === this.#capacity) this.#grow();
    const row = this.#count;
    const at = row * ROW;
    const cells = this.#cells;
    cells[at] = kind;
    cells[at + START] = start;
    cells[at + LEAD] = lead;
    cells[at + DETAIL] = detail;
    this.#count = row + 1;
    this.#tokens += (TOKENS[kind] ?? 0) + (lead === -1 ? 0 : TOKENS_PER_INDICATOR);
    return row;
  }

  close(row: number, end: number): void {
    const at = row * ROW;
    this.#cells[at + END] = end;
    this.#cells[at + NEXT] = this.#count;
  }

  #grow(): void {
    requireAtMost(this.#maxTokens, this.#tokens, 'number of tokens', 'tokens');
    this.#capacity *= 2;
    if (this.#cells.length >= this.#capacity * ROW) return;
    const cells = new Int32Array(this.#capacity * ROW);
    cells.set(this.#cells);
    this.#cells = cells;
  }

  /** Frees the unused part of the array. */
  trim(): void {
    const cells = this.#cells;
    this.#cells = cells.slice(0, this.#count * ROW);
    this.#capacity = this.#count;
    if (cells.length <= MOST_SPARE) spare = cells;
  }

  kind(row: number): number {
    return this.#cells[row * ROW + KIND] ?? EMPTY;
  }

  start(row: number): number {
    return this.#cells[row * ROW + START] ?? 0;
  }

  end(row: number): number {
    return this.#cells[row * ROW + END] ?? 0;
  }

  next(row: number): number {
    return this.#cells[row * ROW + NEXT] ?? 0;
  }

  lead(row: number): number {
    return this.#cells[row * ROW + LEAD] ?? -1;
  }

  detail(row: number): number {
    return this.#cells[row * ROW + DETAIL] ?? 0;
  }

  addDetail(): number {
    const detail = this.detailCount;
    for (let i = 0; i < DETAIL_ROW; i++) this.#details.push(-1);
    return detail;
  }

  setAnchor(detail: number, start: number, end: number): void {
    this.#details[detail * DETAIL_ROW + ANCHOR_START] = start;
    this.#details[detail * DETAIL_ROW + ANCHOR_END] = end;
  }

  setTag(detail: number, start: number, end: number): void {
    this.#details[detail * DETAIL_ROW + TAG_START] = start;
    this.#details[detail * DETAIL_ROW + TAG_END] = end;
  }

  /** Sets the comma of an open collection; its detail is made where it has none. */
  setTrailingComma(row: number, comma: number): void {
    const detail = this.detail(row) === 0 ? this.addDetail() : this.detail(row);
    this.#cells[row * ROW + DETAIL] = detail;
    this.#details[detail * DETAIL_ROW + TRAILING_COMMA] = comma;
  }

  setBlock(
    detail: number,
    block: { headerEnd: number; bodyStart: number; bodyEnd: number; parentColumn: number },
  ): void {
    this.#details[detail * DETAIL_ROW + HEADER_END] = block.headerEnd;
    this.#details[detail * DETAIL_ROW + BODY_START] = block.bodyStart;
    this.#details[detail * DETAIL_ROW + BODY_END] = block.bodyEnd;
    this.#details[detail * DETAIL_ROW + PARENT_COLUMN] = block.parentColumn;
  }

  anchorStart(detail: number): number {
    return this.#details[detail * DETAIL_ROW + ANCHOR_START] ?? -1;
  }

  anchorEnd(detail: number): number {
    return this.#details[detail * DETAIL_ROW + ANCHOR_END] ?? -1;
  }

  tagStart(detail: number): number {
    return this.#details[detail * DETAIL_ROW + TAG_START] ?? -1;
  }

  tagEnd(detail: number): number {
    return this.#details[detail * DETAIL_ROW + TAG_END] ?? -1;
  }

  trailingComma(detail: number): number {
    return this.#details[detail * DETAIL_ROW + TRAILING_COMMA] ?? -1;
  }

  headerEnd(detail: number): number {
    return this.#details[detail * DETAIL_ROW + HEADER_END] ?? -1;
  }

  bodyStart(detail: number): number {
    return this.#details[detail * DETAIL_ROW + BODY_START] ?? -1;
  }

  bodyEnd(detail: number): number {
    return this.#details[detail * DETAIL_ROW + BODY_END] ?? -1;
  }

  parentColumn(detail: number): number {
    return this.#details[detail * DETAIL_ROW + PARENT_COLUMN] ?? -1;
  }

  /** The start of anchor and tag; -1 where there is neither. */
  propertiesStart(detail: number): number {
    const anchor = this.anchorStart(detail);
    const tag = this.tagStart(detail);
    if (anchor === -1 || tag === -1) return Math.max(anchor, tag);
    return Math.min(anchor, tag);
  }

  /** The end of anchor and tag; -1 where there is neither. */
  propertiesEnd(detail: number): number {
    return Math.max(this.anchorEnd(detail), this.tagEnd(detail));
  }
}
