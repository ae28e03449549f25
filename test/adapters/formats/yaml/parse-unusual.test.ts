// What only `yaml` reads gets a tenth of the tokens: it takes its time in one piece, and nobody can end it there.

import { describe, expect, test } from 'vitest';
import { parseFragment } from '../../../../src/adapters/edit/fragment.ts';
import { FORMATS } from '../../../../src/adapters/formats/registry.ts';
import { scanYaml } from '../../../../src/adapters/formats/yaml/scan/scan-yaml.ts';
import { parseYaml } from '../../../../src/adapters/formats/yaml/yaml-format.ts';
import { planOperation } from '../../../../src/adapters/index.ts';
import { DEFAULT_LIMITS, type Limits, type Refusal } from '../../../../src/security/index.ts';
import { refusalOf } from '../../../harness/refusals.ts';

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
    const refusal = refusedAs(text, DEFAULT_LIMITS);
    expect(refusal?.code).toBe(refused === undefined ? undefined : 'LIMIT_EXCEEDED');
    if (refused === undefined) return;
    expect(refusal?.where.line).toBe(refused);
    expect(refusal?.clues.limit?.allowed).toBe(200_000);
    expect(refusal?.clues.advice?.[0]).toContain(`line ${refused}`);
  });

  test('is read where the operator allows more', () => {
    expect(refusedAs(`${USUAL}? a\n: b\n`, { ...DEFAULT_LIMITS, tokens: 4_000_000 })).toBeUndefined();
  });
});

describe('a value with more tokens than are read of an unusual one', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `k${n}: v\n`).join('');
  const base = { format: FORMATS.yaml, stream: parseYaml('a: 1\n', DEFAULT_LIMITS) };
  const planned = (source: string, more: Partial<Limits> = {}) => {
    const limits = { ...DEFAULT_LIMITS, parseMs: 60_000, ...more };
    const operation = { op: 'set', path: 'a', value: source, create: false } as const;
    const plan = () => planOperation({ base, current: base, earlierChanges: [] }, operation, limits);
    return refusalOf(plan)?.message;
  };

  test('is taken where it is usual, and refused as a value where it is not', () => {
    expect(planned(lines(12_000))).toBeUndefined();
    const limits = { ...DEFAULT_LIMITS, parseMs: 60_000 };
    const context = { format: FORMATS.yaml, limits, document: { tagHandles: new Map() } };
    const refusal = refusalOf(() => parseFragment(`${lines(12_000)}? a\n: b\n`, context));
    expect(refusal?.code).toBe('LIMIT_EXCEEDED');
    expect(refusal?.message).toMatch(/^Cannot use this value: .* its line 12001,/);
    expect(refusal?.clues.limit).toMatchObject({ allowed: 50_000, unit: 'tokens' });
    expect(refusal?.clues.advice?.[0]).toContain('"json"');
  });

  test('is taken where the operator allows more, or it is short', () => {
    expect(planned(`${lines(12_000)}? a\n: b\n`, { tokens: 4_000_000 })).toBeUndefined();
    expect(planned(`${lines(2_000)}? a\n: b\n`)).toBeUndefined();
  });

  test('is not even read where nothing unusual is', () => {
    expect(planned('? a\n: b\n', { referenceTokens: 0 })).toContain('the limit of 0');
  });
});

test('a text of too many documents is scanned no further than it is allowed [SRV-3]', () => {
  const limits = { ...DEFAULT_LIMITS, documents: 10 };
  expect(scanYaml('---\n'.repeat(10), limits)).toHaveProperty('stream');
  expect(scanYaml('---\n'.repeat(1_000), limits)).toEqual({ fallback: 'limit', at: 44 });
});

test('a text of more directives than anybody writes is refused by their number', () => {
  const text = (count: number) => `${'%TAG !a! tag:x,2000:\n'.repeat(count)}---\na: 1\n`;
  expect(refusedAs(text(1_000), DEFAULT_LIMITS)).toBeUndefined();
  const refusal = refusedAs(text(1_001), DEFAULT_LIMITS);
  expect(refusal?.code).toBe('LIMIT_EXCEEDED');
  expect(refusal?.clues.limit).toMatchObject({ allowed: 1_000, unit: 'directives' });
});

function refusedAs(text: string, limits: Limits): Refusal | undefined {
  return refusalOf(() => parseYaml(text, { ...limits, parseMs: 60_000 }));
}
