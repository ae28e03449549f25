// Shows many equal changes as one: their common part once, the number of places, and the first places with a line each. Reviewers see
// the diffs of all.

import { unifiedDiff } from '../adapters/diff/unified-diff.ts';
import { shownDiff, shownExcerpt } from '../adapters/shown/shown.ts';
import { LineIndex, lineEnd, lineStart } from '../adapters/tree/lines.ts';
import { counted } from '../adapters/tree/wording.ts';
import { type Change, type Edit, splice } from '../security/edits/edit.ts';
import { visibleLine } from '../security/text/visible.ts';
import type { PreviewFile } from '../state/preview.ts';

/** Fewer changes are shown as diffs. */
const FEWEST = 10;
const MOST_LABEL = 100;
/** The most places that are listed: a reply must not grow with their number. */
const MOST_PLACES = 20;
/** The longest span of the edits of one change, such as a deletion that leaves an empty mapping. */
const MOST_OF_ONE = 1_000;

interface Place {
  readonly file: PreviewFile;
  readonly edit: Edit;
  readonly line: number;
  readonly path: string;
  /** What changes that are shown together have in common. */
  readonly key: string;
  readonly label: string;
}

/** Equal changes in many places: one as a diff, and the places of all. */
export interface EqualChange {
  readonly label: string;
  readonly files: ReadonlySet<PreviewFile>;
  readonly sample: { readonly file: string; readonly diff: string };
  readonly places: readonly { readonly file: string; readonly line: number; readonly path: string }[];
}

/** The equal changes, of files without other changes, and the remaining files. */
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
 * Returns one change for each edit that replaces equal bytes at an equal key; undefined if edits and changes do not correspond, or
 * comments or layout change elsewhere.
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

/** Returns the places where one text replaces another, if it does so everywhere on these lines; otherwise undefined. */
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

/** True if the example shows everything that the edits do to the file. */
function isShownWhole({ file_op: op, edits, base, removed_comments: removed }: PreviewFile): boolean {
  const isSeen = removed.every((comment) => edits.some((edit) => replaced(base, edit).includes(comment)));
  return op === undefined && edits.length > 0 && isSeen;
}

/** Joins the edits of one line, such as a value and the gap before its comment, and those of an only change. */
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

/** Says where to find what a reply left out. */
export const ALL_SHOWN = '; config_history with the id shows each';

/** Returns the text of equal changes for a reply; without `hasPlaces`, as after applying them, the places are not listed again. */
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
