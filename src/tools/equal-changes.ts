// Many changes that are the same, in many places: what they have in common once, and a line for each. Whoever reads it
// knows each changed place, as from the diffs of all files; reviewers are shown those.
import { counted, dataChanges, shownExcerpt, unifiedDiff } from '../adapters/index.ts';
import { type Change, type Edit, type PreviewFile, splice, visibleLine } from '../security/index.ts';

/** Fewer are read as a diff. */
const FEWEST = 10;
const MOST_LABEL = 100;

interface Place {
  readonly file: PreviewFile;
  readonly edit: Edit;
  readonly change: Change;
}

/** What is shown of the files in which nothing but such changes is made; and the others. */
export interface EqualChanges {
  readonly shown: string;
  readonly others: readonly PreviewFile[];
}

export function equalChangesOf(files: readonly PreviewFile[]): EqualChanges {
  const places = files.map((file) => ({ file, places: placesIn(file) }));
  const counts = new Map<string, number>();
  for (const place of places.flatMap((one) => one.places ?? []))
    counts.set(keyOf(place), (counts.get(keyOf(place)) ?? 0) + 1);
  const isMany = (place: Place) => (counts.get(keyOf(place)) ?? 0) >= FEWEST;
  const equal = places.flatMap((one) => (one.places?.every(isMany) ? one.places : []));
  const groups = new Map<string, Place[]>();
  for (const place of equal) groups.set(keyOf(place), [...(groups.get(keyOf(place)) ?? []), place]);
  const grouped = new Set(equal.map(({ file }) => file));
  return {
    shown: [...groups.values()].map(groupText).join(''),
    others: files.filter((file) => !grouped.has(file)),
  };
}

/** One change for each edit; undefined where that is not so, or comments and layout change elsewhere as well. */
function placesIn(file: PreviewFile): readonly Place[] | undefined {
  const { edits, changes, base } = file;
  // The bytes that an edit takes away are among those that are compared, and stand in the example.
  const isSeen = file.removed_comments.every((comment) =>
    edits.some(({ start, end }) => base.slice(start, end).includes(comment)),
  );
  const isPlain = edits.length === changes.length && dataChanges(changes).length === changes.length;
  if (!isPlain || file.file_op !== undefined || edits.length === 0 || !isSeen) return undefined;
  const byPlace = [...edits].sort((a, b) => a.start - b.start);
  const byLine = [...changes].sort((a, b) => a.line - b.line);
  return byPlace.flatMap((edit, index) => {
    const change = byLine[index];
    return change === undefined ? [] : [{ file, edit, change }];
  });
}

/** The same bytes in place of the same bytes, at the same key. */
function keyOf({ file: { base }, edit: { start, end, insert }, change }: Place): string {
  return JSON.stringify([
    change.op,
    lastKeyOf(change.path),
    change.from,
    change.to,
    base.slice(start, end),
    insert,
  ]);
}

function lastKeyOf(path: string): string {
  return /[^.\]]*$|\["[^"]*"\]$/u.exec(path)?.[0] ?? path;
}

function groupText(places: readonly Place[]): string {
  const [first] = places;
  if (first === undefined) return '';
  const { file, edit, change } = first;
  const files = new Set(places.map((place) => place.file));
  const values = [change.from, change.to].flatMap((value) =>
    value === undefined ? [] : shownExcerpt(value).slice(0, MOST_LABEL),
  );
  const label = `${counted(files.size, 'file')}: ${change.op} ${visibleLine(lastKeyOf(change.path))}: ${visibleLine(values.join(' → '))} (${places.length}×)`;
  const sample = unifiedDiff(file.file, file.base, splice(file.base, [edit]), [edit]);
  const lines = places.map(
    (place) => `${visibleLine(place.file.file)}:${place.change.line} ${visibleLine(place.change.path)}\n`,
  );
  return `${label}, for example:\n${sample}All of them:\n${lines.join('')}`;
}
