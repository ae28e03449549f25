// Which keys hold secrets, by their names. Best effort: the allowlist decides what an agent can read at all.

/** The last word of a key. */
const LAST_WORDS = namesOf(
  'passwords, pwd, pass, passcode, pin, psk, pw, bindpw, rootpw, bindpasswd, htpasswd, credential',
  'credentials, requirepass, masterauth, dbpass, userpass, rootpass, bearer, cookiesecret',
  'dockerconfigjson, dockercfg, authtok, mnemonic',
  // In other languages.
  'passwort, kennwort, contrasena, contraseña, senha, motdepasse, wachtwoord, parola, hasło, haslo',
  'heslo, lösenord, adgangskode, salasana, пароль, 密码, 密碼, パスワード, 비밀번호',
);

/** `apitoken`, `jwtsecret`, `adminpassword`. */
const LAST_LETTERS = /(?:password|passwd|passphrase|secret|token|(?:api|access|secret|private)key)$/u;

/** The last two, or three. */
const LAST_PAIRS = namesOf(
  'api key, secret key, private key, access key, encryption key, signing key, master key',
  'account key, shared key, storage key, auth key, ssh key, app key, license key, client key',
  'session key, cipher key, hmac key, jwt key, service key, deploy key, fernet key, aes key',
  'crypt key, crypto key, unseal key, gossip key, subscription key, integration key, ingest key',
  'consumer key, write key, replica set key, secret key base, key data, key pem, connection string',
  'webhook url, pass word, pass phrase, mot de passe, erlang cookie',
);

const LAST_WORDS_OF_PAIRS: ReadonlySet<string> = new Set(
  [...LAST_PAIRS].map((pair) => pair.replaceAll(' ', '')),
);

/** What may stand behind the name of a secret: `DB_PASSWORD_2`, `passwordHash`. */
const BEHIND =
  /^(?:\d+|base64|b64|plain|plaintext|value|hash|hashed|sha256|bcrypt|old|new|current|previous)$/u;

/** Names of other things: `existingSecret: web-db` names a Secret, and does not hold one. */
const NAMES_OF_SECRETS = namesOf(
  'tls secret, pull secret, ca secret, cert secret, image secret, ref secret, proxy pass',
  'fastcgi pass, grpc pass, uwsgi pass, scgi pass, memcached pass, next token, page token',
  'continue token, id token, public token, max token, eos token, pad token, bos token, unk token',
  'by pass, account token, service pin, to pin, from secret, credentials secret',
);

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
    .split(/[^\p{L}\p{M}\d]+/u)
    .map((word) => (BEHIND.test(word) ? word : word.replace(/(?<=[a-z])\d{1,2}$/u, '')))
    .filter((word) => word !== '');
  // `existingPasswordSecretKey` names a key of a Secret.
  if (words.includes('existing') || words.includes('public')) return false;
  if (areOfSecret(words)) return true;
  const isFollowed = words.length > 1 && BEHIND.test(words.at(-1) ?? '');
  return isFollowed && !/^(?:pin|pass|pw)$/u.test(words.at(-2) ?? '') && areOfSecret(words.slice(0, -1));
}

function areOfSecret(words: readonly string[]): boolean {
  const [last = '', pair, three] = [1, 2, 3].map((count) => words.slice(-count).join(' '));
  if (pair === undefined || three === undefined || NAMES_OF_SECRETS.has(pair)) return false;
  if (LAST_WORDS.has(last) || LAST_LETTERS.test(last)) return true;
  const one = (name: string) => LAST_PAIRS.has(name) || LAST_PAIRS.has(name.replace(/s$/u, ''));
  return (
    one(pair) ||
    one(three) ||
    LAST_WORDS_OF_PAIRS.has(last) ||
    LAST_WORDS_OF_PAIRS.has(last.replace(/s$/u, ''))
  );
}

function namesOf(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(', ')));
}
