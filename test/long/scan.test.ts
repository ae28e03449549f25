// A million mutated texts, in portions, so that a fault is told at once.
import { expect, test } from 'vitest';
import { fuzz } from '../adapters/scan/fuzz.ts';

const PORTIONS = 20;
const PORTION = 50_000;

test('a million mutated files are read to the same tree, or handed over', () => {
  const sums = new Map<string, number>();
  for (let portion = 0; portion < PORTIONS; portion++) {
    const { figures, faults } = fuzz(1_000_000 + portion * PORTION, PORTION);
    expect(faults).toEqual([]);
    for (const [name, count] of Object.entries(figures)) sums.set(name, (sums.get(name) ?? 0) + count);
    const done = [...sums].map(([name, count]) => `${name} ${count}`).join(', ');
    process.stdout.write(`scan: ${(portion + 1) * PORTION} texts: ${done}\n`);
  }
});
