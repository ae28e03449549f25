// WORK-006: two processes apply on the same base at the same instant; exactly one may win.
// AIRLOCK_LONG=10 makes it the 2,000 rounds of the notes. Needs `npm run build`.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { count } from '../../harness/figures.ts';
import { leftovers, parsedLines, place } from '../fixture.ts';

const ROUNDS = 200 * Number(process.env['AIRLOCK_LONG'] ?? '1');

it('of two processes that apply on the same base, exactly one wins every round', async () => {
  const here = place();
  here.write('root/a.yaml', 'start: 1\n');
  const writers = ['one', 'two'].map((name) => new Writer(here.root, join(here.base, `${name}.jsonl`), name));
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(writers.map((writer) => writer.ask('read')));
    const instant = String(Date.now() + 3);
    const answers = await Promise.all(writers.map((writer) => writer.ask(instant)));
    count('rounds of two writers', 1);
    count('lost updates', answers.filter((answer) => answer === 'won').length === 2 ? 1 : 0);
    expect([...answers].sort()).toEqual(['FILE_CHANGED', 'won']);
    const winner = answers[0] === 'won' ? 'one' : 'two';
    expect(readFileSync(join(here.root, 'a.yaml'), 'utf8')).toContain(`by: ${winner}\n`);
  }
  expect(leftovers(here.root)).toEqual([]);
  const outcomes = ['one', 'two'].flatMap((name) =>
    parsedLines(readFileSync(join(here.base, `${name}.jsonl`), 'utf8')),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'applied')).toHaveLength(ROUNDS);
  expect(outcomes.filter(({ outcome }) => outcome === 'refused')).toHaveLength(ROUNDS);
}, 600_000);

class Writer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(root: string, logFile: string, name: string) {
    this.#child = spawn(process.execPath, [
      join(import.meta.dirname, '../children/writer.mjs'),
      root,
      logFile,
      name,
    ]);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    onTestFinished(async () => {
      this.#child.stdin.end();
      if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    });
  }

  async ask(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    const answer = await this.#lines.next();
    return answer.done === true ? 'ended' : answer.value;
  }
}
