// What leaves of a file towards an agent or a log is made by the producers of src/adapters/shown: source text, values
// and the rows of diffs. What masks a secret there, masks it everywhere.
import { expect, it } from 'vitest';
import { filesIn } from './sources.ts';

const ANSWERING = ['src/tools', ...['review', 'rebase', 'schema', 'search', 'errors'].map(inAdapters)];

/** A text cut out by the offsets of a node, the exact source of a node, and its value. */
const MAKES_ITS_OWN = /\.slice\([^()]*\.(?:start|end)\b|\bsliceOf\(|\btoValue\(|\.diff\.(?:split|slice)\(/u;

/** What they make for themselves leaves nowhere. */
const INTERNAL: ReadonlyMap<string, string> = new Map([
  ['src/adapters/schema/find-violations.ts', 'tells whether an item was as wrong before; validates values'],
]);

it('whoever answers takes what it quotes of a file from the producers', () => {
  const makers = ANSWERING.flatMap((folder) => [...filesIn(folder)])
    .filter(([, text]) => MAKES_ITS_OWN.test(text))
    .map(([file]) => file);
  expect(makers.sort()).toEqual([...INTERNAL.keys()]);
});

it.each(['text.slice(node.start, node.end)', 'sliceOf(text, node)', 'toValue(stream, document, node)'])(
  'a file that makes its own is noticed: %s',
  (code) => expect(code).toMatch(MAKES_ITS_OWN),
);

function inAdapters(folder: string): string {
  return `src/adapters/${folder}`;
}
