// The contract by example, through a client: the cases of YAML, and what holds for all tables.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCases, readVectors, VECTORS, wanted } from '../tables/read-cases.ts';
import { testCases } from './case-through-client.ts';

const TABLES = readdirSync(new URL('../tables', import.meta.url)).filter(
  (name) => name.endsWith('-cases.json') && !['lossless-cases.json', 'style-cases.json'].includes(name),
);

testCases('yaml-cases.json', 'by-hand-cases.json');

test('no two cases have the same name, and each says what must come out', () => {
  const cases = [...TABLES.flatMap(readCases), ...VECTORS.flatMap(readVectors)];
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
