// The second opinion on a splice: compares the two texts outside the spans without using the code that
// made the result. A text that passes differs from the base inside the spans only.
import type { Edit } from './edit.ts';

/** Throws a plain Error (a bug of ours, never the agent's fault) where a byte outside the edits differs. */
export function assertEqualOutside(before: string, after: string, edits: readonly Edit[]): void {
  let oldEnd = before.length;
  let newEnd = after.length;
  // From the back, so that it cannot share a mistake with a splice that goes from the front.
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end).reverse()) {
    if (splitsCharacter(before, edit.start) || splitsCharacter(before, edit.end)) {
      throw new Error('an edit cuts a character in half');
    }
    const kept = oldEnd - edit.end;
    if (kept < 0 || edit.start < 0 || edit.end < edit.start)
      throw new Error('edits overlap or leave the text');
    if (before.slice(edit.end, oldEnd) !== after.slice(newEnd - kept, newEnd)) differ();
    newEnd -= kept + edit.insert.length;
    // Of a result that is too short the slice is, too, so that what is left is never less than nothing.
    if (after.slice(newEnd, newEnd + edit.insert.length) !== edit.insert) differ();
    oldEnd = edit.start;
  }
  if (before.slice(0, oldEnd) !== after.slice(0, newEnd)) differ();
}

function differ(): never {
  throw new Error('the result differs outside the edits');
}

// Half a surrogate pair is no byte of its own: the other half's bytes would change with it.
function splitsCharacter(text: string, offset: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(offset - 1)) && /[\udc00-\udfff]/.test(text.charAt(offset));
}
