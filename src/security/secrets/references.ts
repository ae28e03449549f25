// Recognises references: texts that only say where a secret is found. It knows which texts are references as a whole, which are composed
// of references, and which default value a reference gives.
import { isSecretName } from './key-names.ts';

/** Match texts that are references as a whole, without quotes. */
const REFERENCE_FORMS: readonly RegExp[] = [
  // `$DB_PASSWORD`, `%ENV%`, `@token@`, `%s` of what is printed, `{RTSP_PASSWORD}`, `#{Token}#`, `[[token]]`, `__TOKEN__`.
  /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+\d?)$|^%{1,2}[A-Za-z_]\w*%{1,2}$|^@[\w.-]+@$|^%(?:\[\d+\])?[sdvq]$/u,
  /^\{[A-Za-z_][\w.]*\}$|^#\{[\w.-]+\}#?$|^\[\[[\w .-]+\]\]$|^__[A-Z][A-Z\d_]*__$/u,
  // Argo CD and Grafana: `$slack-token`, `$oidc.azure.clientSecret`, `$__env{TOKEN}`; a shell: `cat file` in
  // backquotes. One word with a digit there is a value.
  /^\$[a-z]+(?:[.:-][A-Za-z]+)+$|^\$__(?:env|file)\{[^{}]*\}$|^`(?:[a-z_-]*|[^`]*[\s$(/][^`]*)`$/u,
  // `<your-token>`, `<<TMDB_API_KEY>>`, `<path:secret/data/db#password>` of Argo CD.
  /^<(?!secret:)[\w .-]+>$|^<<[\w .-]+>>$|^<path:[^<>\n]+>$/u,
  // These are names of variables: capitals with an underscore, and no more than two digits in a row.
  /^[A-Z]+\d{0,2}(?:_(?:[A-Z]+(?:\d{1,2}[A-Z]{0,2})?|\d{1,2}))+$/u,
  // Tags of Home Assistant, ESPHome, recyclarr, authentik, CloudFormation, Ansible: `!secret name`.
  /^!(?:secret|env_var|env|find|keyof|context|ref|getatt|importvalue|include|file|reference|vault)\b/iu,
  // Values in a store: `op://vault/item/field`, `vault:secret/db#password`; and an alias of YAML.
  /^op:\/\/[^\n]+$|^(?:secrets?|ssm|bws?|infisical|doppler|gopass|keyring|akv):\/\/\S+$|^\*[\w-]+$/u,
  /^(?:vault|ref\+\w+|op|awssm|gcpsm|azkv|secretref|env|ext|file|classpath):(?:\/\/)?[\w./#@:-]+$/u,
  /^(?:pull)?secret:[\w-]+\/[\w./#-]+$|^ENC\[\w+@[^\]]*\]$/u,
  /^arn:aws[\w-]*:(?:secretsmanager|ssm):|^projects\/[\w-]+\/secrets\//u,
  // Expressions of code: `os.environ/KEY`, `process.env.KEY`, `getenv('KEY')`, `var.password`,
  // `[parameters('token')]`.
  /^os\.environ\/\w+$|^(?:process\.)?env\.\w+$|^(?:var|local|data|module|secrets)\.[\w.[\]"-]+$/u,
  /^(?:os\.)?(?:get)?env(?:iron)?(?:\.get)?[([]["']\w+["'](?:, ?(?:""|''))?[)\]]$|^\[\w+\(.*\)[\w.]*\]$/iu,
  // These are paths.
  /^(?:\/(?:run|etc|var|mnt|vault|secrets|app|home|opt|tmp|usr|srv|path|data|config|certs|keys|ssl|tls|root|dev)\/|\.{1,2}\/|~\/)[\w./@-]*$/u,
  /^(?:\/[a-z][a-z_.-]{0,40}){2,20}$|^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/][\w:/.-]*$/u,
];

/** Matches references within a text: `${DB_PASSWORD}`, `$(cat file)`, `{{ .Values.password }}`, `${{ secrets.TOKEN }}`, `<%= ENV["X"] %>`, `{RTSP_PASSWORD}`. */
export const REFERENCES =
  /\$\{\{[^{}]*\}\}|\{\{[^{}]*\}\}|\$?\$\{(?:[^{}]|\$\{[^{}]*\})*\}|\\?\$?\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|<%=[^%]{0,200}%>|\$[A-Z_][A-Z0-9_]{1,60}|(?<![$#{])\{[A-Z][A-Z\d_]{2,60}\}/gu;

/** Matches a reference with a default: `${DB_PASSWORD:-x}`, or `${db.password:x}` of Spring. The groups are its name and the default. */
const WITH_DEFAULT = /^(\$?\$\{[\w.-]+(?::[-=+]|[-=+]|:(?![-=+?])))((?:[^{}]|\$\{[^{}]*\})+)\}$/u;
/** Matches references that fetch the value from elsewhere: `${env:DB_PASSWORD}`. */
const FETCHED =
  /^\$?\$\{(?:env|ssm|file|self|opt|cf|param|s3|secrets?|vault|aws|azure|gcp|sops|kms|op|ref)[:-]/u;
/** Matches literal defaults in other references: at the start, after `default`, `or` or `||`, or as in `fetch("X", "x")`. */
const LITERALS =
  /(?:\b(?:default=?|or|else)\s{0,9}|\bd(?:efault)?\(\s{0,9}|\b(?:env|env_var|getenv|get|fetch)["']{0,2}\]?\([^(),]{1,99}(?:,|\)\s{0,9}\{)\s{0,9}|^\$?\{\{-?\s{0,9}|\|\|\s{0,9})(\\"|"|''(?=[^')])|'|`)((?:(?!\1)[^\n]){1,4096})\1/gu;

/** A part of a text, from the first character to the one after the last. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

export function isReference(text: string): boolean {
  return REFERENCE_FORMS.some((pattern) => pattern.test(text));
}

/** Returns the literal default values in a reference. */
export function literalDefaults(reference: string): readonly Part[] {
  const [, before = '', given] = WITH_DEFAULT.exec(reference) ?? [];
  if (given === undefined)
    return Array.from(reference.matchAll(LITERALS), ({ 0: all, 1: quote = '', 2: literal = '', index }) => {
      const end = index + all.length - quote.length;
      return { start: end - literal.length, end };
    });
  // A second part such as in `${APP-CLIENT-SECRET}` belongs to the name.
  const isName = !before.includes(':') && /^[A-Z_-]+$/u.test(given);
  const isPlain = isName || FETCHED.test(reference);
  return isPlain ? [] : [{ start: before.length, end: before.length + given.length }];
}

/** True if a composed text can hold no secret. `rest` is the text, with GAP for each reference. */
export function isComposed(rest: string): boolean {
  return (
    isUrl(rest) ||
    isList(rest) ||
    /^(?:[A-Za-z][\w-]{0,30}(?:: ?| )|[a-z]{1,20}-)\0+$|^\0+:[a-z]+(?:[_-][a-z]+)*$/u.test(rest)
  );
}

/** Replaces a reference that was cut from a text. */
export const GAP = '\0';

/** True for `https://n8n.${DOMAIN}` or `redis://:${PW}@redis:6379`: a URL without a literal password, also not after `?token=`. */
function isUrl(rest: string): boolean {
  const [, user = '', path = ''] = /^[A-Za-z][\w+.-]{0,20}:\/\/(?:([^\s/]*)@)?([^\s@]*)$/u.exec(rest) ?? [
    undefined,
    'x:x',
  ];
  const password = /:(.*)$/u.exec(user)?.[1] ?? '';
  if (password.replaceAll(GAP, '') !== '') return false;
  return (path.split('?')[1] ?? '').split('&').every(isMember);
}

/** True for `Host=${HOST};Port=5432;Password=${PW}` or `user={{ .user }} password='$(PW)' host=db`. */
function isList(rest: string): boolean {
  const members = rest.split(rest.includes(';') ? ';' : /\s+/u).filter((member) => member.trim() !== '');
  return members.length > 1 && members.every((member) => member.includes('=') && isMember(member.trim()));
}

/** True for a member of a list that holds nothing but references after the name of a secret. */
function isMember(member: string): boolean {
  const [, name = '', value = ''] = /^([\w. -]{1,60}?) ?= ?["']?(.*?)["']?$/u.exec(member) ?? [];
  if (name === '') return member.replaceAll(GAP, '') === '';
  return value.replaceAll(GAP, '') === '' || !isSecretName(name);
}
