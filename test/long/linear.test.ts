// Time grows as files do: each kind of file is doubled four times, and each job takes less than 2.5 times the CPU for twice the
// lines. What takes the square of the size takes four times.
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
    // A run may have collected the garbage of others: its two sizes are measured again.
    for (let again = 0; again < 5; again++) {
      const bad = times.findIndex((time, n) => n > 0 && time > MOST * (times[n - 1] ?? 0));
      if (bad === -1) break;
      collectGarbage();
      for (const n of [bad - 1, bad])
        times[n] = Math.min(times[n] ?? 0, await cpuOf(server, [kind, job, LINES * 2 ** n], 4));
    }
    process.stdout.write(`${kind} | ${job} | ${times.map(Math.round).join(' ')} ms\n`);
    for (const [n, time] of times.slice(1).entries()) expect(time / (times[n] ?? 1)).toBeLessThan(MOST);
  });
});
