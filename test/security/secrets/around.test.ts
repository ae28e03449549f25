// What may be changed around a masked value that stays, and what may not, in each format. Each edit is asked for two secrets of the same
// kind, the first of which is the guess in it: the answers are the same, and what is written holds the secret as it was.
import { afterAll, expect, it } from 'vitest';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const [GUESS, OTHER] = ['Hunter2secretGuess', 'anotherValueOfMoreLetters7'];

const YAML = `db:
  # where it is
  host: h
  password: §
  port: 1
text: |
  a=1
  db.password=§
  b=2
lines_secret: |
  §
    more §
keyed: &pw §
password: *pw
url: postgres://u:§@h/d
flow: {token: §, n: 1}
list: [a]
`;
const JSON_TEXT = '{\n  "db": {"password": "§", "n": 1},\n  "secret": "§",\n  "list": [1]\n}\n';
const TOML = '[db]\npassword = "§"\nport = 1\n[k]\nsecret = """\n§\n"""\n';
const TEXT = 'A=1\nDB_PASSWORD=§\nB=2\n';
const FILES: Readonly<Record<string, string>> = {
  'a.yaml': YAML,
  'a.json': JSON_TEXT,
  'a.toml': TOML,
  'a.txt': TEXT,
};

const airlock = await inlineAirlock(FILES, { allow: ['**'] });
afterAll(() => airlock.close());

type Edit = Readonly<Record<string, unknown>> & { readonly file?: string };

/** The outcome, and the file afterwards; each with § for the secret. In old_text, § is the first placeholder of the file. */
async function asked(edit: Edit, secret: string): Promise<readonly [string, string]> {
  const { file = 'a.yaml' } = edit;
  for (const [name, text] of Object.entries(FILES)) airlock.write(name, text.replaceAll('§', secret));
  const raw = await airlock.call('config_get', { file, view: 'raw' });
  const [shown = ''] = raw.status === 'ok' ? (raw.text.match(/<secret:[0-9a-z]{8}>/u) ?? []) : [];
  const old = 'old_text' in edit ? { old_text: `${edit['old_text']}`.replace('§', shown) } : {};
  const edits = [{ file, ...edit, ...old }];
  const outcome = await airlock.call('config_edit', { edits, dry_run: false });
  const said = outcome.status === 'refused' ? `${outcome.code} ${outcome.text}` : outcome.status;
  return [said, (airlock.disk(file) ?? 'none').replaceAll(secret, '§')];
}

const text = (old_text: string, new_text: string, file = 'a.yaml'): Edit => ({
  ...{ op: 'replace_text', file, old_text, new_text },
});

it.each<{ why: string; edit: Edit; is: readonly [string, string] }>([
  { why: 'a neighbour', edit: { op: 'set', path: 'db.host', value: 'x' }, is: ['host: h', 'host: x'] },
  {
    why: 'a new key before it',
    edit: { op: 'insert', path: 'db', key: 'x', before: 'password', value: '1' },
    is: ['  password', '  x: 1\n  password'],
  },
  {
    why: 'a new key behind it',
    edit: { op: 'insert', path: 'db', key: 'x', after: 'password', value: '1' },
    is: ['  port', '  x: 1\n  port'],
  },
  {
    why: 'its key',
    edit: { op: 'rename', path: 'db.password', new_key: 'db-token' },
    is: ['  password: §', '  db-token: §'],
  },
  { why: 'the key above it', edit: { op: 'rename', path: 'db', new_key: 'base' }, is: ['db:', 'base:'] },
  { why: 'its entry', edit: { op: 'delete', path: 'db.password' }, is: ['  password: §\n', ''] },
  { why: 'all above it', edit: { op: 'delete', path: 'flow' }, is: ['flow: {token: §, n: 1}\n', ''] },
  {
    why: 'its value',
    edit: { op: 'set', path: 'lines_secret', value: 'CHANGEME' },
    is: ['lines_secret: |\n  §\n    more §', 'lines_secret: CHANGEME'],
  },
  {
    why: 'its value of JSON',
    edit: { op: 'set', path: 'secret', json: '', file: 'a.json' },
    is: ['"secret": "§"', '"secret": ""'],
  },
  { why: 'another line of its text', edit: text('  a=1', '  a=2'), is: ['  a=1', '  a=2'] },
  {
    why: 'the name that it is assigned to',
    edit: text('db.password=', 'app.db.password='),
    is: ['db.password=', 'app.db.password='],
  },
  { why: 'a neighbour on its line', edit: { op: 'set', path: 'flow.n', value: '2' }, is: ['n: 1}', 'n: 2}'] },
  {
    why: 'a neighbour on its line of JSON',
    edit: { op: 'set', path: 'db.n', json: 2, file: 'a.json' },
    is: ['"n": 1', '"n": 2'],
  },
  {
    why: 'what follows it in JSON',
    edit: { op: 'delete', path: 'list', file: 'a.json' },
    is: ['"§",\n  "list": [1]\n', '"§"\n'],
  },
  {
    why: 'its key of TOML',
    edit: { op: 'rename', path: 'db.password', new_key: 'token', file: 'a.toml' },
    is: ['password =', 'token ='],
  },
  { why: 'the user before it', edit: text('postgres://u:', 'postgres://admin:'), is: ['//u:', '//admin:'] },
  { why: 'the host behind it', edit: text('@h/d', '@db.local:5432/app'), is: ['@h/d', '@db.local:5432/app'] },
  {
    why: 'a comment behind it',
    edit: text('@h/d', '@h/d # of the team'),
    is: ['@h/d', '@h/d # of the team'],
  },
  {
    why: 'its name in plain text',
    edit: text('DB_PASSWORD', 'MYSQL_PASSWORD', 'a.txt'),
    is: ['DB_', 'MYSQL_'],
  },
  {
    why: 'its value in plain text',
    edit: text('§', '${DB_PASSWORD}', 'a.txt'),
    is: ['§', '${DB_PASSWORD}'],
  },
  {
    why: 'its value with its line in plain text',
    edit: text('DB_PASSWORD=§\nB', 'DB_PASSWORD=\nB', 'a.txt'),
    is: ['=§', '='],
  },
  { why: 'its line in plain text', edit: text('DB_PASSWORD=§\n', '', 'a.txt'), is: ['DB_PASSWORD=§\n', ''] },
  { why: 'its value as text of TOML', edit: text('"§"', '"CHANGEME"', 'a.toml'), is: ['§', 'CHANGEME'] },
])('$why can be changed', async ({ edit, is: [old, next] }) => {
  const before = FILES[edit.file ?? 'a.yaml'] ?? '';
  for (const secret of [GUESS, OTHER])
    expect(await asked(edit, secret)).toEqual(['ok', before.replace(old, next)]);
});

const MOVED = /^SECRET_PLACEHOLDER .*it would move, copy, write or show a masked value/su;

it.each<{ why: string; edit: Edit; said?: RegExp }>([
  { why: 'an anchor made of it', edit: text('  password: ', '  password: &') },
  { why: 'a tag behind its anchor', edit: text('&pw ', '&pw !!str ') },
  { why: 'another alias of it', edit: { op: 'set', path: 'list[0]', value: '*pw' } },
  {
    why: 'an alias as a key',
    edit: text('list: [a]', '*pw : 1\nlist: [a]'),
    said: /^VERIFICATION_FAILED .*only the text could be read/u,
  },
  { why: 'a tag', edit: text('  password: ', '  password: !!str ') },
  { why: 'a sign before it', edit: text('db.password=', 'db.password= ') },
  { why: 'an @ behind it', edit: text('@h/d', '@x@h/d') },
  { why: 'the @ behind it', edit: text('@h/d', '/h/d') },
  { why: 'the colon before it', edit: text('postgres://u:', 'postgres://u') },
  { why: 'a password before it', edit: text('postgres://u:', 'postgres://u:x@h:') },
  { why: 'a quote before it in plain text', edit: text('DB_PASSWORD=', 'DB_PASSWORD="" "', 'a.txt') },
  { why: 'the header of its block', edit: text('lines_secret: |', 'lines_secret: >') },
  { why: 'the indicator of its block', edit: text('lines_secret: |', 'lines_secret: |2') },
  { why: 'its place', edit: { op: 'move', path: 'db.password', to: 'list' } },
  { why: 'a copy below a name of a secret', edit: { op: 'copy', path: 'db.password', to: '', key: 'token' } },
  { why: 'a copy of all around it', edit: { op: 'copy', path: 'db', to: '', key: 'other' } },
  {
    why: 'a copy to another file',
    edit: { op: 'copy', path: 'db.password', to: 'db', to_file: 'a.json', key: 'token' },
  },
  { why: 'a guess in its place', edit: { op: 'set', path: 'db.password', value: GUESS } },
  { why: 'a guess in its place in plain text', edit: text('§', GUESS, 'a.txt') },
  { why: 'a guess with its key in plain text', edit: text('DB_PASSWORD=§', `DB_TOKEN=${GUESS}`, 'a.txt') },
  { why: 'a guess beside it', edit: { op: 'insert', path: 'db', key: 'token', value: GUESS } },
  { why: 'a part of it', edit: text('db.password=', `db.password=${GUESS.slice(0, 3)}`) },
  { why: 'a sign before it in plain text', edit: text('DB_PASSWORD=', 'DB_PASSWORD= ', 'a.txt') },
])('$why cannot, and the answer is the same for a right guess and a wrong one [DIS-10]', async (row) => {
  const { edit, said = MOVED } = row;
  const [right, wrong] = [await asked(edit, GUESS), await asked(edit, OTHER)];
  expect(wrong).toEqual(right);
  expect(right[1]).toBe(FILES[edit.file ?? 'a.yaml']);
  expect(right[0]).toMatch(said);
});

it('a placeholder that is not in the file is only a text that is not there [DIS-10]', async () => {
  const answers = new Set<string>();
  for (const secret of [GUESS, OTHER])
    for (const old of ['<secret:00000000>', '<secret:7k2m9xq4>', 'no such text'])
      answers.add((await asked(text(old, 'CHANGEME', 'a.txt'), secret))[0]);
  expect([...answers]).toEqual([expect.stringMatching(/^TEXT_NOT_FOUND /u)]);
});
