// The one shape of a change: spans of the unchanged source, and the text that replaces them.
import type { SafePath } from '../paths/safe-path.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';
import { type MaskedText, secretsIn, shownOffset } from '../secrets/masked-text.ts';

/** Offsets are UTF-16 units of the source text, `end` exclusive; `insert` replaces what lies between. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** Says that an edit creates or deletes the file. */
export type FileOp = 'create' | 'delete';

/** Returns the file before and after an edit; undefined if it does not exist. */
export function versionsOf(
  fileOp: FileOp | undefined,
  before: string,
  after: string,
): readonly [string | undefined, string | undefined] {
  return [fileOp === 'create' ? undefined : before, fileOp === 'delete' ? undefined : after];
}

/** Returns the same for a file as a preview or a change has recorded it. */
export function recordedVersions({
  base,
  edits,
  file_op,
}: {
  readonly base: string;
  readonly edits: readonly Edit[];
  readonly file_op?: FileOp;
}): ReturnType<typeof versionsOf> {
  return versionsOf(file_op, base, splice(base, edits));
}

/** One path whose data differs after the edit, as replies name it; op `text` means lines of a file without paths. `from` and `to` are source slices. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove' | 'rename' | 'text' | FileOp;
  readonly doc: number;
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
  readonly line: number;
}

/** Sorts the edits by their place. Throws a plain Error (a bug of the planner) where they overlap or leave the text. */
export function inOrder(edits: readonly Edit[], textLength: number): readonly Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let previousEnd = 0;
  for (const edit of sorted) {
    if (edit.start < previousEnd || edit.end < edit.start || edit.end > textLength) {
      throw new Error(`edits overlap or leave the text at ${edit.start}`);
    }
    previousEnd = edit.end;
  }
  return sorted;
}

/** Sorts the edits, and adds to each the place of its `insert` in the result. Throws as `inOrder` does. */
export function withInserted(
  edits: readonly Edit[],
  textLength: number,
): readonly { readonly edit: Edit; readonly inserted: Omit<Edit, 'insert'> }[] {
  let shift = 0;
  return inOrder(edits, textLength).map((edit) => {
    const start = edit.start + shift;
    const end = start + edit.insert.length;
    shift = end - edit.end;
    return { edit, inserted: { start, end } };
  });
}

/** Returns the edits that lead from the result back to the base. */
export function invert(base: string, edits: readonly Edit[]): readonly Edit[] {
  return withInserted(edits, base.length).map(({ edit, inserted }) => ({
    ...inserted,
    insert: base.slice(edit.start, edit.end),
  }));
}

/** Returns the text with every edit carried out; everything outside the spans is copied as it is. */
export function splice(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const edit of inOrder(edits, text.length)) {
    result += text.slice(from, edit.start) + edit.insert;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** A piece of the intermediate text: copied from the base, or inserted. */
type Piece = { readonly from: number; readonly to: number } | { readonly text: string };

/**
 * Combines two rounds of edits into one that makes the same text, in coordinates of the base; neighbours may become one edit.
 * `first` edits the base (of `baseLength`), `second` edits the result of `first`.
 */
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

interface Recorded {
  readonly base: string;
  readonly edits: readonly Edit[];
}

/** A span of the base, and the span of the result that replaces it. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Masks base and edits by today's rules: they may have been recorded under others, or none. Returns the same object where today's
 * rules mask nothing more in it.
 */
export function maskedAgain<Record extends Recorded>(
  sandbox: Sandbox,
  path: SafePath,
  recorded: Record,
): Record {
  const { masking } = contextOf(sandbox).origin;
  const { base, edits } = recorded;
  const after = splice(base, edits);
  const [old, next] = [masking?.maskRecorded(path, base), masking?.maskRecorded(path, after)];
  if (old === undefined || next === undefined) return recorded;
  if (old.shown === base && next.shown === after) return recorded;
  const shown = stretchesOf(recorded, old, next).map(({ start, end, newStart, newEnd }) => ({
    start: shownOffset(old, start),
    end: shownOffset(old, end),
    insert: next.shown.slice(shownOffset(next, newStart), shownOffset(next, newEnd)),
  }));
  // Where the edits change whether text outside them is a secret, the whole file is shown as one edit.
  const areEnough = splice(old.shown, shown) === next.shown;
  const whole = { start: 0, end: old.shown.length, insert: next.shown };
  return { ...recorded, base: old.shown, edits: areEnough ? shown : [whole] };
}

/** Returns the spans of the edits, each widened to all secrets that it cuts; spans that meet become one. */
function stretchesOf({ base, edits }: Recorded, old: MaskedText, next: MaskedText): readonly Stretch[] {
  const [gone, come] = [secretsIn(old), secretsIn(next)];
  const all: Stretch[] = [];
  for (const { edit, inserted } of withInserted(edits, base.length)) {
    let stretch = { start: edit.start, end: edit.end, newStart: inserted.start, newEnd: inserted.end };
    for (;;) {
      const { start, end, newStart, newEnd } = stretch;
      const before = Math.max(startsBefore(gone, start), startsBefore(come, newStart));
      const behind = Math.max(endsBehind(gone, end), endsBehind(come, newEnd));
      if (before === 0 && behind === 0) break;
      stretch = {
        start: start - before,
        end: end + behind,
        newStart: newStart - before,
        newEnd: newEnd + behind,
      };
    }
    const last = all.at(-1);
    if (last === undefined || last.end < stretch.start) all.push(stretch);
    else all[all.length - 1] = { ...last, end: stretch.end, newEnd: stretch.newEnd };
  }
  return all;
}

type Spans = readonly { readonly start: number; readonly end: number }[];

/** Returns how far before `place` the span begins that contains it; 0 if none does. */
function startsBefore(spans: Spans, place: number): number {
  const cut = spans.find(({ start, end }) => start < place && place < end);
  return cut === undefined ? 0 : place - cut.start;
}

function endsBehind(spans: Spans, place: number): number {
  const cut = spans.find(({ start, end }) => start < place && place < end);
  return cut === undefined ? 0 : cut.end - place;
}
