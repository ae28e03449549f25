// Random edits of JSON with comments by the thousand.
import { expect, test } from 'vitest';
import { editRandomly } from '../adapters/formats/jsonc/random-edits.ts';

test('5,000 random edits of JSONC change the data as asked, and no comment of anything else', () => {
  const { done, refused, faults } = editRandomly(100_000, 5_000);
  process.stdout.write(`JSONC: ${done} edits, refused ${JSON.stringify(refused)}\n`);
  expect(faults.join('\n\n')).toBe('');
  expect(done).toBeGreaterThan(4_000);
});
