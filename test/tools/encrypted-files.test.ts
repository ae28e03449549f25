// Edits of encrypted files through a client. Each refusal is shown to be necessary: the same edit of the same file, in which
// nothing is recognised as encrypted, makes a file that the tests' own decryption refuses (but for SOPS). Each success is shown
// to be harmless: that decryption still opens the file.
import { describe, expect, it } from 'vitest';
import { sharedStage } from '../harness/previews.ts';
import { seal, unsealRefuses, vault, vaultRefuses } from './encrypted/others.ts';

const CIPHERTEXT = 'ENC[AES256_GCM,data:xQ==,iv:xQ==,tag:xQ==,type:str]';
const SOPS = `# of the shop
db:
    password: ${CIPHERTEXT}
limits_unencrypted:
    port: 8080
sops:
    mac: ${CIPHERTEXT}
    lastmodified: "2026-11-20T10:00:00Z"
    mac_only_encrypted: true
    version: 3.11.0
`;

const SEALED = (
  name: string,
  namespace: string,
  label: string,
  annotation = '',
) => `apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata:
  name: ${name}
  namespace: ${namespace}
${annotation}spec:
  encryptedData:
    # of the database
    password: ${seal('hunter2', label)}
    user: ${seal('ann', label)}
  template:
    type: Opaque
`;
const NAMESPACED = '  annotations:\n    sealedsecrets.bitnami.com/namespace-wide: "true"\n';
const CLUSTER = '  annotations:\n    sealedsecrets.bitnami.com/cluster-wide: "true"\n';
const indented = (text: string) => text.replaceAll('\n', '\n  ');
const VAULTED = `name: shop\npassword: !vault |\n  ${indented(vault('hunter2'))}\nport: 80 # of the web\n`;

const FILES = {
  'full.yaml': SOPS,
  'two.yaml': `a: ${CIPHERTEXT}\n${SOPS.slice(SOPS.indexOf('sops:'))}---\n${SOPS}`,
  'full.json': `{"db": {"user": "${CIPHERTEXT}"}, "sops": {"mac": "${CIPHERTEXT}"}}\n`,
  'sealed.yaml': SEALED('shop', 'prod', 'prod/shop'),
  'space.yaml': SEALED('shop', 'prod', 'prod', NAMESPACED),
  'cluster.yaml': SEALED('shop', 'prod', '', CLUSTER),
  'vaulted.yaml': VAULTED,
  'whole.yml': `${vault('a: 1\n')}\n`,
};
type File = keyof typeof FILES;

const refuses = (file: string, text: string): string | undefined => {
  if (/sealed|space|cluster/u.test(file)) return unsealRefuses(text);
  return vaultRefuses(text);
};

interface Case {
  readonly why: string;
  readonly file: File;
  readonly edits: readonly Readonly<Record<string, unknown>>[];
  /** Of the first suggestion. */
  readonly instead?: string | RegExp;
}

const set = (path: string, json: unknown) => ({ op: 'set', path, json });
const remove = (path: string) => ({ op: 'delete', path });
const rename = (path: string, new_key: string) => ({ op: 'rename', path, new_key });
const text = (old_text: string, new_text: string) => ({ op: 'replace_text', old_text, new_text });
const add = (path: string, json: unknown, more = {}) => ({ op: 'set', path, json, create: true, ...more });
const move = (path: string, to: string, more = {}) => ({ op: 'move', path, to, ...more });

const inFile = (file: File, cases: readonly Omit<Case, 'file'>[]): readonly Case[] =>
  cases.map((one) => ({ ...one, file }));

/** The ciphertext of a password, from a file. */
const passwordIn = (file: File) => /password: ((?:ENC\[|AQ)\S+)/u.exec(FILES[file])?.[1] ?? '';

/** SOPS: its MAC covers values, and comments may decide what is encrypted, so that no edit is weighed. */
const OF_SOPS: readonly Case[] = [
  ...inFile('full.yaml', [
    { why: 'an encrypted value', edits: [set('db.password', 'CHANGEME')] },
    { why: 'a cleartext value', edits: [set('limits_unencrypted.port', 9090)] },
    { why: 'the key of an encrypted value', edits: [rename('db.password', 'secret')] },
    {
      why: 'a character within a ciphertext',
      edits: [text('password: ENC[AES256_GCM,data:xQ', 'password: ENC[AES256_GCM,data:yQ')],
    },
    { why: 'the section goes', edits: [remove('sops')] },
    { why: 'a comment', edits: [{ op: 'comment', path: 'db.password', comment: 'x' }] },
  ]),
  ...inFile('two.yaml', [{ why: 'a new document', edits: [{ op: 'add_document', json: { e: 1 } }] }]),
  ...inFile('full.json', [{ why: 'a new key', edits: [add('more', 'x')] }]),
];

const REFUSED: readonly Case[] = [
  ...inFile('sealed.yaml', [
    // SealedSecrets.
    { why: 'the name', edits: [set('metadata.name', 'x')], instead: /kubeseal .* sealed\.yaml$/u },
    { why: 'the namespace', edits: [set('metadata.namespace', 'x')] },
    { why: 'the namespace goes', edits: [remove('metadata.namespace')] },
    { why: 'the metadata goes', edits: [remove('metadata')] },
    {
      why: 'a wider scope',
      edits: [add('metadata.annotations', { 'sealedsecrets.bitnami.com/cluster-wide': 'true' })],
    },
    { why: 'clear text in the place of a value', edits: [set('spec.encryptedData.password', 'hunter3')] },
    { why: 'a new value in clear text', edits: [add('spec.encryptedData.more', 'CHANGEME')] },
    { why: 'a value is emptied', edits: [set('spec.encryptedData.password', '')] },
    {
      why: 'a character within the encrypted key',
      edits: [text(passwordIn('sealed.yaml').slice(20, 40), 'A'.repeat(20))],
    },
    {
      why: 'a character within the ciphertext',
      edits: [text(passwordIn('sealed.yaml').slice(-12, -4), 'AAAAAAAA')],
    },
    { why: 'another kind, which nobody decrypts', edits: [set('kind', 'ConfigMap')] },
  ]),
  ...inFile('space.yaml', [
    { why: 'the namespace, of a scope that it bounds', edits: [set('metadata.namespace', 'x')] },
    { why: 'the scope', edits: [remove('metadata.annotations')] },
  ]),
  ...inFile('cluster.yaml', [{ why: 'the scope', edits: [remove('metadata.annotations')] }]),
  ...inFile('vaulted.yaml', [
    // Ansible.
    {
      why: 'a digit within a value',
      edits: [text(vault('hunter2').slice(60, 80), '0'.repeat(20))],
      instead: 'ansible-vault encrypt_string --stdin-name KEY',
    },
    { why: 'the tag goes', edits: [text('!vault |', '|')] },
    { why: 'a tag on clear text', edits: [text('name: shop', 'name: !vault shop')] },
  ]),
  ...inFile('whole.yml', [
    {
      why: 'a digit of a whole file',
      edits: [text(vault('a: 1\n').slice(60, 80), '0'.repeat(20))],
      instead: 'ansible-vault edit whole.yml',
    },
    { why: 'a comment above a whole file', edits: [text('$ANSIBLE_VAULT', '# x\n$ANSIBLE_VAULT')] },
  ]),
];

const MADE: readonly Case[] = [
  ...inFile('sealed.yaml', [
    // SealedSecrets.
    { why: 'the key of a value', edits: [rename('spec.encryptedData.password', 'pass')] },
    { why: 'a value that goes', edits: [remove('spec.encryptedData.user')] },
    {
      why: 'a label and the template',
      edits: [add('metadata.labels', { app: 'x' }), set('spec.template.type', 'x')],
    },
    {
      why: 'all of it goes, with another document in its place',
      edits: [
        { op: 'add_document', json: { a: 1 } },
        { op: 'delete_document', doc: 0 },
      ],
    },
  ]),
  ...inFile('vaulted.yaml', [
    // Ansible.
    { why: 'the key of a value', edits: [rename('password', 'pass')] },
    { why: 'a value that goes', edits: [remove('password')] },
    { why: 'a value that moves', edits: [add('db', {}), move('password', 'db')] },
    { why: 'what stands beside it', edits: [set('port', 81)] },
  ]),
];

const open = sharedStage([], FILES);
/** Here all that is written without encryption can be said by an agent. */
const unmasked = sharedStage(['--no-mask'], FILES);
/** Nothing in such a file is recognised, and no span of it has another length. */
const SIGNS = [
  ['ENC[AES256_GCM', 'ENC[AES256_GCN'],
  ['SealedSecret', 'SealedSecreu'],
  ['$ANSIBLE_VAULT', '$ANSIBLE_VAULU'],
  ['!vault', '!vaulu'],
] as const;
const disguised = (value: string) =>
  SIGNS.reduce((done, [sign, other]) => done.replaceAll(sign, other), value);
const recognised = (value: string) =>
  SIGNS.reduce((done, [sign, other]) => done.replaceAll(other, sign), value);

async function after({ file, edits }: Case, isDisguised: boolean): Promise<string> {
  const { at, server } = await (isDisguised ? unmasked() : open());
  const asked = edits.map((edit) => ({ ...edit, file }));
  const sent = isDisguised ? JSON.parse(disguised(JSON.stringify(asked))) : asked;
  if (isDisguised) at.write(file, disguised(FILES[file]));
  const { data } = await server.ok('config_edit', { edits: sent, dry_run: true });
  await server.ok('config_apply', { preview_id: data['preview_id'] });
  const made = isDisguised ? recognised(at.disk(file)) : at.disk(file);
  expect(made).not.toBe(FILES[file]);
  return made;
}

it.each(Object.entries(FILES).filter(([, whole]) => !whole.includes(CIPHERTEXT)))(
  '%s can be decrypted as it is',
  (file, whole) => {
    expect(refuses(file, whole)).toBeUndefined();
  },
);

describe('an edit that breaks what encryption covers is refused, and necessarily [EDT-11]', () => {
  it.each(REFUSED)('$file: $why', async (one) => {
    const { at, server } = await open();
    const { file, edits, instead = '' } = one;
    const asked = edits.map((edit) => ({ ...edit, file }));
    const error = await server.refused('config_edit', { edits: asked, dry_run: true });
    // A value that would be masked gets the flat answer, which says nothing of the file.
    if (error.code === 'SECRET_PLACEHOLDER') return;
    expect(error).toMatchObject({ code: 'ENCRYPTED_FILE', file });
    expect(error.details).toMatch(instead);
    expect(error.again).toBeUndefined();
    expect(error.text).not.toContain('ENC[');
    expect(at.disk(file)).toBe(FILES[file]);
    expect(refuses(file, await after(one, true))).toBeDefined();
  });
});

describe('no edit of a file that SOPS has encrypted is made [EDT-11]', () => {
  it.each(OF_SOPS)('$file: $why', async ({ file, edits }) => {
    const { at, server } = await open();
    const asked = edits.map((edit) => ({ ...edit, file }));
    const error = await server.refused('config_edit', { edits: asked, dry_run: true });
    expect(error).toMatchObject({ code: 'ENCRYPTED_FILE', file });
    expect(error.details).toContain(`A person who holds its keys runs: sops edit ${file}`);
    expect(error.text).not.toContain('ENC[');
    expect(at.disk(file)).toBe(FILES[file]);
  });
});

describe('an edit that breaks nothing is made [EDT-11]', () => {
  it.each(MADE)('$file: $why', async (one) => {
    expect(refuses(one.file, await after(one, false))).toBeUndefined();
  });
});

describe('whole files', () => {
  it.each(Object.keys(FILES))('%s is created, deleted and brought back as it is', async (file) => {
    const { at, server } = await open();
    const apply = async (tool: string, args: object) => {
      const { data } = await server.ok(tool, { ...args, dry_run: true });
      return (await server.ok('config_apply', { preview_id: data['preview_id'] })).data;
    };
    const content = FILES[file as File];
    await apply('config_edit', { edits: [{ op: 'create_file', file: `new/${file}`, content }] });
    expect(at.disk(`new/${file}`)).toBe(content);
    const { change_id } = await apply('config_edit', { edits: [{ op: 'delete_file', file }] });
    await apply('config_revert', { change_id });
    expect(at.disk(file)).toBe(content);
  });

  it('a value that leaves an encrypted file for another one is refused', async () => {
    const { server } = await open();
    const edits = [
      { op: 'create_file', file: 'plain.yaml', content: 'a: 1\n' },
      { op: 'move', file: 'full.yaml', path: 'db.password', to: '', to_file: 'plain.yaml' },
    ];
    const error = await server.refused('config_edit', { edits, dry_run: true });
    expect(error).toMatchObject({ code: 'ENCRYPTED_FILE', file: 'full.yaml' });
  });

  it('an Ansible value in clear text in the place of an encrypted one is pointed out', async () => {
    const { server } = await unmasked();
    const { text: shown } = await server.ok('config_set', {
      file: 'vaulted.yaml',
      path: 'password',
      json: 'x',
    });
    expect(shown).toContain('password: the value was encrypted with ansible-vault, and is in clear text');
  });
});

describe('a reader of an encrypted file is told before an edit', () => {
  const stages = sharedStage([], {
    ...FILES,
    'plain.yaml': 'kind: SealedSecret # no spec\na: ENC[AES256_GCM,x]\n',
  });

  it.each([
    { file: 'full.yaml', says: /^Encrypted with SOPS, .* runs: sops edit full\.yaml/u },
    { file: 'full.json', says: /^Encrypted with SOPS, .* runs: sops edit full\.json/u },
    { file: 'sealed.yaml', says: /^Holds a SealedSecret: .* A person seals values anew with: kubeseal/u },
    {
      file: 'vaulted.yaml',
      says: /^Holds values encrypted with ansible-vault: .* ansible-vault encrypt_string/u,
    },
    {
      file: 'whole.yml',
      says: /^Encrypted with ansible-vault as a whole: .* ansible-vault edit whole\.yml/u,
    },
  ])('what a person has to do for $file [EDT-11]', async ({ file, says }) => {
    const { server } = await stages();
    for (const view of ['source', 'outline', 'value']) {
      const { data } = await server.ok('config_get', { file, view });
      expect([view, data]).toEqual([view, expect.objectContaining({ note: expect.stringMatching(says) })]);
    }
  });

  it('and of one that only looks like it nothing is said', async () => {
    const { server } = await stages();
    const { data } = await server.ok('config_get', { file: 'plain.yaml' });
    expect(data).not.toHaveProperty('note');
  });
});

describe('an encrypted text without a structure', () => {
  const BROKEN: Readonly<Record<string, string>> = {
    'broken.yaml': `${FILES['full.yaml']}\n a: [\n`,
    'data.bin': FILES['full.json'],
    'app.dotenv':
      'A=ENC[AES256_GCM,data:xQ==,iv:xQ==,tag:xQ==,type:str]\nsops_mac=ENC[AES256_GCM,data:xQ==]\nX=1\n',
    'app.ini': '[a]\nb = ENC[AES256_GCM,data:xQ==]\n[sops]\nmac = ENC[AES256_GCM,data:xQ==]\n; 1\n',
    'sealed-broken.yaml': `${FILES['sealed.yaml']} a: [\n`,
    'vaulted-broken.yaml': `${FILES['vaulted.yaml']} a: [\n`,
    'README.md': 'Run sops edit. It writes:\n\n    sops:\n        mac: ENC[AES256_GCM,data:xQ==]\n',
  };
  const texts = sharedStage(['--allow', '**'], BROKEN);
  const edit = (file: string, old_text: string, new_text: string) => ({
    edits: [{ op: 'replace_text', file, old_text, new_text }],
    dry_run: true,
  });

  it.each([
    { why: 'what the MAC of a broken file covers is not known', file: 'broken.yaml', old: ' a: [\n' },
    { why: 'a file that sops has encrypted as a whole', file: 'data.bin', old: '"user"' },
    { why: 'a file as of .env', file: 'app.dotenv', old: 'X=1' },
    { why: 'an .ini file', file: 'app.ini', old: '; 1' },
    { why: 'a broken SealedSecret', file: 'sealed-broken.yaml', old: ' a: [\n' },
    { why: 'a broken file with a vault', file: 'vaulted-broken.yaml', old: ' a: [\n' },
  ])('is refused: $why', async ({ file, old }) => {
    const { server } = await texts();
    const error = await server.refused('config_edit', edit(file, old, 'x'));
    expect(error).toMatchObject({ code: 'ENCRYPTED_FILE', file });
  });

  it('is edited where it shows an example', async () => {
    const { server } = await texts();
    await server.ok('config_edit', edit('README.md', 'Run', ''));
  });
});
