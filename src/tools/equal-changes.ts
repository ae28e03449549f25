// Shows many equal changes in many places: what they have in common once, and a line for the first places. A reader learns how many
// places are changed, and which are the first; reviewers are shown the diffs of all.
import {
  counted,
  LineIndex,
  lineEnd,
  lineStart,
  shownDiff,
  shownExcerpt,
  unifiedDiff,
} from '../adapters/index.ts';
import { type Change, type Edit, type PreviewFile, splice, visibleLine } from '../security/index.ts';

/** The fewest changes for this; fewer are shown as a diff. */
const FEWEST = 10;
const MOST_LABEL = 100;
/** The places that are listed; a reply must not grow with their number. */
const MOST_PLACES = 20;
/** The longest text from the first to the last edit of one change, such as a deletion that leaves an empty mapping. */
const MOST_OF_ONE = 1_000;

interface Place {
  readonly file: PreviewFile;
  readonly edit: Edit;
  readonly line: number;
  readonly path: string;
  /** The facts that are equal for all changes that are shown together. */
  readonly key: string;
  readonly label: string;
}

/** Equal changes in many places: one of them as a diff, and where all of them are. */
export interface EqualChange {
  readonly label: string;
  readonly files: ReadonlySet<PreviewFile>;
  readonly sample: { readonly file: string; readonly diff: string };
  readonly places: readonly { readonly file: string; readonly line: number; readonly path: string }[];
}

/** The equal changes of files that have no others, and the other files. */
export interface EqualChanges {
  readonly groups: readonly EqualChange[];
  readonly others: readonly PreviewFile[];
}

export function equalChangesOf(files: readonly PreviewFile[]): EqualChanges {
  if (files.reduce((sum, { edits }) => sum + edits.length, 0) < FEWEST) return { groups: [], others: files };
  const readings = files.map((file) => ({ file, ways: [changesIn(file), textsIn(file)] }));
  const counts = new Map<string, number>();
  for (const { key } of readings.flatMap(({ ways }) => ways.flatMap((places) => places ?? [])))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  const groups = new Map<string, Place[]>();
  const others: PreviewFile[] = [];
  for (const { file, ways } of readings) {
    const equal = ways.find((places) => places?.every(({ key }) => (counts.get(key) ?? 0) >= FEWEST));
    if (equal === undefined) others.push(file);
    for (const place of equal ?? []) {
      const group = groups.get(place.key) ?? [];
      group.push(place);
      groups.set(place.key, group);
    }
  }
  return { groups: [...groups.values()].flatMap(groupOf), others };
}

/**
 * Returns one change for each edit, with equal bytes replaced at an equal key; undefined if edits and changes do not
 * correspond, or comments and layout change elsewhere.
 */
function changesIn(file: PreviewFile): readonly Place[] | undefined {
  const { base } = file;
  const edits = joined(file);
  const lines = new LineIndex(base);
  // Comments and layout have no paths.
  const ofNoData = edits.map((edit): Change => {
    const [from, line] = [replaced(base, edit), lines.at(edit.start)];
    return { op: 'text', doc: 0, path: '', from, to: edit.insert, line };
  });
  const changes = file.changes.length === 0 ? ofNoData : file.changes;
  if (edits.length !== changes.length || !isShownWhole(file)) return undefined;
  const byLine = [...changes].sort((a, b) => a.line - b.line);
  return edits.flatMap((edit, index) => {
    const change = byLine[index];
    if (change === undefined) return [];
    const { op, path, line, from, to } = change;
    const last = lastKeyOf(path);
    const key = JSON.stringify([op, last, from, to, replaced(base, edit), edit.insert]);
    const what =
      op === 'text'
        ? 'replace the text'
        : `${op} ${visibleLine(last) || (path === '' ? 'the file' : 'an item')}:`;
    return [
      {
        file,
        edit,
        line,
        path,
        key,
        label: `${what} ${valuesLabel([from, to])}`,
      },
    ];
  });
}

/** Returns the places where an equal text replaces an equal text, if that holds for all of its places on these lines; undefined otherwise. */
function textsIn(file: PreviewFile): readonly Place[] | undefined {
  const { base, edits, changes } = file;
  if (!isShownWhole(file)) return undefined;
  const lines = new LineIndex(base);
  const isOnLines = edits.every((edit) => !/\n/.test(replaced(base, edit) + edit.insert));
  const places: Place[] = [];
  const ordered = inOrderOf(edits);
  const onLine = new Map<number, string[]>();
  for (const { line, path } of isOnLines ? changes : [])
    onLine.set(line, [...(onLine.get(line) ?? []), path]);
  for (const [index, edit] of ordered.entries()) {
    const old = replaced(base, edit);
    const [from, to] = [lineStart(base, edit.start), lineEnd(base, edit.end)];
    let [first, behind] = [index, index + 1];
    while ((ordered[first - 1]?.start ?? -1) >= from) first -= 1;
    while ((ordered[behind]?.end ?? Number.POSITIVE_INFINITY) <= to) behind += 1;
    const alike = ordered.slice(first, behind).filter((one) => replaced(base, one) === old);
    if (old.trim() === '' || base.slice(from, to).split(old).length - 1 !== alike.length) return undefined;
    const line = lines.at(edit.start);
    const here = onLine.get(line) ?? [];
    const [path = ''] = here.length === 1 ? here : [];
    const label = `replace the text ${valuesLabel([old, edit.insert])}`;
    places.push({ file, edit, line, path, key: JSON.stringify([old, edit.insert]), label });
  }
  return places;
}

/** True if its edits show everything: the bytes that an edit removes are compared, and are in the example. */
function isShownWhole({ file_op: op, edits, base, removed_comments: removed }: PreviewFile): boolean {
  const isSeen = removed.every((comment) => edits.some((edit) => replaced(base, edit).includes(comment)));
  return op === undefined && edits.length > 0 && isSeen;
}

/** Joins the edits of one line, such as a value and the gap before the comment after it, and those of an only change. */
function joined({ base, edits, changes }: PreviewFile): readonly Edit[] {
  const all: Edit[] = [];
  for (const edit of inOrderOf(edits)) {
    const last = all.at(-1);
    const between = last && replaced(base, { start: last.end, end: edit.start });
    const isOnLine =
      last !== undefined &&
      !/\n/.test(`${replaced(base, { start: last.start, end: edit.end })}${last.insert}`);
    const isOfOne = last !== undefined && changes.length === 1 && edit.end - last.start <= MOST_OF_ONE;
    if (last === undefined || between === undefined || !(isOnLine || isOfOne)) all.push(edit);
    else
      all[all.length - 1] = { start: last.start, end: edit.end, insert: last.insert + between + edit.insert };
  }
  return all;
}

function replaced(base: string, { start, end }: Omit<Edit, 'insert'>): string {
  return base.slice(start, end);
}

function inOrderOf(edits: readonly Edit[]): readonly Edit[] {
  return [...edits].sort((a, b) => a.start - b.start);
}

function lastKeyOf(path: string): string {
  return /[^.\]]*$|\["[^"]*"\]$/u.exec(path)?.[0] ?? path;
}

function valuesLabel(values: readonly Change['from'][]): string {
  const shown = values.flatMap((value) =>
    value === undefined || value === '' ? [] : shownExcerpt(value).slice(0, MOST_LABEL),
  );
  return visibleLine(shown.join(' → '));
}

function groupOf(places: readonly Place[]): readonly EqualChange[] {
  const [first] = places;
  if (first === undefined) return [];
  const { file, edit, label } = first;
  const diff = unifiedDiff(file.file, file.base, splice(file.base, [edit]), [edit]);
  return [
    {
      label,
      files: new Set(places.map((place) => place.file)),
      sample: { file: file.file, diff },
      places: places.map((place) => ({ file: place.file.file, line: place.line, path: place.path })),
    },
  ];
}

/** Where a reader finds what a reply has left out. */
export const ALL_SHOWN = '; config_history with the id shows each';

/** The text of equal changes for a reply; one that has applied them does not list the places again. */
export function equalChangeText({ label, files, sample, places }: EqualChange, hasPlaces: boolean): string {
  const text = `${counted(files.size, 'file')}: ${label} (${places.length}×), for example:\n${shownDiff(sample.diff)}`;
  if (!hasPlaces) return text;
  const lines = places
    .slice(0, MOST_PLACES)
    .map(({ file, line, path }) => `${visibleLine(file)}:${line} ${visibleLine(path)}`.trimEnd());
  const more = places.length - lines.length;
  const title = more === 0 ? 'All of them' : 'The first of them';
  return `${text}${title}:\n${lines.join('\n')}\n${more === 0 ? '' : `… and ${more} more${ALL_SHOWN}\n`}`;
}
