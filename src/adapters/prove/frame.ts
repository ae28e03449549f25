// What stands around the data and tells how to read it: a byte order mark, directives, document markers, and line breaks. No edit
// changes them, but that documents come and go with their markers.
import type { Edit } from '../../security/index.ts';
import { actionsIn } from '../tree/actions.ts';
import { withoutEnd } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';
import { differs } from './expected.ts';

/** The value is not at fault: the general advice on the code is given. */
const NO_CLUES = {};

/**
 * Throws VERIFICATION_FAILED where the frame would change; comments and blank lines do not count. `origins` gives for each document
 * of the result the index that it had before; undefined for a new one.
 */
export function requireSameFrame(
  before: Stream,
  after: Stream,
  origins: readonly (number | undefined)[],
): void {
  const [old, next] = [markersOf(before), markersOf(after)];
  const isAsBefore =
    old.length === next.length
      ? old.every((lines, at) => isSame(lines, next[at] ?? ''))
      : origins.every((origin, at) => isSamePreamble(origin === undefined ? '' : old[origin], next[at])) &&
        before.text.startsWith('\uFEFF') === after.text.startsWith('\uFEFF');
  if (!isAsBefore)
    throw differs('a byte order mark, a directive or a document marker would change', NO_CLUES);
  const breaks = breaksOf(before.text);
  if (breaks.size > 0 && [...breaksOf(after.text)].some((kind) => !breaks.has(kind)))
    throw differs('another kind of line break would come in', NO_CLUES);
}

/** Throws for a removed text with a lone CR: what follows one is comment or text for some readers, and a line of its own for others. */
export function requireClearLines(text: string, edits: readonly Edit[]): void {
  const isUnclear = edits.some(({ start, end }) =>
    /\r(?!\n)/.test(text.slice(start, text[end] === '\n' ? end + 1 : end)),
  );
  if (!isUnclear) return;
  throw differs('what would go holds a lone carriage return, which some readers take for the end of a line', {
    advice: ['Have a person replace the carriage return by a line break first'],
  });
}

/** Returns the text before each document and after the last one, without actions of a template, which are checked by themselves. */
function markersOf({ text, documents, actions = [] }: Stream): string[] {
  const between: string[] = [];
  let from = 0;
  const slice = (to: number): string => {
    let kept = '';
    for (const { start, end } of actionsIn(actions, { start: from, end: to })) {
      kept += text.slice(from, start);
      from = Math.max(from, end);
    }
    return kept + text.slice(from, to);
  };
  for (const { contentStart, contentEnd } of documents) {
    between.push(slice(contentStart));
    from = contentEnd;
  }
  return [...between, slice(text.length)];
}

/** A document has the directives that it had, and a new one has none. */
function isSamePreamble(old = '', next = ''): boolean {
  const directives = (lines: string) =>
    linesOf(lines).filter((line) => !/^(?:\uFEFF*|---|\.\.\.)$/.test(line));
  return JSON.stringify(directives(old)) === JSON.stringify(directives(next));
}

function isSame(markers: string, next: string): boolean {
  return markers === next || JSON.stringify(linesOf(markers)) === JSON.stringify(linesOf(next));
}

/** Returns the lines without blank ones and comments; a byte order mark counts as a line of its own. */
function linesOf(markers: string): string[] {
  return markers
    .replace(/^\uFEFF+/, '$&\n')
    .split('\n')
    .map((line) => withoutEnd(line.replace(/(^\uFEFF*|[ \t])#.*/, '$1'), ' \t\r'))
    .filter((line) => line !== '');
}

function breaksOf(text: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  if (text.includes('\r\n')) kinds.add('CRLF');
  if (/(?:^|[^\r])\n/.test(text)) kinds.add('LF');
  return kinds;
}
