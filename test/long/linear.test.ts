// Time grows as files do: each kind of file is doubled four times, and each job takes less than 2.5 times the CPU for twice the
// lines, over all four. What takes the square of the size takes four times. One doubling alone tells nothing: where the
// garbage of a call is collected for the first time, it takes the time of several.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuOf, JOB_NAMES, KINDS, NO_LIMITS } from '../harness/growing-files.ts';
import { type RunningServer, startServer } from '../harness/start-server.ts';

const LINES = 3_200;
const DOUBLINGS = 4;
const MOST = 2.5;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe.each(Object.keys(KINDS))('twice the lines take less than 2.5 times the CPU: %s', (kind) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ flags: NO_LIMITS });
  });
  afterAll(() => server.close());

  it.each(JOB_NAMES)('%s', async (job) => {
    const times = [await cpuOf(server, [kind, job, LINES], 6)];
    for (let n = 1; n <= DOUBLINGS; n++) times.push(await cpuOf(server, [kind, job, LINES * 2 ** n], 2));
    const growth = () => ((times.at(-1) ?? 0) / (times[0] ?? 0)) ** (1 / DOUBLINGS);
    // A run may have collected the garbage of others: the largest is measured again.
    for (let again = 0; again < 5 && growth() > MOST; again++) {
      collectGarbage();
      times[DOUBLINGS] = Math.min(
        times[DOUBLINGS] ?? 0,
        await cpuOf(server, [kind, job, LINES * 2 ** DOUBLINGS], 4),
      );
    }
    process.stdout.write(
      `${kind} | ${job} | ${times.map(Math.round).join(' ')} ms | ${growth().toFixed(2)}\n`,
    );
    expect(growth()).toBeLessThan(MOST);
  });
});
