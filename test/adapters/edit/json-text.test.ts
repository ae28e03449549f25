// A typed value as text: whatever the value and the style of what it replaces, every reader gets it back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { USUAL_STYLE } from '../../../src/adapters/edit/document-style.ts';
import { type JsonStyle, jsonText } from '../../../src/adapters/edit/json-text.ts';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import type { Json } from '../../../src/adapters/index.ts';
import type { SpanNode } from '../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';
import { runs } from '../../harness/runs.ts';

const STYLE: JsonStyle = {
  format: FORMATS.yaml,
  isFlow: false,
  old: undefined,
  text: '',
  unit: () => 2,
  isMultiline: false,
  documentStyle: () => USUAL_STYLE,
};

/** What is replaced: a node of this source. */
function old(text: string): { old: SpanNode | undefined; text: string } {
  return { old: FORMATS.yaml.parse(text, DEFAULT_LIMITS).documents[0]?.root, text };
}

const OLD = {
  plain: old('x'),
  single: old("'x'"),
  double: old('"x"'),
  literal: old('|\n  x\n'),
  folded: old('>\n  x\n'),
  flow: old('[x]'),
  block: old('- x'),
  padded: old('[ x, { "a": \'x\' } ]'),
  spread: old('[\n  "x",\n  [x],\n]'),
  braces: old('{\n  a: "x",\n  b: [ \'x\' ]\n}'),
  quotedItems: old("- 'x'\n- |\n  x\n- 'no': \"x\"\n  '~': x"),
  tight: old('{"a":1,"b":[1]}'),
  nothing: { old: undefined, text: '' },
};

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 10 }),
  fc.string({ unit: fc.constantFrom(...' \n\ta:#-\'"\\|>%~0.\u0085\u2028\uFEFF\u202E\u0007'), maxLength: 8 }),
  fc.constantFrom('no', '1.10', '0o17', '12:30', '2024-01-01', '~', '', 'null', '<<', '---', '...'),
);
const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => Math.abs(number) < 1e15),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(words, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const styles = fc.record({
  isFlow: fc.boolean(),
  old: fc.constantFrom(...Object.values(OLD)),
  unit: fc.constantFrom(1, 2, 4).map((unit) => () => unit),
  indentSequences: fc.boolean().map((indented) => () => indented),
  isMultiline: fc.boolean(),
});

/** JSON has no negative zero. */
function normal(value: Json): Json {
  return JSON.parse(JSON.stringify(value));
}

function read(text: string, version: '1.1' | '1.2'): unknown {
  const document = parseDocument(text, { version, merge: false });
  expect(document.errors).toEqual([]);
  return document.toJS();
}

test('YAML 1.1 and 1.2 read the value back, in every style', () => {
  fc.assert(
    fc.property(values, styles, (value, style) => {
      const text = jsonText(value, { ...STYLE, ...style, ...style.old });
      for (const version of ['1.1', '1.2'] as const) {
        expect(read(style.isFlow ? `[${text}]` : text, version)).toEqual(
          style.isFlow ? [normal(value)] : normal(value),
        );
      }
    }),
    { numRuns: runs(500) },
  );
});

test('JSON reads the value back', () => {
  fc.assert(
    fc.property(values, styles, (value, style) => {
      const text = jsonText(value, { ...STYLE, ...style, ...style.old, format: FORMATS.json });
      expect(JSON.parse(text)).toEqual(normal(value));
    }),
    { numRuns: runs(500) },
  );
});

test('no text holds a character that deceives a reader', () => {
  fc.assert(
    fc.property(values, styles, (value, style) => {
      expect(jsonText(value, { ...STYLE, ...style, ...style.old })).not.toMatch(
        /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
      );
    }),
    { numRuns: runs(500) },
  );
});

describe('keeps the quoting of what it replaces', () => {
  test.each([
    { value: 'y z', style: OLD.plain, text: 'y z' },
    { value: 'y z', style: OLD.single, text: "'y z'" },
    { value: "it's", style: OLD.single, text: "'it''s'" },
    { value: 'y z', style: OLD.double, text: '"y z"' },
    { value: 'no', style: OLD.plain, text: '"no"' },
    { value: 'a\nb', style: OLD.single, text: '|-\n  a\n  b' },
    { value: 'a', style: OLD.literal, text: 'a' },
    { value: 'a\nb\n', style: OLD.literal, text: '|\n  a\n  b' },
    { value: 'a\nb', style: OLD.literal, text: '|-\n  a\n  b' },
    { value: ['a', 1], style: OLD.flow, text: '[a, 1]' },
    { value: ['a', 1], style: OLD.block, text: '- a\n- 1' },
    { value: 5, style: OLD.single, text: '5' },
    { value: null, style: OLD.double, text: 'null' },
    { value: 'x', style: OLD.nothing, text: 'x' },
  ])('$value over $style.text is $text', ({ value, style, text }) => {
    expect(jsonText(value, { ...STYLE, ...style })).toBe(text);
  });
});

test('a run of line breaks in the middle of a text takes no longer for its length', () => {
  const run = '\n'.repeat(1_000_000);
  expect(jsonText(`x${run}y`, { ...STYLE, ...OLD.literal })).toBe(`|-\n  x${run}  y`);
});

test('an integer that has lost digits is refused wherever it stands', () => {
  for (const value of [2 ** 53, [1, { a: -(2 ** 60) }]]) {
    expect(() => jsonText(value, STYLE)).toThrow(expect.objectContaining({ code: 'VALUE_INVALID' }));
  }
  expect(parse(jsonText(Number.MAX_SAFE_INTEGER, STYLE))).toBe(Number.MAX_SAFE_INTEGER);
});
