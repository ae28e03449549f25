// Two airlocks over files that differ in nothing but their secrets, which are of equal kinds and numbers of lines. Whatever random edits are
// asked of both, with the secrets of the first as guesses, both say the same and make the same of their files; and each secret that
// is left is, to the byte, one that was there.
import { expect } from 'vitest';
import { withMasking } from '../../../src/adapters/index.ts';
import { type InlineAirlock, inlineAirlock } from '../../harness/inline-airlock.ts';
import { type Random, randomFrom } from '../../harness/random.ts';

type Kind = 'word' | 'signs' | 'number' | 'lines' | 'token';
type Secrets = (kind: Kind, indent?: string) => string;

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function secretsBy(random: Random, made: string[]): Secrets {
  const letters = (least: number, more: number) =>
    Array.from({ length: least + random.below(more) }, () => random.pick([...LETTERS])).join('');
  const word = () => `q${letters(7, 12)}7Z`;
  const MAKE: Record<Kind, (indent: string) => string> = {
    word,
    signs: () => `${word()} ${random.pick(['#', ':', '&', '*', '!', '%'])}${letters(2, 5)}`,
    number: () =>
      `${random.pick([3, 7, 9])}${Array.from({ length: 5 + random.below(6) }, () => random.below(10)).join('')}`,
    lines: (indent) => [word(), `  ${word()}`, word()].join(`\n${indent}`),
    token: () => `ghp_${Array.from({ length: 36 }, () => random.pick([...LETTERS])).join('')}`,
  };
  return (kind, indent = '') => {
    const secret = MAKE[kind](indent);
    made.push(secret);
    return secret;
  };
}

/** Secrets of every shape that the formats have. */
const FILES: Readonly<Record<string, (s: Secrets) => string>> = {
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
  port: 5432
  pin_secret: ${s('number')}
env:
  - name: DB_PASSWORD
    value: ${s('word')}
  - name: LOG
    value: info
use: *db
named: &pw ${s('word')}
password: *pw
tagged_password: !!str &t ${s('word')}
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
  "passwords": ["${s('word')}", "${s('token')}"],
  "note": "n"
}
`,
  'app.jsonc': (s) => `{
  // password: ${s('word')}
  "client_secret": "${s('word')}", /* kept */
  "n": 1
}
`,
  'app.toml': (s) => `title = "t"
[db]
password = "${s('signs')}"
port = 1
pin_secret = ${s('number')}
[keys]
api_key = '${s('word')}'
passphrase = """
${s('lines')}"""
inline = { token = "${s('word')}", n = 1 }
`,
  'chart.yaml': (s) => `{{- if .Values.on }}
password: {{ .Values.pw | default "${s('word')}" }}
{{- end }}
token: ${s('word')}
name: {{ .Release.Name }}
`,
  'app.properties': (s) => `LOG=1
DB_PASSWORD=${s('word')}
URL=amqp://u:${s('word')}@h/v
LEVEL=2
`,
  'broken.yaml': (s) => `a: [1\npassword: ${s('word')}\nb: 2\n`,
};
const NAMES = Object.keys(FILES);

const PATHS = [
  ...[
    '',
    'db',
    'db.host',
    'db.password',
    'creds',
    'creds.token',
    'creds.api_key',
    'creds.passphrase',
    'creds.port',
  ],
  ...[
    'creds.folded_secret',
    'creds.pin_secret',
    'env',
    'env[0]',
    'env[0].name',
    'env[0].value',
    'env[name=LOG].value',
  ],
  ...[
    'use',
    'named',
    'password',
    'tagged_password',
    'url',
    'flow',
    'flow.token',
    'flow.n',
    'flow.list',
    'text',
    'note',
  ],
  ...[
    'end',
    'kind',
    'metadata',
    'metadata.name',
    'stringData',
    'stringData.first',
    'stringData.second',
    'data',
  ],
  ...[
    'data.third',
    'data.a',
    'db.port',
    'db.secret',
    'list',
    'list[0]',
    'passwords',
    'passwords[0]',
    'passwords[1]',
    'n',
    'keys',
  ],
  ...[
    'client_secret',
    'title',
    'keys.api_key',
    'keys.passphrase',
    'keys.inline',
    'keys.inline.token',
    'keys.inline.n',
  ],
  ...['token', 'name', 'a', 'b', '**.password', '*', 'env[*].value'],
];
const KEYS = [
  'password',
  'token',
  'note',
  'api_key',
  'x',
  'kind',
  'value',
  'name',
  'my_secret',
  'data',
  'a b',
  '<<',
];
const WORDS = [
  'x',
  'info',
  '1',
  'true',
  'CHANGEME',
  '""',
  '${DB_PASSWORD}',
  'Secret',
  'ConfigMap',
  'DB_PASSWORD',
  'LOG',
];
const VALUES = [
  ...WORDS,
  '*pw',
  '*db',
  '*t',
  '&pw x',
  '{a: 1}',
  '{<<: *db}',
  '[1, 2]',
  '|',
  '~',
  '"a\\nb"',
  '{token: x, n: 1}',
];
const SIGNS = [
  '',
  ' ',
  '&',
  '*',
  '!',
  '#',
  '"',
  "'",
  ':',
  ': ',
  '=',
  '- ',
  'x',
  '|',
  '>',
  '\n',
  '\n  ',
  '@',
  '{',
  ',',
  '?',
  '\\',
];

type Edit = Readonly<Record<string, unknown>>;

/** `shown`: of the file, its placeholders as §0, §1 and so on. */
function randomEdit(random: Random, file: string, shown: string, guesses: readonly string[]): Edit {
  const [path, key] = [random.pick(PATHS), random.pick(KEYS)];
  const guess = () => {
    const secret = random.pick(guesses);
    return random.pick([
      secret,
      `&${secret}`,
      `*${secret}`,
      secret.slice(0, 4),
      `"${secret}"`,
      `x: ${secret}`,
    ]);
  };
  const value = () => (random.below(4) === 0 ? guess() : random.pick(VALUES));
  const more = file === 'secret.yaml' && random.below(5) > 0 ? { doc: random.below(2) } : {};
  const at = { file, path, ...more };
  const MAKE: readonly (() => Edit)[] = [
    () => ({ op: 'set', ...at, value: value(), ...(random.below(2) ? { create: true } : {}) }),
    () => ({ op: 'set', ...at, json: random.pick([1, 'x', null, guess(), { token: guess() }, ['a']]) }),
    () => ({ op: 'delete', ...at }),
    () => ({ op: 'rename', ...at, new_key: random.below(6) ? key : guess() }),
    () => ({
      op: 'insert',
      ...at,
      key,
      value: value(),
      ...(random.below(2) ? { before: random.pick(KEYS) } : {}),
    }),
    () => ({ op: 'append', ...at, value: value() }),
    () => ({ op: 'merge', ...at, json: { [key]: random.below(3) ? 'x' : guess() } }),
    () => ({ op: 'copy', ...at, to: random.pick(PATHS), key, ...toFile(random) }),
    () => ({ op: 'move', ...at, to: random.pick(PATHS), key, ...toFile(random) }),
    () => ({
      op: 'comment',
      ...at,
      comment: random.pick(['kept', guess(), `password: ${guess()}`]),
      place: random.pick(['before', 'line_end']),
    }),
    () => ({ op: 'delete_file', file }),
    ...Array.from({ length: 7 }, () => () => replacement(random, file, shown, guess)),
  ];
  return random.pick(MAKE)();
}

function toFile(random: Random): Edit {
  return random.below(3) === 0 ? { to_file: random.pick(NAMES) } : {};
}

/** Some of what is shown, with something more, something less or something else. */
function replacement(random: Random, file: string, shown: string, guess: () => string): Edit {
  const pieces = shown.match(/§\d+;|[\w.]+|\s+|[^\s\w]/gu) ?? [];
  const start = random.below(Math.max(pieces.length, 1));
  const old = pieces.slice(start, start + 1 + random.below(9));
  const next = [...old];
  const place = random.below(next.length + 1);
  const put = random.below(8) === 0 ? guess() : random.pick([...SIGNS, ...KEYS, ...WORDS]);
  next.splice(place, random.below(2), put);
  return { op: 'replace_text', file, old_text: old.join(''), new_text: next.join('') };
}

interface Twin {
  readonly airlock: InlineAirlock;
  readonly texts: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** As it is shown; undefined where there is no file. */
  shown(file: string): string | undefined;
}

const PLACEHOLDER = /<secret:[0-9a-z]{8}>/gu;

async function twin(seed: number): Promise<Twin> {
  const secrets: string[] = [];
  const make = secretsBy(randomFrom(seed), secrets);
  const texts = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name, text(make)]));
  const airlock = await inlineAirlock(texts, { allow: ['**'] });
  const { policy, state } = airlock.airlock;
  const sandbox = withMasking(airlock.airlock.sandbox, { policy, state, key: '' });
  const shown = (file: string) =>
    airlock.disk(file) === undefined ? undefined : sandbox.open(sandbox.parse(file)).read().text;
  for (const name of NAMES)
    for (const secret of secrets)
      if (shown(name)?.includes(secret)) expect.fail(`${secret} of ${name} is not masked`);
  return { airlock, texts, secrets, shown };
}

/** The placeholders of each, numbered as they come. */
function numbered(text: string): { readonly text: string; readonly found: readonly string[] } {
  const found: string[] = [];
  const replaced = text.replaceAll(PLACEHOLDER, (one) => {
    if (!found.includes(one)) found.push(one);
    return `§${found.indexOf(one)};`;
  });
  return { text: replaced, found };
}

/** Fingerprints by their order; hashes, ids and times not at all. */
function withoutKeys(outcome: unknown): string {
  return numbered(JSON.stringify(outcome))
    .text.replaceAll(/\b(?:pv|ch)_[0-9a-z]{10}\b/gu, 'id')
    .replaceAll(/\b[0-9a-f]{12,64}\b/gu, 'hash')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'time');
}

export interface Tally {
  edits: number;
  written: number;
  touching: number;
  /** Answers that differ because the letters of fingerprints do. */
  byFingerprint: number;
}

const EDITS_PER_PAIR = 1_500;
const EDITS_PER_TEXT = 6;
const OTHER_KEYS = 12;

/** Answers what was done. */
export async function editTwins(edits: number, seed: number): Promise<Tally> {
  const tally: Tally = { edits: 0, written: 0, touching: 0, byFingerprint: 0 };
  for (let pair = 0; tally.edits < edits; pair += 1) {
    const [one, other] = [await twin(seed + 2 * pair), await twin(seed + 2 * pair + 1)];
    const random = randomFrom(seed + 7_919 * pair);
    const until = Math.min(edits, tally.edits + EDITS_PER_PAIR);
    while (tally.edits < until) await editText(one, other, random, tally);
    one.airlock.close();
    other.airlock.close();
  }
  return tally;
}

/** With the fingerprints of one of them. */
function named(edits: readonly Edit[], found: readonly string[]): unknown {
  return JSON.parse(
    JSON.stringify(edits).replaceAll(/§(\d+);/gu, (_, number: string) => `${found[Number(number)]}`),
  );
}

/** What an airlock says that has the same secrets and another key. */
async function underOtherKey(
  files: Readonly<Record<string, string>>,
  file: string,
  made: readonly Edit[],
  dry_run: boolean,
): Promise<string> {
  const airlock = await inlineAirlock(files, { allow: ['**'] });
  const { text: shown = '' } = textOf(await airlock.call('config_get', { file, view: 'raw' }));
  const { found } = numbered(shown);
  const outcome = await airlock.call('config_edit', { edits: named(made, found), dry_run });
  airlock.close();
  return withoutKeys(outcome);
}

function textOf(outcome: object): { readonly text?: string } {
  return 'text' in outcome && typeof outcome.text === 'string' ? { text: outcome.text } : {};
}

/** Some calls on the files as they were at first. */
async function editText(one: Twin, other: Twin, random: Random, tally: Tally): Promise<void> {
  const file = random.pick(NAMES);
  const all = [one, other] as const;
  for (const { airlock, texts } of all) for (const name of NAMES) airlock.write(name, texts[name]);
  const first = new Set(
    all.flatMap((each) => NAMES.flatMap((name) => each.shown(name)?.match(PLACEHOLDER) ?? [])),
  );
  for (let count = 0; count < EDITS_PER_TEXT; ) {
    const [text, alike] = all.map((each) => numbered(each.shown(file) ?? ''));
    if (text === undefined || alike === undefined || text.text === '') return;
    const made = Array.from({ length: 1 + random.below(2) }, () =>
      randomEdit(random, file, text.text, one.secrets),
    );
    count += made.length;
    tally.edits += made.length;
    const dry_run = random.below(3) === 0;
    const before = Object.fromEntries(
      NAMES.flatMap((name) => {
        const now = one.airlock.disk(name);
        return now === undefined ? [] : [[name, now]];
      }),
    );
    const outcomes = [
      await one.airlock.call('config_edit', { edits: named(made, text.found), dry_run }),
      await other.airlock.call('config_edit', { edits: named(made, alike.found), dry_run }),
    ];
    const asked = JSON.stringify([file, made, dry_run]);
    const [said, saidByOther] = outcomes.map(withoutKeys);
    if (said !== saidByOther) {
      // The letters of a fingerprint may be near to what was asked for; under other keys they are others.
      for (let key = 0; key < OTHER_KEYS; key += 1) {
        if ((await underOtherKey(before, file, made, dry_run)) === said) continue;
        tally.byFingerprint += 1;
        return;
      }
      expect(saidByOther, asked).toBe(said);
    }
    if (outcomes[0]?.status === 'failed') expect.fail(`${asked}: ${JSON.stringify(outcomes[0])}`);
    for (const secret of other.secrets)
      if (JSON.stringify(outcomes[1]).includes(secret)) expect.fail(`${secret} is said: ${asked}`);
    if (outcomes[0]?.status === 'ok') tally.written += dry_run ? 0 : 1;
    else if (JSON.stringify(outcomes[0]).includes('it would move, copy')) tally.touching += 1;
    for (const name of outcomes[0]?.status === 'ok' && !dry_run ? NAMES : []) {
      const [now, too] = all.map((each) => each.shown(name));
      expect(numbered(too ?? 'none').text, asked).toBe(numbered(now ?? 'none').text);
      // A fingerprint is that of the bytes.
      for (const found of [now, too].flatMap((shown) => shown?.match(PLACEHOLDER) ?? []))
        if (!first.has(found)) expect.fail(`a secret that was not there, in ${name}: ${asked}`);
    }
  }
}
