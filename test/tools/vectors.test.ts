// The public vectors of vectors/, through a client; and their runner, which has no code of this project, on the built command.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readVectors, VECTORS } from '../tables/read-cases.ts';
import { testEach } from './case-through-client.ts';

testEach(VECTORS.flatMap(readVectors));

test('the runner says that the built command passes a file of vectors', () => {
  const printed = execFileSync(process.execPath, ['run.mjs', 'adapters/config-airlock.mjs', 'json'], {
    cwd: new URL('../../vectors/', import.meta.url),
    encoding: 'utf8',
  });
  expect(printed).toBe(`json: ${readVectors('json').length} passed, 0 failed, 0 unsupported\n`);
});
