// Recognises values that are no secrets, whatever their key is, and finds the secret parts of a value. In a reference only the default
// value can be secret.
import { secretsOfConnection } from './connections.ts';
import { GAP, isComposed, isReference, literalDefaults, type Part, REFERENCES } from './references.ts';

/** Matches texts that stand where a person is to enter a value. */
const STAND_IN =
  /^(?:change[-_ ]?me|replace[-_ ]?me|example|placeholder|todo|tbd|x{3,}|\*{3,}|\.{3,}|(?:your|change|replace|insert|enter)(?:[-_ ][a-z]+|[-_ ]\d{1,3})+)$/iu;
/** Matches the same as one word: `ChangeThisPassword`, `YourApiToken`. */
const STAND_IN_WORDS = /^(?:[Yy]our|[Cc]hange|[Rr]eplace|[Ii]nsert|[Ee]nter)(?:[A-Z][a-z]+)+$/u;

/** Matches a hint where the value is found: `see below`. */
const HINT = /^(?:see|ask|refer to) (?:the |your |in )?[a-z]+(?: [a-z]+){0,5}\.?$/iu;

/** Match values that often follow a secret key and are no secrets. */
const NO_SECRET: readonly RegExp[] = [
  /^(?:true|false|yes|no|on|off|null|~|none|auto|read|write|admin:read|inherit|required|optional|enabled|disabled|string|public|foobared)$/iu,
  // These are a duration, a number of tokens, a pin of a chip, a file with a key, a version (of a package with
  // such a name), and an IP address.
  /^\d+(?:\.\d+)?(?:ms|[smhdwy]|%|[KMGT]i?B?)$/u,
  /^(?:GPIO)?\d{1,3}$/u,
  // A number of up to three digits counts something; one of more may be a PIN.
  /^[+-]?(?:0x_?[\da-f](?:_?[\da-f]){0,2}|(?:0[ob])?\.?\d(?:[._]?\d){0,2}\.?|\d(?:\.\d)?e[+-]?\d)$/iu,
  /^[\w./@-]+\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|toml|txt)$/u,
  /^(?:[~^]|[<>]=?)?v?\d+\.\d+\.\d+(?:-[a-z]+(?:\.\d+)?)?$/u,
  /^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?$/u,
  // These are an address without a path, a regular expression, and a call in code.
  /^https?:\/\/[\w.-]+(?::\d{1,5})?\/?$|^\(?\\{1,2}[bwdsSW.]|^\^[#([{\\]|^[\\"']+$|^[A-Za-z_][\w.]*\($/u,
  // These are a comment, and what remains where a text was cut.
  /^#(?:\s|$)/u,
  /^(?:\\|\{\}|\[\]|[{}\])]{1,4}|-\}|\*\/\}\}|=+)$/u,
];

/** True for encrypted values of SOPS and Ansible vault, which only holders of a key can read. */
export function isEncrypted(source: string): boolean {
  return /^\s*(?:ENC\[[A-Z\d_]+,[^\]]*\]\s*$|\$ANSIBLE_VAULT;)/u.test(source);
}

/** True for stand-ins such as `CHANGEME`, with which an agent asks a person for a secret; they are never secrets. */
export function isStandIn(source: string): boolean {
  const text = source.trim();
  return STAND_IN.test(text) || STAND_IN_WORDS.test(text);
}

/** True if no part of a value is secret. `source` is the value as it is written, without quotes. */
export function isNoSecret(source: string): boolean {
  return secretParts(source).length === 0;
}

function isPlain(text: string): boolean {
  return (
    isStandIn(text) || HINT.test(text) || isReference(text) || NO_SECRET.some((pattern) => pattern.test(text))
  );
}

/**
 * Returns the secret parts of a value with a secret key: none, all of it, the defaults in its references, or the passwords of a
 * connection. `source` is without quotes.
 */
export function secretParts(source: string): readonly Part[] {
  const text = source.replace(/\s\\$/u, '').trim();
  if (text === '' || isEncrypted(text) || isPlain(text)) return [];
  const ofConnection = secretsOfConnection(source);
  if (ofConnection !== undefined) return ofConnection;
  const parts: Part[] = [];
  const rest = source.replaceAll(REFERENCES, (reference, at: number) => {
    for (const { start, end } of literalDefaults(reference))
      for (const part of secretParts(reference.slice(start, end)))
        parts.push({ start: at + start + part.start, end: at + start + part.end });
    return GAP;
  });
  if (rest === source) return [{ start: 0, end: source.length }];
  const left = rest.replace(/\s\\$/u, '').trim();
  const isNothing = !/[\p{L}\p{N}]/u.test(left) || isPlain(left.replaceAll(GAP, 'x'));
  return isNothing || isComposed(left) ? parts : [{ start: 0, end: source.length }];
}

/** Returns the span without blanks, quotes and a comma around it. */
export function trimmed(text: string, from: number, to: number): Part {
  let [start, end] = [from, to];
  while (start < end && /[\s"']/u.test(text[start] ?? '')) start += 1;
  while (end > start && /[\s"',]/u.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Returns the span of a value, without a comment behind its closing quote. */
export function valueIn(text: string, at: number, end: number): Part {
  const value = trimmed(text, at, end);
  const quote = text.charAt(value.start - 1);
  const close =
    /["']/u.test(quote) && value.start > at ? text.slice(value.start, value.end).indexOf(quote) : -1;
  const rest = text.slice(value.start + close + 1, value.end);
  return close !== -1 && /^[,;]?\s*(?:\/\/|#)/u.test(rest) ? { ...value, end: value.start + close } : value;
}

/** Returns the quote of a value that is closed on a later line only. */
export function openQuote(text: string, at: number, end: number): string | undefined {
  const line = text.slice(at, end);
  const [all = '', quote = ''] = /^\s*(["'`])(?!\$[({])/u.exec(line) ?? [];
  const isOpen = quote !== '' && !line.slice(all.length).includes(quote) && text.includes(quote, end);
  return isOpen ? quote : undefined;
}

/** True for a line that ends in a backslash which is not escaped itself. */
export function isContinued(text: string, at: number, end: number): boolean {
  const last = text[end - 1] === '\r' ? end - 1 : end;
  let from = last;
  while (from > at && text[from - 1] === '\\') from -= 1;
  return (last - from) % 2 === 1;
}
