// Checks that readers of YAML 1.1 and 1.2 read what an edit writes in brackets alike. What was there before is not checked, so
// that such a file stays editable.
import { type Edit, withInserted } from '../../security/index.ts';
import { strictly } from '../edit/strict-flow.ts';
import type { Format } from '../tree/format.ts';
import { lineEnd } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';
import { differs } from './expected.ts';

/** Checks the result, which was read anew. Throws VERIFICATION_FAILED. It looks at the tree only where the written text has such a sign. */
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
      // Text that is moved unchanged was there before.
      if (isWritten && !before.text.includes(after.text.slice(Math.max(start - CONTEXT, 0), end + 1)))
        throw differs('some readers of YAML would end a word within the brackets elsewhere', {
          advice: ['Put the words in quotes that hold a question mark, and a blank behind each colon'],
        });
    }
}

/** Throws for new lines within quotes that are not indented; old ones may stay, and move unchanged. */
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
/** The number of characters before it by which its old place is recognised. */
const CONTEXT = 8;
