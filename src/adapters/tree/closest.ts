// Finds the nearest of many names, for "did you mean". It is bounded, so that hostile names cost little.

/** Differences are compared this far; an equal beginning costs nothing. */
const MAX_LENGTH = 64;
const MAX_NAME = 4_096;
const MAX_CANDIDATES = 2_000;

/** Returns up to `count` candidates that resemble `wanted`, best first; case and separators weigh little. */
export function closest(wanted: string, candidates: Iterable<string>, count = 3): string[] {
  const target = fold(wanted);
  const limit = Math.max(1, Math.floor(Math.min(target.length, MAX_LENGTH) / 3));
  return (
    firstOf(candidates)
      .map((candidate) => ({ candidate, folded: fold(candidate) }))
      .map(({ candidate, folded }) => ({ candidate, folded, distance: distanceOf(target, folded, limit) }))
      // Two names of which every character differs have nothing in common, however short they are.
      .filter(
        ({ distance, folded }) => distance <= limit && distance < Math.max(target.length, folded.length, 1),
      )
      .sort((a, b) => a.distance - b.distance)
      .slice(0, count)
      .map(({ candidate }) => candidate)
  );
}

function firstOf(candidates: Iterable<string>): string[] {
  const first: string[] = [];
  for (const candidate of candidates) {
    if (first.length >= MAX_CANDIDATES) break;
    first.push(candidate);
  }
  return first;
}

function fold(name: string): string {
  // One pattern for all three would be slower, and a call may fold thousands of names.
  const folded = name.slice(0, MAX_NAME).normalize('NFKC').toLowerCase();
  return folded.replaceAll('-', '').replaceAll('_', '').replaceAll(' ', '');
}

/** Returns the edit distance; a prefix of the other name counts as close. Distances above `most` may be any number above it. */
function distanceOf(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (a.length >= 3 && b.length >= 3 && (a.startsWith(b) || b.startsWith(a))) return 1;
  const [restOfA, restOfB] = unlikePartsOf(a, b);
  // Each further character is at least one step.
  if (Math.abs(restOfA.length - restOfB.length) > most) return most + 1;
  return editDistance(restOfA, restOfB, most);
}

/** Returns both texts without their common beginning, because files deep down in one folder differ only at their ends. */
function unlikePartsOf(a: string, b: string): readonly [string, string] {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return [a.slice(shared, shared + MAX_LENGTH), b.slice(shared, shared + MAX_LENGTH)];
}

/** Computes Levenshtein's distance, but counts two swapped neighbours once, because that is the most common typing error. */
function editDistance(a: string, b: string, most: number): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : substitution;
      row.push(Math.min(substitution, swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    // Each later distance builds on one in these two rows, and none is smaller than the one it builds on.
    if (Math.min(...row) > most && Math.min(...previous) > most) return most + 1;
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
