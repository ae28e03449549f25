// A short run of random operations before the second oracle; `npm run test:long` makes the long one. Without
// python3 and PyYAML (Debian's python3-yaml) it is skipped: the first test alone says nothing of readers.
// YAML-033.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../harness/random.ts';
import { hasOracle, judge } from './editing/oracle.ts';
import { runRandomly } from './editing/runs.ts';

const OPERATIONS = 1_500;
const { seed } = seededRandom(20_261);

describe(`${OPERATIONS} random operations (SEED=${seed})`, () => {
  const run = runRandomly(seed, OPERATIONS);

  test('touch no line that they have no business with [EDT-4]', () => {
    expect(run.faults).toEqual([]);
    expect(run.edits.length).toBeGreaterThan(OPERATIONS * 0.9);
  });

  test.skipIf(!hasOracle())(
    'read the same in PyYAML and in Python’s readers of TOML and JSON, but for the one value',
    () => {
      const { counts, complaints } = judge(run.edits);
      process.stdout.write(`\n${run}\noracle: ${JSON.stringify(counts)}\n`);
      expect(complaints).toEqual([]);
    },
  );

  test.skipIf(!hasOracle())('leave every comment that no reply names', () => {
    expect(judge(run.edits, 'comments.py').complaints).toEqual([]);
  });
});

describe.skipIf(!hasOracle())('the second oracle', () => {
  const edit = {
    id: 'a fault',
    language: 'yaml',
    before: 'a: &x 1\nb: 2\nc: *x\n',
    operation: { op: 'set', doc: 0, path: 'b', value: '3', create: true },
  } as const;

  const ROWS = [
    ['another value', 'a: &x 1\nb: 4\nc: *x\n'],
    ['a lost entry', 'a: &x 1\nb: 3\n'],
    ['a lost anchor', 'a: 1\nb: 3\nc: *x\n'],
    ['another quoting', 'a: &x "1"\nb: 3\nc: *x\n'],
    ['what it cannot read', 'a: &x 1\nb: [3\nc: *x\n'],
  ] as const;

  test('tells each wrong result, and not the right one', () => {
    const right = { ...edit, after: 'a: &x 1\nb: 3\nc: *x\n' };
    const wrong = ROWS.map(([id, after]) => ({ ...edit, id, after }));
    const { complaints } = judge([right, ...wrong]);
    expect(complaints).toEqual(ROWS.map(([id]) => expect.stringContaining(id)));
  });
});
