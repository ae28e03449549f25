// All operations on all nodes of the whole YAML test suite.
import { expect, test } from 'vitest';
import { refusalTable, runSuite } from '../adapters/editing/suite-run.ts';

test('every operation on every node of the suite is right or refused with a code', () => {
  const run = runSuite(1);
  process.stdout.write(`\n${refusalTable(run)}\n`);
  expect(run.faults).toEqual([]);
  const refused = [...run.refusals.values()].reduce((sum, count) => sum + count, 0);
  expect(run.done + refused).toBeGreaterThan(40_000);
  expect(run.inability.length / (run.done + refused), run.inability.join('\n')).toBeLessThan(0.02);
});
