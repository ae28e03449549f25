// Searches a text for secrets without its structure. Apart from private keys, a find needs one line and the one below it, so after edits
// only the touched lines are searched again.
import { findInText } from './find-in-text.ts';
import type { FoundSecret } from './found-secret.ts';
import { type IsSecretName, mayBeNamedAt } from './key-names.ts';

export interface TextSearch {
  /** The findings that count only where they stand within one value or comment. */
  readonly found: readonly FoundSecret[];
  /** Where names of secrets may stand: see `mayBeNamedAt`. */
  readonly named: readonly number[];
  readonly mayHoldKey: boolean;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Edits in ascending order, each with where its text stands in the result. */
export type PlacedEdits = readonly { readonly edit: Place; readonly inserted: Place }[];

/** Lines of the result: those that edits touch, and the one above them. */
interface Area extends Place {
  /** By how much what stands before it has moved, and what stands behind it. */
  readonly before: number;
  readonly behind: number;
}

const KEY = 'PRIVATE KEY';
/** Beyond these the whole text is searched as fast. */
const MOST_AREAS = 50;

export function searchText(text: string, isSecret: IsSecretName): TextSearch {
  const named = mayBeNamedAt(text);
  return { found: findInText(text, named, isSecret), named, mayHoldKey: text.includes(KEY) };
}

/** The same of the text that edits have made of the one that was searched. */
export function searchEdited(
  { found, named, mayHoldKey }: TextSearch,
  edits: PlacedEdits,
  text: string,
  isSecret: IsSecretName,
): TextSearch {
  const areas = areasOf(text, edits);
  const isWhole = mayHoldKey || areas.length > MOST_AREAS;
  if (isWhole || areas.some(({ start, end }) => text.slice(start, end).includes(KEY)))
    return searchText(text, isSecret);
  const anew = areas.map((area) => searchArea(text, area, isSecret));
  const kept = found.flatMap((one) => moved(one, shiftOf(one.from, areas)));
  const left = named.flatMap((at) => shiftOf(at, areas).map((shift) => at + shift));
  return {
    // The first of equal places counts: what is found by its form comes before what is found by a name.
    found: [...kept, ...anew.flatMap((area) => area.found)].sort((a, b) => rankOf(a) - rankOf(b)),
    named: [...left, ...anew.flatMap((area) => area.named)].sort((a, b) => a - b),
    mayHoldKey: false,
  };
}

function areasOf(text: string, edits: PlacedEdits): readonly Area[] {
  const areas: Area[] = [];
  for (const { edit, inserted } of edits) {
    const line = text.lastIndexOf('\n', inserted.start - 1);
    const start = inserted.start === 0 || line <= 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
    const end = endOfLine(text, inserted.end);
    const behind = inserted.end - edit.end;
    const last = areas.at(-1);
    if (last !== undefined && start <= last.end)
      areas[areas.length - 1] = { ...last, end: Math.max(last.end, end), behind };
    else areas.push({ start, end, before: inserted.start - edit.start, behind });
  }
  return areas;
}

/** Answers the offset after the line break of the line; the end of the text for the last line. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

/** Searches an area and the line below it, because the value of a flag may stand there. Keeps only what begins within the area. */
function searchArea(
  text: string,
  { start, end }: Area,
  isSecret: IsSecretName,
): Pick<TextSearch, 'found' | 'named'> {
  const lines = text.slice(start, endOfLine(text, end));
  const named = mayBeNamedAt(lines);
  return {
    found: findInText(lines, named, isSecret).flatMap((one) =>
      one.from < end - start ? moved(one, [start]) : [],
    ),
    named: named.flatMap((at) => (at < end - start ? [start + at] : [])),
  };
}

/** By how much what began here has moved; nothing for what is searched anew. */
function shiftOf(from: number, areas: readonly Area[]): readonly number[] {
  const area = areas.findLast(({ start, before }) => start - before <= from);
  if (area === undefined) return [0];
  return from < area.end - area.behind ? [] : [area.behind];
}

function moved({ from, start, end, by }: FoundSecret, shifts: readonly number[]): readonly FoundSecret[] {
  return shifts.map((shift) => ({ from: from + shift, start: start + shift, end: end + shift, by }));
}

function rankOf({ by }: FoundSecret): number {
  return by === 'key' ? 1 : 0;
}
