// What stands around the data and is no data, but tells readers how to take it: the byte order mark,
// directives and document markers, and how lines are broken. No operation changes any of it.
import { Refusal } from '../../security/index.ts';
import { withoutEnd } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';

/** Throws VERIFICATION_FAILED where any of it would change. Says nothing of comments and blank lines. */
export function requireSameMarkers(before: Stream, after: Stream): void {
  const markers = documentMarkers(before);
  const next = documentMarkers(after);
  if (markers.length !== next.length || !markers.every((lines, i) => isSame(lines, next[i] ?? '')))
    throw differs('a byte order mark, a directive or a document marker would change');
  const old = breaksOf(before.text);
  if (old.size > 0 && [...breaksOf(after.text)].some((kind) => !old.has(kind)))
    throw differs('another kind of line break would come in');
}

/** What stands before each document and behind the last. */
function documentMarkers({ text, documents }: Stream): string[] {
  const between: string[] = [];
  let from = 0;
  for (const { contentStart, contentEnd } of documents) {
    between.push(text.slice(from, contentStart));
    from = contentEnd;
  }
  return [...between, text.slice(from)];
}

function isSame(markers: string, next: string): boolean {
  return markers === next || JSON.stringify(linesOf(markers)) === JSON.stringify(linesOf(next));
}

/** Without blank lines and comments. */
function linesOf(markers: string): string[] {
  return markers
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

function differs(reason: string): Refusal {
  return new Refusal('VERIFICATION_FAILED', `Cannot make this edit: ${reason}`);
}
