// What an edit writes in brackets is read alike by readers of YAML 1.1 and 1.2. What stood there before is not judged: such a file
// stays editable.
import { type Edit, withInserted } from '../../security/index.ts';
import { strictly } from '../edit/strict-flow.ts';
import type { Format } from '../tree/format.ts';
import { lineEnd } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';
import { differs } from './tree-comparison.ts';

/** Throws VERIFICATION_FAILED. `after`: the result, read anew. Looks at the tree only where what was written has such a sign. */
export function requireStrict(
  before: Stream,
  edits: readonly Edit[],
  after: Stream,
  { layout }: Format,
): void {
  if (layout !== 'block') return;
  requireIndented(before, edits, after);
  const written = withInserted(edits, before.text.length)
    .map(({ inserted }) => inserted)
    .filter(({ start, end }) => LOOSE.test(after.text.slice(Math.max(start - 1, 0), end + 1)));
  if (written.length === 0) return;
  for (const { root } of after.documents)
    for (const { start, end } of strictly(after.text, root)) {
      const isWritten = written.some((span) =>
        start === end ? span.start <= start && end <= span.end : span.start < end && start < span.end,
      );
      // What is moved as it stands was there before.
      if (isWritten && !before.text.includes(after.text.slice(Math.max(start - CONTEXT, 0), end + 1)))
        throw differs('some readers of YAML would end a word within the brackets elsewhere', {
          advice: ['Put the words in quotes that hold a question mark, and a blank behind each colon'],
        });
    }
}

/** Lines within quotes that are not indented may stay, and move as they are; new ones do not come to be. */
function requireIndented(before: Stream, edits: readonly Edit[], after: Stream): void {
  const { unindented = [], text } = after;
  if (unindented.length === 0) return;
  const old = new Set((before.unindented ?? []).map((offset) => lineAt(before.text, offset)));
  const written = withInserted(edits, before.text.length).map(({ inserted }) => inserted);
  const isNew = unindented.some(
    (offset) =>
      written.some(({ start, end }) => start <= offset && offset < end) && !old.has(lineAt(text, offset)),
  );
  if (isNew)
    throw differs('a line within quotes would be indented no further than what the quotes belong to', {
      advice: ['Send the text with \\n for its line breaks in double quotes, or in "json"'],
    });
}

function lineAt(text: string, start: number): string {
  return text.slice(start, lineEnd(text, start)).trim();
}

const LOOSE = /\?|[[{,]\s*:|:[,[\]{}]|: *:/;
/** So many characters before it tell where it stood. */
const CONTEXT = 8;
