// What only `yaml` reads gets a tenth of the tokens: it takes its time in one piece, and nobody can end it there.
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/adapters/yaml/parse-yaml.ts';
import { scanYaml } from '../../../src/adapters/yaml/scan/scan-yaml.ts';
import { DEFAULT_LIMITS, type Limits, Refusal } from '../../../src/security/index.ts';

const USUAL = 'key: value\n'.repeat(30_000);

describe('a text with more tokens than are read of an unusual one', () => {
  test.each([
    { why: 'is read where it is usual', text: USUAL, refused: undefined },
    { why: 'is refused where it is unusual', text: `${USUAL}? a\n: b\n`, refused: 30_001 },
    {
      why: 'is refused where it is invalid',
      text: `${USUAL}	b: 1
`,
      refused: 30_001,
    },
  ])('$why', ({ text, refused }) => {
    const refusal = refusalOf(text, DEFAULT_LIMITS);
    expect(refusal?.code).toBe(refused === undefined ? undefined : 'YAML_LIMIT');
    if (refused === undefined) return;
    expect(refusal?.where.line).toBe(refused);
    expect(refusal?.clues.limit?.allowed).toBe(200_000);
    expect(refusal?.clues.advice?.[0]).toContain(`line ${refused}`);
  });

  test('is read where the operator allows more', () => {
    expect(refusalOf(`${USUAL}? a\n: b\n`, { ...DEFAULT_LIMITS, tokens: 4_000_000 })).toBeUndefined();
  });
});

test('a text of too many documents is scanned no further than it is allowed', () => {
  const limits = { ...DEFAULT_LIMITS, documents: 10 };
  expect(scanYaml('---\n'.repeat(10), limits)).toHaveProperty('stream');
  expect(scanYaml('---\n'.repeat(1_000), limits)).toEqual({ handedOver: 'limit', at: 44 });
});

test('a text of more directives than anybody writes is refused by their number', () => {
  const text = (count: number) => `${'%TAG !a! tag:x,2000:\n'.repeat(count)}---\na: 1\n`;
  expect(refusalOf(text(1_000), DEFAULT_LIMITS)).toBeUndefined();
  const refusal = refusalOf(text(1_001), DEFAULT_LIMITS);
  expect(refusal?.code).toBe('YAML_LIMIT');
  expect(refusal?.clues.limit).toMatchObject({ allowed: 1_000, unit: 'directives' });
});

function refusalOf(text: string, limits: Limits): Refusal | undefined {
  try {
    parseYaml(text, { ...limits, parseMs: 60_000 });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
