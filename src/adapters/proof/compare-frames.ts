// What stands around the data and is no data, but tells readers how to take it: the byte order mark,
// directives and document markers, and how lines are broken. No operation changes any of it.
import { Refusal } from '../../security/index.ts';
import { withoutEnd } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';

/** Throws VERIFICATION_FAILED where the frame of the file would change. Says nothing of comments and blank lines. */
export function compareFrames(before: Stream, after: Stream): void {
  const frames = framesOf(before);
  const next = framesOf(after);
  if (frames.length !== next.length || !frames.every((frame, i) => isSame(frame, next[i] ?? '')))
    throw differs('a byte order mark, a directive or a document marker would change');
  const old = breaksOf(before.text);
  if (old.size > 0 && [...breaksOf(after.text)].some((kind) => !old.has(kind)))
    throw differs('another kind of line break would come in');
}

/** The lines between the documents, document by document. */
function framesOf({ text, documents }: Stream): string[] {
  const frames: string[] = [];
  let from = 0;
  for (const { contentStart, contentEnd } of documents) {
    frames.push(text.slice(from, contentStart));
    from = contentEnd;
  }
  return [...frames, text.slice(from)];
}

function isSame(frame: string, next: string): boolean {
  return frame === next || JSON.stringify(linesOf(frame)) === JSON.stringify(linesOf(next));
}

/** Without blank lines and comments. */
function linesOf(frame: string): string[] {
  return frame
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
