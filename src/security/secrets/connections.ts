// Finds the passwords in URLs and connection strings below the name of a secret. Only where each other part is of a known form can the
// rest be shown; otherwise the whole value is the secret.
import { isSecretName } from './key-names.ts';
import type { Part } from './references.ts';

/** Matches what no password of a certain form has: references, quotes and line breaks. */
const UNCERTAIN = /[${}<>"'`\\\n]/u;
const SCHEME = /^(?:jdbc:)?[a-z][a-z\d+.-]{1,30}:\/\//iu;
/** Matches hosts, or `tcp(db:3306)` of Go, with a path, and with what follows it. */
const PLACE =
  /^(?:[\w.,:[\]-]{1,400}|(?:tcp|unix)\([\w.:/-]{1,200}\))((?:\/[\w.~%+-]{0,40}){0,9})(?:([?;])(.*))?$/u;
const GO_PLACE = /^@(?:tcp|unix)\(/u;
const USER = /^[\w.%+-]{0,32}$/u;
/** Matches a long text with a digit, which may be a token wherever it is. */
const TOKEN = /(?=[A-Za-z_%+-]{0,99}\d)[\w%+-]{16}/u;

/** Matches members whose value is never secret. */
const ORDINARY_NAME =
  /^(?:server|host|hostname|hostaddr|address|data ?source|port|database|databasename|db|dbname|initial catalog|schema|(?:current)?schema|user|user ?id|uid|username|endpoint|(?:account|blob|table|queue)endpoint|accountname|endpointsuffix|defaultendpointsprotocol|sharedaccesskeyname|entitypath|application ?name|app(?:lication)?_?name|auth(?:source|mechanism)|replicaset|readpreference|s[vetpr]|spr|srt?|ss|sip|charset|encoding|loc|servertimezone|vhost|sslmode|ssl ?mode|encrypt|target_session_attrs)$/iu;
const ORDINARY_VALUE =
  /^(?:true|false|yes|no|on|off|none|require|required|prefer|preferred|disable|disabled|majority|\d{1,5})$/iu;
const MAX_LIST = 4_096;
const SIGNATURE = /^(?:sig|signature|x-amz-signature)$/iu;

/** Returns the secret parts; undefined unless the text is a connection in which their places are certain. */
export function secretsOfConnection(text: string): readonly Part[] | undefined {
  if (UNCERTAIN.test(text)) return undefined;
  const parts = secretsOfUrl(text) ?? secretsOfList(text);
  return parts?.length === 0 ? undefined : parts;
}

/** Returns the span of a connection string without quotes, which takes the rest of its line; undefined for another value. */
export function connectionAt(line: string, start: number): Part | undefined {
  const rest = line.slice(start, start + MAX_LIST).trimEnd();
  const isConnection = rest.includes(';') && secretsOfConnection(rest) !== undefined;
  return isConnection ? { start, end: start + rest.length } : undefined;
}

/** The password goes up to the last `@`, because it is often not escaped. */
function secretsOfUrl(text: string): readonly Part[] | undefined {
  const begin = SCHEME.exec(text)?.[0].length ?? 0;
  const at = Math.max(text.lastIndexOf('@'), begin - 1);
  const place = PLACE.exec(text.slice(at + 1));
  if (place === null || /\s/u.test(text) || (begin === 0 && !GO_PLACE.test(text.slice(at)))) return undefined;
  const [, path = '', separator = '', query = ''] = place;
  if (TOKEN.test(path)) return undefined;
  const members =
    separator === '' ? [] : secretsOfMembers(text, text.length - query.length, separator === '?' ? '&' : ';');
  if (at < begin) return members;
  const colon = text.indexOf(':', begin);
  const user = text.slice(begin, colon);
  // Without a colon the user may be a token.
  if (colon === -1 || colon >= at || !USER.test(user) || TOKEN.test(user)) return undefined;
  return members && [{ start: colon + 1, end: at }, ...members];
}

/** A list has a member with an ordinary name, which no secret that only looks like a member has. */
function secretsOfList(text: string): readonly Part[] | undefined {
  const separator = text.includes(';') ? ';' : ' ';
  const isList = text
    .split(separator)
    .some((member) => ORDINARY_NAME.test(member.split('=', 1).join('').trim()));
  return isList ? secretsOfMembers(text, 0, separator) : undefined;
}

/** Returns the secret parts of `name=value` members from there on; undefined if one of them is of no known form. */
function secretsOfMembers(text: string, from: number, separator: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  let start = from;
  for (const member of text.slice(from).split(separator)) {
    const end = start + member.length;
    const [head = '', name = ''] = /^\s*([A-Za-z][A-Za-z_. -]{0,40}?)\s?=\s?/u.exec(member) ?? [];
    const value = member.slice(head.length);
    if (head === '' && member.trim() !== '') return undefined;
    const isSecret = SIGNATURE.test(name) || isSecretName(name.replaceAll(' ', '_'));
    if (isSecret && /[^\s=]/u.test(value)) parts.push({ start: start + head.length, end });
    else if (!isSecret && !isOrdinaryMember(name, value)) return undefined;
    start = end + 1;
  }
  return parts;
}

function isOrdinaryMember(name: string, value: string): boolean {
  return (
    value.trim() === '' || ORDINARY_VALUE.test(value) || (ORDINARY_NAME.test(name) && !TOKEN.test(value))
  );
}
