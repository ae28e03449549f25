// What lines tell of secrets, to the letter: what they assign, in which notation, what stands below, and what the operator names.
import { describe, expect, it } from 'vitest';
import { findInLines, findInPlainText } from '../../../src/security/index.ts';
import { marked, unmarked } from './marked.ts';

const DOOR_CODE = { isMaskedByOperator: (name: string) => name === 'door_code' };

/** Of a line that tells of a secret ‹ is its beginning. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  'a line that assigns': [
    ...[
      '‹password: «hunter2»',
      '‹  password:   «hunter2»  ',
      '‹token=«hunter2»',
      '‹token = «hunter2»',
      '‹token => «hunter2»',
    ],
    ...[
      "‹'token' => '«hunter2»',",
      '‹"token": "«hunter2»",',
      '‹token: "«it\'s, so»"',
      '‹token: «two words, and: more»',
    ],
    ...[
      'a: 1\n‹token: «hunter2»\nb: 2',
      '‹token: «a»\n‹token: «b»\n',
      '‹token: «hunter2 # note»',
      '‹token: «changeme# note»',
    ],
    ...['‹token: «[a, b]»', '‹token: «>x»', '‹token: «|x»', '‹token: «|123»', '‹token: «x|»'],
    ...['‹token: «a[»', '‹token: «{x»'],
    ...[`‹token: «${'ab'.repeat(3_000)}»`, 'token==', `‹token: «a»\r\n`],
  ],
  'what stands before a name': [
    ...[
      '‹# password: «hunter2»',
      '‹; token=«hunter2»',
      '‹// token: «hunter2»',
      '‹/* token: «hunter2 */»',
      '‹ * token: «hunter2»',
    ],
    ...[
      '‹> token: «hunter2»',
      '‹| token: «hunter2»',
      '‹{ token: «hunter2»',
      '‹- token: «hunter2»',
      '‹export DB_TOKEN=«hunter2»',
    ],
    ...[
      '‹export  DB_TOKEN=«hunter2»',
      '‹set token=«hunter2»',
      '‹set   token=«hunter2»',
      '‹a b c token: «hunter2»',
      '‹the admin-2 password: «hunter2»',
    ],
    ...[
      '‹a.b$c@d.token=«hunter2»',
      '‹//r.org/:_authToken=«hunter2»',
      '‹a/token: «hunter2»',
      '‹a:b/c:token: «hunter2»',
      '‹page/token: «hunter2»',
      '‹a:page/token: «hunter2»',
      '‹a/page:token: «hunter2»',
      '‹page/token: «hunter2»',
      '‹a:page/token: «hunter2»',
      '‹a/page:token: «hunter2»',
      `‹${'x'.repeat(30)} token: «hunter2»`,
    ],
    ...[`‹${'x.'.repeat(97)}token: «hunter2»`, `‹ token\t:\t«hunter2»`],
  ],
  'a line that assigns nothing to such a name': [
    ...['name: hunter2', 'token hunter2', 'token:hunter2', 'token', 'token:', 'token: ', 'token: ""'],
    ...['token: changeme', 'token: changeme # note'],
    ...['token: changeme #', 'token: [', 'token: {', 'a b c d token: hunter2', '+token: hunter2'],
    ...['a, token: hunter2', '"a" token: hunter2'],
    ...[
      'token/a: hunter2',
      'token:a: hunter2',
      `${'x'.repeat(31)} token: hunter2`,
      `a${' '.repeat(2)}token: hunter2`,
      `${'x.'.repeat(98)}token: hunter2`,
    ],
    ...[`${' '.repeat(4_096)}token: hunter2`, '', '\n\n', 'token: true', 'exporttoken', 'token;= hunter2'],
  ],
  'the lines below a name': [
    ...[
      'token: |\n‹  «one»\n‹  «two: 2»\nb: 1',
      'token: >-\n‹  «one»\n\n‹  «two»\nb: 1',
      ' token: |2+\n‹  «one»\n b: 1',
    ],
    ...[
      'token: |\nb: 1\n  c: 2',
      '  token: |\n  b: 1',
      '- token: >\n‹    «one»\n- b: 1',
      'name: |\n  one',
      'token:\n  one: 1',
    ],
    ...['token: |\n‹  «one»\nb: 1\n  two', 'token: |-', 'token: |\n‹  "«one»",', 'token: >9\n‹ «one»'],
  ],
  'what follows a name behind which nothing stands': [
    ...[
      'token: [\n‹  «one»,\n‹"«two»"\n]\nthree',
      'token: [\n} one',
      'token: [\n  {\n  one',
      'token:\n- {a: one}',
      'token:\n‹- «one»\n‹ - "«two»"\nthree',
      'token:\n‹  «one»\ntwo',
      '  token:\n- one',
      'token:\none\n  two',
      'token:\n  - a: 1\n  - two',
      'token:\n  - changeme\n  - ',
      'name:\n  - one',
    ],
    ...[
      '- --token\n‹- «one»\n- two',
      "- '-pin'\n‹-  «one»",
      '- --token x\n- one',
      '- --token\na: 1\n- one',
      '- --name\n- one',
    ],
  ],
  'a name and its value': [
    ...[
      '- name: DB_PASSWORD\n‹  value: «hunter2»',
      '- key: token\n‹  default: «hunter2»',
      'Name: token\n‹DefaultValue: «hunter2»',
      'name: token\n‹VALUE=«hunter2»',
    ],
    ...[
      '- name: token\n  other: a -b\n‹  value: «hunter2»',
      '- name: "token"\n‹  value: «hunter2»',
      '- name: token\n- other: 1\n  value: hunter2',
      '- name: token\n  - x: 1\n  value: hunter2',
    ],
    ...[
      '- name: LOG\n  value: hunter2',
      '- names: token\n  value: hunter2',
      '- xname: token\n  value: hunter2',
      '- name: token\n  values: hunter2',
      '- name: token\n  avalue: hunter2',
    ],
    ...[
      '- name: token\n- name: LOG\n  value: hunter2',
      '- name: token\n  value: changeme',
      '- value: hunter2\n  name: token',
      '- value: hunter2\n- name: token',
      '- value: hunter2\n  name: LOG',
      '- value: hunter2\n  env:\n    name: token',
      '- name: token\n  value: |\n‹    «one»',
    ],
    ...['name: token\n‹value: «a»\n‹value: «b»', 'token: changeme\nvalue: hunter2'],
  ],
  'a value whose name follows it': [
    ...[
      'a:\n  value: hunter2\nb:\n  name: DB_PASSWORD',
      'image: web\nname: DB_PASSWORD\nurl: db',
      '[\n  {\n    "value": "info"\n  },\n  {\n    "name": "DB_PASSWORD"\n  }\n]',
    ],
  ],
  'a comment below a name in a comment': [
    ...[
      '# token:\n#   how to get one is told in the wiki',
      '# token:\n‹#   «hunter2»',
      '## token:\n‹##   «hunter2»',
      '// token:\n‹//   «hunter2»',
      '/// token:\n‹///   «hunter2»',
      '  # token:\n‹  #   «hunter2»',
    ],
    ...[
      '# passwords:\n‹#   - «correct horse battery»',
      '#token:\n‹#  «hunter2»',
      'password:\n‹  «correct horse battery»',
      'password:\n‹  «correct horse # of the first one»',
    ],
  ],
  'items below a name, and what only looks like one': [
    ...[
      'args:\n  - --password\n‹  - «hunter2»\n  - --verbose',
      '-   --password\n‹-   «hunter2»',
      '- --password  \n‹- «hunter2»',
      '- --password\r\n‹- «hunter2»\r\n',
      'note: see the flag - --password\n- next',
    ],
    ...[
      'db:\n  passwords:\n‹  - «one»\n‹  - «two»\n  host: db',
      'passwords:\n‹  - «a1[b2{c3»',
      'credentials:\n  - [\n    x\n  ]',
      'credentials:\n  -   [\n    x\n  ]',
      'password:\nsee the wiki - page 3',
    ],
    ...['‹password = «hunter2»\nskip-name-resolve', 'ask for the password:\n  it is given at the desk'],
  ],
  'an action of a template': [
    ...[
      '‹{{ $password = .Values.password | default "«hunter2»" }}',
      '‹  {{- $password = .Values.password | default "«hunter2»" }}',
      '‹# {{ $password = .Values.password | default "«hunter2»" }}',
      '{{ $name = .Values.name | default "web" }}',
      '{{- if .Values.auth }}',
      '‹token: {{ .Values.token | default "«hunter2»" }}',
    ],
    ...[
      'password:\n‹  {{ .Values.password | default "«hunter2»" | quote }}',
      'passwords:\n‹  - {{ .Values.password | default "«hunter2»" }}',
      'password:\n  {{- if .Values.auth }}\n‹  «hunter2»\n  {{- end }}\nname: web',
      'password:\n{{- if .Values.auth }}\n‹  «hunter2»\n{{- end }}\nname: web',
      'name:\n  {{ .Values.name | default "web" }}',
    ],
  ],
  'what only the holder of a key can read': [
    ...[
      'encryptedData:\n  token: hunter2\n\n  pin: hunter2\n‹token: «hunter2»',
      '  encryptedData:\n    token: a\n‹  token: «hunter2»',
      'encryptedData: x\n‹token: «hunter2»',
    ],
    ...['encryptedData:\n  token: a\n‹token: «b»\n‹  pin: «c»', 'spec:\n  encryptedData:\n‹  token: «a»'],
  ],
};

describe.each(Object.entries(ROWS))('%s', (_, texts) => {
  it.each(texts)('%s', (text) => {
    const plain = unmarked(text);
    expect(marked(plain, findInLines(plain))).toBe(text);
  });
});

const ASKED = [
  ...[
    '‹door_code: «1234»',
    '‹x: {door_code: «1234}»',
    '‹a b c d e door_code = «true»',
    "‹'door_code' : «1234»",
    '‹"door_code": "«1234»"',
  ],
  ...[
    '‹a.door_code: «1»',
    '‹a/door_code: «1»',
    '‹a.b/door_code: «1»',
    '‹door_code:«1»',
    '‹door_code: «changeme»',
    '‹door_code: ""«»\n"a": 1',
    '‹door_code:«»\nb',
    '‹door_code: ""«»\n"a": 1',
    'a: 1\n‹door_code: «»\nb',
    '‹a: 1, door_code: «2»',
  ],
  ...[
    'door_code 1',
    'xdoor_code: 1',
    'door_codes: 1',
    'door_code; 1',
    `‹door_code${' '.repeat(8)}: «1»`,
    `door_code${' '.repeat(9)}: 1`,
    `‹${'x'.repeat(190)}.door_code: «1»`,
  ],
  ...[
    '‹door_code: «x»\n‹  «a: 1»\n\n‹  «b»\nc: 2',
    '‹token: «a»\n‹door_code: «b»\nc: 1',
    '‹  door_code: «1»\n  b: 1',
    'a: 1\n\n‹door_code: «1»',
    '‹door_code: «|»\n‹  «a»',
  ],
];

it.each(ASKED)('what the operator names is found wherever on a line it stands: %s', (text) => {
  const plain = unmarked(text);
  expect(marked(plain, findInLines(plain, DOOR_CODE))).toBe(text);
});

it.each([
  {
    why: 'a Secret',
    text: 'kind: Secret\ndata:\n  any: a\nb: [',
    is: 'kind: Secret\ndata:\n  any: «a»\nb: [',
  },
  {
    why: 'another kind',
    text: 'kind: SecretStore\ndata:\n  any: a',
    is: 'kind: SecretStore\ndata:\n  any: a',
  },
  { why: 'beside a Secret', text: 'kind: Secret\nany: a', is: 'kind: Secret\nany: a' },
  { why: 'no Secret at all', text: 'a b c d token=b c', is: 'a b c d ‹token=«b» c' },
])(
  'a text that cannot be parsed is read by its lines, and the data of Secrets in it: $why',
  ({ text, is }) => {
    expect(marked(text, findInPlainText(text))).toBe(is);
  },
);

it('a text that cannot be parsed is searched for what the operator names', () => {
  expect(marked('a door_code: 1', findInPlainText('a door_code: 1', DOOR_CODE))).toBe('‹a door_code: «1»');
});
