// Rounds in which two servers, and in some a third one that kills itself while it writes, apply on the same base
// at the same instant: single files and batches. Exactly one may win, the whole of it, whoever dies.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { end } from '../../harness/end.ts';
import { count } from '../../harness/figures.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import type { Random } from '../../harness/random.ts';
import { leftovers, type Place } from '../fixture.ts';

const FILES = ['a.yaml', 'd/b.yaml', 'd/c.yaml', 'e/f.yaml'];
/** A little more than a commit of four files makes. */
const MOST_CALLS = 130;
const NAMES = ['one', 'two'] as const;

/** Answers how many deaths the two had to bring in order. */
export async function writeRounds(
  here: Place,
  { rounds, thirdEvery, random }: { rounds: number; thirdEvery: number; random: Random },
): Promise<number> {
  for (const file of FILES) here.write(`root/${file}`, 'by: nobody\nafter: nothing\n');
  const writers = NAMES.map((name) => new Writer(here, name));
  for (let round = 1; round <= rounds; round += 1) {
    const isThird = round % thirdEvery === 0;
    const third = isThird ? [new Writer(here, 'third', 1 + random.below(MOST_CALLS))] : [];
    // In every second of its rounds the third comes first: a fresh process would else be too late to die in its write.
    const isAhead = round % (2 * thirdEvery) === 0;
    await oneRound(here, [...third, ...writers], { fileCount: 1 + random.below(FILES.length), isAhead });
    for (const writer of third) await writer.end();
    count('rounds of two writers', 1);
    if (isThird) count('rounds beside a third that is to be killed', 1);
  }
  for (const writer of writers) await writer.end();
  (await here.start()).close();
  const left = ['', 'd', 'e'].flatMap((folder) => leftovers(join(here.root, folder)));
  expect(left.filter((name) => /\.(?:new|old)$/u.test(name))).toEqual([]);
  const logs = [...NAMES, 'log'].map((name) => readFileSync(join(here.base, `${name}.jsonl`), 'utf8'));
  const records = logs.flatMap(jsonLines);
  return records.filter(({ event }) => event === 'recovered').length;
}

/** `isAhead`: the first of them has written, or died of it, before the others begin. */
async function oneRound(
  here: Place,
  writers: readonly Writer[],
  { fileCount, isAhead }: { fileCount: number; isAhead: boolean },
): Promise<void> {
  const files = FILES.slice(0, fileCount);
  await Promise.all(writers.map((writer) => writer.ask(`read ${files.join()}`)));
  const writing = (some: readonly Writer[]): Promise<string[]> => {
    const instant = Date.now() + 3;
    return Promise.all(some.map((writer) => writer.ask(`write ${instant}`)));
  };
  const early = isAhead ? await writing(writers.slice(0, 1)) : [];
  const answers = [...early, ...(await writing(writers.slice(early.length)))];
  // Whoever died before the others came by left it in order for them; whoever died after them, for the next.
  if (answers.includes('ended')) (await here.start()).close();
  const texts = files.map((file) => /^by: (\w+)$/m.exec(readFileSync(join(here.root, file), 'utf8'))?.[1]);
  const winners = writers.filter(
    ({ name }, index) => answers[index] === 'won' || isLast(name, answers[index], texts),
  );
  count('lost updates', winners.length === 1 ? 0 : 1);
  count('batches in halves', new Set(texts).size - 1);
  expect({ answers, winners: winners.map(({ name }) => name), texts: [...new Set(texts)] }).toMatchObject({
    winners: [texts[0]],
    texts: [texts[0]],
  });
  expect(answers.filter((answer) => !['won', 'FILE_CHANGED', 'ended'].includes(answer))).toEqual([]);
}

/** The dead cannot say whether they won. */
function isLast(name: string, answer: string | undefined, texts: readonly (string | undefined)[]): boolean {
  return answer === 'ended' && texts.every((text) => text === name);
}

class Writer {
  readonly name: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #exit: Promise<unknown>;

  constructor({ root, base, kept }: Place, name: string, lastCall = 0) {
    this.name = name;
    const script = join(import.meta.dirname, '../children/writer.mjs');
    const args = [script, root, JSON.stringify(kept), join(base, `${name}.jsonl`), name, String(lastCall)];
    this.#child = spawn(process.execPath, args);
    this.#exit = once(this.#child, 'exit');
    this.#child.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => end(this.#child));
  }

  async ask(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    const answer = await this.#lines.next();
    return answer.done === true ? 'ended' : answer.value;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#exit;
  }
}
