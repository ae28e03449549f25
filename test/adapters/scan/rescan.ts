// Scans texts again after random edits, in part and whole, and compares the trees; each run named by its seed.
import { rescan } from '../../../src/adapters/yaml/scan/rescan.ts';
import { scanYaml } from '../../../src/adapters/yaml/scan/scan-yaml.ts';
import { ScannedStream } from '../../../src/adapters/yaml/scan/scanned-stream.ts';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';
import { type Random, randomFrom } from '../../harness/random.ts';
import { SUITE } from '../../harness/yaml-suite.ts';
import { difference } from './compare.ts';
import type { FuzzRun } from './fuzz.ts';
import { nearlyYaml } from './mutate.ts';
import { NATIVE } from './native.ts';
import { PIECES } from './pieces.ts';
import { REAL } from './texts.ts';

const TEXTS: readonly string[] = [...REAL, ...REAL, ...SUITE, ...NATIVE].map(({ text }) => text);
const VALUES = [
  '1',
  'a b',
  '"q"',
  'x # c',
  '|\n    t\n    u',
  '[a, {b: c}]',
  '',
  '*a',
  '&n v',
  'k: v',
  '- i',
];
const LINES = [
  '# c\n',
  'k: v\n',
  '- i\n',
  '  deep: 1\n',
  '\n',
  '---\n',
  '    - x: y\n',
  '{a: b}: c\n',
  '\t\n',
];

const MOST_EDITS = 4;

/** Seeds `from` to `from + count - 1`. */
export function fuzzRescan(from: number, count: number): FuzzRun {
  const figures = { 'in part': 0, whole: 0, different: 0 };
  const faults: string[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const random = randomFrom(seed);
    const text = random.below(4) === 0 ? nearlyYaml(random, TEXTS) : some(random, random.pick(TEXTS));
    const scanned = scanYaml(text, DEFAULT_LIMITS);
    let before = 'stream' in scanned ? scanned.stream : undefined;
    // One edit after the other, each on what was taken over from the one before.
    for (let edits = 0; edits < MOST_EDITS && before !== undefined; edits++) {
      const { after, touched } = edited(random, before.text);
      const part = rescan(before, after, touched, DEFAULT_LIMITS);
      const where = part === undefined ? undefined : differs(part, after);
      figures[part === undefined ? 'whole' : 'in part'] += 1;
      before = where === undefined ? part : undefined;
      if (where === undefined) continue;
      figures.different += 1;
      if (faults.length < 10)
        faults.push(`seed ${seed}: ${where}\n${JSON.stringify(text)}\n${JSON.stringify(after)}`);
    }
  }
  return { figures, faults };
}

function differs(part: unknown, after: string): string | undefined {
  const whole = scanYaml(after, DEFAULT_LIMITS);
  if (!('stream' in whole)) return `taken, though handed over: ${whole.handedOver}`;
  if (!(part instanceof ScannedStream) || !(whole.stream instanceof ScannedStream)) return 'no scan';
  return difference(all(part), all(whole.stream), 'stream');
}

/** With what later scans and the budgets go by. */
function all({ text, documents, comments, found, source }: ScannedStream): unknown {
  const { cells, tokens } = source.skeleton.rows;
  const { counts, rootRows } = found;
  return { text, documents, comments, counts, rootRows, rows: cells.length, tokens };
}

function some(random: Random, text: string): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(0, 1 + random.below(40)).join('');
}

function edited(random: Random, text: string) {
  const [from, to, insert] = stretch(random, text);
  const touched = {
    from: Math.max(0, from - random.below(2)),
    to: Math.min(text.length, to + random.below(2)),
  };
  return { after: text.slice(0, from) + insert + text.slice(to), touched };
}

function stretch(random: Random, text: string): readonly [from: number, to: number, insert: string] {
  const at = random.below(text.length + 1);
  const line = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
  const colon = /: |- /.exec(text.slice(line, end));
  const value = colon === null ? line : line + colon.index + 2;
  switch (random.below(6)) {
    case 0:
      return [at, at + random.below(4), random.pick(PIECES)];
    case 1:
      return [line, line, random.pick(LINES)];
    case 2:
      return [line, Math.min(end + 1, text.length), ''];
    case 3:
      return [end, end, `\n${' '.repeat(random.below(6))}${random.pick(LINES).trimEnd()}`];
    default:
      return [value, end, random.pick(VALUES)];
  }
}
