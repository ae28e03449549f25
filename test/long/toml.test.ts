// 5,000 random edits of realistic TOML files, compared with what `smol-toml` reads.
import { expect, test } from 'vitest';
import { editRandomly } from '../adapters/formats/toml/random-edits.ts';

test('random edits of TOML do to the data what they say, or are refused with a reason', () => {
  const { done, faults, refused } = editRandomly(2, 5_000);
  const rows = [...refused].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count}  ${kind}`);
  process.stdout.write(`\ntoml: ${done} of 5000 done\n${rows.join('\n')}\n`);
  expect(faults).toEqual([]);
  expect(done).toBeGreaterThan(4_300);
});
