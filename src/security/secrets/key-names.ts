// Which keys hold secrets, by their names, and which values are none whatever their key says. Best effort: the allowlist
// decides what an agent can read at all.

/** The last word of a key. */
const LAST_WORDS: ReadonlySet<string> = new Set([
  ...['passwords', 'pwd', 'pass', 'passcode', 'pin', 'secret', 'token'],
  ...['credential', 'credentials', 'apikey', 'secretkey', 'privatekey', 'accesstoken', 'authtoken'],
  ...['requirepass', 'masterauth', 'dbpass', 'clientsecret', 'connectionstring'],
  ...['userpass', 'rootpass', 'bearer', 'cookiesecret'],
]);

/** The last two. */
const LAST_PAIRS: ReadonlySet<string> = new Set([
  ...['api key', 'api keys', 'secret key', 'private key', 'access key', 'encryption key', 'signing key'],
  ...[
    'master key',
    'account key',
    'shared key',
    'storage key',
    'auth key',
    'ssh key',
    'app key',
    'license key',
  ],
  ...['connection string', 'connection strings', 'client key', 'pass word', 'password hash'],
  ...['webhook url', 'session key', 'cipher key', 'hmac key', 'jwt key', 'service key', 'deploy key'],
]);

/** Names of other things: `existingSecret: web-db` names a Secret, and does not hold one. */
const NAMES_OF_SECRETS: ReadonlySet<string> = new Set([
  ...['tls secret', 'pull secret', 'ca secret', 'cert secret', 'image secret', 'ref secret'],
  ...['next token', 'page token', 'continue token', 'id token', 'public token', 'max token', 'eos token'],
  ...[
    'pad token',
    'bos token',
    'unk token',
    'by pass',
    'account token',
    'service pin',
    'to pin',
    'from secret',
    'credentials secret',
  ],
]);

/** The letters of all of them: most names have none of these. Without the flag `u`, with which it takes ten times as long. */
const MAY_BE = /pass|pwd|pin|secret|token|credential|key|bearer|auth|connection|webhook/i;
const MAY_BE_OR_ESCAPED = new RegExp(String.raw`${MAY_BE.source}|last-applied|\\[xuU\s]`, 'gi');

/**
 * Where a text may hold the name of a secret, or an escape that may be a letter of one, in ascending order. The
 * configuration that kubectl applied last counts as one, whatever it holds.
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
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    .map((word) => word.replace(/(?<=[a-z])\d{1,2}$/u, ''))
    .filter((word) => word !== '');
  const pair = words.slice(-2).join(' ');
  // `existingPasswordSecretKey` names a key of a Secret.
  if (NAMES_OF_SECRETS.has(pair) || words.includes('existing')) return false;
  const last = words.at(-1) ?? '';
  return LAST_WORDS.has(last) || /(?:password|passwd|passphrase)$/u.test(last) || LAST_PAIRS.has(pair);
}

/** What is written where a person is to enter a value. */
const STAND_IN = /^(?:change[-_ ]?me|replace[-_ ]?me|example|placeholder|todo|tbd|x{3,}|\*{3,}|\.{3,})$/iu;

/** Words that stand where a secret could and are none, and what only says where one is found. */
const NO_SECRET: readonly RegExp[] = [
  /^(?:true|false|yes|no|on|off|null|~|none|auto|read|write|admin:read|inherit|required|optional|enabled|disabled|string)$/iu,
  STAND_IN,
  // How long a token holds; a file that holds a key; a version, as of a package whose name ends in such a word.
  /^\d+(?:\.\d+)?(?:ms|[smhdwy]|%|[KMGT]i?B?)$/u,
  /^[\w./@-]+\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|toml|txt)$/u,
  /^(?:[~^]|[<>]=?)?v?\d+\.\d+\.\d+(?:-[a-z]+(?:\.\d+)?)?$/u,
  // References: `${DB_PASSWORD}`, `$(cat file)`, `{{ .Values.password }}`, `<your-token>`, `%ENV%`.
  /^\$?\$\{[^{}]*\}$|^\$\{\{[^{}]*\}\}$|^\$[A-Za-z_]\w*$|^\$?\$\([^()]*\)$|^%[A-Za-z_]\w*%$|^@[\w.-]+@$/u,
  /^\{\{[^{}]*\}\}$/u,
  /^<(?!secret:)[\w .-]+>$/u,
  // Encrypted, or kept elsewhere.
  /^!vault\b|^(?:vault|ref\+\w+|op|awssm|gcpsm|azkv|secretref|env|file):(?:\/\/)?[\w./#@:-]+$/u,
  /^arn:aws[\w-]*:(?:secretsmanager|ssm):|^projects\/[\w-]+\/secrets\//u,
  /^(?:\/(?:run|etc|var|mnt|vault|secrets|app|home|opt|tmp|usr|srv|path)\/|\.{1,2}\/|~\/)[\w./@-]*$/u,
];

/** What only those who hold a key can read: SOPS and Ansible vault. */
export function isEncrypted(source: string): boolean {
  return /^\s*(?:ENC\[[A-Z\d_]+,[^\]]*\]\s*$|\$ANSIBLE_VAULT;)/u.test(source);
}

/** `source`: as it is written, without quotes. */
export function isNoSecret(source: string): boolean {
  const text = source.trim();
  return text === '' || isEncrypted(text) || NO_SECRET.some((pattern) => pattern.test(text));
}

/** `CHANGEME` is no secret wherever it stands: an agent asks for one with it. */
export function isStandIn(source: string): boolean {
  return STAND_IN.test(source.trim());
}
