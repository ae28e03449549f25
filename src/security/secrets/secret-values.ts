// Which values are no secrets, whatever their key says, and which parts of one are secret: of a reference only what it gives
// where nothing else is given.

/** What is written where a person is to enter a value. */
const STAND_IN = /^(?:change[-_ ]?me|replace[-_ ]?me|example|placeholder|todo|tbd|x{3,}|\*{3,}|\.{3,})$/iu;

/** Words that stand where a secret could and are none, and what only says where one is found. */
const NO_SECRET: readonly RegExp[] = [
  /^(?:true|false|yes|no|on|off|null|~|none|auto|read|write|admin:read|inherit|required|optional|enabled|disabled|string)$/iu,
  STAND_IN,
  // How long a token holds; how many there are; a pin of a chip; a file that holds a key; a version, as of a package whose
  // name ends in such a word.
  /^\d+(?:\.\d+)?(?:ms|[smhdwy]|%|[KMGT]i?B?)$/u,
  /^(?:GPIO)?\d{1,3}$/u,
  /^[\w./@-]+\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|toml|txt)$/u,
  /^(?:[~^]|[<>]=?)?v?\d+\.\d+\.\d+(?:-[a-z]+(?:\.\d+)?)?$/u,
  // References: `$DB_PASSWORD`, `%ENV%`, `<your-token>`, `%s` of what is printed.
  /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+\d?)$|^%[A-Za-z_]\w*%$|^@[\w.-]+@$|^%(?:\[\d+\])?[sdvq]$/u,
  /^<(?!secret:)[\w .-]+>$/u,
  // Encrypted, or kept elsewhere.
  /^!vault\b|^(?:vault|ref\+\w+|op|awssm|gcpsm|azkv|secretref|env|file|classpath):(?:\/\/)?[\w./#@:-]+$/u,
  /^arn:aws[\w-]*:(?:secretsmanager|ssm):|^projects\/[\w-]+\/secrets\//u,
  /^(?:\/(?:run|etc|var|mnt|vault|secrets|app|home|opt|tmp|usr|srv|path)\/|\.{1,2}\/|~\/)[\w./@-]*$/u,
  /^(?:\/[a-z][a-z_.-]{0,40}){2,20}$|^https?:\/\/(?:localhost|127\.0\.0\.1)[:/][\w:/.-]*$/u,
  // What is left where something else was cut.
  /^(?:\\|\{\}|\[\]|[{}\])]{1,4}|-\}|\*\/\}\})$/u,
];

/** `${DB_PASSWORD}`, `$(cat file)`, `{{ .Values.password }}`, `${{ secrets.TOKEN }}`, `<%= ENV["X"] %>`. */
const REFERENCES =
  /\$\{\{[^{}]*\}\}|\{\{[^{}]*\}\}|\$?\$\{(?:[^{}]|\$\{[^{}]*\})*\}|\$?\$\([^()]*\)|<%=[^%]{0,200}%>|\$[A-Z_][A-Z0-9_]{1,60}/gu;

/** In `${…}`: its name, and what is given without it: `${DB_PASSWORD:-x}`, of Spring `${db.password:x}`. */
const WITH_DEFAULT = /^(\$?\$\{[\w.-]+(?::[-=+]|[-=+]|:(?![-=+?])))((?:[^{}]|\$\{[^{}]*\})+)\}$/u;
/** What fetches it from elsewhere: `${env:DB_PASSWORD}`. */
const FETCHED =
  /^\$?\$\{(?:env|ssm|file|self|opt|cf|param|s3|secrets?|vault|aws|azure|gcp|sops|kms|op|ref)[:-]/u;
/** In the others: the text that one begins with, and what follows `default`, `or`, `||`, and the name in `fetch("X", "x")`. */
const LITERALS =
  /(?:\b(?:default=?|or|else)\s{0,9}|\bd(?:efault)?\(\s{0,9}|\b(?:env|env_var|getenv|get|fetch)["']{0,2}\]?\([^(),]{1,99}(?:,|\)\s{0,9}\{)\s{0,9}|^\$?\{\{-?\s{0,9}|\|\|\s{0,9})(\\"|"|''(?=[^')])|'|`)((?:(?!\1)[^\n]){1,4096})\1/gu;

/** What only those who hold a key can read: SOPS and Ansible vault. */
export function isEncrypted(source: string): boolean {
  return /^\s*(?:ENC\[[A-Z\d_]+,[^\]]*\]\s*$|\$ANSIBLE_VAULT;)/u.test(source);
}

/** `CHANGEME` is no secret wherever it stands: an agent asks for one with it. */
export function isStandIn(source: string): boolean {
  return STAND_IN.test(source.trim());
}

/** `source`: as it is written, without quotes. */
export function isNoSecret(source: string): boolean {
  return secretParts(source).length === 0;
}

interface Part {
  readonly start: number;
  readonly end: number;
}

/** Of what is written below the name of a secret, without its quotes: none, all of it, or what its references give by themselves. */
export function secretParts(source: string): readonly Part[] {
  const text = source.trim();
  if (text === '' || isEncrypted(text) || NO_SECRET.some((pattern) => pattern.test(text))) return [];
  const parts: Part[] = [];
  const rest = source.replaceAll(REFERENCES, (reference, at: number) => {
    parts.push(...givenBy(reference).map(({ start, end }) => ({ start: at + start, end: at + end })));
    return 'x';
  });
  const isReference = /[^x\s]/u.test(rest) && NO_SECRET.some((pattern) => pattern.test(rest.trim()));
  if (rest !== source && (isReference || !/[\p{L}\p{N}]/u.test(source.replaceAll(REFERENCES, ''))))
    return parts;
  return [{ start: 0, end: source.length }];
}

function givenBy(reference: string): readonly Part[] {
  const [, before = '', given] = WITH_DEFAULT.exec(reference) ?? [];
  if (given === undefined)
    return [...reference.matchAll(LITERALS)].flatMap(({ 0: all, 1: quote = '', 2: literal = '', index }) =>
      partsAt(index + all.length - quote.length - literal.length, literal),
    );
  // `${APP-CLIENT-SECRET}` is a name.
  const isName = !before.includes(':') && /^[A-Z_-]+$/u.test(given);
  return isName || FETCHED.test(reference) ? [] : partsAt(before.length, given);
}

function partsAt(at: number, text: string): readonly Part[] {
  return secretParts(text).map(({ start, end }) => ({ start: at + start, end: at + end }));
}
