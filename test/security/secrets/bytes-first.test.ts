// A search looks at the bytes of a file first, and leaves out those that cannot match. Where anything may be masked it does not: what
// a file shows, what is said and which files are opened are the same for a right guess of a secret and for a wrong one.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { onDiskCalls } from '../../harness/disk-calls.mjs';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { sharedStage } from '../../harness/previews.ts';
import { seededRandom } from '../../harness/random.ts';
import { runs } from '../../harness/runs.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer } from '../../harness/tool-server.ts';
import table from '../../tables/masking.json' with { type: 'json' };
import { CANARY, FLAGS, PLACES } from './places.ts';

/** Spellings and places in which only more than one line, a decoded key or another node tells that a value is secret. */
const RARER = [
  ['a.yaml', '"\\u0070assword": hunter2secret\n'],
  ['a.yaml', '"pass\\x77ord": hunter2secret\n'],
  ['a.yaml', '"private\\tkey": hunter2secret\n'],
  ['a.yaml', '? "private\\\n  key"\n: hunter2secret\n'],
  ['a.yaml', '? password\n: hunter2secret\n'],
  ['a.yaml', 'password:\n\n\n    hunter2secret\n'],
  ['a.yaml', 'value: hunter2secret\nname: DB_PASSWORD\n'],
  ['a.yaml', 'a: &n DB_PASSWORD\nb: {name: *n, value: hunter2secret}\n'],
  ['a.yaml', 'a: &k password\n*k : hunter2secret\n'],
  ['a.yaml', 'a: &a {password: &p hunter2secret}\nb: {<<: *a}\nc: [*p]\n'],
  ['a.yaml', 'data: {x: hunter2secret}\nkind: Secret\n'],
  ['a.yaml', 'args:\n  - --password\n  - hunter2secret\n'],
  ['a.json', '{"p\\u0061ssword"\n:\n"hunter2secret"}\n'],
  ['a.json', '{"value":"hunter2secret","name":"DB_PASSWORD"}\n'],
  ['a.jsonc', '{// password: hunter2secret\n"a": 1}\n'],
  ['a.toml', '"p\\u0061ssword" = "hunter2secret"\n'],
  ['a.toml', 'password = """\nhunter2secret"""\n'],
  ['a.properties', 'db.password=hunter2\\\n  secret\n'],
  ['a.properties', 'db.password : hunter2secret\n'],
  ['a.ini', '[db]\npassword hunter2secret\n'],
  ['a.tf', 'variable "db_password" {\n  default = "hunter2secret"\n}\n'],
  ['a.tf', 'password = <<EOT\nhunter2secret\nEOT\n'],
] as const;

const ROWS: readonly (readonly [file: string, text: string])[] = [
  ...[...table.secret, ...table.plain].flatMap(({ file, texts }) =>
    texts.map((row) => [file, row.replaceAll(/[«»¬]/gu, '')] as const),
  ),
  ...PLACES.map(({ file, text }) => [file, text(CANARY)] as const),
  ...RARER,
];

const RULES = [...FLAGS, '--mask-path', '**/asked.yaml:spec.license'];

/** The same text with other line breaks, far from the beginning, and within a text of YAML. */
const FORMS: Readonly<Record<string, (file: string, text: string) => readonly [string, string]>> = {
  plain: (file, text) => [file, text],
  'with CRLF': (file, text) => [file, text.replaceAll(/\r?\n/gu, '\r\n')],
  'behind a piece of blank lines': (file, text) => [file, `${'\n'.repeat(4_200)}${text}`],
  'in a block text': (_, text) => ['block.yaml', `a:\n  b: |2\n${text.replaceAll(/^/gmu, '    ')}\nc: 1\n`],
  'in a template': (_, text) => [`t/templates/x.yaml`, `{{- if .Values.x }}\n${text}\n{{- end }}\n`],
};

function withFolder(folder: string, files: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** Some of the rows at each change, and all of them before a release. */
function drawn(): readonly (readonly [string, string])[] {
  const random = seededRandom(4);
  const order = new Map(ROWS.map((row) => [row, random.below(1e9)]));
  const rows = ROWS.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return [...rows.slice(0, runs(rows.length * 3) / 3), ...RARER];
}

it.each([
  ...Object.entries(FORMS).map(([name, form]) => ({ name, form, flags: ['--allow', '**'] })),
  { name: 'with rules of the operator', form: FORMS['plain'], flags: RULES },
])('a file shows the same secrets before and after a search: $name [DIS-1]', async ({ form, flags }) => {
  const files = Object.fromEntries(
    drawn().map((row, index) => {
      const [file, text] = form?.(...row) ?? row;
      return [`${index}/${file}`, text];
    }),
  );
  const place = tempRoot(withFolder('root', files), memoryDisk());
  const given = { root: join(place.dir, 'root'), state: join(place.dir, 'state'), flags };
  const [searched, unsearched] = [await startToolServer(given), await startToolServer(given)];
  onTestFinished(async () => {
    for (const server of [searched, unsearched]) await server.close();
    place.remove();
  });
  await searched.ok('config_search', { text: 'no such text' });
  let masked = 0;
  for (const [file, text] of Object.entries(files)) {
    const shown = await Promise.all(
      [unsearched, searched].map((server) => server.callTool('config_get', { file, view: 'raw' })),
    );
    expect(shown[1]?.text, text).toBe(shown[0]?.text);
    if (shown[0]?.text.includes('<secret:') === true) masked += 1;
  }
  expect(masked).toBeGreaterThan(20);
});

const GUESSED = sharedStage(
  FLAGS,
  Object.fromEntries([
    ...PLACES.filter((_, index) => index % 16 === 0).map(({ file, text }, index) => [
      `${index}-${file}`,
      text(CANARY),
    ]),
    ...RARER.map(([file, text], index) => [
      `r${index}-${file}`,
      text.replace(/hunter2(?:\\\n {2})?secret/u, CANARY),
    ]),
    ['plain.yaml', 'a: 1\n'],
  ]),
);

/** The forms in which a guess can be asked for. */
const QUESTIONS: readonly ((guess: string) => Readonly<Record<string, string>>)[] = [
  (guess) => ({ text: guess }),
  (guess) => ({ value: guess }),
  (guess) => ({ key: 'password', value: `${guess.slice(0, 9)}*` }),
  (guess) => ({ where: `=${guess}` }),
  (guess) => ({ key: guess, where: 'missing' }),
];

it('neither what is said nor the files that are read depend on 1,000 guesses of a masked value [DIS-1]', async () => {
  const { server } = await GUESSED();
  const random = seededRandom(5);
  const letters = [...CANARY];
  const wrong = () => `k${Array.from({ length: letters.length - 1 }, () => random.pick(letters)).join('')}`;
  let calls: string[] = [];
  const opened = /^\/proc\/self\/fd\/\d+\/(.+)/u;
  onTestFinished(
    onDiskCalls((name, [file]) => {
      if (name === 'openSync') calls.push(opened.exec(String(file))?.[1] ?? '');
    }),
  );
  for (const question of QUESTIONS) {
    const outcomes = new Set<string>();
    for (let at = 0; at < 200; at += 1) {
      const guess = at % 4 === 1 ? CANARY : wrong();
      calls = [];
      const { text } = await server.callTool('config_search', question(guess));
      outcomes.add(
        `${text.replaceAll(guess, 'G').replaceAll(guess.slice(0, 9), 'P')}\n${calls.filter((file) => file !== '').join()}`,
      );
    }
    expect([...outcomes], JSON.stringify(question('G'))).toHaveLength(1);
    expect(new Set(calls).size).toBeGreaterThan(25);
  }
});
