// The official YAML test suite (YAML-034): every invalid file is refused, every valid one accepted with the data that `yaml` reads,
// and on each node of each valid one every operation is either proven right or refused with a code.
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Refusal, unlessRefused } from '../../src/security/index.ts';
import { SUITE, VALID_SUITE } from '../harness/yaml-suite.ts';
import { attemptOn, dataOf, parse } from './editing/attempt.ts';
import { placesIn, sliceOf } from './editing/places.ts';
import { runSuite } from './editing/runs.ts';

/** Every so many of the 70,000 operations one; `npm run test:long` carries out all. */
const STRIDE = 11;

/** Where our reader differs on purpose: JSON has no types for these tags, so their nodes are what they are written as. */
const OTHERWISE = new Map([
  ['2XXW/0', '!!set is a mapping with null values'],
  ['565N/0', '!!binary is its base64 text'],
  ['J7PZ/0', '!!omap is a list of mappings'],
  ['M7A3/0', 'yaml makes a document of the comment between two end markers'],
]);

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

  test.each(VALID_SUITE)('$id is read, and every node can be put back as it is', ({ id, text }) => {
    const stream = parse(text);
    for (const { doc, path, node } of placesIn(stream)) {
      const value = sliceOf(text, node);
      const outcome = attemptOn(stream, { op: 'set', doc, path, value, create: false });
      if (outcome instanceof Refusal) throw outcome;
      expect([outcome.after, outcome.changes], path).toEqual([text, []]);
    }
    const data = ours(text);
    if (data !== undefined && !OTHERWISE.has(id)) expect(data).toEqual(theirs(text));
  });

  test('most of the suite has a value', () => {
    const valued = VALID_SUITE.filter(({ text }) => ours(text) !== undefined);
    expect(valued.length).toBeGreaterThan(VALID_SUITE.length * 0.9);
  });

  test('operations on every node are right or refused with a code, under 2 % by inability [EDT-4]', () => {
    const run = runSuite(STRIDE);
    process.stdout.write(`\n${run}\n`);
    expect(run.faults).toEqual([]);
    expect(run.edits.length).toBeGreaterThan(3_000);
    expect(run.inability.length / run.total, run.inability.join('\n')).toBeLessThan(0.02);
  });
});
