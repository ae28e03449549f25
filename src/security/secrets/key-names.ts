// Decides by its name whether a key holds a secret. This is best effort: the allowlist decides what an agent can read at all.

/** True if a key of this name holds a secret. */
export type IsSecretName = (name: string) => boolean;

/** The last word of a key that names a secret. */
const LAST_WORDS = alternatives(
  'passwords, pwd, pass, passcode, pin, psk, pw, bindpw, rootpw, bindpasswd, htpasswd, credential',
  'credentials, requirepass, masterauth, dbpass, userpass, rootpass, bearer, cookiesecret',
  'dockerconfigjson, dockercfg, authtok, mnemonic, rocommunity, rwcommunity',
  // The same in other languages.
  'passwort, kennwort, contrasena, contraseña, senha, motdepasse, wachtwoord, parola, hasło, haslo',
  'heslo, lösenord, adgangskode, salasana, пароль, 密码, 密碼, パスワード, 비밀번호',
);

/** The last two or three words of such a key, which may be written as one: `signingkey`. */
const LAST_PAIRS = alternatives(
  'api key, secret key, private key, access key, encryption key, signing key, master key',
  'account key, shared key, storage key, auth key, ssh key, app key, license key, client key',
  'session key, cipher key, hmac key, jwt key, service key, deploy key, fernet key, aes key',
  'crypt key, crypto key, unseal key, gossip key, subscription key, integration key, ingest key',
  'consumer key, write key, replica set key, secret key base, key data, key pem, connection string',
  'webhook url, pass word, pass phrase, mot de passe, erlang cookie, preshared key, plex claim',
  'github pat, role secret id, approle secret id, vault secret id',
);

/** Matches the end of a key that names a secret. The last alternatives also match the end of a word: `apitoken`, `adminpassword`. */
const SECRET = new RegExp(
  `(?:^| )(?:${LAST_WORDS}|(?:${LAST_PAIRS.replaceAll(' ', ' ?')})s?)$|(?:password|passwd|passphrase|secret|token|[a-z]{3}pw|(?:api|access|secret|private)key)$|(?:^|snmp )community$`,
  'u',
);

/** Matches an ending after the name of a secret: `DB_PASSWORD_2`, `passwordHash`. A number after `pin` is that of a chip's pin. */
const SUFFIX =
  /(?<!\b(?:pin|pass|pw)) \d+$| (?:base64|b64|plain|plaintext|value|hash|hashed|sha|sha256|sha512|bcrypt|old|new|current|previous)$/u;

/** The names of other things: `existingSecret: web-db` names a Secret, and `existingPasswordSecretKey` a key of one. */
const NOT_SECRET_NAMES = alternatives(
  'tls secret, pull secret, ca secret, cert secret, image secret, ref secret, proxy pass',
  'fastcgi pass, grpc pass, uwsgi pass, scgi pass, memcached pass, next token, page token',
  'continue token, id token, public token, max token, eos token, pad token, bos token, unk token',
  'by pass, account token, service pin, to pin, from secret, credentials secret, config secret',
  'file secret, environment secret, env secret, kube secret, per token, io auth secret',
);
const NOT_SECRET = new RegExp(`(?:^| )(?:(?:existing|public)(?: .*)?|${NOT_SECRET_NAMES})$`, 'u');

/** Matches letters of which every secret name contains some. Most names contain none. The flag `u` would take ten times as long. */
const CANDIDATE =
  /pass|pw|pin|secret|token|credential|key|bearer|auth|connection|webhook|psk|dockerc|cookie|mnemonic|communit|plex|github|wort|woord|contrase|senha|parola|has[łl]o|heslo|senord|adgang|salasana|парол|密|パス|비밀/i;
const CANDIDATE_OR_MARK = new RegExp(
  String.raw`${CANDIDATE.source}|last-applied|sensitive|securestring|encrypteddata|\\[xuU\s]`,
  'gi',
);
/** Matches words that announce a secret without being its name, and escapes that may stand for a letter of such a name. */
const SECRET_MARK = /^(?:last-applied|sensitive|securestring|encrypteddata|\\)/i;
const SECRET_MARK_WORD = /^(?:auths|secretGenerator)$/;
/** Matches the words that may continue a name of several words. `LAST_OF_PAIR` matches the last word of such a name. */
const NAME_CONTINUATION =
  /(?:[^\p{L}\p{N}\n:="'{}[\](),<>]|:(?=\S)){1,9}(?:string|url|data|pem|base|word|phrase|base64|b64|plain|plaintext|value|hash|hashed|sha\d*|bcrypt|old|new|current|previous|claim|pat|id|\d+)s?(?![\p{L}\p{N}])/iuy;
const LAST_OF_PAIR = /(?:keys?|cookie|passe)$/i;
const MAX_NAME_LENGTH = 200;
const MAX_LENGTH_BEFORE = 40;

/**
 * Returns the first `most` offsets where a text may hold the name of a secret, or a word that reveals one. It never misses a
 * name that `isSecretName` knows. The configuration that kubectl applied last always counts as secret.
 */
export function secretNameCandidates(text: string, most = Number.POSITIVE_INFINITY): readonly number[] {
  const found: number[] = [];
  CANDIDATE_OR_MARK.lastIndex = 0;
  for (let hit = CANDIDATE_OR_MARK.exec(text); hit !== null; hit = CANDIDATE_OR_MARK.exec(text)) {
    if (found.length >= most) break;
    let [from, to] = [hit.index, hit.index + hit[0].length];
    if (SECRET_MARK.test(hit[0])) {
      found.push(from);
      continue;
    }
    while (hit.index - from < MAX_NAME_LENGTH && isWordCharacter(text.charCodeAt(from - 1))) from -= 1;
    while (isWordCharacter(text.charCodeAt(to))) to += 1;
    CANDIDATE_OR_MARK.lastIndex = to;
    if (isCandidate(text, from, to)) found.push(hit.index);
  }
  return found;
}

function isCandidate(text: string, from: number, to: number): boolean {
  const word = text.slice(Math.max(from, to - MAX_NAME_LENGTH), to);
  if (isSecretWord(word) || SECRET_MARK_WORD.test(word)) return true;
  NAME_CONTINUATION.lastIndex = to;
  if (NAME_CONTINUATION.test(text)) return true;
  if (!LAST_OF_PAIR.test(word)) return false;
  const before = Math.max(from - MAX_LENGTH_BEFORE, text.lastIndexOf('\n', from - 1) + 1);
  return from > before && SECRET.test(wordsOf(text.slice(before, to)));
}

/** True for a letter, a digit, or one of `_.-$`. Every character beyond ASCII counts as a letter. */
function isWordCharacter(code: number): boolean {
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

/** Remembers the answers for names. */
function memoized(judge: (name: string) => boolean): (name: string) => boolean {
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

const isSecretWord = memoized((word) => word === '_auth' || SECRET.test(wordsOf(word)));

const isSecretNameUncached = memoized((name) => {
  // npm's key is `_auth`; `PW` alone is a country code in lists of countries.
  if (name === '_auth') return true;
  const words = wordsOf(name);
  const last = wordsOf(name.slice(name.lastIndexOf('.') + 1));
  // In a dotted path the last key may say it alone, as in YAML: `credentials.secret`, but not `credentialsSecret`.
  const said = SECRET.test(last) ? last : words;
  return name !== 'PW' && SECRET.test(words) && !NOT_SECRET.test(said);
});

/** True for `dbPassword`, `AWS_SECRET_ACCESS_KEY` and `_authToken`, but not for `secretName` or `passwordPolicy`. */
export function isSecretName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && CANDIDATE.test(name) && isSecretNameUncached(name);
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
    .replace(SUFFIX, '');
}

function alternatives(...lists: readonly string[]): string {
  return lists.join(', ').replaceAll(', ', '|');
}
