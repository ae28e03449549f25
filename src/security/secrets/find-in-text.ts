// Secrets that can be told from a text alone, whatever its format: tokens of known shapes, private keys, passwords in URLs,
// and what is assigned to a name of a secret. Takes time linear in the text, whatever it says.

import { PLACEHOLDERS } from '../text/placeholders.ts';
import { isNoSecret, isSecretName } from './key-names.ts';

export interface FoundSecret {
  /** Where what tells that it is a secret begins: its name, for one. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** Tokens by which programs know themselves. Each begins with letters of its own, and none can run over a blank or a quote. */
const TOKEN_SHAPES = new RegExp(
  [
    'gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[\\w-]{20,255}',
    'xox[abeoprs]-[\\w-]{10,255}|xapp-[\\w-]{10,255}|hooks\\.slack\\.com/(?:services|workflows)/[\\w/-]{10,255}',
    'sk-[A-Za-z0-9_-]{20,255}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{20,255}',
    'A(?:KIA|SIA)[0-9A-Z]{16}|AIza[\\w-]{35}|ya29\\.[\\w-]{20,512}|GOCSPX-[\\w-]{20,255}',
    'npm_[A-Za-z0-9]{30,255}|pypi-[\\w-]{20,512}|dop_v1_[a-f0-9]{64}|hv[sb]\\.[\\w-]{20,512}|dckr_pat_[\\w-]{20,255}',
    'SG\\.[\\w-]{16,255}\\.[\\w-]{16,255}|AGE-SECRET-KEY-1[A-Z0-9]{40,255}|eyJ[\\w-]{10,4096}(?:\\.[\\w-]{1,8192}){1,2}',
  ]
    .map((shapes) => `(?:${shapes})`)
    .join('|'),
  'gu',
);

/** Without the flag `u`, with which it takes ten times as long. */
const CREDENTIALS = /\b(?:bearer|basic) {1,4}([\w.~+/=-]{8,4096})/gi;

/** Without what lines say, which is meant in comments and texts alone: see `findInLines`. */
export function findInText(text: string): readonly FoundSecret[] {
  return [
    ...matches(text, PLACEHOLDERS),
    ...matches(text, TOKEN_SHAPES),
    ...passwordsOfUrls(text),
    ...matches(text, CREDENTIALS).filter(({ start, end }) => /\d/u.test(text.slice(start, end))),
    ...privateKeys(text),
    ...assignments(text),
    ...named(text, FLAG),
    ...named(text, ELEMENT),
    ...named(text, VARIABLE),
    ...quotedMembers(text),
  ];
}

/** The first group, or all of it. */
function matches(text: string, pattern: RegExp): FoundSecret[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: all, 1: group = all, index }) => {
    const start = index + all.lastIndexOf(group);
    return group !== all && isNoSecret(group) ? [] : [{ from: start, start, end: start + group.length }];
  });
}

/** `--password x` in a command, `<password>x</password>`, `$password := "x"` in a template. */
const FLAG =
  /(?<![\w-])--?(?<name>[A-Za-z][\w-]{1,60}) {1,4}(?!(?:is|the|to|and|or|for|if|in|with|which|as)\b)(?<value>[^\s"'`;|&<>${%-][^\s"'`;|&<>]{0,4095})/gu;
const ELEMENT = /<(?<name>[\w.-]{1,60})>(?<value>[^<>\n]{1,4096})<\//gu;
const VARIABLE = /\$(?<name>\w{1,60}) {0,4}:?= {0,4}"(?<value>[^"\n]{1,4096})"/gu;

function named(text: string, pattern: RegExp): FoundSecret[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: all, index, groups: { name = '', value = '' } = {} }) => {
    if (!isSecretName(name) || isNoSecret(value)) return [];
    const start = index + all.lastIndexOf(value);
    return [{ from: index, start, end: start + value.length }];
  });
}

const URL_USER = /:\/\/[^\s:@/"'<>]{0,100}:/gu;

/** Up to the last `@` before a blank or a quote: what should be escaped in a password often is not. */
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
    if (!isNoSecret(text.slice(start, at))) found.push({ from: start, start, end: at });
  }
  return found;
}

const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;

/** One without an end goes on to the end of the text. */
function privateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  let end = 0;
  for (const { index } of text.matchAll(PEM_BEGIN)) {
    if (index < end) continue;
    PEM_END.lastIndex = index;
    const closing = PEM_END.exec(text);
    end = closing === null ? text.length : closing.index + closing[0].length;
    found.push({ from: index, start: index, end });
  }
  return found;
}

const MAX_NAME = 100;
const MAX_VALUE = 4_096;

/** `DB_PASSWORD=x`, `--password=x`, `Password=x;` within a line. */
function assignments(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let at = text.indexOf('='), next = 0; at !== -1; at = text.indexOf('=', next)) {
    next = at + 1;
    let from = at;
    while (at - from < MAX_NAME && /[\w.$-]/u.test(text[from - 1] ?? '')) from -= 1;
    if (!isSecretName(text.slice(from, at))) continue;
    const value = valueAt(text, at + 1);
    if (isNoSecret(text.slice(value.start, value.end))) continue;
    found.push({ from, ...value });
    // What is assigned within it is masked with it, and is not looked at again and again.
    next = value.end;
  }
  return found;
}

/** In quotes, or up to a blank or a separator. */
function valueAt(text: string, at: number): { readonly start: number; readonly end: number } {
  const quote = text[at] ?? '';
  const ends = /["']/u.test(quote) ? new RegExp(`[${quote}\\n]`, 'u') : /[\s"';&,`)\]}<>]/u;
  const start = /["']/u.test(quote) ? at + 1 : at;
  let end = start;
  REFERENCE.lastIndex = start;
  if (REFERENCE.test(text)) end = REFERENCE.lastIndex;
  while (end < text.length && end - start < MAX_VALUE && !ends.test(text[end] ?? '')) end += 1;
  return { start, end };
}

/** With the brackets at which a value ends otherwise. */
const REFERENCE = /\$?\{\{[^{}\n]{0,200}\}\}|\$\$?(?:\{[^{}\n]{0,200}\}|\([^()\n]{0,200}\))/uy;

const MEMBER = /(\\?["'])([\w.$@-]{1,100})\1\s{0,8}:\s{0,8}(\\?["'])/gu;

/** `"password": "x"` as JSON has it, also within another text, where its quotes are escaped. */
function quotedMembers(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: all, 2: name = '', 3: quote = '', index } of text.matchAll(MEMBER)) {
    if (!isSecretName(name)) continue;
    const start = index + all.length;
    let end = text.indexOf(quote, start);
    while (text[end - 1] === '\\') end = text.indexOf(quote, end + 1);
    if (end === -1) end = text.length;
    if (!isNoSecret(text.slice(start, end))) found.push({ from: index, start, end });
  }
  return found;
}
