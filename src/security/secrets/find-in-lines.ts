// Finds secrets that lines show: values of a name of a secret, or of a name that the operator gave, and lines indented below
// them. Lines without such a name are skipped.
import { type FoundSecret, foundIn, type MaskedBy, OF_TEXT } from './found-secret.ts';
import { type IsSecretName, isSecretName, mayBeNamedAt } from './key-names.ts';
import { isNoSecret } from './secret-values.ts';

/** The length in which a line is searched for a name. */
const MAX_LINE = 4_096;

/** True for a name that the operator has given, beside the built-in ones. */
export type IsAsked = (name: string) => boolean;

const ASSIGNED =
  /^[\s#;/*>|{-]*(?:export\s+|set\s+)?["']?((?:[\w-]{1,30} ){0,3}[\p{L}\w.$/:@-]{1,200}?)["']?(?:\s*(?:=>|[:=])(?:\s|(?<==)|$)|(?<=\b(?:requirepass|masterauth))[ \t]+)/u;

export interface LinesAsked {
  readonly isAsked?: IsAsked | undefined;
  readonly isSecret?: IsSecretName | undefined;
}

/** Finds the values of secret names: to the end of the line, and the lines that are indented below it. */
export function findInLines(text: string, asked: LinesAsked = {}): readonly FoundSecret[] {
  const lines = new Lines(text, asked);
  const places = asked.isAsked === undefined ? mayBeNamedAt(text) : undefined;
  let place = 0;
  for (let at = 0; at < text.length; ) {
    if (places !== undefined && !lines.isOpen) {
      while ((places[place] ?? at) < at) place += 1;
      const hit = places[place];
      if (hit === undefined) break;
      at = Math.max(at, text.lastIndexOf('\n', hit - 1) + 1);
    }
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    lines.read(at, end);
    at = end + 1;
  }
  return lines.found;
}

/** A name whose value follows: `isList` means items in brackets, `isFlag` the next item alone. */
interface Open {
  readonly indent: number;
  readonly isList?: boolean;
  readonly isFlag?: boolean;
}

class Lines {
  readonly found: FoundSecret[] = [];
  readonly #text: string;
  readonly #isAsked: IsAsked | undefined;
  readonly #isSecret: IsSecretName;
  /** The indentation of a name while lines below it belong to its value, and the rule that found that name. */
  #above = Number.POSITIVE_INFINITY;
  #aboveBy: MaskedBy = 'key';
  /** A name with nothing after it yet; its value or its items follow. */
  #open: Open | undefined;
  /** True where the name of a pair has been read, and its value may follow. */
  #isNamed = false;
  /** The indentation of encrypted data, whose lines are skipped. */
  #skipped = Number.POSITIVE_INFINITY;

  constructor(text: string, { isAsked, isSecret = isSecretName }: LinesAsked) {
    this.#text = text;
    this.#isAsked = isAsked;
    this.#isSecret = isSecret;
  }

  /** True where the lines that were read say something about the next one. */
  get isOpen(): boolean {
    return (
      this.#isNamed ||
      this.#open !== undefined ||
      Math.min(this.#above, this.#skipped) < Number.POSITIVE_INFINITY
    );
  }

  /** Reads one line from `at` to `end`. */
  read(at: number, end: number): void {
    const source = this.#text.slice(at, Math.min(end, at + MAX_LINE));
    const line = withoutMark(source);
    const indent = line.search(/\S/u);
    if (indent === -1) this.#isNamed = false;
    if (indent === -1 || indent > this.#skipped) return;
    this.#skipped = Number.POSITIVE_INFINITY;
    if (indent > this.#above)
      this.found.push({
        from: at,
        ...trimmed(this.#text, at + indent, end),
        by: this.#aboveBy,
        shows: [OF_TEXT, 'lines above'],
      });
    else this.#readName(at, end, { line, indent, isProse: line !== source });
  }

  #readName(
    at: number,
    end: number,
    { line, indent, isProse }: { readonly line: string; readonly indent: number; readonly isProse: boolean },
  ): void {
    this.#above = Number.POSITIVE_INFINITY;
    this.#aboveBy = 'key';
    const [head = '', name = ''] = ASSIGNED.exec(line) ?? [];
    const last = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('/')) + 1);
    const value = trimmed(this.#text, at + head.length, end);
    const source = this.#text.slice(value.start, value.end);
    const isNew = /^\s*-(?!-)/u.test(line);
    const isSecret = this.#isSecret(last) || (this.#isNamed && VALUES.test(last));
    this.#isNamed = NAMES.test(last) ? this.#isSecret(source) : this.#isNamed && !isNew;
    if (last === 'encryptedData') this.#skipped = indent;
    // Values of such tags are found elsewhere.
    if (/^\s*!/u.test(line)) this.#open = undefined;
    const isBelowOpen = head === '' && this.#open !== undefined && isBelow(this.#open, line, indent);
    const rest = this.#isAsked && askedIn(this.#text.slice(at, end), this.#isAsked);
    if (rest !== undefined) {
      this.found.push({
        from: at,
        ...trimmed(this.#text, at + rest, end),
        by: 'operator',
        shows: [OF_TEXT],
      });
      this.#aboveBy = 'operator';
      this.#above = indent;
    } else if (isSecret && /^\s*\{\{/u.test(line)) this.found.push(...foundIn(at, at, line, last));
    else if (isSecret && /^[|>][\d+-]{0,2}$/u.test(source)) this.#above = indent;
    else if (isSecret && !/^[[{]$/u.test(source)) this.#add(at, value.start, source, last);
    else if (isBelowOpen) {
      const item = trimmed(this.#text, at + (/^\s*(?:-\s)?/u.exec(line)?.[0].length ?? 0), end);
      const isSentence = isProse && !isNew && /\S\s/u.test(this.#text.slice(item.start, item.end));
      if (!isSentence) this.#add(at, item.start, this.#text.slice(item.start, item.end));
    }
    this.#open =
      this.#openedBy(line, indent) ?? (isBelowOpen && !this.#open?.isFlag ? this.#open : undefined);
    if (isSecret && !/\s/u.test(name) && /^\[?$/u.test(source))
      this.#open = { indent, isList: source !== '' };
  }

  /** Adds the secret parts of a value; a comment after it is left out. */
  #add(from: number, at: number, source: string, name = ''): void {
    // An anchor, or a tag that gives the type, is no part of the value.
    const mark = /^(?:&[\w-]+|!!\w+)\s+["']?/u.exec(source)?.[0].length ?? 0;
    const value = source.slice(mark);
    if (!isNoSecret(value.replace(/["']?\s#.*/u, '')))
      for (const one of foundIn(from, at + mark, value, name)) this.found.push({ ...one, by: 'key' });
  }

  /** Answers the open name where the line is an item that is a flag of a secret: `- --password`. */
  #openedBy(line: string, indent: number): Open | undefined {
    const [, name = ''] = /^\s*-\s+["']?--?([A-Za-z][\w-]*)["']?\s*$/u.exec(line) ?? [];
    return this.#isSecret(name) ? { indent, isFlag: true } : undefined;
  }
}

function isBelow({ indent: above, isList }: Open, line: string, indent: number): boolean {
  if (/^\s*\{\{/u.test(line)) return true;
  if (/^[\s-]*(?:[[\]}]|\{(?!\{))/u.test(line)) return false;
  return isList === true || indent > above || (indent === above && /^\s*-\s/u.test(line));
}

/** Answers where the value begins of a name that the operator gave, anywhere on the line; undefined where there is none. */
function askedIn(line: string, isAsked: IsAsked): number | undefined {
  for (const { 0: all, 1: name = '', index } of line.matchAll(/([\w.$/@-]{1,200})["']?\s{0,8}[:=]/gu))
    if (isAsked(name.slice(name.lastIndexOf('/') + 1)) || isAsked(name.slice(name.lastIndexOf('.') + 1)))
      return index + all.length;
  return undefined;
}

/** Replaces the mark of a comment by blanks, so that what is commented out keeps its indentation. */
function withoutMark(line: string): string {
  return line.replace(/^\s*(?:#+|\/\/+)(?=\s)/u, (mark) => ' '.repeat(mark.length));
}

/** The keys of pairs such as `{name: DB_PASSWORD, value: x}`, in CloudFormation and JSON patches as well. */
export const NAMES = /^(?:name|key|parameterkey|optionname|path)$/iu;
export const VALUES = /^(?:value|default|defaultvalue|parametervalue)$/iu;

/** Answers the span without blanks, quotes and a comma around it. */
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
