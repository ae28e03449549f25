// Random edits of the files of real repositories, of which none is kept here: CORPUS names a folder with a folder for each
// repository. Every result is proven, compared line by line, and judged by readers that share nothing with the server.
// CORPUS=/tmp/corpus EDITS=10000 GO_READER=/tmp/go-reader npx vitest run --config vitest.long.config.ts test/long/corpus.test.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reading } from '../adapters/editing/attempt.ts';
import { operationsOn, transfersOn } from '../adapters/editing/operations.ts';
import { judge } from '../adapters/editing/oracle.ts';
import { placesIn } from '../adapters/editing/places.ts';
import { Run } from '../adapters/editing/runs.ts';
import { type Random, randomFrom, seededRandom } from '../harness/random.ts';

const { CORPUS = '', EDITS = '10000', REPORT = '' } = process.env;
const { seed } = seededRandom(1);
/** Longer ones take the time of many others. */
const MAX_CHARS = 40_000;
const BATCH = 2_000;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ya?ml|json|toml)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

function readText(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > 0 && text.length <= MAX_CHARS && !text.includes('\uFFFD') ? text : undefined;
  } catch {
    return undefined;
  }
}

describe.skipIf(CORPUS === '')(`random edits of ${CORPUS} (SEED=${seed})`, () => {
  test('are read by others as they were meant, and touch no other line', () => {
    const random = randomFrom(seed);
    const repositories = readdirSync(CORPUS).map((name) => filesBelow(join(CORPUS, name)));
    const full = repositories.filter((files) => files.length > 0);
    const complaints: string[] = [];
    const counts: Record<string, number> = {};
    const refused: Record<string, number> = {};
    const faults: string[] = [];
    const inability: string[] = [];
    let run = new Run();
    const close = () => {
      // A template is no YAML before it is filled in.
      const verdict = judge(run.edits.filter(({ id }) => !templates.has(id)));
      const ofTemplates = run.edits.filter(({ id }) => templates.has(id)).length;
      counts['templates'] = (counts['templates'] ?? 0) + ofTemplates;
      complaints.push(...verdict.complaints);
      for (const [name, count] of Object.entries(verdict.counts)) counts[name] = (counts[name] ?? 0) + count;
      for (const [name, count] of run.refused) refused[name] = (refused[name] ?? 0) + count;
      faults.push(...run.faults);
      inability.push(...run.inability);
      run = new Run();
    };
    const unread: string[] = [];
    const templates = new Set<string>();
    let tried = 0;
    for (let looked = 0; tried < Number(EDITS) && looked < Number(EDITS) * 10; looked++) {
      const path = random.pick(random.pick(full));
      const text = readText(path);
      if (text === undefined) continue;
      const id = relative(CORPUS, path);
      const extension = path.endsWith('.toml') ? 'toml' : path.endsWith('.json') ? 'json' : 'yaml';
      const read = reading(extension, text);
      if (read === undefined) {
        unread.push(id);
        continue;
      }
      const { stream, language } = read;
      if (language === 'template') templates.add(id);
      const places = [...placesIn(stream)];
      for (let edits = 0; edits < 4; edits++) {
        const place = random.pick(places);
        const all = [...operationsOn(place, language), ...transfersOn(place, near(places, random))];
        if (all.length === 0) continue;
        const kind = random.pick([...new Set(all.map(({ op }) => op))]);
        run.carryOut({ id, text, language }, place, random.pick(all.filter(({ op }) => op === kind)));
        tried += 1;
      }
      if (run.edits.length > BATCH) close();
    }
    close();
    const report = { tried, counts, refused, unread: unread.length, complaints: complaints.length };
    process.stdout.write(`\n${JSON.stringify(report, undefined, 1)}\n`);
    if (REPORT !== '') writeFileSync(REPORT, JSON.stringify({ complaints, faults, inability, unread }));
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** So many goals of a transfer are enough. */
function near<T>(places: readonly T[], random: Random): readonly T[] {
  return Array.from({ length: Math.min(places.length, 6) }, () => random.pick(places));
}
