// Random edits of the files of real repositories, of which none is kept here: CORPUS names a folder with a folder for each
// repository. Every result is proven, compared line by line, and judged by readers and a counter of comments
// that share nothing with the server.
// GO_READER and GO_BRANCHES name the built programs of readers/ and branches/.
// CORPUS=/tmp/corpus EDITS=10000 npx vitest run --config vitest.long.config.ts test/long/corpus.test.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Language, reading } from '../adapters/editing/attempt.ts';
import { operationsOn, transfersOn } from '../adapters/editing/operations.ts';
import { judge, type Verdict } from '../adapters/editing/oracle.ts';
import { placesIn } from '../adapters/editing/places.ts';
import { Run } from '../adapters/editing/runs.ts';
import { type Random, randomFrom, seededRandom } from '../harness/random.ts';

/** `LANGUAGES`: only these, as "template,toml". */
const { CORPUS = '', EDITS = '10000', REPORT = '', LANGUAGES = '', GO_BRANCHES } = process.env;
const { seed } = seededRandom(1);
/** Longer ones take the time of many others. */
const MAX_CHARS = 40_000;
const BATCH = 2_000;

const EXTENSIONS = {
  yaml: 'yaml',
  yml: 'yaml',
  tpl: 'yaml',
  json: 'json',
  jsonc: 'jsonc',
  toml: 'toml',
} as const;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => Object.hasOwn(EXTENSIONS, name.replace(/^.*\./, '')) && !name.includes('node_modules'))
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

function extensionOf(path: string) {
  const [, found] = Object.entries(EXTENSIONS).find(([ending]) => path.endsWith(`.${ending}`)) ?? [];
  return found ?? 'yaml';
}

/** What came of all batches together. */
class Report {
  readonly complaints: string[] = [];
  readonly faults: string[] = [];
  readonly inability: string[] = [];
  readonly unread = new Set<string>();
  readonly read: Partial<Record<Language, number>> = {};
  readonly counts: Record<string, number> = {};
  readonly refused: Record<string, number> = {};
  readonly done: Partial<Record<string, number>> = {};

  add(run: Run): void {
    this.#judged('', judge(run.edits));
    this.#judged('comments: ', judge(run.edits, 'comments.py'));
    const templates = run.edits.filter(({ language }) => language === 'template');
    // A template is no YAML before it is filled in.
    if (GO_BRANCHES !== undefined && templates.length > 0)
      this.#judged('template: ', judge(templates, 'template_oracle.py'));
    for (const { language } of run.edits) this.done[language] = (this.done[language] ?? 0) + 1;
    for (const [name, count] of run.refused) {
      const reason = name.replaceAll(/\d+/g, 'N');
      this.refused[reason] = (this.refused[reason] ?? 0) + count;
    }
    this.faults.push(...run.faults);
    this.inability.push(...run.inability);
  }

  #judged(prefix: string, { counts, complaints }: Verdict): void {
    this.complaints.push(...complaints);
    for (const [name, count] of Object.entries(counts))
      this.counts[prefix + name] = (this.counts[prefix + name] ?? 0) + count;
  }

  write(tried: number): void {
    const { read, done, counts, refused, unread, complaints, faults, inability } = this;
    const figures = {
      tried,
      read,
      done,
      counts,
      refused,
      unread: unread.size,
      complaints: complaints.length,
    };
    process.stdout.write(`\n${JSON.stringify(figures, undefined, 1)}\n`);
    if (REPORT === '') return;
    const lists = { figures, complaints, faults, inability, unread: [...unread] };
    writeFileSync(REPORT, JSON.stringify(lists));
  }
}

describe.skipIf(CORPUS === '')(`random edits of ${CORPUS} (SEED=${seed})`, () => {
  test('are read by others as they were meant, and touch no other line', () => {
    const random = randomFrom(seed);
    const repositories = readdirSync(CORPUS).map((name) => filesBelow(join(CORPUS, name)));
    const full = repositories.filter((files) => files.length > 0);
    const report = new Report();
    const wanted = LANGUAGES === '' ? undefined : LANGUAGES.split(',');
    let run = new Run();
    let tried = 0;
    for (let looked = 0; tried < Number(EDITS) && looked < Number(EDITS) * 20; looked++) {
      const path = random.pick(random.pick(full));
      const extension = extensionOf(path);
      if (wanted !== undefined && extension !== 'yaml' && !wanted.includes(extension)) continue;
      const text = readText(path);
      if (text === undefined) continue;
      const id = relative(CORPUS, path);
      const read = reading(extension, text);
      if (read === undefined) {
        report.unread.add(id);
        continue;
      }
      const { stream, language } = read;
      report.read[language] = (report.read[language] ?? 0) + 1;
      if (wanted !== undefined && !wanted.includes(language)) continue;
      const places = [...placesIn(stream)];
      for (let edits = 0; edits < 4; edits++) {
        const place = random.pick(places);
        const all = [...operationsOn(place, language), ...transfersOn(place, near(places, random))];
        if (all.length === 0) continue;
        const kind = random.pick([...new Set(all.map(({ op }) => op))]);
        run.carryOut({ id, text, language }, place, random.pick(all.filter(({ op }) => op === kind)));
        tried += 1;
      }
      if (run.edits.length > BATCH) {
        report.add(run);
        run = new Run();
      }
    }
    report.add(run);
    report.write(tried);
    expect(report.faults.length).toBe(0);
    expect(report.complaints.length).toBe(0);
  });
});

/** So many goals of a transfer are enough. */
function near<T>(places: readonly T[], random: Random): readonly T[] {
  return Array.from({ length: Math.min(places.length, 6) }, () => random.pick(places));
}
