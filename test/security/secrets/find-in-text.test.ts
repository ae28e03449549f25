// What tells a secret in a text of any format, to the letter: each shape, where it begins and ends, and what only looks like it.
import { describe, expect, it } from 'vitest';
import { findInText } from '../../../src/security/index.ts';
import { marked, unmarked } from './marked.ts';

const A = (count: number) => 'aB3'.repeat(count).slice(0, count);
const HEX = '0123456789abcdef'.repeat(4);

/** Each as short as it may be, and longer. */
const TOKENS = [
  ...[...'pousr'].map((letter) => `gh${letter}_${A(20)}`),
  ...[`github_pat_${A(11)}_${A(8)}`, `glpat-${A(9)}-${A(10)}`, `sk-${A(5)}_-${A(13)}`],
  ...[...'abeoprs'].map((letter) => `xox${letter}-${A(5)}-${A(4)}`),
  ...[
    `xapp-${A(5)}-${A(4)}`,
    `hooks.slack.com/services/${A(5)}/${A(4)}-`,
    `hooks.slack.com/workflows/${A(10)}`,
  ],
  ...[`sk_live_${A(10)}`, `rk_test_${A(10)}`, `whsec_${A(17)}+/=`],
  ...['AKIAABCDEFGH01234567', 'ASIAABCDEFGH01234567'],
  ...[`AIza${A(33)}-_`, `ya29.${A(19)}-`, `GOCSPX-${A(19)}-`, `npm_${A(30)}`],
  ...[`pypi-${A(19)}-`, `dop_v1_${HEX}`],
  ...[`hvs.${A(19)}-`, `hvb.${A(20)}`, `dckr_pat_${A(19)}-`, `SG.${A(15)}-.${A(15)}_`],
  ...[`AGE-SECRET-KEY-1${'A2'.repeat(20)}`, `eyJ${A(9)}-.${A(1)}`, `eyJ${A(10)}.a-b.c_d`, `eyJ${A(10)}.key`],
  ...[`ghp_${A(255)}`, `eyJ${A(4_096)}.${A(8_192)}.${A(8_192)}`, '<secret:0a1b2c3d>'],
];

/** Of one letter less, or with one that none has: nothing. */
const NO_TOKENS = [
  ...[`ghp_${A(19)}`, `ghx_${A(20)}`, `ghp_${A(10)}-${A(10)}`, `github_pat_${A(19)}`, `glpat-${A(19)}`],
  ...[
    `xoxz-${A(10)}`,
    `xoxb-${A(9)}`,
    `xapp-${A(9)}`,
    `hooks.slack.com/services/${A(9)}`,
    `hooksxslack.com/services/${A(9)}`,
  ],
  ...[`hooks.slack.com/other/${A(10)}`, `sk-${A(19)}`, `sk_live_${A(9)}`],
  ...[`pk_live_${A(10)}`, `whsec_${A(19)}`],
  ...['AKIAABCDEFGH0123456', 'AKIAABCDEFGHa1234567', `AIza${A(34)}`, `ya29.${A(19)}`],
  ...[`ya29x${A(20)}`, `GOCSPX-${A(19)}`],
  ...[`npm_${A(29)}`, `pypi-${A(19)}`, `dop_v1_${HEX.slice(1)}`, `dop_v1_${HEX.slice(1)}x`],
  ...[`hvs.${A(19)}`, `hvx.${A(20)}`],
  ...[
    `dckr_pat_${A(19)}`,
    `SG.${A(15)}.${A(16)}`,
    `SG.${A(16)}.${A(15)}`,
    `AGE-SECRET-KEY-1${'A'.repeat(39)}`,
  ],
  ...[`eyJ${A(9)}.${A(9)}`, `eyJ${A(10)}`, `eyJ${A(10)}.`, '<secret:0a1b2c3>'],
  ...['<secret:0a1b2c3i>', '<secret:0a1b2c3D>'],
];

describe('a token', () => {
  it.each(TOKENS)('is found where %s stands', (token) => {
    const text = `x "${token}" y`;
    expect(marked(text, findInText(text))).toBe(`x "«${token}»" y`);
  });

  it.each(NO_TOKENS)('is not taken for what %s says', (text) => {
    expect(findInText(`x "${text}" y`)).toEqual([]);
  });
});

const ROWS: readonly (readonly [why: string, ...texts: string[]])[] = [
  [
    'a credential of a request',
    ...['Bearer «abcdef12»', 'basic «dXNlcjpwYXNz1==»', 'BEARER    «a.b~c+d/e=f-1»', 'a bearer «abcdefg1» b'],
    ...['bearer abcdefg', 'bearer abcdefgh 1', 'bearer abcdefgh', 'bearer: abcdefg1', 'xbearer abcdefg1'],
    ...['bearer     abcdefg1', 'basic $(cat12345)'],
    ...[`basic «1${'a'.repeat(4_095)}»aa`, 'Bearer ABC$DEF1', 'basic 1.2.3-beta.1', 'bearer 1!abcdefg'],
  ],
  [
    'the password of a URL',
    ...[
      'postgres://app:«hunter2»@db:5432/app',
      'x://:«hunter2»@h',
      'x://u:«hun@ter2»@h/p',
      'x://u:«hunter2»@h x@y',
    ],
    ...['"x://u:«hunter2»@h"@z', "'x://u:«hunter2»@h'@z", '<x://u:«hunter2»@h>@z', 'x://u:hunter2/h'],
    ...['x://u:@h', 'x://u@h', 'x:/u:hunter2@h'],
    ...['x://u:$' + '{PW}@h', 'x://u:changeme@h', 'x://u v:hunter2@h', 'x://u@v:hunter2@h'],
    ...['x://u/v:hunter2@h', 'x://u"v:hunter2@h'],
    ...[
      `x://${'u'.repeat(100)}:«hunter2»@h`,
      `x://${'u'.repeat(101)}:hunter2@h`,
      'x://h:5432/a y://u:«hunter2»@h',
      'a://b:«c://d:«hunter2»@h',
    ],
    ...[
      'x://u:«hunter2»@h\ny://u:«hunter3»@h',
      'a text before x://u:«hunter2»@h y@z',
      'x://u:a\n@h',
      'x://u:«hunter2»@',
      'x://u:hunter2',
    ],
  ],
  [
    'a private key',
    ...[
      'a\n«-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----»\nb',
      '«-----BEGIN RSA PRIVATE KEY-----\nabc»',
    ],
    ...[
      '«-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----» b',
      '«-----BEGIN X25519 PRIVATE KEY-----a-----END X25519 PRIVATE KEY-----»',
    ],
    ...[
      '«-----BEGIN PRIVATE KEY-----a-----END PRIVATE KEY-----» b «-----BEGIN PRIVATE KEY-----c-----END PRIVATE KEY-----»',
    ],
    ...[
      '«-----BEGIN PRIVATE KEY-----a-----BEGIN PRIVATE KEY-----b-----END PRIVATE KEY-----» c',
      '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    ],
    ...[
      '-----END PRIVATE KEY----- a «-----BEGIN PRIVATE KEY-----b»',
      `-----BEGIN ${'A'.repeat(41)}PRIVATE KEY-----a`,
      `«-----BEGIN ${'A'.repeat(40)}PRIVATE KEY-----a»`,
      '-----BEGIN x PRIVATE KEY-----a',
    ],
    ...[
      `«-----BEGIN PRIVATE KEY-----a-----END ${'A'.repeat(40)}PRIVATE KEY-----» b`,
      `«-----BEGIN PRIVATE KEY-----a-----END ${'A'.repeat(41)}PRIVATE KEY----- b»`,
      '«-----BEGIN PRIVATE KEY-----a-----END x PRIVATE KEY----- b»',
    ],
  ],
  [
    'an assignment',
    ...[
      '‹DB_PASSWORD=«hunter2» x',
      '‹--password=«hunter2»;x',
      '‹db.password=«hunter2»&x',
      'x,‹token=«hunter2»,y',
      '[‹token=«hunter2»]',
      '(‹token=«hunter2»)',
      '{‹token=«hunter2»}',
    ],
    ...[
      '`‹token=«hunter2»`',
      '<‹token=«hunter2»<',
      '‹token=«hunter2»>',
      "‹token='«hun ter2»' x",
      '‹token="«hun \'ter2»" x',
      '‹token="«hunter2»\nx',
      '"‹token=«hunter2»"',
      "'‹token=«hunter2»'",
    ],
    ...['‹token = «hunter2»', '‹token= «hunter2»', 'token  = hunter2', '‹token = $' + '{A:-«hunter2»}'],
    ...['name=hunter2', '=hunter2', 'a =hunter2', 'token=changeme', 'token=', 'token=""', '‹token=«a=b»'],
    ...['‹token=«x_token=b» c', '‹token=«a»,‹b_token=«c»'],
    ...[
      `‹token=«${'a'.repeat(4_096)}»aa`,
      `‹${'x'.repeat(94)}.token=«hunter2»`,
      `xx‹${'x'.repeat(94)}.token=«hunter2»`,
    ],
    ...['token=$' + '{PW}', 'token=$' + '{A B}', '‹token=«$' + '{A B}x» y', 'token=$$' + '{A}'],
    ...['token=$(cat a)', 'token=$$(cat a)', 'token={{ .x }}', 'token=$' + '{{ .x }}'],
    ...['‹token=«{{ .x }}y» z', '‹token=«$(a»\n'],
    ...[
      '‹token=«a=b»,‹token=«c»',
      'a=1 ‹token=«hunter2» b=2',
      'a ‹x-token=«hunter2»',
      'a ‹$token=«hunter2»',
      'é‹token=«hunter2»',
    ],
  ],
  [
    'a value behind a reference, however long that is',
    `‹token=«${'$' + '{A}'}x» y`,
    `token=${'$'}{${`${'$'}{${'a'.repeat(190)}}`.repeat(30)}} y`,
  ],
  [
    'a connection string',
    ...['Server=db;‹Password=«a b,c»;Timeout=5', 'Server=db; ‹Password=«a b,c»; Timeout=5'],
    ...['Server=db;‹Password=«a b,c»', 'Server=db;‹Pwd=«a b»\nnext', '"Server=db;‹Pwd=«a b»" c'],
    ...[';‹Pwd=«a b»;Timeout=5', 'Server=db, ‹Password=«a» b;', "Server=db;‹Pwd='«a;b»';Timeout=5"],
    ...['export A=1;(‹TOKEN=«x1» run); b', 'echo a; b ‹TOKEN=«x1» run'],
  ],
  [
    'what only looks like an assignment, or computes a value',
    ...['{{ $password = randAlphaNum 16 }}', '{{ $db_password = .Values.password }}'],
    ...['data: aGVsbG8gd29ybGtoken== next'],
    ...['PASSWORD=$(vault read ‹--token=«hunter2» db)', 'PASSWORD=$' + '{A} ‹TOKEN=«x1»'],
  ],
  [
    'a flag',
    ...[
      'redis ‹--requirepass «hunter2» x',
      '‹-password    «hunter2»',
      '‹--db-password «hunter2»;x',
      '‹--token «a-b%c»',
      '‹--token «hunter2»|x',
      '‹--token «hunter2»&',
      "‹--token «hunter2»'",
      '‹--token «hunter2»"',
      '‹--token «hunter2»`',
      '‹--token «hunter2»<',
      '‹--token «hunter2»>',
    ],
    ...['--token     hunter2', '--token $PW', '--token -x', '--token {a', '--token %A'],
    ...['‹--token "«hunter2»"', "‹--token '«hunter2»' x", '‹--token \\\n    «hunter2»'],
    ...['‹--token\n  «hunter2»', '--token <a', '--token is', '--token the key', '--token to x'],
    ...['--token and x', '--token or x', '--token for x', '--token if x', '--token in x', '--token with x'],
    ...['--token which x', '--token as x', '‹--token «ash»'],
    ...[
      'x--token hunter2',
      '---token hunter2',
      '--1token hunter2',
      '--token changeme',
      '--name hunter2',
      '-p hunter2',
      `‹--${'x'.repeat(55)}-token «hunter2»`,
      `--${'x'.repeat(56)}-token hunter2`,
      `‹--token «${'a'.repeat(4_096)}»a`,
    ],
  ],
  [
    'a variable of a template',
    ...[
      '{{ ‹$password := "«hunter2»" }}',
      '‹$token="«hunter2»"',
      '‹$token    =    "«hun ter2»"',
      '$token     = "hunter2"',
      '$token :=     "hunter2"',
      '$token := "changeme"',
      '$name := "hunter2"',
      '$token := "a\nb"',
      '$token := ""',
      `‹$${'x'.repeat(54)}_token := "«hunter2»"`,
      '$x+token := "hunter2"',
      `‹$token := "«${'a'.repeat(4_096)}»"`,
      `$token := "${'a'.repeat(4_097)}"`,
    ],
  ],
  [
    'a member',
    ...[
      '{‹"password": "«hunter2»", "a": "b"}',
      "{‹'password' : '«hunter2»'}",
      '‹"token":"«a\\"b»" "c"',
      '{‹\\"token\\": \\"«hunter2»\\", \\"a\\": 1}',
      '‹"token": "«a\\"b\\"»"',
      '{‹\\"token\\": \\"«a\\\\\\"b»\\"}',
      '‹"a.b$c@d-token": "«hunter2»"',
    ],
    ...[
      '"token": hunter2',
      '"token": ""',
      '"token": "changeme"',
      '"name": "hunter2"',
      '"token\': "hunter2"',
      '"a token": "hunter2"',
      '‹"token": "«hunter2»',
      '‹"token": \'«hun"ter2»\' "',
      `‹"token"${' '.repeat(8)}:${' '.repeat(8)}"«hunter2»"`,
      `"token"${' '.repeat(9)}: "hunter2"`,
      `"token":${' '.repeat(9)}"hunter2"`,
      `‹"${'x'.repeat(94)}.token": "«hunter2»"`,
      `"${'x'.repeat(95)}.token": "hunter2"`,
    ],
  ],
  ['nothing', '', 'a text that says nothing', 'a: 1\nb: 2\n', 'key=1', '://', '-----'],
];

describe.each(ROWS)('%s', (_why, ...texts) => {
  it.each(texts)('%s', (text) => {
    const plain = unmarked(text);
    expect(marked(plain, findInText(plain))).toBe(text);
  });
});

it('begins at the last of several beginnings of a JWT, so that none is read to the end of all of them [SRV-16]', () => {
  const token = `eyJ${A(20)}.${A(30)}.${A(20)}`;
  expect(findInText(`eyJeyJ${token}`)).toMatchObject([{ start: 6, end: token.length + 6 }]);
  const late = `eyJ${A(20)}eyJ${A(5)}.${A(30)}.${A(20)}`;
  expect(findInText(late)).toMatchObject([{ start: 0, end: late.length }]);
});
