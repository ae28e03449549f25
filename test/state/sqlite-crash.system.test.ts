// A process that writes to an SQLite state is killed between any two statements, and nothing is torn.
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite } from '../../src/state/sqlite.ts';
import { openStore } from '../../src/state/store.ts';
import { memoryDisk } from '../harness/memory-disk.ts';
import { timesOf } from '../harness/runs.ts';
import { type TempRoot, tempRoot } from '../harness/temp-root.ts';
import { beginDirect, keep } from './ground.ts';
import { type Answered, answeredIn, requireSound } from './soundness.ts';

const WRITER = join(import.meta.dirname, 'children/sqlite-writer.mjs');

let root: TempRoot;
beforeEach(() => {
  root = tempRoot({}, memoryDisk());
});
afterEach(() => root.remove());

const fileOf = (name: string | number) => join(root.dir, `${name}.db`);
const opened = (file: string) => openStore(openSqlite({ file }));

it('leaves all of an operation or nothing, wherever its process is killed', async () => {
  // `npm run test:long` tries each of them.
  const step = timesOf(8, 1);
  let number = 0;
  for (let isKilled = true; isKilled; ) {
    number += step;
    const writer = spawnSync(process.execPath, [WRITER, fileOf(number), '1', `${number}`], {
      encoding: 'utf8',
    });
    isKilled = writer.signal === 'SIGKILL';
    if (!isKilled) expect([writer.status, writer.stderr]).toEqual([0, '']);
    const store = await opened(fileOf(number));
    await requireSound(store, answeredIn(writer.stdout));
    expect((await keep(store)).answer).toBe('kept');
    await beginDirect(store);
    await store.close();
  }
  // Opening it takes about twenty, each of the seven operations at least five.
  expect(number).toBeGreaterThan(60);
});

it('goes on in one state, however often its processes are killed', async () => {
  const answered: Answered[] = [];
  for (let number = 20; number < 620; number += timesOf(200, 37)) {
    const args = [WRITER, fileOf('one'), '20', `${number}`];
    const writer = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([writer.signal, writer.stderr]).toEqual(['SIGKILL', '']);
    answered.push(...answeredIn(writer.stdout));
    const store = await opened(fileOf('one'));
    await requireSound(store, answered);
    await store.close();
  }
});

it('is one state for all who open it first at the same time', async () => {
  for (let round = 0; round < timesOf(2, 50); round += 1) {
    const args = [WRITER, fileOf(round), '3', '0'];
    const writers = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args));
    const outputs = await Promise.all(writers);
    expect(outputs.map(({ stderr }) => stderr)).toEqual(['', '', '', '']);
    const store = await opened(fileOf(round));
    await requireSound(
      store,
      outputs.flatMap(({ stdout }) => answeredIn(stdout)),
    );
    await store.close();
  }
});
