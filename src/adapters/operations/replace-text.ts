// `replace_text` replaces a text that occurs once, or as often as expected. On a whole file it does not look at the meaning of the text,
// so it can mend files that cannot be parsed; the proof finds what changes in the data, if there is any.

import type { Edit } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { cutsPlaceholder, PLACEHOLDERS } from '../../security/text/placeholders.ts';
import { maskedAdvice } from '../edit/scalar-text.ts';
import { closest } from '../tree/closest.ts';
import { breakAt, LineIndex, splitLines } from '../tree/lines.ts';
import { locateExisting } from '../tree/locate.ts';
import type { Given, OperationKind } from './operation.ts';

export const replaceText = {
  name: 'replace_text',
  needs: [['old_text'], ['new_text']],
  may: [],
  steps: ({ document }, path, { old_text: old = '', new_text: next = '' }) => [
    { do: 'replace text', path: locateExisting(document, path, 'replace text in').path, old, next },
  ],
  planFile: planReplaceText,
} as const satisfies OperationKind;

/** Returns the edits. LF and CRLF match each other; the file keeps its own. Throws TEXT_NOT_FOUND, TEXT_AMBIGUOUS, VALUE_INVALID. */
function planReplaceText(text: string, given: Given): Edit[] {
  const { old_text: old = '', new_text: next = '', isEvery = false } = given;
  const places = isEvery ? everyPlace(text, old) : placesOf(text, old);
  const [first, ...others] = places;
  if (!old.isWellFormed() || (old === '' && first === undefined))
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot use this value as old_text: it is empty, or holds half a character',
      {},
      {
        advice: [
          'Copy old_text from view "raw": a line that stays, and give it again in new_text with what is new',
        ],
      },
    );
  if (first === undefined) throw notFound(text, old);
  if (others.length > 0 && !isEvery) throw ambiguous(text, old, places);
  return places.flatMap((place) => {
    const insert = next.replaceAll(/\r?\n/g, breakAt(text, place.start));
    return text.slice(place.start, place.end) === insert ? [] : [{ ...place, insert }];
  });
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Returns the occurrences that do not overlap, from the first on, at most `most`. */
export function everyPlace(text: string, old: string, most = Number.POSITIVE_INFINITY): Place[] {
  const places: Place[] = [];
  for (const place of occurrences(text, old, old.replaceAll('\r\n', '\n').length)) {
    if (places.length >= most) break;
    places.push(place);
  }
  return places;
}

/** The most places that are counted, plus one. */
const MOST_PLACES = 51;

function placesOf(text: string, old: string): readonly Place[] {
  const places: Place[] = [];
  // Overlapping occurrences count: they make the text ambiguous.
  for (const place of occurrences(text, old, 1)) {
    places.push(place);
    if (places.length >= MOST_PLACES) break;
  }
  return places;
}

/**
 * Yields the occurrences; each search starts `step` characters after the last match. An empty text matches only an empty file, as a
 * whole but for a byte order mark.
 */
function* occurrences(text: string, old: string, step: number): Generator<Place> {
  if (old === '') {
    if (text.trim() === '') yield { start: text.startsWith('\uFEFF') ? 1 : 0, end: text.length };
    return;
  }
  const [lines, wanted] = [text, old].map((one) => one.replaceAll('\r\n', '\n'));
  if (lines === undefined || wanted === undefined) return;
  const offsetIn = lines === text ? (offset: number) => offset : originalOffset(text, lines);
  for (let at = lines.indexOf(wanted); at !== -1; at = lines.indexOf(wanted, at + step)) {
    const place = { start: offsetIn(at), end: offsetIn(at + wanted.length) };
    // A part of a placeholder for a secret is not text of the file.
    if (!cutsPlaceholder(text, place)) yield place;
  }
}

/** Maps an offset in the lines without carriage returns to the one in the text. */
function originalOffset(text: string, lines: string): (offset: number) => number {
  const index = new LineIndex(lines);
  /** The number of carriage returns before each line. */
  const returns = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    returns.push((returns.at(-1) ?? 0) + (text[at - 1] === '\r' ? 1 : 0));
  return (offset) => offset + (returns[index.at(offset) - 1] ?? 0);
}

function ambiguous(text: string, old: string, places: readonly Place[]): Refusal {
  const index = new LineIndex(text);
  const lines = places.slice(0, MOST_PLACES - 1).map(({ start }) => index.at(start));
  const isMore = places.length >= MOST_PLACES;
  const all = everyPlace(text, old).length;
  const count = isMore ? `more than ${lines.length} times` : `${lines.length} times`;
  return new Refusal(
    'TEXT_AMBIGUOUS',
    `Cannot replace this text: it occurs ${count} in the file, at lines ${lines.join(', ')}${isMore ? ', …' : ''}`,
    { line: lines[0] },
    {
      advice: [
        'Give more of the text around the place that is meant, so that old_text occurs once',
        'To replace all of them send their number as expect',
        ...maskedAdvice(text),
      ],
      instead: { fields: { expect: all }, what: `If all ${all} places are meant` },
    },
  );
}

function notFound(text: string, old: string): Refusal {
  const line = nearestLine(text, old);
  const near = line === undefined ? '' : `; line ${line} is the most like its first line`;
  return new Refusal(
    'TEXT_NOT_FOUND',
    `Cannot replace this text: it does not occur in the file${near}`,
    { line },
    {
      advice: [
        'Copy old_text from view "raw", without the line numbers; spaces and letter case count',
        ...maskedAdvice(text),
      ],
    },
  );
}

/** Returns the line most similar to the first line of the text: if possible one that differs in spaces and letter case only. */
function nearestLine(text: string, old: string): number | undefined {
  const [wanted = ''] = splitLines(old)
    .map(plain)
    .filter((line) => line !== '');
  if (wanted === '') return undefined;
  const lines = splitLines(text).map(plain);
  const same = lines.findIndex((line) => line.includes(wanted));
  if (same !== -1) return same + 1;
  const inAnyCase = lines.findIndex((line) => line.toLowerCase().includes(wanted.toLowerCase()));
  if (inAnyCase !== -1) return inAnyCase + 1;
  const [near] = closest(wanted, new Set(lines.filter((line) => line !== '')), 1);
  return near === undefined ? undefined : lines.indexOf(near) + 1;
}

function plain(line: string): string {
  return line.replaceAll(PLACEHOLDERS, '').replaceAll(/\s+/g, ' ').trim();
}
