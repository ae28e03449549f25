// Which keys name a secret: each kind of them, with what only looks like it.
import { describe, expect, it } from 'vitest';
import { isSecretName, secretNameCandidates } from '../../../src/security/index.ts';

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
    ...['SIMPin', 'WPAPsk', 'license__key', 'SECRETKEY_BASE'],
  ],
  'a language or a system of its own': [
    ...['bindPW', 'DB_PW', 'wpa_psk', '_auth', 'dockerconfigjson', '.dockerconfigjson', 'client-key-data'],
    ...['SECRET_KEY_BASE', 'fernetKey', 'erlangCookie', 'replicaSetKey', 'privateKeyPem'],
    ...['apitoken', 'jwtsecret'],
    ...['signingkey', 'secretaccesskey', 'encryptionKeys', 'passwort', 'contraseña', 'mot_de_passe'],
    ...['пароль', '密码', 'CS2_RCONPW', 'adminpw', 'PLEX_CLAIM', 'community', 'snmpCommunity', 'rocommunity'],
    ...['wg_preshared_key', 'GITHUB_PAT', 'password_sha512', '{{ .name }}-password'],
  ],
  'what stands behind a name': [
    ...['DB_PASSWORD_2', 'API_KEY_1', 'passwordBase64', 'password_b64', 'secretValue'],
    ...['tokenValue', 'passwd_hash', 'dbpass_1', 'rootpw_2', 'DB_PASS_OLD', 'pass_hash', 'pinHash'],
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
  ...['GRPCPass', 'publicPassword', 'password_public_x', 'accessKeyring', 'pw_12', 'GPIO_PIN_2'],
  ...[
    'githubConfigSecret',
    'configFileSecret',
    'TS_KUBE_SECRET',
    'input_cost_per_token',
    'prometheus-community',
  ],
  ...['PW', 'nginx.ingress.kubernetes.io/auth-secret', '{{ include "secretKey" . }}', 'pat', 'claim'],
  ...['pin123', 'pass1word', 'pin-1', 'password_length', 'name', '', `${'x'.repeat(192)}.password`],
];

it.each(OTHER_NAMES)('%s names something else', (name) => expect(isSecretName(name)).toBe(false));

it('a name may stand where a word is one, in any case, or an escape may be one of its letters', () => {
  const text =
    'A Pass pwd PIN Secret token credential key bearer auth connection webhook \\x \\u \\U \\\r \\\n \\\t\n \\n x';
  const found = secretNameCandidates(text);
  expect(found.map((at) => text.slice(at).split(' ')[0])).toEqual([
    ...['Pass', 'pwd', 'PIN', 'Secret', 'token', 'credential', 'bearer'],
    ...['\\x', '\\u', '\\U', '\\\r', '\\\n', '\\\t\n'],
  ]);
  for (const none of [
    'a: 1',
    'mapping: helping',
    'the key of a map',
    'apiKeyRef: a',
    'secretName: a',
    'author: b',
  ])
    expect(secretNameCandidates(none), none).toEqual([]);
});

const SIGNS = ['', ' ', '_', '-', '.', '/', ':', '  ', ' - ', '@'];
const SPELT = Object.values(NAMES)
  .flat()
  .filter((name) => name.includes(' '))
  .flatMap((name) => SIGNS.map((sign) => name.replaceAll(' ', sign)));

it.each([...Object.values(NAMES).flat(), ...SPELT].filter(isSecretName))(
  'what may hold a name is never without one: %s',
  (name) => {
    for (const spelt of [name, name.toUpperCase()].filter(isSecretName))
      for (const text of [spelt, `"${spelt}": x`, `a ${spelt}=x`, `# a-b: ${spelt}\n`, `a: 1\n${spelt}: x`])
        expect(secretNameCandidates(text), text).not.toEqual([]);
  },
);

it('says of a name the same when it is asked again', () => {
  for (const _ of [1, 2]) {
    expect(isSecretName('askedTwicePassword')).toBe(true);
    expect(isSecretName('askedTwicePasswordless')).toBe(false);
  }
});
