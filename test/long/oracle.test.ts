// Random operations by the ten thousand, each proven, each compared line by line, and all of them judged by
// a second, independent reader where it is installed.
import { describe, expect, test } from 'vitest';
import { hasOracle, judge } from '../adapters/editing/oracle.ts';
import { runRandomly } from '../adapters/editing/runs.ts';
import { seededRandom } from '../harness/random.ts';

const OPERATIONS = 24_000;
const { seed } = seededRandom(1);

describe(`${OPERATIONS} random operations (SEED=${seed})`, () => {
  const run = runRandomly(seed, OPERATIONS);

  test('touch no line that they have no business with [EDT-4]', () => {
    expect(run.faults).toEqual([]);
    expect(run.edits.length).toBeGreaterThan(20_000);
  });

  test.skipIf(!hasOracle())('read the same in PyYAML, but for the one value', () => {
    const { counts, complaints } = judge(run.edits);
    process.stdout.write(`\n${run}\noracle: ${JSON.stringify(counts)}\n`);
    expect(complaints).toEqual([]);
  });
});
