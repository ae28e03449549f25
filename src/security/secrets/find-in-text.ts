// Finds secrets in a text of any format: tokens of known shapes, private keys, passwords in URLs, and values that are assigned to a
// secret name. The time is linear in the length of the text.

import { PLACEHOLDERS } from '../text/placeholders.ts';
import { connectionAt } from './connections.ts';
import { type FoundSecret, secretsInValue, TEXT_RULE } from './found-secret.ts';
import { type IsSecretName, isSecretName, secretNameCandidates } from './key-names.ts';
import type { Part } from './references.ts';
import { CREDENTIALS, PASSWORD_HASHES, RARE_SHAPES, TOKEN_SHAPES } from './token-shapes.ts';

/** Finds all of these. The rules of `findInLines` are not among them, because they apply to comments and plain texts only. */
export function findInText(
  text: string,
  named = secretNameCandidates(text),
  isSecret: IsSecretName = isSecretName,
): readonly FoundSecret[] {
  return [
    ...findByShape(text),
    ...passwordsOfUrls(text),
    ...privateKeys(text),
    // Names are searched only on lines that may hold one; most lines cannot.
    ...linesAt(text, named).flatMap(({ start, end, next }) =>
      findByNames(text.slice(start, end), text.slice(end, next), isSecret).map((one) => ({
        ...one,
        from: start + one.from,
        start: start + one.start,
        end: start + one.end,
      })),
    ),
  ];
}

/** True if `findInText` or `secretNameCandidates` finds anything in the text. Each looks at one line, so a part of whole lines will do. */
export function mayHoldSecret(text: string): boolean {
  return (
    text.includes('PRIVATE KEY') ||
    secretNameCandidates(text, 1).length > 0 ||
    findByShape(text).length > 0 ||
    passwordsOfUrls(text).length > 0
  );
}

/** Returns the lines that hold these ascending offsets, each line once. `next` is the end of the line below. */
function linesAt(
  text: string,
  places: readonly number[],
): readonly { readonly start: number; readonly end: number; readonly next: number }[] {
  const lines = [];
  let last = -1;
  for (const place of places) {
    if (place <= last) continue;
    const end = endOfLine(text, place);
    lines.push({ start: text.lastIndexOf('\n', place - 1) + 1, end, next: endOfLine(text, end + 1) });
    last = end;
  }
  return lines;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Finds secrets by their form alone, wherever they are. */
function findByShape(text: string): readonly FoundSecret[] {
  return [
    ...matchesOf(text, PLACEHOLDERS),
    ...matchesOf(text, TOKEN_SHAPES),
    ...matchesOf(text, PASSWORD_HASHES),
    ...RARE_SHAPES.flatMap(({ letters, pattern }) =>
      text.includes(letters) ? matchesOf(text, pattern) : [],
    ),
    ...matchesOf(text, CREDENTIALS).filter(({ start, end }) => /[\d=]/u.test(text.slice(start, end))),
  ];
}

/** Finds values of secret names on a line. `next` is the line below, for a flag whose value is there. */
function findByNames(line: string, next: string, isSecret: IsSecretName): readonly FoundSecret[] {
  return [
    ...assignments(line, isSecret),
    ...PAIRS.flatMap(({ letters, pattern }) =>
      line.includes(letters) ? matchedPairs(line, pattern, isSecret) : [],
    ),
    ...(line.includes('-')
      ? matchedPairs(line + next, FLAG, isSecret).filter(({ from }) => from < line.length)
      : []),
    ...quotedMembers(line, isSecret),
  ];
}

/** Returns the only group of each match that is there, or the whole match. */
function matchesOf(text: string, pattern: RegExp): FoundSecret[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [all = '', group = all] = match.filter((one) => one !== undefined);
    const start = match.index + all.lastIndexOf(group);
    return group === all
      ? [{ from: start, start, end: start + all.length, shows: [TEXT_RULE] }]
      : secretsInValue(start, start, group);
  });
}

/** Matches `--password x`. A word of a sentence after the flag is no value, and neither is a comment on the next line. */
const FLAG =
  /(?<![\w-])(?:--|-(?![a-z]+_))(?<name>[A-Za-z][\w-]{1,60})(?: {1,4}|[ \t]{0,4}\\?\r?\n[ \t]{1,200}(?!#))(?!(?:is|the|to|and|or|for|if|in|with|which|as)\b)(?:\\?["'](?<quoted>[^"'\n]{1,4096}?)(?=\\?["'\n]|$)|(?<value>[^\s"'`;|&<>${%\\-][^\s"'`;|&<>]{0,4095}))/gu;
/** Matches `$password := "x"` in a template. */
const VARIABLE = /\$(?<name>\w{1,60}) {0,4}:?= {0,4}"(?<value>[^"\n]{1,4096})"/gu;
/** Matches members of a flow mapping: `{user: u, password: x}`. */
const FLOW_MEMBER =
  /[{,]\s{0,9}(?<name>[\w.-]{1,100}):\s{1,4}(?<value>[^\s"'{}[\],][^"'{}[\],\n]{0,4095})(?=[},])/gu;

/** Matches members of an object in code: `{ user: 'u', password: 'x' }`. */
const QUOTED_MEMBER =
  /[{,]\s{0,9}(?<name>[\w.-]{1,100}):\s{0,4}(?:"(?<quoted>[^"\n]{1,4096})"|'(?<value>[^'\n]{1,4096})')/gu;

/** Matches `${DB_PASSWORD:-x}` below any key. */
const REFERENCE_DEFAULT =
  /\$\{(?<name>[\w.-]{1,100}?)(?::?[-=]|:(?![-=+?]))(?<value>[^\s"'${}][^"'${}\n]{0,4095})\}/gu;

/** Matches `the password is "x"` in a sentence, where the value is one word. */
const SENTENCE = /(?<![\w$.-])(?<name>pass(?:word|phrase|wd)) (?:is )?"(?<value>[^\s"]{4,100})"/giu;

/** Each pattern is tried only on lines that hold its letters. */
const PAIRS = [
  { letters: ' "', pattern: SENTENCE },
  { letters: '${', pattern: REFERENCE_DEFAULT },
  { letters: '$', pattern: VARIABLE },
  { letters: ': ', pattern: FLOW_MEMBER },
  { letters: ':', pattern: QUOTED_MEMBER },
] as const;

function matchedPairs(text: string, pattern: RegExp, isSecret: IsSecretName): FoundSecret[] {
  return Array.from(text.matchAll(pattern)).flatMap(({ 0: all, index, groups = {} }) => {
    const { name = '', quoted = '', value = quoted } = groups;
    if (!isSecret(name)) return [];
    const found = secretsInValue(index, index + all.lastIndexOf(value), value, name);
    return pattern === SENTENCE ? found.map((one) => ({ ...one, shows: [...one.shows, 'words'] })) : found;
  });
}

/** Matches the user of a URL up to the colon. A reference in it may hold a colon: `://${USER:-web}:x@db`. */
const URL_USER = /:\/\/(?:\$\{[^\s{}]{0,100}\}|\$(?!\{[^\s{}]{0,100}\})|[^\s:@/"'<>$]){0,100}:/gu;

/** Finds passwords in URLs, up to the last `@` before a blank or a quote, because passwords are often not escaped. */
function passwordsOfUrls(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  let [end, at] = [0, 0];
  for (const { 0: all, index } of text.matchAll(URL_USER)) {
    const start = index + all.length;
    if (end <= start) {
      const blank = text.slice(start).search(/[\s"'<>]/u);
      end = blank === -1 ? text.length : start + blank;
      at = start + text.slice(start, end).lastIndexOf('@');
    }
    found.push(...secretsInValue(start, start, text.slice(start, at)));
  }
  return found;
}

const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;

/** Finds private keys; one without an end goes on to the end of the text. */
function privateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  let end = 0;
  for (const { index } of text.matchAll(PEM_BEGIN)) {
    if (index < end) continue;
    PEM_END.lastIndex = index;
    const closing = PEM_END.exec(text);
    end = closing === null ? text.length : closing.index + closing[0].length;
    found.push({ from: index, start: index, end, shows: [TEXT_RULE] });
  }
  return found;
}

const ARGUMENT_NAME =
  /^(?:pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|secret|access|private)_?key|(?:auth|access)_?token)$/iu;
const MAX_NAME = 100;
const MAX_VALUE = 4_096;

/** Finds `DB_PASSWORD=x`, `--password=x`, `Password=x;` and `password = x` within a line. */
function assignments(text: string, isSecret: IsSecretName): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let at = text.indexOf('='), next = 0; at !== -1; at = text.indexOf('=', next)) {
    next = at + 1;
    const to = text[at - 1] === ' ' ? at - 1 : at;
    let first = to;
    while (/[\w.$-]/u.test(text[first - 1] ?? '')) first -= 1;
    const from = Math.max(first, to - MAX_NAME);
    const name = text.slice(from, to);
    // In a template `$name =` assigns a computed value.
    if (!isSecret(name) || (to < at && name.startsWith('$'))) continue;
    const isOfList = /;\s?$/u.test(text.slice(Math.max(first - 2, 0), first));
    const begin = text[at + 1] === ' ' ? at + 2 : at + 1;
    const value = connectionAt(text, begin) ?? valueAt(text, begin, isOfList);
    const parts = secretsInValue(from, value.start, text.slice(value.start, value.end), name);
    const source = text.slice(value.start, value.end);
    // In a call in code, an argument such as `password=password` passes a variable. Its name is no secret.
    const isOfCall = ARGUMENT_NAME.test(source) && /[,)]/u.test(text[value.end] ?? '');
    // Base64 may end in the letters of a name. The values in a bracket are found elsewhere.
    if (parts.length === 0 || /^[=[{]$/u.test(source) || isOfCall) continue;
    found.push(...parts);
    // Assignments within the value are masked with it, and need no search of their own.
    next = value.end;
  }
  return found;
}

/**
 * Returns the span of a value: in quotes, or up to a blank or a separator. With `isOfList` it ends at the next semicolon, as in
 * `Server=db;Password=a b,c;`.
 */
function valueAt(text: string, at: number, isOfList: boolean): Part {
  const quote = text.charAt(at);
  const ends = /["']/u.test(quote)
    ? new RegExp(`[${quote}\\n]`, 'u')
    : isOfList
      ? /[;"'\n]/u
      : /[\s"';&,`)\]}<>]/u;
  const start = /["']/u.test(quote) ? at + 1 : at;
  let end = start;
  // A reference may also follow letters: `write-{{ .tenant }}`.
  for (let at = start; at - start < MAX_VALUE; at = end) {
    REFERENCE.lastIndex = at;
    if (!REFERENCE.test(text)) break;
    end = REFERENCE.lastIndex;
  }
  const rest = text.slice(end, start + MAX_VALUE);
  const length = rest.search(ends);
  return { start, end: end + (length === -1 ? rest.length : length) };
}

/** Matches a reference with its brackets, at which a value would otherwise end. */
const REFERENCE =
  /[\w.:/@-]{0,60}(?:\$?\{\{[^{}\n]{0,200}\}\}|\\?\$\$?(?:\{(?:[^{}\n]|\$\{[^{}\n]{0,200}\}){0,200}\}|\([^()\n]{0,200}\)))/uy;

const MEMBER = /(\\?["'])([\w.$@-]{1,100})\1\s{0,8}:\s{0,8}(\\?["'])/gu;

/** Finds `"password": "x"` as in JSON, also with escaped quotes within another text. */
function quotedMembers(text: string, isSecret: IsSecretName): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: all, 2: name = '', 3: quote = '', index } of text.matchAll(MEMBER)) {
    if (!isSecret(name)) continue;
    const start = index + all.length;
    REFERENCE.lastIndex = start;
    let end = text.indexOf(quote, REFERENCE.test(text) ? REFERENCE.lastIndex : start);
    while (text[end - 1] === '\\') end = text.indexOf(quote, end + 1);
    if (end === -1) end = text.length;
    found.push(...secretsInValue(index, start, text.slice(start, end), name));
  }
  return found;
}
