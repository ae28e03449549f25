// Secrets that lines tell of: what they assign to a name of a secret, or to one that the operator has named, and what is
// indented below it.
import { type FoundSecret, foundIn } from './found-secret.ts';
import { isSecretName } from './key-names.ts';
import { isNoSecret } from './secret-values.ts';

/** Of a line, in which a name is looked for. */
const MAX_LINE = 4_096;

/** What the operator names, beside what is known. */
export type IsAsked = (name: string) => boolean;

const ASSIGNED =
  /^[\s#;/*>|{-]*(?:export\s+|set\s+)?["']?((?:[\w-]{1,30} ){0,3}[\p{L}\w.$/:@-]{1,200}?)["']?\s*(?:=>|[:=])(?:\s|(?<==)|$)/u;

interface LinesAsked {
  /** Whether each value is one. */
  readonly isAll?: boolean;
  readonly isAsked?: IsAsked | undefined;
}

/** What lines assign to a name of a secret, to the end of the line, and to the end of the lines that are indented below it. */
export function findInLines(
  text: string,
  { isAll = false, isAsked }: LinesAsked = {},
): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  /** The indentation of the name above, while the lines below it belong to its value. */
  let above = Number.POSITIVE_INFINITY;
  /** The same of a name behind which nothing stands yet: what follows is its value, or its items. */
  let open: Open | undefined;
  let isNamed = false;
  /** A value whose name may follow. */
  let before: { readonly column: number; readonly parts: readonly FoundSecret[] } | undefined;
  /** That of values that only the holder of a key can read. */
  let skipped = Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const source = text.slice(at, Math.min(end, at + MAX_LINE));
    const line = withoutMark(source);
    const isProse = line !== source;
    const indent = line.search(/\S/u);
    if (indent === -1 || indent > skipped) {
      at = end + 1;
      continue;
    }
    skipped = Number.POSITIVE_INFINITY;
    if (indent > above) found.push({ from: at, ...trimmed(text, at, end) });
    else {
      above = Number.POSITIVE_INFINITY;
      const [head = '', name = ''] = ASSIGNED.exec(line) ?? [];
      const last = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('/')) + 1);
      const value = trimmed(text, at + head.length, end);
      const source = text.slice(value.start, value.end);
      const isNew = /^\s*-/u.test(line);
      const column = line.search(/[^\s#;/*>|{-]/u);
      if (isNew || (before !== undefined && column < before.column)) before = undefined;
      const isName = NAMES.test(last) && isSecretName(source);
      const isSecret =
        isSecretName(last) || (isAll && !PLAIN_KEYS.test(last)) || (isNamed && VALUES.test(last));
      isNamed = NAMES.test(last) ? isName : isNamed && !isNew;
      if (isName && before?.column === column) found.push(...before.parts);
      if (last === 'encryptedData') skipped = indent;
      const asked = isAsked === undefined ? undefined : askedIn(text.slice(at, end), isAsked);
      if (asked !== undefined) {
        const rest = trimmed(text, at + asked, end);
        found.push({ from: at, ...rest });
        above = indent;
      } else if (isSecret && /^\s*\{\{/u.test(line)) found.push(...foundIn(at, at, line));
      else if (isSecret && /^[|>][\d+-]{0,2}$/u.test(source)) above = indent;
      else if (isSecret && !/^[[{]$/u.test(source)) found.push(...partsOf(at, value.start, source));
      else if (head === '' && open !== undefined && isBelow(open, line, indent)) {
        const item = trimmed(text, at + (/^\s*(?:-\s)?/u.exec(line)?.[0].length ?? 0), end);
        const isSentence = isProse && !isNew && /\S\s/u.test(text.slice(item.start, item.end));
        if (!isSentence) found.push(...partsOf(at, item.start, text.slice(item.start, item.end)));
      }
      if (VALUES.test(last)) before = { column, parts: partsOf(at, value.start, source) };
      open = openedBy(line, indent) ?? (head === '' ? stillOpen(open, line, indent) : undefined);
      if (isSecret && !/\s/u.test(name) && /^\[?$/u.test(source)) open = { indent, isList: source !== '' };
    }
    at = end + 1;
  }
  return found;
}

/** `isList`: in brackets; `isFlag`: for the next item alone. */
interface Open {
  readonly indent: number;
  readonly isList?: boolean;
  readonly isFlag?: boolean;
}

/** By an item that is a flag: `- --password`. */
function openedBy(line: string, indent: number): Open | undefined {
  const [, name = ''] = /^\s*-\s+["']?--?([A-Za-z][\w-]*)["']?\s*$/u.exec(line) ?? [];
  return isSecretName(name) ? { indent, isFlag: true } : undefined;
}

function stillOpen(open: Open | undefined, line: string, indent: number): Open | undefined {
  return open !== undefined && open.isFlag !== true && isBelow(open, line, indent) ? open : undefined;
}

function isBelow({ indent: above, isList }: Open, line: string, indent: number): boolean {
  if (/^\s*\{\{/u.test(line)) return true;
  if (/^[\s-]*(?:[[\]}]|\{(?!\{))/u.test(line)) return false;
  return isList === true || indent > above || (indent === above && /^\s*-\s/u.test(line));
}

/** Where the value begins of what the operator has named, wherever on the line that stands. */
function askedIn(line: string, isAsked: IsAsked): number | undefined {
  for (const { 0: all, 1: name = '', index } of line.matchAll(/([\w.$/@-]{1,200})["']?\s{0,8}[:=]/gu))
    if (isAsked(name.slice(name.lastIndexOf('/') + 1)) || isAsked(name.slice(name.lastIndexOf('.') + 1)))
      return index + all.length;
  return undefined;
}

/** Of a line, with blanks for what begins a comment: what is commented out is indented as it was. */
function withoutMark(line: string): string {
  return line.replace(/^\s*(?:#+|\/\/+)(?=\s)/u, (mark) => ' '.repeat(mark.length));
}

/** What of a value is secret, but for a comment behind it. */
function partsOf(from: number, at: number, source: string): readonly FoundSecret[] {
  return isNoSecret(source.replace(/\s#.*/u, '')) ? [] : foundIn(from, at, source);
}

/** The keys of a pair: `{name: DB_PASSWORD, value: x}`; of CloudFormation; of a JSON patch. */
export const NAMES = /^(?:name|key|parameterkey|optionname|path)$/iu;
export const VALUES = /^(?:value|default|defaultvalue|parametervalue)$/iu;
/** What a Secret says beside its secrets. */
const PLAIN_KEYS =
  /^(?:apiVersion|kind|metadata|name|namespace|labels|annotations|type|data|stringData|immutable)$/u;

/** Without quotes and a comma around it. */
export function trimmed(
  text: string,
  from: number,
  to: number,
): { readonly start: number; readonly end: number } {
  let [start, end] = [from, to];
  while (start < end && /[\s"']/u.test(text[start] ?? '')) start += 1;
  while (end > start && /[\s"',]/u.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}
