// The proof compares only what it has to: parts that are written the same in both texts are not read. It must
// come to the same verdict as a comparison that reads all, on texts that are nearly the same.

import { expect, test } from 'vitest';
import { NO_CHANGE } from '../../../src/adapters/edit/intent.ts';
import { parseYaml } from '../../../src/adapters/formats/yaml/yaml-format.ts';
import type { Stream } from '../../../src/adapters/tree/span-tree.ts';
import { requireIntended } from '../../../src/adapters/verify/require-intended.ts';
import { DEFAULT_LIMITS, unlessRefused } from '../../../src/security/index.ts';
import { randomFrom } from '../../harness/random.ts';
import { refusalOf } from '../../harness/refusals.ts';
import { VALID_SUITE } from '../../harness/yaml-suite.ts';
import { mutated, nearlyYaml } from '../formats/yaml/scan/mutate.ts';
import { NATIVE } from '../formats/yaml/scan/native.ts';
import { REAL } from '../formats/yaml/scan/texts.ts';

const TEXTS = [...REAL, ...NATIVE, ...VALID_SUITE].map(({ text }) => text);
const PAIRS = 2_000;

function parsed(text: string): Stream | undefined {
  return unlessRefused(() => parseYaml(text, DEFAULT_LIMITS));
}

function verdict(before: Stream, after: Stream, isWhole: boolean): string {
  return refusalOf(() => requireIntended(before, after, [NO_CHANGE], isWhole))?.code ?? 'the same';
}

test('comes to the verdict of a comparison that reads all', () => {
  const verdicts = { same: 0, different: 0 };
  for (let seed = 1_000; seed < 1_000 + PAIRS; seed++) {
    const random = randomFrom(seed);
    const text = random.below(2) === 0 ? random.pick(TEXTS) : nearlyYaml(random, TEXTS);
    const before = parsed(text);
    const after = parsed(mutated(random, text, TEXTS));
    if (before === undefined || after === undefined) continue;
    const whole = verdict(before, after, true);
    expect(verdict(before, after, false), `seed ${seed}`).toBe(whole);
    verdicts[whole === 'the same' ? 'same' : 'different'] += 1;
  }
  // Comments, blank lines and the style of scalars change; values do.
  expect(verdicts.same).toBeGreaterThan(100);
  expect(verdicts.different).toBeGreaterThan(100);
});

test.each([
  { why: 'the indentation of its first line', before: 'a:\n  b: |1\n    x\n', after: 'a:\n b: |1\n    x\n' },
  { why: 'a break behind the last block scalar', before: 'a:\n  b: |\n    x', after: 'a:\n  b: |\n    x\n' },
  { why: 'a blank line more that it keeps', before: 'a:\n  b: |+\n    x\n', after: 'a:\n  b: |+\n    x\n\n' },
  {
    why: 'the prefix of its tags',
    before: '%TAG !e! a:\n---\nx: [!e!b 1]\n',
    after: '%TAG !e! c:\n---\nx: [!e!b 1]\n',
  },
])('looks at $why', ({ before, after }) => {
  const [old, next] = [parseYaml(before, DEFAULT_LIMITS), parseYaml(after, DEFAULT_LIMITS)];
  expect(verdict(old, next, false)).toBe(verdict(old, next, true));
});
