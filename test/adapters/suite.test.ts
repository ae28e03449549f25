// The official YAML test suite (YAML-034): every invalid file is refused, every valid one is read with the data that `yaml` reads, or
// as text only; and on each node of what is read every operation is either proven right or refused with a code.
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Refusal, unlessRefused } from '../../src/security/errors/refusal.ts';
import { codeOf } from '../harness/refusals.ts';
import { SUITE, VALID_SUITE } from '../harness/yaml-suite.ts';
import { attemptOn, dataOf, parse } from './editing/attempt.ts';
import { placesIn, sliceOf } from './editing/places.ts';
import { runSuite } from './editing/runs.ts';
import { SUITE_SOURCES } from './editing/sources.ts';

/** Every so many of the 70,000 operations one; `npm run test:long` carries out all. */
const STRIDE = 11;

/** Undefined where JSON has no value that says the same, which our reader says with a code. */
function ours(text: string) {
  return unlessRefused(() => dataOf(parse(text)), ['DUPLICATE_KEY', 'TYPE_MISMATCH', 'ANCHOR_IN_USE']);
}

function theirs(text: string): unknown {
  const documents = parseAllDocuments(text, {
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
    stringKeys: false,
  });
  if (!Array.isArray(documents) || documents.length === 0) return [null];
  return JSON.parse(JSON.stringify(documents.map((document) => document.toJS({ maxAliasCount: -1 }))));
}

describe('the YAML test suite', () => {
  // Lines within quotes that are not indented are read, and told as a problem.
  const refused = SUITE.filter(({ id, isValid }) => !isValid && !['DK95/1', 'QB6E/0'].includes(id));
  test.each(refused)('$id is refused as invalid', ({ text }) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'SYNTAX_INVALID' }));
  });

  test.each(SUITE_SOURCES)('$id is read, and every node can be put back as it is', ({ text }) => {
    const stream = parse(text);
    for (const { doc, path, node } of placesIn(stream)) {
      const value = sliceOf(text, node);
      const outcome = attemptOn(stream, { op: 'set', doc, path, value, create: false });
      if (outcome instanceof Refusal) throw outcome;
      expect([outcome.after, outcome.changes], path).toEqual([text, []]);
    }
    const data = ours(text);
    if (data !== undefined) expect(data).toEqual(theirs(text));
  });

  test('most of it has keys and a value; what has none is text only', () => {
    const valued = SUITE_SOURCES.filter(({ text }) => ours(text) !== undefined);
    expect(valued.length).toBeGreaterThan(VALID_SUITE.length * 0.6);
    const others = VALID_SUITE.map(({ text }) => codeOf(() => parse(text))).filter(
      (code) => code !== 'no error',
    );
    expect(new Set(others)).toEqual(new Set(['UNSUPPORTED_FORMAT']));
  });

  test('operations on every node are right or refused with a code, under 2 % by inability [EDT-4]', () => {
    const run = runSuite(STRIDE);
    process.stdout.write(`\n${run}\n`);
    expect(run.faults).toEqual([]);
    expect(run.edits.length).toBeGreaterThan(2_500);
    expect(run.inability.length / run.total, run.inability.join('\n')).toBeLessThan(0.02);
  });
});
