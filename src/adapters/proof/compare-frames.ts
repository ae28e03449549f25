// What stands around the data and is no data, but tells readers how to take it: the byte order mark,
// directives and document markers, and how lines are broken. No operation changes any of it.
import { Refusal } from '../../security/index.ts';
import type { Stream } from '../tree/span-tree.ts';

/** Throws VERIFICATION_FAILED where the frame of the file would change. Says nothing of comments and blank lines. */
export function compareFrames(before: Stream, after: Stream): void {
  if (markersOf(before) !== markersOf(after))
    throw differs('a byte order mark, a directive or a document marker would change');
  const old = breaksOf(before.text);
  if (old.size > 0 && [...breaksOf(after.text)].some((kind) => !old.has(kind)))
    throw differs('another kind of line break would come in');
}

/** The lines between the documents without blank lines and comments, document by document. */
function markersOf({ text, documents }: Stream): string {
  const frames: string[] = [];
  let from = 0;
  for (const { contentStart, contentEnd } of documents) {
    frames.push(text.slice(from, contentStart));
    from = contentEnd;
  }
  frames.push(text.slice(from));
  return JSON.stringify(frames.map(withoutComments));
}

function withoutComments(frame: string): string[] {
  return frame
    .split('\n')
    .map((line) => line.replace(/(^\uFEFF*|[ \t])#.*/, '$1').replace(/[ \t\r]+$/, ''))
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
