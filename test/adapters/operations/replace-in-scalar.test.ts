// `replace_text` with a path: in one scalar, in the style that it has.
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/security/index.ts';
import { attempt, attemptOn, edited, type Language, parse } from '../editing/attempt.ts';

interface Replacing {
  readonly why: string;
  readonly before: string;
  readonly old: string;
  readonly next: string;
  readonly after: string;
  readonly language?: Language;
}

const REPLACING: readonly Replacing[] = [
  {
    why: 'in a plain scalar, behind which a comment stays',
    before: 'x: &a web:1.2 # c\n',
    old: '1.2',
    next: '1.3',
    after: 'x: &a web:1.3 # c\n',
  },
  {
    why: 'between single quotes',
    before: "x: 'it''s a'\n",
    old: "'s",
    next: "'ll",
    after: "x: 'it''ll a'\n",
  },
  {
    why: 'between double quotes, with escapes, of which others stay as they are written',
    before: 'x: "\\u0041 \\"b\\"\\tc"\n',
    old: '"b"',
    next: '"d"\n',
    after: 'x: "\\u0041 \\"d\\"\\n\\tc"\n',
  },
  {
    why: 'at the begin of a block scalar, whose first line then needs to say how deep it stands',
    before: 'x: |\n  one\n  two\ny: 1\n',
    old: 'one',
    next: ' one',
    after: 'x: |2\n   one\n  two\ny: 1\n',
  },
  {
    why: 'in one line of a block scalar',
    before: 'x:\r\n  conf: |-\r\n    server {\r\n      listen 80;\r\n\r\n    }\r\ny: 80\r\n',
    old: 'listen 80',
    next: 'listen 8080',
    after: 'x:\r\n  conf: |-\r\n    server {\r\n      listen 8080;\r\n\r\n    }\r\ny: 80\r\n',
  },
  {
    why: 'over lines of a block scalar, indented as they are',
    before: 'conf: |2\n    a\n\n    b\n    c\n',
    old: 'a\n\n  b',
    next: 'A\n\n  B\n  D',
    after: 'conf: |2\n    A\n\n    B\n    D\n    c\n',
  },
  {
    why: 'lines of a block scalar go',
    before: 'conf: |\n  a\n  b\n  c\n',
    old: 'b\n',
    next: '',
    after: 'conf: |\n  a\n  c\n',
  },
  {
    why: 'within a folded line',
    before: 'x: >-\n  one two\n  three\n',
    old: 'two',
    next: '2',
    after: 'x: >-\n  one 2\n  three\n',
  },
  {
    why: 'what cannot stand in a plain scalar is quoted',
    before: 'x: a b c\n',
    old: 'b',
    next: ': #',
    after: 'x: "a : # c"\n',
  },
  {
    why: 'in JSON',
    before: '{"x": "a\\/b"}',
    old: 'b',
    next: 'c"',
    after: '{"x": "a\\/c\\""}',
    language: 'json',
  },
  {
    why: 'in an action between single quotes',
    before: `x: '{{ include "x" . }}'\n`,
    old: '"x"',
    next: '"y"',
    after: `x: '{{ include "y" . }}'\n`,
    language: 'template',
  },
  ...(
    [
      [':{{', ':v{{', '{{ include "x" . }}:v{{ .A }}'],
      ['.A', '.B', '{{ include "x" . }}:{{ .B }}'],
      ['"x" .', '"y" .', '{{ include "y" . }}:{{ .A }}'],
      ['. }}:', '. | default "z" }}-\\', '{{ include "x" . | default "z" }}-\\\\{{ .A }}'],
    ] as const
  ).map(([old, next, value]) => ({
    why: `in a text with actions of a template: ${next}`,
    ...{ before: 'x: "{{ include "x" . }}:{{ .A }}"\n', old, next, after: `x: "${value}"\n` },
    language: 'template' as const,
  })),
];

test.each(REPLACING)('$why', ({ before, old, next, after, language }) => {
  const path = before.startsWith('x:\r') ? 'x.conf' : /\w+/.exec(before)?.[0];
  expect(edited(before, { op: 'replace_text', path, old_text: old, new_text: next }, language)).toBe(after);
});

test('only the touched span changes', () => {
  const operation = { op: 'replace_text', path: 'x', old_text: '2', new_text: '3' } as const;
  const outcome = attemptOn(parse('x: "1 2 4"\n'), operation);
  expect(outcome).toMatchObject({ edits: [{ start: 6, end: 7, insert: '3' }] });
});

test.each([
  { why: 'that is not there', before: 'x: a\n', old: 'b', code: 'TEXT_NOT_FOUND' },
  { why: 'that stands twice', before: 'x: aba\n', old: 'a', code: 'TEXT_AMBIGUOUS' },
  { why: 'of nothing', before: 'x: a\n', old: '', code: 'VALUE_INVALID' },
  { why: 'in a list', before: 'x: [a]\n', old: 'a', code: 'TYPE_MISMATCH' },
  { why: 'in an alias', before: 'y: &a a\nx: *a\n', old: 'a', code: 'ALIAS_CROSSED' },
])('a text $why is refused', ({ before, old, code }) => {
  const outcome = attempt(before, { op: 'replace_text', path: 'x', old_text: old, new_text: 'z' });
  expect(outcome instanceof Refusal ? outcome.code : outcome.after).toBe(code);
});
