// All operations on all nodes of the whole YAML test suite.
import { expect, test } from 'vitest';
import { runSuite } from '../adapters/editing/runs.ts';

test('every operation on every node of the suite is right or refused with a code', () => {
  const run = runSuite(1);
  process.stdout.write(`\n${run}\n`);
  expect(run.faults).toEqual([]);
  expect(run.total).toBeGreaterThan(40_000);
  expect(run.inability.length / run.total, run.inability.join('\n')).toBeLessThan(0.02);
});
