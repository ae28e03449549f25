// Ways to bring a secret to where it is shown. Each is tried for real, at the level that asks nobody; whatever comes of it, no
// answer shows the secret, and neither does the file afterwards.
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../harness/clients.ts';
import { sharedStage } from '../../harness/previews.ts';
import { CANARY as C } from './places.ts';

const APP = `# password: ${C}c
db: &db
  host: h
  password: ${C}
  url: postgres://u:${C}u@h/d
  deep: {password: ${C}d, x: 1}
use: *db
merged:
  <<: *db
  y: 1
env:
  - name: DB_PASSWORD
    value: ${C}e
notes: free text
list: [a, b]
block: |
  a=1
  db.password=${C}b
flow: {token: ${C}f, n: 1}
x: &pw ${C}p
password: *pw
`;
const SECRET = `kind: Secret\nmetadata:\n  name: s\ndata:\n  foo: ${C}k\n  only: ${C}o\n---\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: b\n`;
const FILES = {
  'app.yaml': APP,
  'secret.yaml': SECRET,
  'one.yaml': `kind: Secret\ndata:\n  foo: ${C}1\n`,
  'app.json': `{"db": {"password": "${C}j", "user": "u"}, "note": "n", "pin": 1}\n`,
  'broken.yaml': `a: [1\npassword: ${C}x\nb: 2\n`,
  'plain.txt': `password = ${C}t\nother = 1\n`,
  'other.yaml': 'note: n\nlabels: {a: b}\n',
};

const open = sharedStage(['--allow', '**'], FILES);

type Edit = Readonly<Record<string, unknown>>;
const app = (op: string, more: Edit): Edit => ({ op, file: 'app.yaml', ...more });
const secret = (op: string, more: Edit): Edit => ({ op, file: 'secret.yaml', doc: 0, ...more });
const text = (file: string, old_text: string, new_text: string): Edit => ({
  op: 'replace_text',
  file,
  old_text,
  new_text,
});

/** Each round is a call of its own, written at once; `undo`: the change of that round is undone. */
interface Way {
  readonly why: string;
  readonly rounds: readonly (readonly Edit[] | { readonly undo: number })[];
}
const once = (why: string, ...edits: readonly Edit[]): Way => ({ why, rounds: [edits] });

const WAYS: readonly Way[] = [
  once('another key', app('rename', { path: 'db.password', new_key: 'note' })),
  once('a key with more words', app('rename', { path: 'db.password', new_key: 'passwordPolicy' })),
  once('another key of a flow mapping', app('rename', { path: 'flow.token', new_key: 't' })),
  once('another key through a pattern', app('rename', { path: '**.password', new_key: 'note' })),
  once('a copy', app('copy', { path: 'db.password', to: '', key: 'note' })),
  once('a copy into a list', app('copy', { path: 'db.password', to: 'list' })),
  once('a move', app('move', { path: 'db.password', to: '', key: 'note' })),
  once('a move into a list', app('move', { path: 'db.password', to: 'list' })),
  once(
    'a copy to another file',
    app('copy', { path: 'db.password', to: '', to_file: 'other.yaml', key: 'note' }),
  ),
  once(
    'a move to another file',
    app('move', { path: 'db.password', to: 'labels', to_file: 'other.yaml', key: 'b' }),
  ),
  once('a copy to JSON', app('copy', { path: 'db.password', to: '', to_file: 'app.json', key: 'note' })),
  once('a copy from JSON', {
    op: 'copy',
    file: 'app.json',
    path: 'db.password',
    to: '',
    to_file: 'other.yaml',
    key: 'n',
  }),
  once('an alias', app('set', { path: 'notes', value: '*pw' })),
  once('an alias of the mapping', app('set', { path: 'notes', value: '*db' })),
  once(
    'a merge',
    app('insert', { path: '', key: 'z', json: {} }),
    app('set', { path: 'z', value: '{<<: *db}' }),
  ),
  once('the alias that tells goes', app('delete', { path: 'password' })),
  once('the alias that tells is renamed', app('rename', { path: 'password', new_key: 'note' })),
  once('the name of a pair', app('set', { path: 'env[0].name', value: 'LOG' })),
  once('the name of a pair goes', app('delete', { path: 'env[0].name' })),
  once('the key of a pair', app('rename', { path: 'env[0].value', new_key: 'text' })),
  once('the value of a pair moves', app('move', { path: 'env[0].value', to: 'db', key: 'v' })),
  once('the kind', secret('set', { path: 'kind', value: 'ConfigMap' })),
  once('the kind goes', secret('delete', { path: 'kind' })),
  once('the key of the kind', secret('rename', { path: 'kind', new_key: 'Kind' })),
  once('the key of the data', secret('rename', { path: 'data', new_key: 'datum' })),
  once('the data moves', secret('move', { path: 'data', to: 'metadata' })),
  once('the data to the other document', secret('move', { path: 'data.foo', to: 'data', to_doc: 1 })),
  once('a copy to the other document', secret('copy', { path: 'data', to: 'metadata', to_doc: 1, key: 'd' })),
  once(
    'a copy and another kind',
    secret('copy', { path: 'data.foo', to: 'data', key: 'bar' }),
    secret('delete', { path: 'data.foo' }),
    secret('delete', { path: 'data.only' }),
    secret('set', { path: 'kind', value: 'X' }),
  ),
  once('a document is split', text('secret.yaml', 'data:\n  foo', '---\ndata:\n  foo')),
  once('two documents become one', text('secret.yaml', '---\nkind: ConfigMap\n', '')),
  once('the key as text', text('app.yaml', '  password: ', '  note: ')),
  once('a letter of the key', text('app.yaml', 'host: h\n  password', 'host: h\n  passwordx')),
  once('a comment in front', text('app.yaml', '\n  password: ', '\n  # note ')),
  once('the user of a URL', text('app.yaml', 'postgres://u:', 'postgres://')),
  once('the end of a URL', text('app.yaml', '@h/d', '/h/d')),
  once('the scheme of a URL', text('app.yaml', 'postgres://', 'postgres ')),
  once('a line of a block', text('app.yaml', 'db.password=', 'db.note=')),
  once('the word of a comment', text('app.yaml', '# password: ', '# note ')),
  once('a line of plain text', text('plain.txt', 'password = ', 'note = ')),
  once('a break in plain text', text('plain.txt', 'password = ', 'password =\n')),
  once('a file becomes broken', text('app.yaml', 'list: [a, b]', 'list: [a, b')),
  once('a broken file is mended otherwise', text('broken.yaml', 'a: [1\npassword: ', 'a: 1\nnote: ')),
  once('a key of a broken file', text('broken.yaml', 'password', 'note')),
  once('the fingerprint is cut', text('app.yaml', '<secret:', 'x')),
  once('the end of a fingerprint', text('app.yaml', '>\n  url', '\n  url')),
  once('letters behind it', text('app.yaml', '\n  url: ', 'x\n  url: ')),
  once(
    'a comment that keeps',
    app('comment', { path: 'db', comment: 'free', keep: true }),
    text('app.yaml', '# password: ', '# '),
  ),
  once(
    'a value around it',
    app('set', { path: 'db', value: '{host: h}' }),
    app('set', { path: 'notes', value: '*pw' }),
  ),
  once(
    'the parent goes, its anchor stays',
    app('delete', { path: 'use' }),
    app('delete', { path: 'merged' }),
    app('move', { path: 'db.deep.password', to: 'list' }),
  ),
  {
    why: 'an undo below another kind',
    rounds: [
      [{ op: 'delete', file: 'one.yaml', path: 'data.foo' }],
      [{ op: 'set', file: 'one.yaml', path: 'kind', value: 'ConfigMap' }],
      { undo: 0 },
    ],
  },
  {
    why: 'an undo of a file below another kind',
    rounds: [
      [{ op: 'delete_file', file: 'one.yaml' }],
      [{ op: 'create_file', file: 'one.yaml', content: 'kind: ConfigMap\n' }],
      { undo: 0 },
    ],
  },
  {
    why: 'an undo of a move',
    rounds: [
      [app('move', { path: 'flow.token', to: 'db', key: 'token' })],
      [app('rename', { path: 'flow', new_key: 'fl' })],
      { undo: 0 },
    ],
  },
  {
    why: 'a placeholder put together',
    rounds: [
      [app('set', { path: 'notes', value: '<secret:' })],
      [text('app.yaml', 'notes: <secret:', 'notes: <secret:00000000>')],
    ],
  },
];

const shows = (outcome: Outcome) => JSON.stringify(outcome).includes(C);

describe('no way brings a masked value to where it is shown [DIS-10]', () => {
  it('there are enough of them', () => expect(WAYS.length).toBeGreaterThanOrEqual(50));

  it.each(WAYS)('$why', async ({ rounds }) => {
    const { server } = await open();
    const changes: unknown[] = [];
    for (const round of rounds) {
      const outcome =
        'undo' in round
          ? await server.callTool('config_revert', {
              change_id: changes[round.undo] ?? 'none',
              dry_run: false,
            })
          : await server.callTool('config_edit', { edits: round, dry_run: false });
      changes.push(outcome.data['change_id']);
      expect(shows(outcome)).toBe(false);
    }
    for (const file of Object.keys(FILES))
      for (const view of ['source', 'value', 'raw', 'outline'])
        expect(shows(await server.callTool('config_get', { file, view })), `${view} of ${file}`).toBe(false);
    expect(shows(await server.callTool('config_search', { text: ':' }))).toBe(false);
  });
});

it('is refused in most of them, and says why [DIS-10]', async () => {
  const { server } = await open();
  const codes = new Map<string, number>();
  for (const { rounds } of WAYS) {
    const [edits] = rounds;
    const { data } = await server.callTool('config_edit', { edits });
    const { error } = data;
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'made';
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  expect(codes.get('SECRET_PLACEHOLDER')).toBeGreaterThan(20);
  expect([...codes.keys()]).not.toContain('INTERNAL');
});
