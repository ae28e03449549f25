// The contract by example, through a client: the cases of YAML, and what holds for all tables.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCases, wanted } from '../tables/read-cases.ts';
import { testCases } from './case-through-client.ts';

const TABLES = readdirSync(new URL('../tables', import.meta.url)).filter(
  (name) => name.endsWith('-cases.json') && !['lossless-cases.json', 'style-cases.json'].includes(name),
);

testCases('yaml-cases.json', 'by-hand-cases.json');

test('no two cases have the same name, and each says what must come out', () => {
  const cases = TABLES.flatMap(readCases);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  for (const one of cases) {
    const { id, expected, expected_error, basis, acceptable } = one;
    expect(
      [expected, expected_error].filter((each) => each !== undefined),
      id,
    ).toHaveLength(1);
    expect(wanted(one), id).toHaveLength(basis === 'forced' ? 1 : 1 + acceptable.length);
  }
});

test('the tables hold cases of every operation, and of every category that get and set are promised for', () => {
  const contract = readCases('yaml-cases.json');
  const operations = new Set(contract.map(({ op }) => op.op));
  expect([...operations].sort()).toEqual(['append', 'batch', 'delete', 'get', 'insert', 'rename', 'set']);
  const one = contract.filter(({ op }) => op.op === 'get' || op.op === 'set').map(({ category }) => category);
  const promised =
    'get set-scalar null create reshape block-scalar keys norway inject bytes directive empty-doc tag comments';
  expect(one).toEqual(expect.arrayContaining(promised.split(' ')));
});
