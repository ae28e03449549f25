// Prints "N passed, N failed" from Vitest's JSON reports, one for each run. A file that could not be loaded counts as one
// failure, and so does a report that is missing or holds no test: nothing ran is not success.
import { readFileSync } from 'node:fs';

const counts = process.argv.slice(2).map(tally);
const [passed = 0, failed = 1, skipped = 0] = ['passed', 'failed', 'skipped'].map((status) =>
  counts.reduce((sum, count) => sum + count[status], 0),
);
if (skipped > 0) process.stdout.write(`(${skipped} skipped)\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** @param {string} file */
function tally(file) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of suitesIn(file)) {
    for (const { status } of suite.assertionResults) {
      count[status === 'passed' || status === 'failed' ? status : 'skipped'] += 1;
    }
    const hasFailed = suite.assertionResults.some(({ status }) => status === 'failed');
    if (suite.status === 'failed' && !hasFailed) {
      process.stdout.write(`${suite.name}: ${suite.message}\n`);
      count.failed += 1;
    }
  }
  if (count.passed + count.failed === 0) count.failed = 1;
  return count;
}

/**
 * @param {string} file
 * @returns {{ name: string, status: string, message: string, assertionResults: { status: string }[] }[]}
 */
function suitesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch (error) {
    process.stdout.write(`no test report: ${error instanceof Error ? error.message : error}\n`);
    return [];
  }
}
