// The errors that only a process of its own can bring about, held to the contract of all errors.
import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { tempRoot } from '../harness/temp-root.ts';
import { startToolProcess } from '../harness/tool-server.ts';
import { check } from './error-contract.ts';
import { child, PROCESS_ROWS } from './error-process-rows.ts';

describe('a process of its own', () => {
  test.for(PROCESS_ROWS)('$code: $why', async (row, context) => {
    const { options, confinement } = row;
    if (confinement !== undefined && !canConfine(confinement)) {
      context.skip(`this machine does not permit the situation: ${confinement}`);
    }
    const confined = { program: child('confined-server.mjs'), env: { CONFINEMENT: confinement ?? '' } };
    const server = await startToolProcess(confinement === undefined ? options : { ...options, ...confined });
    try {
      await check(row, server, context);
    } finally {
      await server.close();
    }
  });
});

function canConfine(confinement: string): boolean {
  const root = tempRoot({ 'full/seed.yaml': '' });
  const words = [child('confined-server.mjs'), '--root', root.dir, '--probe'];
  const { status } = spawnSync(process.execPath, words, {
    env: { ...process.env, CONFINEMENT: confinement },
  });
  root.remove();
  return status === 0;
}
