// Errors that help: every code of the contract is brought about through a client, and what comes back is
// held to the contract: what it says, what it suggests, and that every step it names works as it stands.
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { type ErrorCode, REFUSALS } from '../../src/security/errors/refusals.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';
import { type Arguments, CANARY, check, type OwnServerRow, type Row } from './error-contract.ts';
import { PROCESS_ROWS } from './error-process-rows.ts';

const WEB = `kind: ${CANARY}
spec:
  replicas: ${CANARY}
  template: &t {name: ${CANARY}, image: ${CANARY}}
  copy: *t
list: [${CANARY}, ${CANARY}]
dup: ${CANARY}
dup: ${CANARY}
&k shared: *t
user: *k
`;
const FILES = {
  'vault.yaml': '$ANSIBLE_VAULT;1.1;AES256\n3132\n',
  'deploy/web.yaml': WEB,
  'chart.yaml': 'image: {{ .repository }}:{{ .tag }}\nrun: |\n  go {{ .run }}\n',
  'tsconfig.json': '// ours\n{ "a": 1 }\n',
  'a.toml': 'a = 1\n',
  'deploy/multi.yaml': 'kind: A\nn: 1\n---\nkind: B\nmetadata: {name: b}\nn: {x: 1}\n',
  'broken.yaml': `a: [${CANARY}\nb: "${CANARY}\n`,
  'large.yaml': `a: ${CANARY}${'x'.repeat(6_000)}\n`,
  'deep.yaml': `a: ${'['.repeat(150)}${']'.repeat(150)}\n`,
  'latin.yaml': Uint8Array.of(0x61, 0x3a, 0x20, 0xe9, 0x0a),
  'notes.ini': `a = "${CANARY}"\n`,
  'dashes.yaml': '- -1\n',
  'real.yaml': 'a: 1\n',
  'twin.yaml': 'a: 1\n',
  'locked/a.yaml': 'a: 1\n',
  'frozen.yaml': 'a: 1\n',
};
const FLAGS = ['--allow', '**/*.{yaml,yml,json,ini,toml}', '--max-file-size', '5000', '--log-level', 'error'];

const web = (path: string, more: Arguments = {}) => ({ file: 'deploy/web.yaml', path, ...more });
const edit = (...edits: readonly Arguments[]) => ({ edits });

/** Rows that one server with the files above answers. */
const ROWS: readonly Row[] = [
  {
    code: 'PREVIEW_NOT_FOUND',
    why: 'an id that was made up',
    call: ['config_apply', { preview_id: 'a'.repeat(52) }],
    suggests: ['Preview the change again, and apply the new preview'],
  },
  {
    code: 'CHANGE_NOT_FOUND',
    why: 'an id that was made up',
    call: ['config_revert', { change_id: 'a'.repeat(52) }],
    suggests: ['Use the change_id that the call which applied the change has answered'],
  },
  {
    code: 'PATH_INVALID',
    why: 'a path with ..',
    call: ['config_get', { file: '../web.yaml' }],
    suggests: ['deploy/web.yaml', 'Give a path relative to the root'],
  },
  {
    code: 'PATH_INVALID',
    why: 'a leading ./ before a slash',
    call: ['config_get', { file: './/deploy/web.yaml' }],
    suggests: ['Use "deploy/web.yaml", without the leading \'./\''],
  },
  {
    code: 'PATH_OUTSIDE_ROOT',
    why: 'an absolute path',
    call: ['config_set', { file: '/srv/deploy/web.yaml', path: 'kind', value: 'x' }],
    suggests: ['Use deploy/web.yaml'],
  },
  {
    code: 'PATH_DENIED',
    why: 'a folder',
    call: ['config_get', { file: 'deploy' }],
    suggests: ['See the files of this folder'],
  },
  {
    code: 'NODE_NOT_FOUND',
    why: 'a misspelt key above others, for which nothing shorter is offered',
    call: ['config_set', web('spec.tmplate.nothing', { value: '1', create: false, dry_run: false })],
    suggests: ['See what is at spec'],
  },
  {
    code: 'PATH_DENIED',
    why: 'a name of the denylist',
    call: ['config_get', { file: 'prod.env' }],
    suggests: ['Use one of the files that config_list shows'],
  },
  {
    code: 'SYMLINK_REFUSED',
    why: 'a symbolic link',
    call: ['config_get', { file: 'link.yaml' }],
    suggests: ['Use the path of the real file'],
    given: ({ root }) => {
      symlinkSync('real.yaml', join(root, 'link.yaml'));
      return () => unlinkSync(join(root, 'link.yaml'));
    },
  },
  {
    code: 'NOT_REGULAR_FILE',
    why: 'a folder',
    call: ['config_validate', { file: 'folder.yaml' }],
    suggests: ['Name a file, not a folder'],
    given: ({ root }) => {
      mkdirSync(join(root, 'folder.yaml'));
      return () => rmSync(join(root, 'folder.yaml'), { recursive: true });
    },
  },
  {
    code: 'HARD_LINK_REFUSED',
    why: 'a second name',
    call: ['config_get', { file: 'twin.yaml' }],
    suggests: ['Ask the operator to make a copy'],
    given: ({ root }) => {
      linkSync(join(root, 'twin.yaml'), join(root, 'other.yaml'));
      return () => unlinkSync(join(root, 'other.yaml'));
    },
  },
  {
    code: 'READ_ONLY',
    why: 'the mode of the file',
    call: ['config_set', { file: 'frozen.yaml', path: 'a', value: '2', dry_run: false }],
    suggests: ['Keep dry_run true'],
    given: ({ root }) => {
      chmodSync(join(root, 'frozen.yaml'), 0o444);
      return () => chmodSync(join(root, 'frozen.yaml'), 0o644);
    },
  },
  {
    code: 'FILE_NOT_FOUND',
    why: 'the other extension',
    call: ['config_get', { file: 'deploy/web.yml' }],
    suggests: ['Use deploy/web.yaml'],
  },
  {
    code: 'FILE_TOO_LARGE',
    why: 'more bytes than allowed',
    call: ['config_get', { file: 'large.yaml' }],
    suggests: ['The limit for file_size is 5000 bytes; here it is 6010'],
  },
  {
    code: 'NOT_UTF8',
    why: 'Latin-1',
    call: ['config_get', { file: 'latin.yaml' }],
    suggests: ['convert the file to UTF-8'],
  },
  {
    code: 'UNSUPPORTED_FORMAT',
    why: 'allowed, but no format with keys',
    call: ['config_get', { file: 'notes.ini', view: 'outline' }],
    suggests: ['Read it with config_get and view "raw", and edit it with replace_text'],
  },
  {
    code: 'ENCRYPTED_FILE',
    why: 'a file that is encrypted as a whole',
    call: ['config_edit', edit({ op: 'replace_text', file: 'vault.yaml', old_text: '31', new_text: '41' })],
    suggests: ['A person who knows its password runs: ansible-vault edit vault.yaml'],
  },
  {
    code: 'SECRET_PLACEHOLDER',
    why: 'what stands for a masked value, given as a value',
    call: ['config_set', { ...web('spec.replicas'), value: '<secret:7k2m9xq4>' }],
    suggests: ['edit the keys beside it one by one'],
  },
  {
    code: 'SECRET_PLACEHOLDER',
    why: 'a value that would be masked',
    call: ['config_edit', edit({ op: 'create_file', file: 'new.yaml', content: 'password: guess-1' })],
    suggests: [
      'Send the same content with CHANGEME, an empty text or a reference such as ${DB_PASSWORD} there',
    ],
  },
  {
    code: 'SYNTAX_INVALID',
    why: 'syntax errors',
    call: ['config_set', { file: 'broken.yaml', path: 'a', value: '1' }],
    suggests: ['mend it with the operation replace_text of config_edit'],
  },
  {
    code: 'LIMIT_EXCEEDED',
    why: 'deep nesting',
    call: ['config_get', { file: 'deep.yaml' }],
    suggests: ['The limit for nesting is 100 levels', 'list_capabilities'],
  },
  {
    code: 'NODE_PATH_INVALID',
    why: 'an empty segment',
    call: ['config_get', web('spec..replicas')],
    suggests: ['Write keys with dots', 'Quote a key'],
  },
  {
    code: 'NODE_NOT_FOUND',
    why: 'a misspelt key',
    call: ['config_set', web('spec.replica', { value: '1', create: false })],
    suggests: ['Use spec.replicas'],
  },
  {
    code: 'NODE_NOT_FOUND',
    why: 'an index past the end',
    call: ['config_set', web('list[7]', { value: '1' })],
    suggests: ['The indexes are 0 to 1. To add an item use config_edit with op "append"'],
  },
  {
    code: 'NODE_NOT_FOUND',
    why: 'no such document',
    call: ['config_get', { file: 'deploy/multi.yaml', doc: { kind: 'C' } }],
    suggests: ['doc 0: A', 'doc 1: B/b'],
  },
  {
    code: 'TYPE_MISMATCH',
    why: 'a key in a list',
    call: ['config_set', web('list["0"]', { value: '1' })],
    suggests: ['Use list[0]'],
  },
  {
    code: 'NODE_AMBIGUOUS',
    why: 'slashes, which separate keys or stand in one',
    call: ['config_set', web('spec/new', { value: '1' })],
    suggests: ['Use spec.new', 'Paths that may be meant: spec.new, ["spec/new"]'],
  },
  {
    code: 'DUPLICATE_KEY',
    why: 'which of the two',
    call: ['config_set', web('dup', { value: '1' })],
    suggests: ['Use dup[#1]', 'Paths that may be meant: dup[#1], dup[#2]'],
  },
  {
    code: 'DOCUMENT_AMBIGUOUS',
    why: 'no document named',
    call: ['config_set', { file: 'deploy/multi.yaml', path: 'n', value: '2' }],
    suggests: ['doc 0: A', 'doc 1: B/b', 'If you mean document 0'],
  },
  {
    code: 'ALIAS_CROSSED',
    why: 'through an alias',
    call: ['config_set', web('spec.copy.name', { value: '1' })],
    suggests: ['Edit the node that carries &t'],
  },
  {
    code: 'ANCHOR_IN_USE',
    why: 'the anchor goes, the alias stays',
    call: ['config_set', web('spec', { value: '1' })],
    suggests: ['*t'],
  },
  {
    code: 'KEY_IS_SHARED',
    why: 'the key that an alias repeats',
    call: ['config_edit', edit({ op: 'rename', ...web('shared'), new_key: 'mine' })],
    suggests: ['untangle the key'],
  },
  {
    code: 'TEMPLATE_ACTION',
    why: 'a value with an end that nothing belongs to, which as a text would be the same action',
    call: ['config_set', { file: 'chart.yaml', path: 'image', value: '{{ end }}' }],
    suggests: ['Send whole actions'],
  },
  {
    code: 'VALUE_INVALID',
    why: 'a text with an action that YAML would read as structure',
    call: ['config_set', { file: 'chart.yaml', path: 'image', value: 'a: b: {{ .tag }}' }],
    suggests: ['in quotes, its actions included'],
  },
  {
    code: 'VALUE_INVALID',
    why: 'a comment that is not closed, in a format that has comments',
    call: ['config_set', { file: 'tsconfig.json', path: 'a', value: '5 /* open' }],
    suggests: ['no value of JSONC'],
  },
  {
    code: 'FILE_EXISTS',
    why: 'a file to be created that is there',
    call: ['config_edit', edit({ op: 'create_file', file: 'real.yaml', content: '' })],
    suggests: ['Change the file with config_set or replace_text'],
  },
  {
    code: 'TEXT_NOT_FOUND',
    why: 'a text that is not there',
    call: ['config_edit', edit({ op: 'replace_text', file: 'real.yaml', old_text: 'b: 1', new_text: '' })],
    suggests: ['Copy old_text from view "raw"'],
  },
  {
    code: 'TEXT_AMBIGUOUS',
    why: 'a text that is there twice',
    call: ['config_edit', edit({ op: 'replace_text', file: 'dashes.yaml', old_text: '-', new_text: 'b' })],
    suggests: ['Give more of the text around the place that is meant'],
  },
  {
    code: 'VERIFICATION_FAILED',
    why: 'a text that would leave nothing but text to be read',
    call: [
      'config_edit',
      edit({ op: 'replace_text', file: 'twin.yaml', old_text: 'a: 1', new_text: '? a\n: 1' }),
    ],
    suggests: ['Replace the rest in the same call'],
  },
  {
    code: 'FILE_CHANGED',
    why: 'another sha256',
    call: ['config_set', web('kind', { value: 'x', dry_run: false, expected_sha256: '0'.repeat(64) })],
    suggests: ['The file has sha256 '],
  },
  {
    code: 'BUSY',
    why: 'another process holds the lock of the folder',
    call: ['config_set', { file: 'locked/a.yaml', path: 'a', value: '2', dry_run: false }],
    suggests: ['If no other server is running'],
    given: ({ root }) => {
      // A lock that nobody can read is one of a living process, for all that is known.
      const lock = join(root, 'locked', '.config-airlock.lock');
      writeFileSync(lock, '');
      return () => unlinkSync(lock);
    },
  },
  {
    code: 'PERMISSION_DENIED',
    why: 'a folder in which nothing may be made',
    call: ['config_set', { file: 'locked/a.yaml', path: 'a', value: '3', dry_run: false }],
    suggests: ['Ask the operator to check the owner and mode'],
    given: ({ root }) => closed(join(root, 'locked')),
  },
  {
    code: 'ARGUMENT_INVALID',
    why: 'a field that there is not',
    call: ['config_get', { file: 'real.yaml', pth: 'a' }],
    suggests: ['config_get takes file, path?, doc?, view?'],
  },
];

/** Rows that need a server of their own. */
const operator = tempRoot({
  'policy.yaml': 'default: direct\nrules:\n  - { id: frozen, paths: a, then: deny, say: Ask team A }\n',
  'schema.json': '{ "type": "object", "properties": { "a": { "type": "integer" } } }',
});
afterAll(() => operator.remove());

const OTHER_ROWS: readonly OwnServerRow[] = [
  {
    code: 'READ_ONLY',
    why: 'the mode of the server',
    call: ['config_set', { file: 'a.yaml', path: 'a', value: '2', dry_run: false }],
    suggests: ['Keep dry_run true'],
    options: { files: { 'a.yaml': 'a: 1\n' }, flags: ['--read-only'] },
  },
  {
    code: 'LIMIT_EXCEEDED',
    why: 'a node longer than a reply',
    call: ['config_get', { file: 'a.yaml', path: 'a' }],
    suggests: ['The limit for a reply is 10 characters; here it is 26', 'See its parts'],
    options: { files: { 'a.yaml': `a: ${CANARY}${'x'.repeat(20)}\n` }, flags: ['--max-reply-chars', '10'] },
  },
  {
    code: 'IO_ERROR',
    why: 'the root is gone',
    call: ['config_list', {}],
    suggests: ['ask the operator to look at the log'],
    options: {},
    given: ({ root }) => {
      rmSync(root, { recursive: true });
      return () => undefined;
    },
  },
  {
    code: 'POLICY_DENIED',
    why: 'a rule of the operator',
    call: ['config_set', { file: 'a.yaml', path: 'a', value: '2' }],
    suggests: ['Ask team A'],
    options: { files: { 'a.yaml': 'a: 1\n' }, flags: ['--policy', join(operator.dir, 'policy.yaml')] },
  },
  {
    code: 'SCHEMA_VIOLATION',
    why: 'a schema of the operator',
    call: ['config_set', { file: 'a.yaml', path: 'a', value: 'x', dry_run: false }],
    suggests: ['at a'],
    options: {
      files: { 'a.yaml': 'a: 1\n' },
      flags: ['--schema', `*.yaml=${join(operator.dir, 'schema.json')}`],
    },
  },
  {
    code: 'PREVIEW_REQUIRED',
    why: 'a write at once where the operator wants previews',
    call: ['config_set', { file: 'a.yaml', path: 'a', json: 2, dry_run: false }],
    suggests: ['Send the same call with dry_run true'],
    options: { files: { 'a.yaml': 'a: 1\n' }, flags: ['--approval', 'preview', '--log-level', 'error'] },
  },
];

/** What needs a preview to begin with: the test of config_apply brings each about, and follows its steps. */
const OF_PREVIEWS: readonly ErrorCode[] = [
  ...(['PREVIEW_EXPIRED', 'PREVIEW_USED', 'PREVIEW_REPLACED'] as const),
  ...(['APPROVAL_REQUIRED', 'APPROVAL_DECLINED', 'APPROVAL_UNAVAILABLE'] as const),
];

/** A folder where nobody, not even root, may make a file. Throws where that cannot be arranged. */
function closed(folder: string): () => void {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o555);
    return () => chmodSync(folder, 0o755);
  }
  if (spawnSync('chattr', ['+i', folder]).status !== 0)
    throw new Error('root may write everywhere, and chattr +i does not work here');
  return () => spawnSync('chattr', ['-i', folder]);
}

describe('one server', () => {
  const server = toolServer({ files: FILES, flags: FLAGS });

  test.for(ROWS)('$code: $why', (row, context) => check(row, server, context));
});

describe('a server of its own', () => {
  test.for(OTHER_ROWS)('$code: $why', async (row, context) => {
    const server = await ownToolServer(row.options);
    await check(row, server, context);
  });
});

it('every code is brought about', () => {
  const induced = [...ROWS, ...OTHER_ROWS, ...PROCESS_ROWS].map(({ code }) => code);
  expect([...new Set([...induced, ...OF_PREVIEWS])].sort()).toEqual(Object.keys(REFUSALS).sort());
});
