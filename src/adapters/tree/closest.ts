// The nearest of many names, for "did you mean": bounded, so that hostile names cost little.

const MAX_LENGTH = 64;
const MAX_CANDIDATES = 2_000;

/** Up to `count` candidates that resemble `wanted`, best first; case and separators weigh little. */
export function closest(wanted: string, candidates: readonly string[], count = 3): string[] {
  const target = fold(wanted);
  const limit = Math.max(1, Math.floor(target.length / 3));
  return candidates
    .slice(0, MAX_CANDIDATES)
    .map((candidate) => ({ candidate, distance: distanceOf(target, fold(candidate)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Edit distance (Levenshtein), with a prefix of the other counted as close. */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length >= 3 && b.length >= 3 && (a.startsWith(b) || b.startsWith(a))) return 1;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
