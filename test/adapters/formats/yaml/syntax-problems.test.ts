// What is wrong with a text is said where it can be mended.
import { expect, it } from 'vitest';
import { findProblems, readOrProblems } from '../../../../src/adapters/index.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/index.ts';

// PyYAML and go-yaml read all of these, and so do we: whoever wrote one has to be told which rule it breaks.
it.each([
  { text: 'a: "b\nc"\n', line: 2 },
  { text: "a: 'b\nc'\nd: 1\n", line: 2 },
  { text: 'a:\n  b: "x\n\n y"\nc: 1\n', line: 4 },
  { text: '- "b\r\nc"\r\n', line: 2 },
  { text: 'a: ["b\nc"]\n', line: 2 },
])('names the line of quoted text that is not indented far enough: $text', ({ text, line }) => {
  const file = readOrProblems(undefined, text, DEFAULT_LIMITS);
  expect('stream' in file && findProblems(file)).toContainEqual({
    code: 'SYNTAX_INVALID',
    message: expect.stringContaining('must be indented further'),
    line,
    column: 1,
  });
});

it.each(['a: "b\n', 'a: "b\nc: d\n', 'a: "b\n---\nc: "d"\n'])('says nothing of it elsewhere: %j', (text) => {
  expect(JSON.stringify(readOrProblems(undefined, text, DEFAULT_LIMITS))).not.toContain('indented further');
});

// An escaped quote at the very end of a text closes nothing; the reference parser takes it for the closing one.
it.each([
  { text: 'a: "say \\"', column: 4 },
  { text: '"say \\"', column: 1 },
  { text: "a: 'it''", column: 4 },
  { text: "'''", column: 1 },
])('names the quote that is never closed: $text', ({ text, column }) => {
  expect(readOrProblems(undefined, text, DEFAULT_LIMITS)).toEqual([
    { code: 'SYNTAX_INVALID', message: 'the quote that opens here is never closed', line: 1, column },
  ]);
});

it.each(['a: "x\\\\"', "a: 'it'''", "a: ''", 'a: ""', "''''"])('takes the quotes that close: %j', (text) => {
  expect(readOrProblems(undefined, text, DEFAULT_LIMITS)).toHaveProperty('stream');
});
