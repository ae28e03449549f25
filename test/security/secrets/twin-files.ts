// Files with secrets of every shape that the formats have, for random calls on twins that differ in nothing but these secrets.
import type { Random } from '../../harness/random.ts';

export type Kind = 'word' | 'signs' | 'escaped' | 'number' | 'negative' | 'hex' | 'octal' | 'lines' | 'token';
/** `indent`: of the lines of a secret of several. */
export type Secrets = (kind: Kind, indent?: string) => string;

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** `made`: each that was asked for, as it is written. */
export function secretsBy(random: Random, made: string[]): Secrets {
  const some = (least: number, more: number, from: string) =>
    Array.from({ length: least + random.below(more) }, () => random.pick([...from])).join('');
  const word = () => `q${some(7, 12, LETTERS)}7Z`;
  const digits = () => `${random.pick([3, 7, 9])}${some(5, 6, '0123456789')}`;
  const MAKE: Record<Kind, (indent: string) => string> = {
    word,
    signs: () => `${word()} ${random.pick(['#', ':', '&', '*', '!', '%', '{', ']'])}${some(2, 5, LETTERS)}`,
    escaped: () => `${word()}${random.pick(['\\"', '\\n', '\\t', '\\u00e9', '\\\\'])}${some(2, 5, LETTERS)}`,
    number: digits,
    negative: () => `-${digits()}`,
    hex: () => `0x${some(1, 1, '123456789')}${some(5, 4, '0123456789ABCDEF')}`,
    octal: () => `0o${some(5, 4, '1234567')}`,
    lines: (indent) => [word(), `  ${word()}`, word()].join(`\n${indent}`),
    token: () => `ghp_${some(36, 1, LETTERS)}`,
  };
  return (kind, indent = '') => {
    const secret = MAKE[kind](indent);
    made.push(secret);
    return secret;
  };
}

export const FILES: Readonly<Record<string, (s: Secrets) => string>> = {
  'app.yaml': (s) => `# of the team
db: &db
  host: db.local # where it is
  password: ${s('word')}
  user: app
creds:
  token: "${s('signs')}"
  api_key: '${s('signs')}'
  passphrase: |
    ${s('lines', '    ')}
  folded_secret: >-
    ${s('lines', '    ')}
  plain_secret: ${s('word')}
    ${s('word')}
  quoted_secret: "${s('escaped')}
    ${s('word')}"
  port: 5432
  pin_secret: ${s('number')}
env:
  - name: DB_PASSWORD
    value: ${s('word')}
  - name: LOG
    value: info
args: [--password, ${s('word')}, --verbose]
use: *db
named: &pw ${s('word')}
password: *pw
tagged_password: !!str &t ${s('word')}
block_password: &block |2
    ${s('word')}
  ${s('word')}
url: postgres://app:${s('word')}@db.local:5432/app
flow: {token: ${s('word')}, n: 1, list: [a, b]}
text: |
  log=1
  db.password=${s('word')}
  level=2
note: see ${s('token')} here
# password: ${s('word')}
end: 1
`,
  'numbers.yaml': (s) => `pin: ${s('negative')}
"pin_code_secret": ${s('hex')}
'password': ${s('octal')}
? token
: ${s('number')}
limit: 4096
near: {secret: ${s('negative')}, size: 3}
list:
  - password: ${s('number')}
    name: a
  - password: ${s('hex')}
    name: b
`,
  'secret.yaml': (s) => `kind: Secret
metadata:
  name: web
stringData:
  first: ${s('word')}
  second: |-
    ${s('lines', '    ')}
data:
  third: ${s('word')}
---
kind: ConfigMap
metadata:
  name: web
data:
  a: b
`,
  'app.json': (s) => `{
  "db": {
    "password": "${s('signs')}",
    "port": 1,
    "secret": ${s('number')}
  },
  "list": [1, "two"],
  "passwords": ["${s('word')}", "${s('escaped')}", "${s('token')}"],
  "pin": ${s('negative')},
  "note": "n"
}
`,
  'app.jsonc': (s) => `{
  // password: ${s('word')}
  "client_secret": "${s('escaped')}", /* kept */
  "n": 1
}
`,
  'app.toml': (s) => `title = "t"
[db]
password = "${s('escaped')}"
port = 1
pin_secret = ${s('number')}
hex_secret = ${s('hex')}
octal_secret = ${s('octal')}
low_secret = ${s('negative')}
[keys]
api_key = '${s('signs')}'
passphrase = """
${s('lines')}"""
other_secret = '''
${s('lines')}
'''
folded_secret = """${s('word')} \\
  ${s('word')}"""
inline = { token = "${s('word')}", n = 1 }
db.password = "${s('word')}"
[[users]]
name = "a"
token = "${s('word')}"
[[users]]
name = "b"
token = "${s('word')}"
`,
  'chart.yaml': (s) => `{{- if .Values.on }}
password: {{ .Values.pw | default "${s('word')}" }}
{{- end }}
token: ${s('word')}
name: {{ .Release.Name }}
env:
{{- range .Values.env }}
  - name: TOKEN
    value: "${s('signs')}"
{{- end }}
  - name: LOG
    value: {{ .Values.log | quote }}
`,
  'app.properties': (s) => `LOG=1
DB_PASSWORD=${s('word')}
URL=amqp://u:${s('word')}@h/v
LEVEL=2
`,
  'broken.yaml': (s) => `a: [1\npassword: ${s('word')}\nb: 2\n`,
};

export const NAMES = Object.keys(FILES);

const LISTS: Readonly<Record<string, string>> = {
  'app.yaml': `db db.host db.password db.user creds creds.token creds.api_key creds.passphrase creds.folded_secret creds.plain_secret
    creds.quoted_secret creds.port creds.pin_secret env env[0] env[0].name env[0].value env[1].value env[name=LOG].value env[*].value
    args args[0] args[1] args[2] use use.password named password tagged_password block_password url flow flow.token flow.n flow.list
    flow.list[0] text note end **.password *`,
  'numbers.yaml': `pin pin_code_secret password token limit near near.secret near.size list list[0] list[0].password list[name=b]
    list[name=b].password list[*].password list[1].name`,
  'secret.yaml':
    'kind metadata metadata.name stringData stringData.first stringData.second data data.third data.a',
  'app.json':
    'db db.password db.port db.secret list list[0] list[1] passwords passwords[0] passwords[1] passwords[-1] pin note',
  'app.jsonc': 'client_secret n',
  'app.toml': `title db db.password db.port db.pin_secret db.hex_secret db.octal_secret db.low_secret keys keys.api_key keys.passphrase
    keys.other_secret keys.folded_secret keys.inline keys.inline.token keys.inline.n keys.db keys.db.password users users[0]
    users[0].token users[1].name users[name=b].token users[*].token`,
  'chart.yaml':
    'password token name env env[0] env[0].name env[0].value env[name=LOG].value env[*].value env[1]',
};
const ALL = Object.values(LISTS).flatMap((list) => list.split(/\s+/u));

/** Mostly of this file. */
export function pathOf(file: string, random: Random): string {
  const own = LISTS[file]?.split(/\s+/u) ?? ALL;
  return random.below(20) === 0 ? '' : random.pick(random.below(8) === 0 ? ALL : own);
}
