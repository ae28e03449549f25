// TOML 1.0 and 1.1 by the case files of toml-test: what is valid is read as they say, what is not is refused.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../../../../src/security/errors/refusal.ts';
import { orRefusal } from '../../../harness/refusals.ts';
import { dataOf, isReadAlike, parse } from '../../editing/attempt.ts';
import type { SpanNode } from '../../editing/places.ts';

const Shape = z.object({
  source: z.string(),
  license: z.string().startsWith('The MIT License'),
  notUtf8: z.object({ why: z.string(), names: z.array(z.string()) }),
  cases: z.array(
    z.object({
      name: z.string(),
      versions: z.array(z.enum(['1.0', '1.1'])),
      text: z.string(),
      data: z.unknown().optional(),
    }),
  ),
});

const { cases } = Shape.parse(
  JSON.parse(readFileSync(new URL('../../../tables/toml-test.json', import.meta.url), 'utf8')),
);

function outcomeOf(text: string): SpanNode | string {
  const outcome = orRefusal(() => parse(text, 'toml').documents[0]?.root);
  if (outcome === undefined) throw new Error('a text is one document');
  return outcome instanceof Refusal ? outcome.code : outcome;
}

const Leaf = z.strictObject({ type: z.string(), value: z.string() });

/** The node in the form of the case files: each scalar as its type and a text of its value. */
function expectData(node: SpanNode, data: unknown, path: string): void {
  const leaf = Leaf.safeParse(data);
  if (node.kind === 'scalar' && leaf.success) {
    const { type, value } = leaf.data;
    const isText = node.style !== 'plain';
    expect(isText, path).toBe(type === 'string');
    const { typedValue } = node;
    switch (type) {
      case 'string':
        expect(node.value, path).toBe(value);
        break;
      case 'integer':
        expect(BigInt(integerOf(node.value)), path).toBe(BigInt(value));
        break;
      case 'float':
        expect(Object.is(floatOf(node.value), floatOf(value)), `${path}: ${node.value}, ${value}`).toBe(true);
        break;
      case 'bool':
        expect(typedValue, path).toBe(value === 'true');
        break;
      default:
        expect(instantOf(node.value), path).toBe(instantOf(value));
    }
  } else if (node.kind === 'sequence') {
    const items = z.array(z.unknown()).parse(data);
    expect(node.items.length, path).toBe(items.length);
    for (const [i, { value }] of node.items.entries()) expectData(value, items[i], `${path}[${i}]`);
  } else if (node.kind === 'mapping') {
    const members = z.record(z.string(), z.unknown()).parse(data);
    expect(node.entries.map(({ name }) => name).sort(), path).toEqual(Object.keys(members).sort());
    for (const { name = '', value } of node.entries) expectData(value, members[name], `${path}.${name}`);
  } else expect.fail(`${path}: ${node.kind} for ${JSON.stringify(data)}`);
}

function integerOf(source: string): string {
  const sign = /^[-+]/.exec(source)?.[0] ?? '';
  const digits = source.slice(sign.length).replaceAll('_', '');
  return `${BigInt(digits) * (sign === '-' ? -1n : 1n)}`;
}

function floatOf(source: string): number {
  const plain = source.replaceAll('_', '');
  if (/nan$/.test(plain)) return Number.NaN;
  if (/inf$/.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity;
  return Number(plain);
}

/** The text of a date or time in one spelling: `T`, seconds, no zeros at the end of a fraction, `Z` for no offset. */
function instantOf(source: string): string {
  const [, date = '', time = '', seconds = '00', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)?[Tt ]?(\d\d:\d\d)?(?::(\d\d))?(?:\.(\d+))?([Zz]|[-+]\d\d:\d\d)?$/.exec(source) ?? [];
  const offset = zone.replace(/^(?:z|[-+]00:00)$/i, 'Z');
  return [date, time, time === '' ? '' : seconds, fraction.replace(/0+$/, '').slice(0, 3), offset].join('|');
}

/** Files of 1.0 that are not valid there, and are in 1.1. Both are read: nothing in a file says which of them it is. */
const ONLY_INVALID_IN_1_0: readonly string[] = [
  'invalid/datetime/no-secs',
  'invalid/inline-table/linebreak-01',
  'invalid/inline-table/linebreak-02',
  'invalid/inline-table/linebreak-03',
  'invalid/inline-table/linebreak-04',
  'invalid/inline-table/trailing-comma',
  'invalid/local-datetime/no-secs',
  'invalid/local-time/no-secs',
  'invalid/string/basic-byte-escapes',
];

describe('the case files of toml-test', () => {
  test('are all that there are, and the exceptions are of 1.0 alone', () => {
    const valid = cases.filter(({ name }) => name.startsWith('valid/'));
    expect([valid.length, cases.length - valid.length]).toEqual([VALID, INVALID]);
    for (const name of ONLY_INVALID_IN_1_0)
      expect(cases.find((one) => one.name === name)?.versions, name).toEqual(['1.0']);
  });

  test('what is valid is read as they say', () => {
    for (const { name, text, data } of cases.filter((one) => one.name.startsWith('valid/'))) {
      const root = outcomeOf(text);
      if (typeof root === 'string') expect.fail(`${name}: ${root}`);
      expect(isReadAlike(text, parse(text, 'toml'), 'toml'), name).toBe(true);
      expectData(root, data, name);
    }
  });

  test('what is not valid is refused', () => {
    const invalid = cases.filter(({ name }) => name.startsWith('invalid/'));
    const accepted = invalid.filter(({ text }) => outcomeOf(text) !== 'SYNTAX_INVALID');
    expect(accepted.map(({ name }) => name)).toEqual(ONLY_INVALID_IN_1_0);
  });
});

const VALID = 268;
const INVALID = 500;

test.each([
  ['a = 9007199254740993', '9007199254740993', 'an integer that JSON would round'],
  ['a = 1_000', 1000, 'underscores'],
  ['a = 0xff', 255, 'hexadecimal'],
  ['a = inf', 'inf', 'no number of JSON'],
  ['a = -nan', '-nan', 'the same'],
  ['a = 1979-05-27T07:32:00Z', '1979-05-27T07:32:00Z', 'a date as it is written'],
  ['a = 1e400', '1e400', 'a float beyond all others'],
  ['a = 0.1', 0.1, 'a float'],
] as const)('%s is %j as a value: %s', (text, value, _why) => {
  expect(dataOf(parse(text, 'toml'), 'toml')).toEqual([{ a: value }]);
});

test.each([
  ['brackets', `a = ${'['.repeat(20_000)}`],
  ['braces', `a = ${'{a='.repeat(20_000)}`],
  ['dotted keys', `${'a.'.repeat(20_000)}a = 1`],
  ['a dotted header', `[${'a.'.repeat(20_000)}a]`],
  ['all of them together', `[${'a.'.repeat(60)}a]\n${'b.'.repeat(60)}b = 1`],
])('%s: ends with LIMIT_EXCEEDED, and no reader overflows', (_, text) => {
  expect(outcomeOf(text)).toBe('LIMIT_EXCEEDED');
});

test('a lone carriage return is refused, which some readers take for a line end', () => {
  expect(outcomeOf('a = 1 # x\rb = 2\n')).toBe('SYNTAX_INVALID');
  expect(outcomeOf('a = 1\rb = 2\n')).toBe('SYNTAX_INVALID');
});

test.each([
  ['a text', `a = "${'x'.repeat(300_000)}"`, 'double'],
  ['a text with as many escapes', `a = "${'\\n'.repeat(300_000)}"`, 'double'],
  ['a number', `a = ${'9'.repeat(300_000)}`, 'plain'],
])('%s of 300,000 characters is read by both readers', (_, text, style) => {
  const stream = parse(text, 'toml');
  const { root } = stream.documents[0] ?? {};
  expect(root?.kind === 'mapping' && root.entries[0]?.value).toMatchObject({ kind: 'scalar', style });
  expect(isReadAlike(text, stream, 'toml')).toBe(true);
});

test('__proto__ is a key like any other', () => {
  const [data] = dataOf(parse('[__proto__]\nx = 1\n["constructor".prototype]\ny = 2\n', 'toml'), 'toml');
  expect(JSON.stringify(data)).toBe('{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}');
  expect({}).not.toHaveProperty('x');
});
