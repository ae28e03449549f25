// Secrets on command lines, in directives of configuration files and in statements of SQL, to the letter: what is found, where
// it begins and ends, and what only looks like it.
import { describe, expect, it } from 'vitest';
import { findInText } from '../../../src/security/index.ts';
import { marked, unmarked } from './marked.ts';

const ROWS: readonly (readonly [why: string, ...texts: string[]])[] = [
  [
    'a flag in quotes, and over lines',
    ...['x ‹--db-password "«a b»" y', "x ‹-token '«a b»'", 'x ‹--token \\"«a1»\\" y', '‹--token \\\n «a1» y'],
    ...[
      '‹--token \r\n\t«a1»',
      '--token \\\na1',
      '--token ""',
      '‹--token "«a»\nb"',
      `‹--token\n${' '.repeat(200)}«a1»`,
    ],
    ...[`--token\n${' '.repeat(201)}a1`, '‹--token    «a1»', '--token $A', '--token --x', '--token \\a'],
    ...['--token the one', '--token for it', '‹--token «them»', '‹--token «island» x'],
    ...['the --name a1', 'x--token a1'],
  ],
  [
    'the user of a request',
    ...['curl ‹-u admin:«hunter2» x', 'curl ‹--user admin:«hunter2»', 'curl ‹--proxy-user=a@b.c:«x» y'],
    ...[
      'curl ‹-u "admin:«hunter2»" x',
      "curl ‹-u'admin:«hunter2»'",
      'curl ‹--user   a-b:«x1»;y',
      'curl ‹-u a:«x1»|y',
    ],
    ...['curl ‹-u a:«x1»&y', 'curl ‹-u a:«x1»>y', 'curl ‹-u a:«x1»`'],
    ...['docker run -u 1000:1000 x', 'run --user 0:0'],
    ...['x-u a:x1', 'curl -u admin', 'curl -u a b:x1', 'curl --users a:x1'],
    ...['curl ‹-u admin:«2024hunter» x', 'docker run -u 1000:1000 -e A=1'],
    ...['curl -u $A:$B', `curl ‹-u ${'u'.repeat(100)}:«x1»`],
    `curl -u ${'u'.repeat(101)}:x1`,
  ],
  [
    'a short flag of a client',
    ...[
      '‹mysql -uroot -p«hunter2» db',
      '‹mysqldump -h x -p«hunter2»',
      '‹mariadb-admin ping -p«x1»',
      'mysql -p x',
      'mysql -u a -p',
    ],
    ...['mysql a; b -px1', 'mysql a | b -px1', 'mysql a && b -px1', '‹mysql -p"«a b»" x'],
    ...['["‹mysql", "-p«x1»"]', '["mysql", "-p", "db"]'],
    ...[
      "‹mysql -p'«x1»'",
      'xmysql -px1',
      `‹mysql ${'a'.repeat(198)} -p«x1»`,
      `mysql ${'a'.repeat(202)} -px1`,
    ],
    ...[
      '‹sshpass -p «hunter2» ssh x',
      '‹sshpass -p«hunter2» ssh',
      '‹sshpass -v -p "«a b»"',
      'sshpass -e ssh',
      'sshpass x; y -p z',
    ],
    ...[
      '‹docker login -u a -p «hunter2» x',
      '‹podman login -p «x1»',
      '‹helm registry login x -p «x1»',
      '‹skopeo login -p «x1»',
    ],
    ...[
      '‹crane login -p «x1»',
      '‹buildah login -p «x1»',
      '‹oras login -p «x1»',
      'docker login -px1',
      'docker run -p 80:80',
    ],
    ...[
      'other login -p x1',
      'docker login a; b -p x1',
      '‹redis-cli -h x -a «hunter2» ping',
      '‹redis-cli -a "«x y»"',
      'redis-cli ping',
    ],
    ...['redis-cli x | y -a z', 'redis-cli -ax1', 'helm -p x1', 'redis-cli -a $PW'],
  ],
  [
    'a directive on a line of its own',
    ...[
      '‹requirepass «hunter2»',
      '‹  masterauth «hunter2»',
      '‹# requirepass «abcd»',
      '‹requirepass "«abcd»"',
      '‹requirepass «abcd»;',
    ],
    ...[
      'requirepass abc',
      'requirepass abcd efgh',
      'requirepass changeme',
      'requirepass $PASSWORD',
      'a\n‹requirepass «abcd»\nb',
    ],
    ...[
      'a\r\n‹requirepass «abcd»\r\nb',
      '‹ENV DB_PASSWORD «hunter»',
      '‹ARG api_token «hunter»',
      '‹set db.password «hunter»',
    ],
    ...[
      '‹user db_token «hunter2»',
      'user name_x hunter2',
      '‹proxy_set_header x-api-key «abc123»',
      '‹machine h login u password «hunter2»',
    ],
    ...[
      'machine h login u password hunter',
      'password hunter',
      '‹password «hunter2»',
      'the password hunter2',
      'bearer abcd1',
    ],
    ...['password abc=1', 'password abc:1', 'password a{bc1', 'password abc1) {', 'name abcd1'],
    ...['‹a-token «abcd1»', 'ENV name abcd1'],
    ...[
      `‹password${' '.repeat(20)}«abcd1»`,
      `password${' '.repeat(21)}abcd1`,
      '‹password\t«abcd1»',
      '‹Password «abcd1»  ',
    ],
    ...[
      `‹${' '.repeat(80)}password «abcd1»`,
      `${' '.repeat(81)}password abcd1`,
      `‹password «${'a1'.repeat(2_048)}»`,
    ],
    ...[
      `password ${'a1'.repeat(2_048)}b`,
      '1password abcd1',
      '‹env DB_PASSWORD «hunter»',
      'set password hunter',
      `‹requirepass «hunter2»${' '.repeat(9_000)}`,
      `${'a: 1\n'.repeat(2_000)}‹requirepass «hunter2»`,
      '‹SET password «abcd1»',
    ],
  ],
  [
    'two words of a sentence, of which one names a secret',
    ...['oauth2-token lifetime', 'per-user_token lifetime', 'app_admin-password rotation'],
    ...['‹oauth2-token «lifetime1»', '‹app.admin_password «rotation»'],
  ],
  [
    'a property',
    ...['‹spring.datasource.password:«x»', '‹  a.password:«x»', '‹#a.password:«x»'],
    ...['a.password: x', 'a.password:/x'],
    ...['password:x', '‹a-b.db-password:«x:y»', 'a.name:x', 'a.password:x y'],
    ...['‹a.password:«x»  \r\nb', 'x a.password:y'],
    ...['a.password:changeme', `‹${'a.'.repeat(9)}password:«x1»`, `${'a.'.repeat(10)}password:x1`],
  ],
  [
    'a user of Redis',
    ...[
      '‹user default on >«hunter2» ~* +@all',
      'a\n ‹user x on >«h1»',
      'user default on',
      'xuser default on >h1',
      'user >h1',
    ],
    ...[
      `user x on >${'$'}A`,
      `‹user x${' '.repeat(190)} >«h1»`,
      'x user default on >h1',
      '‹user\tx >«h1»',
      'superuser x >h1',
    ],
  ],
  [
    'a statement of SQL',
    ...[
      "CREATE USER x ‹IDENTIFIED BY '«hunter2»'",
      "‹identified with sha2 by '«x»'",
      "ALTER USER x ‹PASSWORD '«hunter2»'",
    ],
    ...[
      "‹identified by ''«x»''",
      '‹identified by \\"«x y»\\"',
      "identified by ''",
      "identified  by 'x'",
      "‹identified by   '«x»'",
    ],
    ...["$password 'x'", "a.password 'x'", "a-password 'x'", "xpassword 'x'", 'identified by x'],
    ...["‹PASSWORD\n'«x»'", "identified by '$A'"],
    ...[
      `‹identified by '«${'x1'.repeat(512)}»'`,
      `identified by${' '.repeat(10)}'x'`,
      `‹identified by${' '.repeat(9)}'«x»'`,
    ],
  ],
];

it('a line that names several secrets is read once', () => {
  const text = 'spring.token.password:hunter2';
  expect(findInText(text)).toHaveLength(1);
});

describe.each(ROWS)('%s', (_why, ...texts) => {
  it.each(texts)('%s', (text) => {
    const plain = unmarked(text);
    expect(marked(plain, findInText(plain))).toBe(text);
  });
});
