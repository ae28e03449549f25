// Whatever stands in the text, and wherever it is cut: the value is that of JSON.parse, or there is none, as there.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInPieces } from '../../src/stdio/parse-in-pieces.ts';
import { atOnce } from '../../src/stdio/steps.ts';

const PIECE_CHARS = 7;
const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\0', '/', 'é', '😀', '\ud83d', '\ude00', '<'),
  maxLength: 30,
});

it('gives the value that JSON.parse gives', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  }));
  fc.assert(
    fc.property(value, fc.nat(2), (json, indent) => {
      const written = JSON.stringify(json, null, indent);
      for (const spelt of [written, escaped(written)]) expect(parsed(spelt)).toEqual(JSON.parse(spelt));
    }),
  );
});

it('refuses what JSON.parse refuses', () => {
  const piece = fc.constantFrom(
    '"',
    '\\',
    '\\u',
    '\\u12',
    '00e9',
    '\t',
    'abcdefghi',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '1',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      for (const json of [pieces.join(''), `"${pieces.join('')}"`, `["${pieces.join('')}"]`])
        expect(outcome(() => parsed(json))).toEqual(outcome(() => JSON.parse(json)));
    }),
    { numRuns: 1000 },
  );
});

it.each([
  { json: '{"a long key":1,"a long key":2}', why: 'one long key twice: the last value' },
  {
    json: '{"__proto__":"a long text","x":{"__proto__":{"y":"a long text"}}}',
    why: '__proto__, a key like others',
  },
  { json: '{"a_long_key":{"1":"a long text","0":"a long text"}}', why: 'keys that are numbers' },
  { json: '"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"', why: 'backslashes and nothing else' },
])('gives the value of $why', ({ json }) => {
  expect(parsed(json)).toEqual(JSON.parse(json));
  expect(JSON.stringify(parsed(json))).toBe(JSON.stringify(JSON.parse(json)));
});

it('lets others come between two pieces, and before and behind all of them', () => {
  const steps = (json: string): number => [...parseInPieces(json, PIECE_CHARS)].length;
  expect(steps('["short"]')).toBe(0);
  expect(steps(JSON.stringify(['x'.repeat(10 * PIECE_CHARS)]))).toBe(13);
});

function parsed(json: string): unknown {
  return atOnce(parseInPieces(json, PIECE_CHARS));
}

/** Each letter, at random enough, as \uXXXX. */
function escaped(json: string): string {
  return json.replaceAll(/[a<é]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'refused';
  }
}
