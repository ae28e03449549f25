// What an edit writes in brackets is read alike by readers of YAML 1.1 and 1.2. What stood there before is not judged: such a file
// stays editable.
import { type Edit, withInserted } from '../../security/index.ts';
import { strictly } from '../edit/strict-flow.ts';
import type { Format } from '../tree/format.ts';
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

const LOOSE = /\?|[[{,]\s*:|:[,[\]{}]|: *:/;
/** So many characters before it tell where it stood. */
const CONTEXT = 8;
