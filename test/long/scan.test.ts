// A million mutated texts, in portions, so that a fault is told before the end.
import { expect, test } from 'vitest';
import { fuzz } from '../adapters/formats/yaml/scan/fuzz.ts';

const PORTION = 50_000;
const PORTIONS = Array.from({ length: 20 }, (_, i) => 1_000_000 + i * PORTION);
const sums = new Map<string, number>();

test.each(PORTIONS)('mutated files are read to the same data, or not at all: seeds from %d', (from) => {
  const { figures, faults } = fuzz(from, PORTION);
  expect(faults).toEqual([]);
  for (const [name, count] of Object.entries(figures)) sums.set(name, (sums.get(name) ?? 0) + count);
  process.stdout.write(`scan: ${[...sums].map(([name, count]) => `${name} ${count}`).join(', ')}\n`);
});
