// Which keys hold secrets, by their names. Best effort: the allowlist decides what an agent can read at all.

/** The last word of a key. */
const LAST_WORDS = anyOf(
  'passwords, pwd, pass, passcode, pin, psk, pw, bindpw, rootpw, bindpasswd, htpasswd, credential',
  'credentials, requirepass, masterauth, dbpass, userpass, rootpass, bearer, cookiesecret',
  'dockerconfigjson, dockercfg, authtok, mnemonic',
  // In other languages.
  'passwort, kennwort, contrasena, contraseña, senha, motdepasse, wachtwoord, parola, hasło, haslo',
  'heslo, lösenord, adgangskode, salasana, пароль, 密码, 密碼, パスワード, 비밀번호',
);

/** The last two, or three, which may be put together: `signingkey`. */
const LAST_PAIRS = anyOf(
  'api key, secret key, private key, access key, encryption key, signing key, master key',
  'account key, shared key, storage key, auth key, ssh key, app key, license key, client key',
  'session key, cipher key, hmac key, jwt key, service key, deploy key, fernet key, aes key',
  'crypt key, crypto key, unseal key, gossip key, subscription key, integration key, ingest key',
  'consumer key, write key, replica set key, secret key base, key data, key pem, connection string',
  'webhook url, pass word, pass phrase, mot de passe, erlang cookie',
);

/** Of a key in words, its end. The last ones stand at the end of a word too: `apitoken`, `jwtsecret`, `adminpassword`. */
const SECRET = new RegExp(
  `(?:^| )(?:${LAST_WORDS}|(?:${LAST_PAIRS.replaceAll(' ', ' ?')})s?)$|(?:password|passwd|passphrase|secret|token|(?:api|access|secret|private)key)$`,
  'u',
);

/** What may stand behind the name of a secret: `DB_PASSWORD_2`, `passwordHash`; a number does behind what may be a pin of a chip. */
const BEHIND =
  /(?<!\b(?:pin|pass|pw)) \d+$| (?:base64|b64|plain|plaintext|value|hash|hashed|sha256|bcrypt|old|new|current|previous)$/u;

/** Names of other things: `existingSecret: web-db` names a Secret, `existingPasswordSecretKey` a key of one. */
const OTHER_NAMES = anyOf(
  'tls secret, pull secret, ca secret, cert secret, image secret, ref secret, proxy pass',
  'fastcgi pass, grpc pass, uwsgi pass, scgi pass, memcached pass, next token, page token',
  'continue token, id token, public token, max token, eos token, pad token, bos token, unk token',
  'by pass, account token, service pin, to pin, from secret, credentials secret',
);
const OTHER = new RegExp(`(?:^| )(?:(?:existing|public)(?: .*)?|${OTHER_NAMES})$`, 'u');

/** The letters of all of them: most names have none of these. Without the flag `u`, with which it takes ten times as long. */
const MAY_BE =
  /pass|pw|pin|secret|token|credential|key|bearer|auth|connection|webhook|psk|dockerc|cookie|mnemonic|wort|woord|contrase|senha|parola|has[łl]o|heslo|senord|adgang|salasana|парол|密|パス|비밀/i;
const MAY_BE_OR_ESCAPED = new RegExp(
  String.raw`${MAY_BE.source}|last-applied|sensitive|securestring|\\[xuU\s]`,
  'gi',
);

/**
 * Where a text may hold the name of a secret, or what says that a value is one, or an escape that may be a letter of
 * such a name, in ascending order. The configuration that kubectl applied last counts as one, whatever it holds.
 */
export function mayBeNamedAt(text: string): readonly number[] {
  return Array.from(text.matchAll(MAY_BE_OR_ESCAPED), ({ index }) => index);
}

const known = new Map<string, boolean>();

/** `dbPassword`, `AWS_SECRET_ACCESS_KEY`, `_authToken`; neither `secretName` nor `passwordPolicy`. */
export function isSecretName(name: string): boolean {
  if (name.length > 200 || !MAY_BE.test(name)) return false;
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size > 5_000) known.clear();
  const answer = judge(name);
  known.set(name, answer);
  return answer;
}

function judge(name: string): boolean {
  // The one of npm.
  if (name === '_auth') return true;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\d]+/gu, ' ')
    .replaceAll(/(?<=[a-z])(?<!\bb(?:ase)?)\d{1,2}(?= |$)/gu, '')
    .trim()
    .replace(BEHIND, '');
  return SECRET.test(words) && !OTHER.test(words);
}

function anyOf(...lists: readonly string[]): string {
  return lists.join(', ').replaceAll(', ', '|');
}
