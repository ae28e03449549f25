// Tells by its name whether a key holds a secret. This is best effort: the allowlist decides what an agent can read at all.

/** True where a key of this name holds a secret. */
export type IsSecretName = (name: string) => boolean;

/** Words at the end of a key that names a secret. */
const LAST_WORDS = anyOf(
  'passwords, pwd, pass, passcode, pin, psk, pw, bindpw, rootpw, bindpasswd, htpasswd, credential',
  'credentials, requirepass, masterauth, dbpass, userpass, rootpass, bearer, cookiesecret',
  'dockerconfigjson, dockercfg, authtok, mnemonic, rocommunity, rwcommunity',
  // The same in other languages.
  'passwort, kennwort, contrasena, contraseña, senha, motdepasse, wachtwoord, parola, hasło, haslo',
  'heslo, lösenord, adgangskode, salasana, пароль, 密码, 密碼, パスワード, 비밀번호',
);

/** Two or three last words, which may be written as one: `signingkey`. */
const LAST_PAIRS = anyOf(
  'api key, secret key, private key, access key, encryption key, signing key, master key',
  'account key, shared key, storage key, auth key, ssh key, app key, license key, client key',
  'session key, cipher key, hmac key, jwt key, service key, deploy key, fernet key, aes key',
  'crypt key, crypto key, unseal key, gossip key, subscription key, integration key, ingest key',
  'consumer key, write key, replica set key, secret key base, key data, key pem, connection string',
  'webhook url, pass word, pass phrase, mot de passe, erlang cookie, preshared key, plex claim',
  'github pat',
);

/** The end of a key that names a secret. The last alternatives also match the end of a word: `apitoken`, `jwtsecret`, `adminpassword`. */
const SECRET = new RegExp(
  `(?:^| )(?:${LAST_WORDS}|(?:${LAST_PAIRS.replaceAll(' ', ' ?')})s?)$|(?:password|passwd|passphrase|secret|token|[a-z]{3}pw|(?:api|access|secret|private)key)$|(?:^|snmp )community$`,
  'u',
);

/** Endings that may follow the name of a secret: `DB_PASSWORD_2`, `passwordHash`. A number does not follow the word for a chip's pin. */
const BEHIND =
  /(?<!\b(?:pin|pass|pw)) \d+$| (?:base64|b64|plain|plaintext|value|hash|hashed|sha|sha256|sha512|bcrypt|old|new|current|previous)$/u;

/** Names of other things: `existingSecret: web-db` names a Secret, `existingPasswordSecretKey` a key of one. */
const OTHER_NAMES = anyOf(
  'tls secret, pull secret, ca secret, cert secret, image secret, ref secret, proxy pass',
  'fastcgi pass, grpc pass, uwsgi pass, scgi pass, memcached pass, next token, page token',
  'continue token, id token, public token, max token, eos token, pad token, bos token, unk token',
  'by pass, account token, service pin, to pin, from secret, credentials secret, config secret',
  'file secret, environment secret, env secret, kube secret, per token, io auth secret',
);
const OTHER = new RegExp(`(?:^| )(?:(?:existing|public)(?: .*)?|${OTHER_NAMES})$`, 'u');

/** Letters that every secret name contains; most names have none of them. There is no flag `u`, with which it takes ten times as long. */
const MAY_BE =
  /pass|pw|pin|secret|token|credential|key|bearer|auth|connection|webhook|psk|dockerc|cookie|mnemonic|communit|plex|github|wort|woord|contrase|senha|parola|has[łl]o|heslo|senord|adgang|salasana|парол|密|パス|비밀/i;
const MAY_BE_OR_SAID = new RegExp(
  String.raw`${MAY_BE.source}|last-applied|sensitive|securestring|encrypteddata|\\[xuU\s]`,
  'gi',
);
/** Words that reveal a secret without being its name, and escapes that may stand for a letter of such a name. */
const SAID = /^(?:last-applied|sensitive|securestring|encrypteddata|\\)/i;
const SAID_AS_WORD = /^(?:auths|secretGenerator)$/;
/** Names of several words with other signs between them: how a name goes on, and how one ends whose first words come before. */
const GOES_ON =
  /(?:[^\p{L}\p{N}\n:="'{}[\](),<>]|:(?=\S)){1,9}(?:string|url|data|pem|base|word|phrase|base64|b64|plain|plaintext|value|hash|hashed|sha\d*|bcrypt|old|new|current|previous|claim|pat|\d+)s?(?![\p{L}\p{N}])/iuy;
const SECOND = /(?:keys?|cookie|passe)$/i;
const LONGEST = 200;
const LONGEST_BEFORE = 40;

/**
 * Answers the offsets, ascending, where a text may hold the name of a secret, or a word that reveals one. It never misses a
 * name that `isSecretName` knows. The configuration that kubectl applied last always counts as secret.
 */
export function mayBeNamedAt(text: string): readonly number[] {
  const found: number[] = [];
  MAY_BE_OR_SAID.lastIndex = 0;
  for (let hit = MAY_BE_OR_SAID.exec(text); hit !== null; hit = MAY_BE_OR_SAID.exec(text)) {
    let [from, to] = [hit.index, hit.index + hit[0].length];
    if (SAID.test(hit[0])) {
      found.push(from);
      continue;
    }
    while (hit.index - from < LONGEST && isOfWord(text.charCodeAt(from - 1))) from -= 1;
    while (isOfWord(text.charCodeAt(to))) to += 1;
    MAY_BE_OR_SAID.lastIndex = to;
    if (mayName(text, from, to)) found.push(hit.index);
  }
  return found;
}

function mayName(text: string, from: number, to: number): boolean {
  const word = text.slice(Math.max(from, to - LONGEST), to);
  if (isSecretWord(word) || SAID_AS_WORD.test(word)) return true;
  GOES_ON.lastIndex = to;
  if (GOES_ON.test(text)) return true;
  if (!SECOND.test(word)) return false;
  const before = Math.max(from - LONGEST_BEFORE, text.lastIndexOf('\n', from - 1) + 1);
  return from > before && SECRET.test(wordsOf(text.slice(before, to)));
}

/** A letter, a digit, or one of `_.-$`; every sign beyond ASCII counts as a letter. */
function isOfWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code > 127 ||
    code === 95 ||
    code === 46 ||
    code === 45 ||
    code === 36
  );
}

/** Remembers the answers for names that were asked before. */
function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size > 5_000) known.clear();
    const answer = judge(name);
    known.set(name, answer);
    return answer;
  };
}

const isSecretWord = remembered((word) => word === '_auth' || SECRET.test(wordsOf(word)));

const isKnown = remembered((name) => {
  // npm's key is `_auth`; `PW` alone is a country code in lists of countries.
  if (name === '_auth') return true;
  const words = wordsOf(name);
  return name !== 'PW' && SECRET.test(words) && !OTHER.test(words);
});

/** True for `dbPassword`, `AWS_SECRET_ACCESS_KEY` and `_authToken`, but not for `secretName` or `passwordPolicy`. */
export function isSecretName(name: string): boolean {
  return name.length <= LONGEST && MAY_BE.test(name) && isKnown(name);
}

/** Splits a key into words in lower case, with one blank between them. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/\{\{[^{}]*\}\}/gu, ' ')
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\d]+/gu, ' ')
    .replaceAll(/(?<=[a-z])(?<!\bb(?:ase)?)\d{1,2}(?= |$)/gu, '')
    .trim()
    .replace(BEHIND, '');
}

function anyOf(...lists: readonly string[]): string {
  return lists.join(', ').replaceAll(', ', '|');
}
