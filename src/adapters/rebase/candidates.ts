// Carries edits of a text over to a later version of the text. Only text that is still there is replaced: an edit whose own
// span has changed is not carried over.
import { type Edit, inOrder } from '../../security/index.ts';
import { type ChangedSpan, changedSpans } from './changed-spans.ts';

/** The most edits with two possible places; each doubles the number of candidates. */
const MOST_OPEN_PLACES = 4;

/**
 * Answers `edits` of `old` as edits of `now`; empty where one of them touches what has changed. There are several candidates
 * where something new is at the very place of an insertion: before it, or after it. `isOfComments` tells whether an edit
 * touches comments.
 */
export function candidates(
  old: string,
  now: string,
  edits: readonly Edit[],
  isOfComments: (edit: Edit) => boolean,
): readonly (readonly Edit[])[] {
  const drift = changedSpans(old, now);
  const places = inOrder(edits, old.length).map((edit) =>
    placesOf(edit, drift, old, now, isOfComments(edit)),
  );
  if (places.some((positions) => positions.length === 0)) return [];
  const open = places.filter((positions) => positions.length > 1).length;
  if (open <= MOST_OPEN_PLACES) return combinations(places);
  return [0, -1].map((which) => places.flatMap((positions) => positions.at(which) ?? []));
}

/** Answers the edit in the coordinates of the new text: nowhere, at one place, or on either side of text that is new at its place. */
function placesOf(
  edit: Edit,
  drift: readonly ChangedSpan[],
  old: string,
  now: string,
  isOfComments: boolean,
): Edit[] {
  const { start, end, insert } = edit;
  let shift = 0;
  for (const span of drift) {
    // The proof compares data: whether a comment is still the one that was meant, only its surroundings tell.
    if (isOfComments && isOnItsLine(edit, span, old, now)) return [];
    if (span.oldEnd < start || (span.oldEnd === start && span.oldStart < span.oldEnd)) {
      shift = span.nowEnd - span.oldEnd;
      continue;
    }
    if (span.oldStart >= end && !(span.oldStart === start && span.oldEnd === start)) break;
    // From here on the span meets the edit; only text that was added right before or after it does not matter.
    if (span.oldStart !== span.oldEnd || span.oldStart !== start) return [];
    const grown = span.nowEnd - span.oldEnd;
    if (start < end) {
      shift = grown;
      continue;
    }
    return [
      { start: start + shift, end: end + shift, insert },
      { start: start + grown, end: end + grown, insert },
    ];
  }
  return [{ start: start + shift, end: end + shift, insert }];
}

/** True where the two touch without a line break between them. */
function isOnItsLine({ start, end }: Edit, span: ChangedSpan, old: string, now: string): boolean {
  const isWholeLines = start === 0 || old[start - 1] === '\n';
  if (span.oldEnd === start && !(isWholeLines && now[span.nowEnd - 1] === '\n')) return true;
  if (span.oldStart !== end || (start < end && old[end - 1] === '\n')) return false;
  const sides = [old.slice(span.oldStart, span.oldEnd), now.slice(span.nowStart, span.nowEnd)];
  return sides.some((side) => side !== '' && !/^\r?\n/.test(side)) && !(start === end && isWholeLines);
}

function combinations(places: readonly (readonly Edit[])[]): Edit[][] {
  return places.reduce<Edit[][]>(
    (all, edits) => edits.flatMap((edit) => all.map((one) => [...one, edit])),
    [[]],
  );
}
