// Finds the masked values that an edit of a shown text leaves where they are. They are known by their offsets alone. No edit holds a
// masked value, so that its bytes are never changed.
import { holdsPlaceholder, PLACEHOLDERS } from '../text/placeholders.ts';

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** The place of a placeholder in a text, and its place in the edited text. */
export interface KeptPlaceholder {
  readonly before: number;
  readonly after: number;
  readonly length: number;
}

/** Returns the placeholders that no edit touches. `edits` are of this text, in any order, and do not overlap. */
export function keptPlaceholders(text: string, edits: readonly TextEdit[]): readonly KeptPlaceholder[] {
  const around = aroundPlaceholders(text, edits).toSorted((a, b) => a.start - b.start || a.end - b.end);
  let [next, shift] = [0, 0];
  return placesIn(text).flatMap(({ start, end }) => {
    for (let edit = around[next]; edit !== undefined && edit.end <= start; edit = around[next]) {
      shift += edit.insert.length - (edit.end - edit.start);
      next += 1;
    }
    const isTouched = (around[next]?.start ?? end) < end;
    return isTouched ? [] : [{ before: start, after: start + shift, length: end - start }];
  });
}

/** Splits edits around the placeholders that they repeat in the same order, so that only the text around those is replaced. */
export function aroundPlaceholders(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.flatMap((edit) => (placesIn(edit.insert).length === 0 ? [edit] : partsAround(text, edit)));
}

function partsAround(text: string, { start, end, insert }: TextEdit): readonly TextEdit[] {
  const parts: TextEdit[] = [];
  let [at, from] = [start, 0];
  for (const place of placesIn(text.slice(start, end))) {
    const found = insert.indexOf(text.slice(start + place.start, start + place.end), from);
    if (found === -1) continue;
    parts.push(withoutEnds(text, { start: at, end: start + place.start, insert: insert.slice(from, found) }));
    at = start + place.end;
    from = found + place.end - place.start;
  }
  parts.push(withoutEnds(text, { start: at, end, insert: insert.slice(from) }));
  return parts.filter((part) => part.start < part.end || part.insert !== '');
}

/** Shortens an edit by the text that is equal at both ends. */
function withoutEnds(text: string, { start, end, insert }: TextEdit): TextEdit {
  const old = text.slice(start, end);
  const most = Math.min(old.length, insert.length);
  let head = 0;
  while (head < most && old[head] === insert[head]) head += 1;
  if (splitsPair(old, head) || splitsPair(insert, head)) head -= 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === insert.at(-1 - tail)) tail += 1;
  if (splitsPair(old, old.length - tail) || splitsPair(insert, insert.length - tail)) tail -= 1;
  return { start: start + head, end: end - tail, insert: insert.slice(head, insert.length - tail) };
}

/** True if the offset is between the two halves of one character. */
function splitsPair(text: string, at: number): boolean {
  return at > 0 && text.codePointAt(at - 1) !== text.charCodeAt(at - 1);
}

function placesIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!holdsPlaceholder(text)) return [];
  return [...text.matchAll(PLACEHOLDERS)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}
