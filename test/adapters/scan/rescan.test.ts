// A text that was edited is scanned in part, and comes out as if it had been scanned whole. TEST_SEED
// repeats one; `npm run test:long` tries many more.
import { expect, test } from 'vitest';
import { partsOf, type Stream, walk } from '../../../src/adapters/tree/span-tree.ts';
import { parseEditedYaml, parseYaml } from '../../../src/adapters/yaml/parse-yaml.ts';
import { rescan } from '../../../src/adapters/yaml/scan/rescan.ts';
import { DEFAULT_LIMITS, splice } from '../../../src/security/index.ts';
import { randomFrom } from '../../harness/random.ts';
import { difference } from './compare.ts';
import { fuzzRescan } from './rescan.ts';

test('edited files are scanned in part to the tree of the whole', () => {
  const seed = process.env['TEST_SEED'];
  const run = seed === undefined ? fuzzRescan(0, 6_000) : fuzzRescan(Number(seed), 1);
  expect(run.faults).toEqual([]);
  if (seed === undefined) expect(run.figures['in part']).toBeGreaterThan(500);
});

const TEXT = 'a: 1\nb:\n  c: 2 # two\n  d: [3]\ne:\n- f: 4\n  g: 5\n';

test.each([
  { why: 'a scalar', from: '2 #', to: '22 #' },
  { why: 'the last entry of all', from: '5', to: '{h: 6}' },
  { why: 'an entry more', from: '[3]', to: '[3]\n  i: 7' },
])('takes over what stands around $why', ({ from, to }) => {
  const start = TEXT.indexOf(from);
  const edits = [{ start, end: start + from.length, insert: to }];
  const after = splice(TEXT, edits);
  const before = parseYaml(TEXT, DEFAULT_LIMITS);
  const touched = { from: start, to: start + from.length };
  expect(rescan(before, after, touched, DEFAULT_LIMITS)).toBeDefined();
  const edited = parseEditedYaml(before, edits, after, DEFAULT_LIMITS);
  expect(difference(edited, parseYaml(after, DEFAULT_LIMITS), 'stream')).toBeUndefined();
});

test.each([
  { why: 'the first key', from: 'a: 1', to: 'z: 1' },
  { why: 'a value that swallows what follows', from: '2 #', to: '"2 #' },
  { why: 'a comment that was said to be all', from: '1', to: '1', other: '#2' },
])('scans all of it again for $why', ({ from, to, other }) => {
  const start = TEXT.indexOf(from);
  const after = TEXT.replace(from, to).replace('# two', other ?? '# two');
  const touched = { from: start, to: start + from.length };
  expect(rescan(parseYaml(TEXT, DEFAULT_LIMITS), after, touched, DEFAULT_LIMITS)).toBeUndefined();
});

const WIDE = Array.from(
  { length: 40 },
  (_, i) =>
    `k${i}: ${i % 4 === 0 ? `\n${Array.from({ length: 30 }, (_, j) => `- v${j}\n`).join('')}` : `v${i}\n`}`,
).join('');

/** Where the parts of every collection stand, asked without making any. */
function places({ documents }: Stream) {
  return documents.flatMap(({ root }) =>
    [...walk(root)].flatMap((node) => {
      if (node.kind !== 'mapping' && node.kind !== 'sequence') return [];
      const parts = partsOf(node);
      return [Array.from({ length: parts.length }, (_, i) => [parts.startOf(i), parts.endOf(i)])];
    }),
  );
}

test('the parts of wide collections stand where they do in the whole, edit after edit', () => {
  let inPart = 0;
  for (let seed = 0; seed < 20; seed++) {
    const random = randomFrom(seed);
    let before = parseYaml(WIDE, DEFAULT_LIMITS);
    for (let edits = 0; edits < 20; edits++) {
      // So that there is something to take over.
      places(before);
      const lines = before.text.split(/(?<=\n)/);
      const at = random.below(lines.length);
      const line = lines[at] ?? '';
      const start = lines.slice(0, at).join('').length;
      const isItem = line.startsWith('-');
      const insert = random.pick([
        ...[line, '', line.replace('v', 'long '), line.replace('v', '\n  - v')],
        ...(isItem ? [`${line}- x\n`, `- y\n- z\n${line}`] : [`n${seed}x${edits}: new\n${line}`]),
      ]);
      const touched = { from: start, to: start + line.length };
      const after = splice(before.text, [{ start, end: touched.to, insert }]);
      const part = rescan(before, after, touched, DEFAULT_LIMITS);
      if (part === undefined) continue;
      inPart += 1;
      expect(places(part)).toEqual(places(parseYaml(after, DEFAULT_LIMITS)));
      before = part;
    }
  }
  expect(inPart).toBeGreaterThan(150);
});
