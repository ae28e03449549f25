// Which keys name a secret, and which values are none whatever their key: each kind of either, with what only looks like it.
import { describe, expect, it } from 'vitest';
import {
  isEncrypted,
  isNoSecret,
  isSecretName,
  isStandIn,
  mayBeNamedAt,
} from '../../../src/security/index.ts';

const NAMES = {
  'one word': [
    ...['password', 'passwords', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode', 'pin', 'secret', 'token'],
    ...['credential', 'credentials', 'apikey', 'secretkey', 'privatekey', 'accesstoken', 'authtoken'],
    ...['pgpassword', 'requirepass', 'masterauth', 'dbpassword', 'dbpass', 'clientsecret'],
    ...['connectionstring', 'authpassword', 'userpass', 'rootpass', 'bearer', 'cookiesecret'],
  ],
  'two words': [
    ...['api key', 'api keys', 'secret key', 'private key', 'access key', 'encryption key', 'signing key'],
    ...['master key', 'account key', 'shared key', 'storage key', 'auth key', 'ssh key', 'app key'],
    ...['license key', 'connection string', 'connection strings', 'client key', 'pass word'],
    ...['password hash', 'hashed password', 'webhook url', 'session key', 'cipher key', 'hmac key'],
    ...['jwt key', 'service key', 'deploy key'],
  ],
  'words put together': [
    ...['dbPassword', 'DB_PASSWORD', 'db-password', 'db.password', 'DBPassword'],
    ...['DBToken', 'AWS_SECRET_ACCESS_KEY'],
    ...['apiKey', 'APIKey', 'myAPIKey', 'x2Token', 'oauth2Token', '_authToken', 'PASSWORD_', '$password'],
    ...['adminpassword', 'rootpasswd', 'keypassphrase', 'pin1', 'pin12', 'password12', 'PASSWORD2'],
  ],
  'a language or a system of its own': [
    ...['bindPW', 'DB_PW', 'wpa_psk', '_auth', 'dockerconfigjson', '.dockerconfigjson', 'client-key-data'],
    ...['SECRET_KEY_BASE', 'fernetKey', 'erlangCookie', 'replicaSetKey', 'privateKeyPem'],
    ...['apitoken', 'jwtsecret'],
    ...['signingkey', 'secretaccesskey', 'encryptionKeys', 'passwort', 'contraseña', 'mot_de_passe'],
    ...['пароль', '密码'],
  ],
  'what stands behind a name': [
    ...['DB_PASSWORD_2', 'API_KEY_1', 'passwordBase64', 'password_b64', 'secretValue'],
    ...['tokenValue', 'passwd_hash'],
  ],
  'of 200 letters': [`${'x'.repeat(191)}.password`],
};

describe.each(Object.entries(NAMES))('a key of %s', (_, names) => {
  it.each(names)('%s names a secret', (name) => expect(isSecretName(name)).toBe(true));
});

const OTHER_NAMES = [
  ...['existingSecret', 'existingPasswordSecretKey', 'tlsSecret', 'pull-secret', 'caSecret', 'certSecret'],
  ...['imageSecret', 'refSecret', 'nextToken', 'pageToken', 'continue_token', 'idToken', 'publicToken'],
  ...['maxToken', 'eosToken', 'padToken', 'bosToken', 'unkToken', 'publicKey', 'byPass', 'accountToken'],
  ...['servicePin', 'toPin', 'fromSecret', 'credentialsSecret', 'secretName', 'passwordPolicy', 'key'],
  ...['publicKeyPem', 'public_access_key', 'proxy_pass', 'pass_1', 'docker'],
  ...['cookie', 'discovery-token-ca-cert-hash'],
  ...['tokens', 'compass', 'passwordless', 'spinner', 'keyboard', 'authority', 'connection', 'webhook'],
  ...['pin123', 'pass1word', 'pin-1', 'password_length', 'name', '', `${'x'.repeat(192)}.password`],
];

it.each(OTHER_NAMES)('%s names something else', (name) => expect(isSecretName(name)).toBe(false));

it('a name may stand where its letters do, in any case, or an escape that may be one of them', () => {
  const text =
    'A Pass pwd PIN secreT token credential key bearer auth connection webhook \\x \\u \\U \\\r \\\n \\\t\n \\n x';
  const found = mayBeNamedAt(text);
  expect(found.map((at) => text.slice(at).split(' ')[0])).toEqual([
    ...['Pass', 'pwd', 'PIN', 'secreT', 'token', 'credential', 'key', 'bearer', 'auth'],
    ...['connection', 'webhook'],
    ...['\\x', '\\u', '\\U', '\\\r', '\\\n', '\\\t\n'],
  ]);
  expect(mayBeNamedAt('a: 1')).toEqual([]);
});

it('says of a name the same when it is asked again', () => {
  for (const _ of [1, 2]) {
    expect(isSecretName('askedTwicePassword')).toBe(true);
    expect(isSecretName('askedTwicePasswordless')).toBe(false);
  }
});

const NO_SECRETS = {
  'a word': [
    ...['true', 'False', 'yes', 'no', 'on', 'off', 'null', '~', 'none', 'auto', 'read', 'write'],
    ...['admin:read', 'inherit', 'required', 'optional', 'enabled', 'disabled', 'string', '', ' ', ' true '],
  ],
  'a stand-in': [
    ...['changeme', 'CHANGE_ME', 'change-me', 'change me', 'replaceme', 'replace-me', 'example'],
    ...['placeholder', 'TODO', 'tbd', 'xxx', 'XXXXX', '***', '*****', '...', '.....'],
  ],
  'a length or a size': ['5ms', '30s', '10m', '24h', '7d', '2w', '1y', '1.5h', '12.25s', '5%', '10K'],
  'a pin of a chip': ['GPIO5', 'GPIO21', '12'],
  'a size': ['10Ki', '64Mi', '2GB', '1TiB', '5MB'],
  'a file of a key': [
    ...['tls.pem', 'a/b.key', 'x@y.crt', 'ca-1.cer', 'k.p12', 'k.pfx', 'k.jks', 'c.json', 'c.yaml', 'c.yml'],
    ...['c.toml', 'c.txt'],
  ],
  'a version': [
    '1.2.3',
    'v1.2.3',
    '^1.2.3',
    '~10.20.30',
    '>=1.2.3',
    '<1.2.3',
    '>1.0.0',
    '1.2.3-rc.12',
    '1.2.3-beta',
  ],
  'a reference': [
    ...['$' + '{DB_PASSWORD}', '$$' + '{PW}', '$' + '{{ secrets.TOKEN }}', '$DB_PW', '$_x9'],
    ...['$(cat file)', '$$(X)'],
    ...['%DB_PW%', '%_x%', '@db.password@', '{{ .Values.password }}', '{{}}', '<your-token>', '<a b.c>'],
  ],
  'put together of references': [
    ...['$' + '{A}:$' + '{B}', '$(a b)', '{{ .a }}-{{ .b }}', '<%= ENV["X"] %>', '%s'],
    ...['%[1]s', '{{ .dir }}/a.key'],
    ...['$' + '{A:-$' + '{B}}', '$' + '{A:-}', '$' + '{A:?is missing}', '$' + '{env:A}'],
    ...['$' + '{ssm:/a/b}', '$' + '{A-B-C}'],
    ...['{{ .x | default "" }}', '{{ lookup("env", "X") }}', '$' + "{{ secrets.X || '' }}"],
  ],
  'kept elsewhere': [
    ...['vault:secret/data/db#pw', 'ref+vault://secret/db', 'op://vault/item/field'],
    ...['awssm://x', 'gcpsm:a-b'],
    ...['azkv:x', 'secretref:x', 'env:DB_PW', 'file:///run/pw', 'file:x@y', '!vault |'],
    ...['arn:aws:secretsmanager:eu:1:secret:x', 'arn:aws-cn:ssm:x', 'projects/p-1/secrets/s'],
  ],
  'a path': [
    ...['/run/secrets/db', '/etc/x', '/var/x', '/mnt/x', '/vault/x', '/secrets/x', '/app/x', '/home/x'],
    ...['/opt/x', ['', 'tmp', 'x'].join('/'), '/usr/x', '/srv/x', '/path/to/a@b-c.d', './pw', '../pw'],
    ...['~/pw', './'],
  ],
  encrypted: [
    'ENC[AES256_GCM,data:abc,iv:x]',
    ' ENC[A_1,x] ',
    'ENC[AES256_GCM,]',
    '$ANSIBLE_VAULT;1.1;AES256',
  ],
};

describe.each(Object.entries(NO_SECRETS))('what is %s is no secret', (_, values) => {
  it.each(values)('%s', (value) => expect(isNoSecret(value)).toBe(true));
});

/** Each is one of the above with something before it or behind it, or with a part of another kind. */
const SECRETS = [
  ...['hunter2', 'atrue', 'truex', 'xchangeme', 'changemex', 'change__me', 'xx', '**', '..', 'replace__me'],
  ...['x30s', '30sx', '3000', '3x', '1.s', '.5h', '5KK', '10KiX', 'x10K', '1..5h', '10BB'],
  ...['tls.pemx', 'a b.pem', '.pem', '(x).key', 'x\ntls.pem\nx', 'tls.pem x'],
  ...['x1.2.3', '1.2', '1.2.3x', '1.2.3-', '1.2.3-rc.', '^^1.2.3', 'w1.2.3', '1.2.3-1', '1.a.3', 'a.2.3'],
  ...['1.2.b', '=1.2.3'],
  ...['x$' + '{A}', '$' + '{A}x', '$' + '{A{b}}', 'x$' + '{{ a }}', '$' + '{{ a }}x', '$' + '{{ a}b }}'],
  ...['x$DB_PW', '$DB-PW', '$9x'],
  ...['$' + '{A:-hunter2}', '$' + '{A-hunter2}', '$' + '{A:=hunter2}', '$' + '{a.b:hunter2}', '$Passw0rd'],
  ...['{{ .x | default "hunter2" }}', "{{ x | default('hunter2') }}", '{{ "hunter2" | b64enc }}'],
  ...[
    '$' + "{{ secrets.X || 'hunter2' }}",
    '{{ default `hunter2` .x }}',
    'a$' + '{A}',
    '$' + '{A:-$' + '{B:-c1}}',
  ],
  ...['x$(cat)', '$(cat)x', '$(c(at))', 'x%DB%', '%DB%x', '%9%', '%a-b%', 'x@a@', '@a@x', '@a b@', '@@'],
  ...['x{{ a }}', '{{ a }}x', '{{ a}b }}', 'x<your-token>', '<your-token>x', '<your$token>'],
  ...['<>', '<secret:00000000>'],
  ...['x!vault |', '!vaultx', 'xvault:a', 'vault:', 'vault:a b', 'ref+:a', 'ref:a', 'vaults:a'],
  ...['env:$x', 'op:///!'],
  ...['xarn:aws:ssm:', 'arn:aws:s3:x', 'arn:aws!:ssm:', 'xprojects/p/secrets/'],
  ...['projects/p q/secrets/', 'projects//secrets/'],
  ...['x/run/a', '/run/a b', '/runx', 'x./a', './a$', '.../a', 'x~/a', '~a', '/run/(x)', '/other/A1'],
  ...['xENC[A,b]', 'ENC[a,b]', 'ENC[,b]', 'ENC[A,b]x', 'ENC[A,b]]', 'ENC[AB]'],
  ...['x$ANSIBLE_VAULT;', '$ANSIBLE-VAULT;'],
];

it.each(SECRETS)('%s may be a secret', (value) => expect(isNoSecret(value)).toBe(false));

it.each([
  ['ENC[AES256_GCM,data:x]', true],
  ['  ENC[AES256_GCM,data:x]\n', true],
  ['$ANSIBLE_VAULT;1.1\nabc', true],
  ['  $ANSIBLE_VAULT;1.1', true],
  ['a $ANSIBLE_VAULT;1.1', false],
  ['ENC[AES256_GCM,data:x] and more', false],
  ['changeme', false],
  ['', false],
])('%j is encrypted: %s', (source, is) => expect(isEncrypted(source)).toBe(is));

it.each([
  ['CHANGEME', true],
  [' changeme\n', true],
  ['true', false],
  ['', false],
  ['hunter2', false],
])('%j asks for a value: %s', (source, is) => expect(isStandIn(source)).toBe(is));
