// Secrets that can be told from a text alone, whatever its format: tokens of known shapes, private keys, passwords in URLs,
// and what is assigned to a name of a secret. Takes time linear in the text, whatever it says.
import { isNoSecret, isSecretName } from './key-names.ts';
import { PLACEHOLDERS } from './placeholder.ts';

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

const URL_PASSWORD = /:\/\/[^\s:@/"'<>]{0,100}:([^\s@"'<>]{1,200})@/gu;
const CREDENTIALS = /\b(?:bearer|basic) {1,4}([\w.~+/=-]{8,4096})/giu;

/** Whether a text can hold any: most do not, and are not looked at any further. */
export function mayHoldSecrets(text: string): boolean {
  return HINTS.test(text);
}

const HINTS =
  /pass|pwd|pin\b|secret|token|credential|api[_-]?key|[a-z][_-]?key\b|key["']?\s*[:=]|auth|private|connection|webhook|bearer|basic |[a-z]:\/\/[^\s@]{0,300}@|gh[pousr]_|github_pat|glpat|xox|xapp-|hooks\.slack|sk-|k_live|k_test|whsec|AKIA|ASIA|AIza|ya29|GOCSPX|npm_|pypi-|dop_v1|hvs\.|hvb\.|SG\.|eyJ/iu;

/** Without what lines say, which is meant in comments and texts alone: see `findInLines`. */
export function findInText(text: string): readonly FoundSecret[] {
  return [
    ...matches(text, PLACEHOLDERS),
    ...matches(text, TOKEN_SHAPES),
    ...matches(text, URL_PASSWORD),
    ...matches(text, CREDENTIALS).filter(({ start, end }) => /\d/u.test(text.slice(start, end))),
    ...privateKeys(text),
    ...assignments(text),
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
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    let from = at;
    while (from > 0 && at - from < MAX_NAME && /[\w.$-]/u.test(text[from - 1] ?? '')) from -= 1;
    if (from === at || !isSecretName(text.slice(from, at))) continue;
    const value = valueAt(text, at + 1);
    if (!isNoSecret(text.slice(value.start, value.end))) found.push({ from, ...value });
  }
  return found;
}

/** In quotes, or up to a blank or a separator. */
function valueAt(text: string, at: number): { readonly start: number; readonly end: number } {
  const quote = text[at] ?? '';
  const ends = /["']/u.test(quote) ? new RegExp(`[${quote}\\n]`, 'u') : /[\s"';&,`)\]}<>]/u;
  const start = /["']/u.test(quote) ? at + 1 : at;
  let end = start;
  while (end < text.length && end - start < MAX_VALUE && !ends.test(text[end] ?? '')) end += 1;
  return { start, end };
}

const MEMBER = /(\\?["'])([\w.$@-]{1,100})\1\s{0,8}:\s{0,8}(\\?["'])/gu;

/** `"password": "x"` as JSON has it, also within another text, where its quotes are escaped. */
function quotedMembers(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: all, 2: name = '', 3: quote = '', index } of text.matchAll(MEMBER)) {
    if (!isSecretName(name)) continue;
    const start = index + all.length;
    let end = text.indexOf(quote, start);
    while (end !== -1 && text[end - 1] === '\\' && !quote.startsWith('\\'))
      end = text.indexOf(quote, end + 1);
    if (end === -1) end = text.length;
    if (!isNoSecret(text.slice(start, end))) found.push({ from: index, start, end });
  }
  return found;
}

const ASSIGNED =
  /^[\s#;/*>|-]*(?:export\s+|set\s+)?["']?((?:[\w-]{1,30} ){0,3}[\w.$/:@-]{1,200}?)["']?\s*(?:=>|[:=])(?:\s+|(?<==)|$)/u;

/** What lines assign to a name of a secret, to the end of the line, and to the end of the lines that are indented below it. */
export function findInLines(text: string, from = 0, to = text.length, isAll = false): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  /** The indentation of the name above, while the lines below it belong to its value. */
  let above: number | undefined;
  let isNamed = false;
  /** That of values that only the holder of a key can read. */
  let skipped: number | undefined;
  for (let at = from; at < to; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 || next > to ? to : next;
    const line = text.slice(at, Math.min(end, at + MAX_VALUE));
    const indent = line.search(/\S/u);
    if (skipped !== undefined && (indent > skipped || indent === -1)) {
      at = end + 1;
      continue;
    }
    skipped = undefined;
    if (above !== undefined && indent > above) found.push({ from: at, ...trimmed(text, at, end) });
    else if (indent !== -1) {
      above = undefined;
      const [head = '', name = ''] = ASSIGNED.exec(line) ?? [];
      const last = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('/')) + 1);
      const value = trimmed(text, at + head.length, end);
      const source = text.slice(value.start, value.end);
      const isSecret =
        head !== '' &&
        (isSecretName(last) || (isAll && !PLAIN_KEYS.test(last)) || (isNamed && VALUES.test(last)));
      isNamed = /^(?:name|key)$/iu.test(last) ? isSecretName(source) : isNamed && !/^\s*-/u.test(line);
      if (last === 'encryptedData') skipped = indent;
      if (isSecret && /^[|>][\d+-]{0,2}$/u.test(source)) above = indent;
      else if (isSecret && source !== '' && !/^[[{]$/u.test(source) && !isNoSecret(source))
        found.push({ from: at, ...value });
      else if (isAll && head === '' && line.length > indent)
        found.push({ from: at, ...trimmed(text, at, end) });
    }
    at = end + 1;
  }
  return found;
}

const VALUES = /^(?:value|default|defaultvalue)$/iu;
/** What a Secret says beside its secrets. */
const PLAIN_KEYS =
  /^(?:apiVersion|kind|metadata|name|namespace|labels|annotations|type|data|stringData|immutable)$/u;

/** Without quotes and a comma around it. */
function trimmed(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let [start, end] = [from, to];
  while (start < end && /[\s"']/u.test(text[start] ?? '')) start += 1;
  while (end > start && /[\s"',]/u.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Of a text that cannot be parsed: what its lines say; all of them where it may be a Secret. */
export function findInPlainText(text: string): readonly FoundSecret[] {
  const isAll = /(?:^|[\s{,"'])kind["']?\s{0,8}[:=]\s{0,8}["']?Secret\b/u.test(text);
  return [...findInText(text), ...findInLines(text, 0, text.length, isAll)];
}
