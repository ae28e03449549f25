// The official YAML test suite (YAML-034): every invalid file is refused, every valid one accepted, and on each node
// of each valid one every operation is either proven right or refused with a code.
import { describe, expect, test } from 'vitest';
import { sliceOf } from '../../src/adapters/tree/span-tree.ts';
import { Refusal } from '../../src/security/index.ts';
import { SUITE, VALID_SUITE } from '../harness/yaml-suite.ts';
import { attemptOn, parse } from './editing/attempt.ts';
import { placesIn } from './editing/places.ts';
import { runSuite } from './editing/runs.ts';

/** Every so many of the 70,000 operations one; `npm run test:long` carries out all. */
const STRIDE = 11;

describe('the YAML test suite', () => {
  // Lines within quotes that are not indented are read, and told as a problem.
  const refused = SUITE.filter(({ id, isValid }) => !isValid && !['DK95/1', 'QB6E/0'].includes(id));
  test.each(refused)('$id is refused as invalid', ({ text }) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'SYNTAX_INVALID' }));
  });

  test.each(VALID_SUITE)('$id is read, and every node can be put back as it is', ({ text }) => {
    const stream = parse(text);
    for (const { doc, path, node } of placesIn(stream)) {
      const value = sliceOf(text, node);
      const outcome = attemptOn(stream, { op: 'set', doc, path, value, create: false });
      if (outcome instanceof Refusal) throw outcome;
      expect([outcome.after, outcome.changes], path).toEqual([text, []]);
    }
  });

  test('operations on every node are right or refused with a code, under 2 % by inability [EDT-4]', () => {
    const run = runSuite(STRIDE);
    process.stdout.write(`\n${run}\n`);
    expect(run.faults).toEqual([]);
    expect(run.edits.length).toBeGreaterThan(3_000);
    expect(run.inability.length / run.total, run.inability.join('\n')).toBeLessThan(0.02);
  });
});
