// A process that writes to an SQLite state is killed between any two statements, and nothing is torn.
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/state/index.ts';
import { memoryDisk } from '../harness/memory-disk.ts';
import { timesOf } from '../harness/runs.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { begin, keep } from './ground.ts';
import { answeredIn, requireSound } from './soundness.ts';

const WRITER = join(import.meta.dirname, 'children/sqlite-writer.mjs');

it('leaves all of an operation or nothing, wherever its process is killed', async () => {
  // `npm run test:long` tries each of them.
  const step = timesOf(4, 1);
  let number = 0;
  for (;;) {
    number += step;
    const { dir, remove } = tempRoot({}, memoryDisk());
    const file = join(dir, 'state.db');
    const writer = spawnSync(process.execPath, [WRITER, file, '1', String(number)], { encoding: 'utf8' });
    if (writer.signal === null) expect([writer.status, writer.stderr]).toEqual([0, '']);
    const store = openSqliteStore({ file });
    await requireSound(store, answeredIn(writer.stdout));
    expect((await keep(store)).answer).toBe('kept');
    expect((await begin(store)).begun.state).toBe('begun');
    await store.close();
    remove();
    if (writer.signal === null) break;
  }
  // Opening it takes more than a dozen, each of the five operations at least five.
  expect(number).toBeGreaterThan(40);
});

it('goes on in one state, however often its processes are killed', async () => {
  const { dir, remove } = tempRoot({}, memoryDisk());
  const file = join(dir, 'state.db');
  const answered: ReturnType<typeof answeredIn>[number][] = [];
  for (let number = 20; number < 420; number += timesOf(80, 37)) {
    const writer = spawnSync(process.execPath, [WRITER, file, '20', String(number)], { encoding: 'utf8' });
    expect(writer.signal).toBe('SIGKILL');
    answered.push(...answeredIn(writer.stdout));
    const store = openSqliteStore({ file });
    await requireSound(store, answered);
    await store.close();
  }
  remove();
});

it('is one state for all who open it first at the same time', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { dir, remove } = tempRoot({}, memoryDisk());
    const file = join(dir, 'state.db');
    const writers = Array.from({ length: 4 }, () => startProcess(file));
    const outputs = await Promise.all(writers);
    const store = openSqliteStore({ file });
    await requireSound(store, outputs.flatMap(answeredIn));
    await store.close();
    remove();
  }
});

/** Runs a writer to its end, and answers what it said. */
async function startProcess(file: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [WRITER, file, '3', '0']);
  expect(stderr).toBe('');
  return stdout;
}
