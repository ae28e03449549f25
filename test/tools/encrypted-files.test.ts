// Edits of encrypted files through a client. Each refusal is shown to be necessary: the same edit of the same file, in which
// nothing is recognised as encrypted, makes a file that the tests' own decryption refuses. Each success is shown to be
// harmless: that decryption still opens the file.
import { describe, expect, it } from 'vitest';
import { sharedStage } from '../harness/previews.ts';
import { seal, unsealRefuses, vault, vaultRefuses } from './encrypted/others.ts';
import { encryptSops, type Rules, sopsRefuses } from './encrypted/sops.ts';

const SHOP = `# of the shop
db:
    #secret why
    user: ann
    password: hunter2
    hosts: [a, b]
    none: null
limits_unencrypted:
    port: 8080
    day: 2026-01-02
    name: shop
    left: null
empty: ""
`;
const K8S = `apiVersion: v1
kind: Secret
metadata:
    name: shop
    labels: {app: shop}
data:
    password: aHVudGVyMg==
    user: YW5u
`;
const COMMENTED = 'a: 1\n# keep this secret\nb: two\nc: three\nd: null\n';
const SHOP_JSON =
  '{"db": {"user": "ann", "port": 5432}, "limits_unencrypted": {"name": "shop", "left": null}}';

const DATA: Rules = { encrypted_regex: '^(data|stringData)$' };
const OF_ENCRYPTED: Rules = { mac_only_encrypted: true };

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
  'full.yaml': encryptSops(SHOP),
  'only.yaml': encryptSops(SHOP, OF_ENCRYPTED),
  'k8s.yaml': encryptSops(K8S, DATA),
  'k8s-only.yaml': encryptSops(K8S, { ...DATA, ...OF_ENCRYPTED }),
  'two.yaml': encryptSops('a: 1\nb_unencrypted: x\n---\nc: 2\nd_unencrypted: y\n'),
  'commented.yaml': encryptSops(COMMENTED, { encrypted_comment_regex: 'secret' }),
  'full.json': encryptSops(SHOP_JSON, {}, true),
  'only.json': encryptSops(SHOP_JSON, OF_ENCRYPTED, true),
  'sealed.yaml': SEALED('shop', 'prod', 'prod/shop'),
  'space.yaml': SEALED('shop', 'prod', 'prod', NAMESPACED),
  'cluster.yaml': SEALED('shop', 'prod', '', CLUSTER),
  'vaulted.yaml': VAULTED,
  'whole.yml': `${vault('a: 1\n')}\n`,
};
type File = keyof typeof FILES;

const refuses = (file: string, text: string): string | undefined => {
  if (/sealed|space|cluster/u.test(file)) return unsealRefuses(text);
  return /vault|whole/u.test(file) ? vaultRefuses(text) : sopsRefuses(text);
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
const copy = (path: string, to: string, more = {}) => ({ op: 'copy', path, to, ...more });

const inFile = (file: File, cases: readonly Omit<Case, 'file'>[]): readonly Case[] =>
  cases.map((one) => ({ ...one, file }));

/** The ciphertext of a password, from a file. */
const passwordIn = (file: File) => /password: ((?:ENC\[|AQ)\S+)/u.exec(FILES[file])?.[1] ?? '';

const REFUSED: readonly Case[] = [
  ...inFile('full.yaml', [
    // SOPS, with a MAC over all values.
    {
      why: 'an encrypted value becomes clear text',
      edits: [set('db.password', 'x')],
      instead: `sops set full.yaml '["db"]["password"]' '"VALUE"'`,
    },
    {
      why: 'a cleartext value',
      edits: [set('limits_unencrypted.port', 9090)],
      instead: `sops set full.yaml '["limits_unencrypted"]["port"]'`,
    },
    { why: 'a date in quotes is a text', edits: [set('limits_unencrypted.day', '2026-01-02')] },
    { why: 'a null becomes a value', edits: [set('limits_unencrypted.left', 'x')] },
    { why: 'a null, which would be encrypted, becomes a value', edits: [set('db.none', 'x')] },
    { why: 'an empty text becomes a value', edits: [set('empty', 'x')] },
    {
      why: 'a new cleartext key',
      edits: [add('limits_unencrypted.more', 'x')],
      instead: `sops set full.yaml '["limits_unencrypted"]["more"]'`,
    },
    { why: 'a new key that would be encrypted', edits: [add('db.more', 'x')] },
    {
      why: 'a deleted encrypted value',
      edits: [remove('db.password')],
      instead: `sops unset full.yaml '["db"]["password"]'`,
    },
    {
      why: 'a deleted cleartext value',
      edits: [remove('limits_unencrypted.name')],
      instead: `sops unset full.yaml`,
    },
    { why: 'the parent of encrypted values is deleted', edits: [remove('db')] },
    {
      why: 'the key of an encrypted value',
      edits: [rename('db.password', 'secret')],
      instead: 'sops edit full.yaml',
    },
    {
      why: 'a key above encrypted values',
      edits: [rename('db', 'database')],
      instead: 'sops edit full.yaml',
    },
    { why: 'a key that says what is encrypted', edits: [rename('limits_unencrypted', 'limits')] },
    { why: 'an encrypted value that would count as clear text', edits: [rename('db', 'db_unencrypted')] },
    { why: 'an item of an encrypted list', edits: [remove('db.hosts[0]')], instead: `'["db"]["hosts"][0]'` },
    { why: 'a new item of an encrypted list', edits: [{ op: 'append', path: 'db.hosts', json: 'c' }] },
    { why: 'the order of keys', edits: [move('db.user', 'db', { after: 'password' })] },
    { why: 'a copy of an encrypted value', edits: [copy('db.password', 'db', { key: 'again' })] },
    { why: 'a move of an encrypted value to the root', edits: [move('db.password', '')] },
    {
      why: 'a character within a ciphertext',
      edits: [text(passwordIn('full.yaml').slice(21, 33), 'AAAAAAAAAAAA')],
    },
    { why: 'the MAC itself', edits: [set('sops.mac', 'x')], instead: 'sops updatekeys full.yaml' },
    { why: 'the time, which the MAC is bound to', edits: [set('sops.lastmodified', '2026-11-21T10:00:00Z')] },
    { why: 'the section goes', edits: [remove('sops')] },
    { why: 'the section is renamed', edits: [rename('sops', 'was_sops')] },
    { why: 'another rule of what is encrypted', edits: [add('sops.encrypted_regex', '^x$')] },
    { why: 'the MAC would cover less', edits: [add('sops.mac_only_encrypted', true)] },
    { why: 'the key of a recipient', edits: [set('sops.age[0].enc', 'x')] },
    {
      why: 'a key that is no text',
      edits: [{ op: 'set', path: 'limits_unencrypted.left', value: '{1: null}' }],
    },
    {
      why: 'one bad edit among good ones',
      edits: [{ op: 'comment', path: 'db', comment: 'x' }, set('db.password', 'x')],
    },
  ]),
  ...inFile('only.yaml', [
    // With a MAC over what is encrypted.
    { why: 'an encrypted value', edits: [set('db.password', 'x')] },
    { why: 'a new value that would be encrypted', edits: [add('db.more', 'x')] },
    { why: 'a new value at the root that would be encrypted', edits: [add('more', 'x')] },
    { why: 'the order of encrypted values', edits: [move('db.user', 'db', { after: 'password' })] },
    { why: 'a deleted encrypted value', edits: [remove('db.user')] },
    { why: 'cleartext values that would be encrypted', edits: [rename('limits_unencrypted', 'limits')] },
    { why: 'encrypted values that would count as clear text', edits: [rename('db', 'db_unencrypted')] },
    { why: 'the MAC would cover more', edits: [set('sops.mac_only_encrypted', false)] },
    {
      why: 'a key that is no text',
      edits: [{ op: 'set', path: 'limits_unencrypted.left', value: '{1: null}' }],
    },
    { why: 'a document that is a list', edits: [{ op: 'add_document', json: [] }] },
  ]),
  ...inFile('k8s.yaml', [
    // With a pattern of keys.
    { why: 'a label, which the MAC covers', edits: [set('metadata.labels.app', 'x')] },
  ]),
  ...inFile('k8s-only.yaml', [
    { why: 'a new value below data', edits: [add('data.more', 'x')] },
    { why: 'a new stringData', edits: [add('stringData', { a: 'x' })] },
    { why: 'data under another key', edits: [rename('data', 'spec')] },
  ]),
  ...inFile('two.yaml', [
    // Several documents have one MAC.
    {
      why: 'a value of the second document',
      edits: [{ ...set('d_unencrypted', 'z'), doc: 1 }],
      instead: 'sops edit two.yaml',
    },
    { why: 'the second document goes', edits: [{ op: 'delete_document', doc: 1 }] },
    { why: 'a new document', edits: [{ op: 'add_document', json: { e_unencrypted: 1 } }] },
  ]),
  ...inFile('commented.yaml', [
    // What comments say decides.
    { why: 'the comment that has a value encrypted', edits: [text('# keep this secret', '# keep this')] },
    {
      why: 'a comment that would have a value encrypted',
      edits: [{ op: 'comment', path: 'c', comment: 'a secret' }],
    },
    {
      why: 'a key between the comment and its value',
      edits: [text('this secret\n', 'this secret\nx: null\n')],
    },
  ]),
  ...inFile('full.json', [
    // JSON.
    {
      why: 'an encrypted value',
      edits: [set('db.user', 'x')],
      instead: `sops set full.json '["db"]["user"]'`,
    },
    { why: 'a cleartext value', edits: [set('limits_unencrypted.name', 'x')] },
  ]),
  ...inFile('only.json', [
    { why: 'an encrypted value', edits: [rename('db.user', 'x')] },
    { why: 'a new value that would be encrypted', edits: [add('db.more', 1)] },
  ]),
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
    {
      why: 'a value elsewhere, which nobody decrypts',
      edits: [{ op: 'add_document', value: `kind: ConfigMap\ndata: {a: ${passwordIn('sealed.yaml')}}` }],
    },
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
      instead: 'ansible-vault encrypt_string --stdin-name password',
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
  ...inFile('full.yaml', [
    // SOPS.
    { why: 'a comment', edits: [{ op: 'comment', path: 'db.user', comment: 'who' }] },
    { why: 'a comment that goes', edits: [text('# of the shop\n', '')] },
    {
      why: 'quotes around a ciphertext',
      edits: [text(passwordIn('full.yaml'), `"${passwordIn('full.yaml')}"`)],
    },
    { why: 'quotes around a number: its bytes stay', edits: [set('limits_unencrypted.port', '8080')] },
    { why: 'a key above cleartext values', edits: [rename('limits_unencrypted', 'bounds_unencrypted')] },
    { why: 'the key of a cleartext value', edits: [rename('limits_unencrypted.port', 'door')] },
    { why: 'a new key without a value', edits: [add('limits_unencrypted.more', null)] },
    { why: 'a new empty mapping', edits: [add('limits_unencrypted.more', {})] },
    { why: 'a null that goes', edits: [remove('db.none')] },
    {
      why: 'an encrypted comment that goes',
      edits: [text(/#ENC.*\n/u.exec(FILES['full.yaml'])?.[0] ?? '', '\n')],
    },
    { why: 'a comment within the section', edits: [{ op: 'comment', path: 'sops.mac', comment: 'x' }] },
  ]),
  ...inFile('only.yaml', [
    { why: 'a cleartext value', edits: [set('limits_unencrypted.port', 9090)] },
    { why: 'a new cleartext value', edits: [add('limits_unencrypted.more', [1, 2])] },
    { why: 'a cleartext value that goes', edits: [remove('limits_unencrypted.port')] },
    {
      why: 'cleartext values that move',
      edits: [move('limits_unencrypted.port', 'limits_unencrypted', { after: 'name' })],
    },
    { why: 'a new cleartext mapping', edits: [add('more_unencrypted', { a: 1 })] },
  ]),
  ...inFile('k8s-only.yaml', [
    { why: 'a label', edits: [set('metadata.labels.app', 'x'), add('metadata.labels.tier', 'y')] },
  ]),
  ...inFile('only.json', [{ why: 'a cleartext value', edits: [set('limits_unencrypted.name', 'x')] }]),
  ...inFile('full.json', [
    { why: 'a key above cleartext values', edits: [rename('limits_unencrypted', 'x_unencrypted')] },
  ]),
  ...inFile('commented.yaml', [
    { why: 'a comment that decides nothing', edits: [{ op: 'comment', path: 'a', comment: 'first' }] },
  ]),
  ...inFile('sealed.yaml', [
    // SealedSecrets.
    { why: 'the key of a value', edits: [rename('spec.encryptedData.password', 'pass')] },
    { why: 'a value that goes', edits: [remove('spec.encryptedData.user')] },
    { why: 'a value sealed anew', edits: [set('spec.encryptedData.password', seal('hunter3', 'prod/shop'))] },
    { why: 'a new sealed value', edits: [add('spec.encryptedData.more', seal('x', 'prod/shop'))] },
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
  ...inFile('space.yaml', [
    { why: 'the name, of a scope that does not bound it', edits: [set('metadata.name', 'x')] },
  ]),
  ...inFile('cluster.yaml', [
    {
      why: 'name and namespace, of a scope without bounds',
      edits: [set('metadata.name', 'x'), set('metadata.namespace', 'y')],
    },
  ]),
  ...inFile('vaulted.yaml', [
    // Ansible.
    { why: 'the key of a value', edits: [rename('password', 'pass')] },
    { why: 'a value that goes', edits: [remove('password')] },
    {
      why: 'a value that is encrypted anew',
      edits: [{ op: 'set', path: 'password', value: `!vault |\n  ${indented(vault('hunter3'))}` }],
    },
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

it.each(Object.entries(FILES))('%s can be decrypted as it is', (file, whole) => {
  expect(refuses(file, whole)).toBeUndefined();
});

describe('an edit that breaks what encryption covers is refused, and necessarily [EDT-11]', () => {
  it.each(REFUSED)('$file: $why', async (one) => {
    const { at, server } = await open();
    const { file, edits, instead = '' } = one;
    const asked = edits.map((edit) => ({ ...edit, file }));
    const error = await server.refused('config_edit', { edits: asked, dry_run: true });
    // A value that would be masked gets the flat answer, which says nothing of the file.
    if (error.code === 'SECRET_PLACEHOLDER') return;
    expect(error).toMatchObject({ code: 'ENCRYPTED_FILE', context: { file } });
    expect(error.suggestions[0]).toMatch(instead);
    expect(error.recovery_steps).toEqual([{ do: error.suggestions[0] }]);
    expect(error.text).not.toContain('ENC[');
    expect(at.disk(file)).toBe(FILES[file]);
    expect(refuses(file, await after(one, true))).toBeDefined();
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
    expect(error).toMatchObject({ code: 'ENCRYPTED_FILE', context: { file: 'full.yaml' } });
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
    {
      file: 'full.yaml',
      says: /^Encrypted with SOPS: its values, also those in clear text, .* runs: sops edit full\.yaml/u,
    },
    {
      file: 'only.json',
      says: /^Encrypted with SOPS: its encrypted values cannot be edited here; .* sops edit only\.json/u,
    },
    { file: 'sealed.yaml', says: /^Holds a SealedSecret: .* a person seals it anew with kubeseal/u },
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
    'data.bin': encryptSops('{"data": "all of it"}', {}, true),
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
    { why: 'a file that sops has encrypted as a whole', file: 'data.bin', old: '3.11.0' },
    { why: 'a file as of .env', file: 'app.dotenv', old: 'X=1' },
    { why: 'an .ini file', file: 'app.ini', old: '; 1' },
    { why: 'the name of a SealedSecret', file: 'sealed-broken.yaml', old: 'name: shop', next: 'name: x' },
    {
      why: 'a value of a SealedSecret',
      file: 'sealed-broken.yaml',
      old: /user: AQ\S{20}/u.exec(FILES['sealed.yaml'])?.[0] ?? '',
      next: 'user: A',
    },
    { why: 'a digit of a vault', file: 'vaulted-broken.yaml', old: vault('hunter2').slice(60, 80) },
  ])('is refused: $why', async ({ file, old, next = 'x' }) => {
    const { server } = await texts();
    const error = await server.refused('config_edit', edit(file, old, next));
    expect(error).toMatchObject({ code: 'ENCRYPTED_FILE', context: { file } });
  });

  it.each([
    {
      why: 'a broken SealedSecret is mended beside what binds it',
      file: 'sealed-broken.yaml',
      old: ' a: [\n',
    },
    { why: 'a broken file is mended beside its vault', file: 'vaulted-broken.yaml', old: ' a: [\n' },
    { why: 'a text that shows an example', file: 'README.md', old: 'Run' },
  ])('is edited: $why', async ({ file, old }) => {
    const { server } = await texts();
    await server.ok('config_edit', edit(file, old, ''));
  });
});
