// The usual slips are named where they are, and not where a parser gave up.

import { expect, it } from 'vitest';
import { FORMATS } from '../../../../src/adapters/formats/registry.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/index.ts';
import { refusalOf } from '../../../harness/refusals.ts';

function firstProblem(text: string, format: 'yaml' | 'json'): string | undefined {
  const [first] = refusalOf(() => FORMATS[format].parse(text, DEFAULT_LIMITS))?.clues.problems ?? [];
  return first && `${first.line}:${first.column} ${first.message}`;
}

it.each([
  { text: 'a: 1\nb: "open\nc: 2\nd: "x"\n', says: '2:4 the quote (") that is opened here is not closed' },
  { text: 'a: 1\nb: "open\nc: 2\n', says: '2:4 the quote (") that is opened here is not closed' },
  { text: "a:\n- 'open\n- 'x'\n- y\n", says: "2:3 the quote (') that is opened here is not closed" },
  {
    text: 'run: |\n  echo "open\nb: "open\nc: 1\n',
    says: '3:4 the quote (") that is opened here is not closed',
  },
  { text: 'a: 1\nkey:value\nb: 2\n', says: '2:1 no space after ":"' },
  { text: 'key:value\nb: 2\n', says: '1:1 no space after ":"' },
  { text: 'a: 1\nports\n- 80\n', says: '2:1 the key on this line has no ":" after it' },
  { text: 'ports\n- 80\nb: 1\n', says: '1:1 the key on this line has no ":" after it' },
  { text: 'a:\n\tb: 1\n', says: '2:1 a tab cannot be used as indentation' },
  { text: 'a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n', says: '2:1 a merge conflict begins here' },
])('YAML: $says', ({ text, says }) => {
  expect(firstProblem(text, 'yaml')).toContain(says);
});

it.each([
  { text: '{\n  // why\n  "a": 1\n}', says: '2:3 this is JSON with comments' },
  { text: '{"a": 1, /* why */ "b": 2}', says: '1:10 this is JSON with comments' },
  { text: '{"a": [1, 2,],\n"b": 1}', says: '1:13 a comma stands before this bracket' },
  { text: '{"a": 1,\n}', says: '2:1 a comma stands before this bracket' },
  { text: "{'a': 1}", says: '1:2 JSON has double quotes' },
  { text: '{"a": “x”}', says: '1:7 typographic quotes' },
  { text: '{"a": {{ .x }}}', says: 'a template' },
  { text: '{\n<<<<<<< HEAD\n"a": 1\n', says: '2:1 a merge conflict begins here' },
])('JSON: $says', ({ text, says }) => {
  expect(firstProblem(text, 'json')).toContain(says);
});

it.each(['a: "two\n  lines"\nb: [\n', "a: it's\nb: [1\n", '# "\na: "x" y\n'])(
  'no quote is blamed that is none or is closed: %j',
  (text) => {
    expect(firstProblem(text, 'yaml')).toBeDefined();
    expect(firstProblem(text, 'yaml')).not.toContain('quote (');
  },
);
