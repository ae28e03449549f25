// The last line of .ci/run counts what ran. It may never say that all is well when nothing was tested.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '..', '.ci', 'tally.mjs');
const folder = mkdtempSync(join(tmpdir(), 'airlock-tally-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const suite = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  message: 'cannot be loaded',
  assertionResults: tests.map((test) => ({ status: test })),
});

it.each([
  { report: [suite('passed', 'passed', 'passed')], line: '2 passed, 0 failed', exit: 0, why: 'all is well' },
  {
    report: [suite('passed', 'passed', 'skipped')],
    line: '1 passed, 0 failed',
    exit: 0,
    why: 'skipped is not passed',
  },
  {
    report: [suite('failed', 'passed', 'failed')],
    line: '1 passed, 1 failed',
    exit: 1,
    why: 'a test failed',
  },
  {
    report: [suite('passed', 'passed'), suite('failed')],
    line: '1 passed, 1 failed',
    exit: 1,
    why: 'a file did not load',
  },
  {
    report: [suite('failed', 'passed')],
    line: '1 passed, 1 failed',
    exit: 1,
    why: 'a hook failed after its tests',
  },
  {
    report: [suite('passed', 'skipped')],
    line: '0 passed, 1 failed',
    exit: 1,
    why: 'everything was skipped',
  },
  { report: [], line: '0 passed, 1 failed', exit: 1, why: 'nothing ran' },
  { report: undefined, line: '0 passed, 1 failed', exit: 1, why: 'there is no report' },
])('says "$line" when $why', ({ report, line, exit }) => {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  if (report !== undefined) writeFileSync(file, JSON.stringify({ testResults: report }));
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(line);
  expect(status).toBe(exit);
});
