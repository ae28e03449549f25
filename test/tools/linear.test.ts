// Time grows as files do, for each kind of file: from one size to the sixteenfold by at most 24. It is CPU time, so a busy
// machine does not matter. What takes the square of the size grows by far more. test/long/linear.test.ts doubles larger files.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuOf, KINDS, NO_LIMITS } from '../harness/growing-files.ts';
import { type RunningServer, startServer } from '../harness/start-server.ts';

const MOST = 24;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('a file of sixteen times the lines takes at most 24 times the CPU to read and to set', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ flags: NO_LIMITS });
  });
  afterAll(() => server.close());

  it.each(Object.keys(KINDS))('%s', async (kind) => {
    const lines = kind.startsWith('TOML') ? 100 : 800;
    const sum = async (size: number, runs: number): Promise<number> =>
      (await cpuOf(server, [kind, 'read', size], runs)) + (await cpuOf(server, [kind, 'set', size], runs));
    let ratio = Number.POSITIVE_INFINITY;
    // Both sizes anew each time: what other tests left in this process may be collected in between, and the machine may slow down.
    for (let attempt = 0; attempt < 6 && ratio >= MOST; attempt++) {
      collectGarbage();
      const small = await sum(lines, 4);
      ratio = Math.min(ratio, (await sum(16 * lines, 1)) / small);
    }
    expect(ratio).toBeLessThan(MOST);
  });
});
