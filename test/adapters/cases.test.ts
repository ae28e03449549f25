// The contract by example, below the tools: every case of the tables, planned and proven on the text alone.

import { describe, expect, test } from 'vitest';
import { selectDocument } from '../../src/adapters/index.ts';
import { locateExisting } from '../../src/adapters/tree/locate.ts';
import { sliceOf } from '../../src/adapters/tree/span-tree.ts';
import { parseNodePath, Refusal } from '../../src/security/index.ts';
import { orRefusal } from '../harness/refusals.ts';
import { edited, editedInOrder, parse } from './editing/attempt.ts';
import { type Case, expectWanted, readCases } from './editing/case-table.ts';

const CONTRACT = readCases('yaml-cases.json');
const MORE = readCases('more-cases.json');
const BY_HAND = readCases('by-hand-cases.json');
const DIFFS = readCases('diff-cases.json');
const JSONC = readCases('jsonc-cases.json');
const TOML = readCases('toml-cases.json');
const TEMPLATES = readCases('template-cases.json');

function sourceAt({ input, language }: Case, path: string, doc: number | undefined): string {
  const stream = parse(input, language);
  const document = stream.documents[selectDocument(stream, doc)];
  if (document === undefined) throw new Error('the chosen document exists');
  return sliceOf(input, locateExisting(document, parseNodePath(path), 'get').node);
}

function outcomeOf(one: Case): string {
  const { op, input, language } = one;
  const outcome = orRefusal(() => {
    if (op.op === 'get') return sourceAt(one, op.path, op.doc);
    if (op.op !== 'batch') return edited(input, op, language);
    const edits = op.edits.filter((single) => single.op !== 'get');
    return editedInOrder(input, edits, language);
  });
  return outcome instanceof Refusal ? `!${outcome.code}` : outcome;
}

describe('the cases of the contract', () => {
  test.each(CONTRACT)('$id: $note', (one) => expectWanted(one, outcomeOf(one)));
});

describe('the cases of every other construct', () => {
  test.each(MORE)('$id: $note', (one) => expectWanted(one, outcomeOf(one)));
});

describe('the cases that a careful hand would write no other way', () => {
  test.each(BY_HAND)('$id: $note', (one) => expectWanted(one, outcomeOf(one)));
});

describe('the diffs that no reviewer would send back', () => {
  test.each(DIFFS)('$id: $note', (one) => expectWanted(one, outcomeOf(one)));
});

describe('the cases of JSON with comments', () => {
  test.each(JSONC)('$id: $note', (one) => expectWanted(one, outcomeOf(one)));
});

describe('the cases of TOML', () => {
  test.each(TOML)('$id: $note', (one) => expectWanted(one, outcomeOf(one)));
});

describe('the cases of templates', () => {
  test.each(TEMPLATES)('$id: $note', (one) => expectWanted(one, outcomeOf(one)));
});

test('no two cases have the same name, and none says nothing', () => {
  const cases = [...CONTRACT, ...MORE, ...BY_HAND, ...DIFFS, ...JSONC, ...TOML, ...TEMPLATES];
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  for (const { id, expected, expected_error } of cases)
    expect(
      [expected, expected_error].filter((one) => one !== undefined),
      id,
    ).toHaveLength(1);
});
