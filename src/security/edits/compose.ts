// Two rounds of edits as one: what the second did to the result of the first, in the coordinates of the
// base. The composed edits make the same text; neighbouring edits may become one.
import { type Edit, inOrder } from './edit.ts';

/** A stretch of the intermediate text: copied from the base, or inserted. */
type Piece = { readonly from: number; readonly to: number } | { readonly text: string };

/** `first` edits the base (of `baseLength`), `second` edits the result of that. */
export function compose(
  baseLength: number,
  first: readonly Edit[],
  second: readonly Edit[],
): readonly Edit[] {
  const middle = pieces(baseLength, first);
  const result: Piece[] = [];
  let from = 0;
  for (const edit of inOrder(second, lengthOf(middle))) {
    result.push(...cut(middle, from, edit.start), { text: edit.insert });
    from = edit.end;
  }
  result.push(...cut(middle, from, lengthOf(middle)));
  return edits(baseLength, result);
}

function pieces(length: number, applied: readonly Edit[]): Piece[] {
  const result: Piece[] = [];
  let from = 0;
  for (const edit of inOrder(applied, length)) {
    result.push({ from, to: edit.start }, { text: edit.insert });
    from = edit.end;
  }
  result.push({ from, to: length });
  return result;
}

function cut(all: readonly Piece[], start: number, end: number): Piece[] {
  const result: Piece[] = [];
  let at = 0;
  for (const piece of all) {
    const size = sizeOf(piece);
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, size);
    at += size;
    if (from >= to) continue;
    const isCopy = 'from' in piece;
    result.push(
      isCopy ? { from: piece.from + from, to: piece.from + to } : { text: piece.text.slice(from, to) },
    );
  }
  return result;
}

function edits(baseLength: number, all: readonly Piece[]): Edit[] {
  const result: Edit[] = [];
  let copiedTo = 0;
  let insert = '';
  const flush = (next: number) => {
    if (insert !== '' || next > copiedTo) result.push({ start: copiedTo, end: next, insert });
    insert = '';
  };
  for (const piece of all) {
    if ('text' in piece) insert += piece.text;
    else {
      flush(piece.from);
      copiedTo = piece.to;
    }
  }
  flush(baseLength);
  return result;
}

function sizeOf(piece: Piece): number {
  return 'text' in piece ? piece.text.length : piece.to - piece.from;
}

function lengthOf(all: readonly Piece[]): number {
  return all.reduce((sum, piece) => sum + sizeOf(piece), 0);
}
