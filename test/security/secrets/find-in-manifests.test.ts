// The data of a Secret within a text, to the letter.
import { describe, expect, it } from 'vitest';
import { findInManifests } from '../../../src/security/index.ts';
import { marked, unmarked } from './marked.ts';

const FOUND: readonly (readonly [why: string, text: string])[] = [
  ['data', 'kind: Secret\ndata:\n  any: «abc»\n  b: «d e»\n'],
  ['data above the kind', 'stringData:\n  any: «abc»\nkind: Secret\n'],
  ['nothing but data', 'kind: Secret\nmetadata:\n  name: web\ndata:\n  any: «abc»\ntype: Opaque\n'],
  ['both kinds of data', 'kind: Secret\ndata:\n  a: «b»\nstringData:\n  c: «d»\n'],
  ['quotes', '"kind": "Secret"\n"data":\n  "any": "«abc»",\n  \'x\': \'«def»\'\n'],
  [
    'a block',
    'kind: Secret\ndata:\n  any: |\n    ‹«one: two»\n    «three»\n  b: >-\n    «four»\n  c: «five»\n'.replace(
      '‹',
      '',
    ),
  ],
  ['a block with figures', 'kind: Secret\ndata:\n  any: |2+\n    «one»\n'],
  ['what is deeper', 'kind: Secret\ndata:\n  any:\n    deep: «abc»\n'],
  ['an item', '- kind: Secret\n  data:\n    any: «abc»\n- kind: ConfigMap\n  data:\n    any: abc\n'],
  [
    'an item after another',
    '- kind: ConfigMap\n  data:\n    any: abc\n---\n- kind: Secret\n  data:\n    any: «abc»\n',
  ],
  ['the second document', 'kind: ConfigMap\ndata:\n  any: abc\n---\nkind: Secret\ndata:\n  any: «abc»\n'],
  ['each of two documents', 'kind: Secret\ndata:\n  any: «abc»\n---\nkind: Secret\ndata:\n  any: «def»\n'],
  ['one within another', 'a:\n  kind: Secret\n  data:\n    any: «abc»\nb:\n  data:\n    any: abc\n'],
  ['a kind that is said twice', 'kind: Secret\ndata:\n  any: «abc»\nkind: Secret\n'],
  ['blank lines', 'kind: Secret\n\ndata:\n\n  any: «abc»\n\n  b: «c»\n'],
  ['CRLF', 'kind: Secret\r\ndata:\r\n  any: «abc»\r\n'],
  ['no line break at the end', 'kind: Secret\ndata:\n  any: «abc»'],
  ['data on one line', 'kind: Secret\ndata: {any: abc}\n'],
  ['a line that is no key', 'kind: Secret\ndata:\n  «abc def»\n'],
  ['an empty value', 'kind: Secret\ndata:\n  any:\n  b: ""\n'],
  ['a reference', 'kind: Secret\ndata:\n  any: {{ .x }}\n  b: ${A}\n'],
  ['what a reference gives', 'kind: Secret\ndata:\n  any: ${A:-«x»}\n'],
  ['other kinds', 'kind: ConfigMap\ndata:\n  any: abc # Secret\n'],
  ['a longer kind', 'kind: SecretStore\ndata:\n  any: abc\n'],
  ['a kind behind something', 'x kind: Secret\ndata:\n  any: abc\n'],
  ['a kind without a blank', 'kind:Secret\ndata:\n  any: abc\n'],
  ['data of another name', 'kind: Secret\nmydata:\n  any: abc\ndatabase:\n  b: c\n'],
  ['a text without one', 'kind: ConfigMap\ndata:\n  any: abc\n'],
  ['a kind with a comment', 'kind: Secret # of the web\ndata:\n  any: «abc»\n'],
  ['a kind with a comment, and CRLF', 'kind: Secret # of the web\r\ndata:\r\n  any: «abc»\r\n'],
  ['a kind that goes on', 'kind: Secret#1\ndata:\n  any: abc\n'],
  ['a blank line of Windows below data', 'kind: Secret\r\ndata:\r\n\r\n  any: «abc»\r\n'],
  [
    'a document that begins with a comment',
    'kind: Secret\ndata:\n  any: «abc»\n--- # the settings\nkind: ConfigMap\ndata:\n  any: abc\n',
  ],
  [
    'a certificate, which begins as a document does',
    'kind: Secret\nstringData:\n  ca: |\n    -----BEGIN CERTIFICATE-----\n    MIIB\n    -----END CERTIFICATE-----\n  any: «abc»\n',
  ],
  [
    'a certificate above the kind',
    'stringData:\n  ca: |\n    -----BEGIN CERTIFICATE-----\n  any: «abc»\nkind: Secret\n',
  ],
  [
    'a list within it',
    'kind: Secret\nmetadata:\n  finalizers:\n    - example.com/web\ndata:\n  any: «abc»\n',
  ],
  ['a comment', '# kind: Secret\n# data:\n#   any: abc\n'],
  ['a comment within it', 'kind: Secret\ndata:\n  # a word\n  any: «abc»\n'],
  [
    'a text in quotes over lines',
    'kind: Secret\nstringData:\n  any: "«one»\n    «the second: line»\n    «third»"\n',
  ],
  [
    'a block of which lines look like keys and blocks',
    'kind: Secret\nstringData:\n  any: |\n    «user: web»\n    «code: abc»\n    «|a|b|»\n    «>»\n    «end: abc»\n',
  ],
  ['a block behind more blanks', 'kind: Secret\ndata:\n  any:  |\n    «one: two»\n'],
  ['a block with a comment', 'kind: Secret\ndata:\n  any: |-  # a code\n    «one: two»\n'],
  ['a value that ends as a block begins', "kind: Secret\ndata:\n  any: «a|»\n  b: «x>2»\n  c: '«|y»'\n"],
  ['a value that begins as a block does', 'kind: Secret\ndata:\n  any: «>hunter2»\n  b: «|x»\n'],
  ['what is deeper behind a block', 'kind: Secret\ndata:\n  any: |\n    «one»\n  b:\n    deep: «abc»\n'],
  [
    'a condition of a template within data',
    'kind: Secret\ndata:\n{{- if .Values.a }}\n  any: «abc»\n{{ else }}\n  b: «def»\n{{- end }}\n  c: «ghi»\n',
  ],
  [
    'a condition at less indentation',
    'a:\n  kind: Secret\n{{- with .Values.a }}\n  data:\n    any: «abc»\n{{- end }}\n',
  ],
  ['a condition on the line of a value', 'kind: Secret\ndata:\n  «{{ if .x }}any: abc{{ end }}»\n'],
  ['JSON on lines', '{\n "kind": "Secret",\n "data": {\n  "any": "«abc»",\n  "b": "«c d»"\n }\n'],
  [
    'ordinary keys',
    'kind: Secret\nstringData:\n  host: db\n  dbUser: web\n  db-name: web\n  myuser: «abc»\n',
  ],
  [
    'a configuration, of which each line says for itself what it is',
    'kind: Secret\nstringData:\n  any: |\n    # the log\n    level: info\n    [db]\n    host = db\n    - one\n  b: «abc»\n',
  ],
];

describe('the data of a Secret within a text', () => {
  it.each(FOUND)('%s', (_why, text) => {
    const plain = unmarked(text);
    const inside = findInManifests(plain).map(({ start, end }) => ({ from: start, start, end }));
    expect(marked(plain, inside)).toBe(text);
  });

  it('begins at the line of its value, so that what tells of it stays beside it', () => {
    const text = 'kind: Secret\ndata:\n  any: "abc"\n';
    const at = text.indexOf('"abc"');
    expect(findInManifests(text)).toMatchObject([{ from: at, start: at + 1, end: at + 4 }]);
  });

  it('is found once, however often it says what it is', () => {
    const text = 'kind: Secret\ndata:\n  any: abc\nkind: Secret\n';
    expect(findInManifests(text)).toHaveLength(1);
  });

  it.each(['', '# ', '  any: a'])('is found in steps as many as letters behind "%s" [SRV-16]', (before) => {
    const [, value] = findInManifests(
      `kind: Secret\ndata:\n  b: abc\n${before}${' '.repeat(400_000)}d\n  c: e\n`,
    );
    expect(value?.end).toBeGreaterThan(400_000);
  });
});
