// Finds secrets by the names on their lines: the values of secret names, and of names that the operator gave, with the lines that are
// indented below them. Lines without such a name are skipped.
import { type FoundSecret, type MaskedBy, secretsInValue, TEXT_RULE } from './found-secret.ts';
import { type IsSecretName, isSecretName, secretNameCandidates } from './key-names.ts';
import { isContinued, isNoSecret, openQuote, trimmed, valueIn } from './secret-values.ts';

/** The number of characters of a line that are searched for a name. */
const MAX_LINE = 4_096;

/** True for a name that the operator has given. */
export type IsMaskedName = (name: string) => boolean;

const ASSIGNMENT =
  /^[\s#;/*>|{-]*(?:export\s+|set\s+)?["']?((?:[\w-]{1,30} ){0,3}[\p{L}\w.$/:@-]{1,200}?)["']?(?:\s*(?:=>|[:=])(?:\s|(?<==)|$)|(?<=\b(?:requirepass|masterauth))[ \t]+)/u;

/** Matches a setting whose value follows a blank, as in `redis.conf`, `.netrc` and `.properties`; comments and references excluded. */
const SETTING =
  /^(?![ \t]*(?:[#;!]|\/\/)).*?(?<![^ \t])([\w.-]{1,100})[ \t]+["']?(?![$%{=:"'])\S+;?[ \t\r]*$/u;
/** Matches the beginning of a variable of Terraform, whose `default` is its value. */
const VARIABLE = /^\s*variable\s+"?([\w-]{1,100})"?\s*\{/u;
/** Matches names of many secrets, whose members are secrets under any name. */
const PLURAL = /(?:password|token|credential|key)s$/iu;
const HEREDOC = /^<<[-~]?["']?(\w{1,60})["']?$/u;

export interface LineSearchOptions {
  /** True for a file of settings, in which blanks may separate a name from its value. */
  readonly isSettings?: boolean | undefined;
  readonly isMaskedByOperator?: IsMaskedName | undefined;
  readonly isSecret?: IsSecretName | undefined;
}

/** Finds the values of secret names: to the end of the line, and the lines that are indented below it. */
export function findInLines(text: string, options: LineSearchOptions = {}): readonly FoundSecret[] {
  const lines = new LineSearch(text, options);
  const candidates = options.isMaskedByOperator === undefined ? secretNameCandidates(text) : undefined;
  let next = 0;
  for (let at = 0; at < text.length; ) {
    if (candidates !== undefined && !lines.hasState) {
      while ((candidates[next] ?? at) < at) next += 1;
      const candidate = candidates[next];
      if (candidate === undefined) break;
      at = Math.max(at, text.lastIndexOf('\n', candidate - 1) + 1);
    }
    const lineBreak = text.indexOf('\n', at);
    const end = lineBreak === -1 ? text.length : lineBreak;
    lines.read(at, end);
    at = end + 1;
  }
  return lines.found;
}

/**
 * A name whose value follows on later lines: items in brackets with `isList`, members in braces with `isMap`, and only the next item
 * with `isFlag`.
 */
interface OpenName {
  readonly indent: number;
  readonly isMap?: boolean;
  readonly isList?: boolean;
  readonly isFlag?: boolean;
}

class LineSearch {
  readonly found: FoundSecret[] = [];
  readonly #text: string;
  readonly #isMaskedByOperator: IsMaskedName | undefined;
  readonly #isSecret: IsSecretName;
  readonly #isSettings: boolean;
  /** The word that ends a value of several lines. */
  #heredocEnd: string | undefined;
  /** The quote that ends a value of several lines, or the backslash at the end of each of its lines but the last. */
  #continuedBy: string | undefined;
  /** The indentation of a name while lines below it belong to its value, and the rule that found that name. */
  #valueIndent = Number.POSITIVE_INFINITY;
  #valueMaskedBy: MaskedBy = 'key';
  /** The name whose value or items follow on later lines. */
  #openName: OpenName | undefined;
  /** True if the name of a pair has been read, and its value may follow. */
  #isPairNamed = false;
  /** The indentation of encrypted data, whose lines are skipped. */
  #skippedIndent = Number.POSITIVE_INFINITY;

  constructor(
    text: string,
    { isMaskedByOperator, isSecret = isSecretName, isSettings = false }: LineSearchOptions,
  ) {
    this.#isSettings = isSettings;
    this.#text = text;
    this.#isMaskedByOperator = isMaskedByOperator;
    this.#isSecret = isSecret;
  }

  /** True if the meaning of the next line depends on the lines that were read. */
  get hasState(): boolean {
    return (
      this.#isPairNamed ||
      this.#heredocEnd !== undefined ||
      this.#continuedBy !== undefined ||
      this.#openName !== undefined ||
      Math.min(this.#valueIndent, this.#skippedIndent) < Number.POSITIVE_INFINITY
    );
  }

  /** Reads one line from `at` to `end`. */
  read(at: number, end: number): void {
    const source = this.#text.slice(at, Math.min(end, at + MAX_LINE));
    const line = withoutCommentMark(source);
    const indent = line.search(/\S/u);
    if (this.#continuedBy !== undefined) {
      this.#readContinued(at, end, this.#continuedBy);
      return;
    }
    if (indent === -1) this.#isPairNamed = false;
    if (indent === -1 || indent > this.#skippedIndent) return;
    this.#skippedIndent = Number.POSITIVE_INFINITY;
    if (source.trim() === this.#heredocEnd) this.#heredocEnd = undefined;
    else if (indent > this.#valueIndent || this.#heredocEnd !== undefined)
      this.found.push({
        from: at,
        ...trimmed(this.#text, at + indent, end),
        by: this.#valueMaskedBy,
        shows: [TEXT_RULE, 'lines above'],
      });
    else this.#readName(at, end, { line, indent, isProse: line !== source });
  }

  #readContinued(at: number, end: number, mark: string): void {
    const quote = mark === '\\' ? -1 : this.#text.slice(at, end).indexOf(mark);
    const value = trimmed(this.#text, at, quote === -1 ? end : at + quote);
    if (value.end > value.start)
      this.found.push({ from: at, ...value, by: 'key', shows: [TEXT_RULE, 'lines above'] });
    const isOver = mark === '\\' ? !isContinued(this.#text, value.start, end) : quote !== -1;
    if (isOver) this.#continuedBy = undefined;
  }

  #readName(
    at: number,
    end: number,
    { line, indent, isProse }: { readonly line: string; readonly indent: number; readonly isProse: boolean },
  ): void {
    this.#valueIndent = Number.POSITIVE_INFINITY;
    this.#valueMaskedBy = 'key';
    const [head = '', name = ''] = this.#settingIn(line) ?? ASSIGNMENT.exec(line) ?? [];
    const last = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('/')) + 1);
    const value = valueIn(this.#text, at + head.length, end);
    const source = this.#text.slice(value.start, value.end);
    const isNew = /^\s*-(?!-)/u.test(line);
    const isSecret = this.#isSecret(last) || (this.#isPairNamed && PAIR_VALUE_KEYS.test(last));
    const [, variable] = VARIABLE.exec(line) ?? [];
    const named = variable ?? (PAIR_NAME_KEYS.test(last) ? source : undefined);
    const isOver = isNew || line.startsWith('}');
    this.#isPairNamed = named === undefined ? this.#isPairNamed && !isOver : this.#isSecret(named);
    const [, heredocEnd] = HEREDOC.exec(source) ?? [];
    if (isSecret) {
      this.#heredocEnd = heredocEnd;
      const begin = at + head.length;
      const quote = head.trimEnd().endsWith('=') ? openQuote(this.#text, begin, end) : undefined;
      const isContinuing = this.#isSettings && isContinued(this.#text, begin, end);
      this.#continuedBy = quote ?? (isContinuing ? '\\' : undefined);
    }
    if (last === 'encryptedData') this.#skippedIndent = indent;
    // The values of tags are found elsewhere.
    if (/^\s*!/u.test(line)) this.#openName = undefined;
    const isMember = this.#openName?.isMap === true && indent > this.#openName.indent;
    const isBelowOpen =
      isMember || (head === '' && this.#openName !== undefined && isBelow(this.#openName, line, indent));
    const rest =
      this.#isMaskedByOperator && operatorNameEnd(this.#text.slice(at, end), this.#isMaskedByOperator);
    if (rest !== undefined) {
      this.found.push({
        from: at,
        ...trimmed(this.#text, at + rest, end),
        by: 'operator',
        shows: [TEXT_RULE],
      });
      this.#valueMaskedBy = 'operator';
      this.#valueIndent = indent;
    } else if (isSecret && /^\s*\{\{/u.test(line)) this.found.push(...secretsInValue(at, at, line, last));
    else if (isSecret && /^[|>][\d+-]{0,2}$/u.test(source)) this.#valueIndent = indent;
    else if (isSecret && heredocEnd === undefined && !/^[[{]$/u.test(source))
      this.#add(at, value.start, source, last);
    else if (isMember) this.#add(at, value.start, source, 'passwords');
    else if (isBelowOpen) {
      const item = trimmed(this.#text, at + (/^\s*(?:-\s)?/u.exec(line)?.[0].length ?? 0), end);
      const isSentence = isProse && !isNew && /\S\s/u.test(this.#text.slice(item.start, item.end));
      if (!isSentence) this.#add(at, item.start, this.#text.slice(item.start, item.end));
    }
    this.#openName =
      this.#openedBy(line, indent) ?? (isBelowOpen && !this.#openName?.isFlag ? this.#openName : undefined);
    if (isSecret && !/\s/u.test(name) && /^\[?$/u.test(source))
      this.#openName = { indent, isList: source !== '' };
    else if (isSecret && source === '{' && PLURAL.test(last)) this.#openName = { indent, isMap: true };
  }

  /** Returns the text before the value, and the name, of a setting whose value follows a blank; undefined for other lines. */
  #settingIn(line: string): readonly string[] | undefined {
    if (!this.#isSettings && !line.startsWith('ENV ')) return undefined;
    const [all = '', name = ''] = SETTING.exec(line) ?? [];
    const value = /["']?[^\s"']+["']?;?[ \t\r]*$/u.exec(all)?.[0] ?? '';
    return this.#isSecret(name) ? [all.slice(0, all.length - value.length), name] : undefined;
  }

  /** Adds the secret parts of a value; a comment after it is left out. */
  #add(from: number, at: number, source: string, name = ''): void {
    // An anchor, or a tag that gives the type, is no part of the value.
    const mark = /^(?:&[\w-]+|!!\w+)\s+["']?/u.exec(source)?.[0].length ?? 0;
    const value = source.slice(mark);
    if (!isNoSecret(value.replace(/["']?\s#.*/u, '')))
      for (const one of secretsInValue(from, at + mark, value, name)) this.found.push({ ...one, by: 'key' });
  }

  /** Returns the open name where the line is an item that is a flag of a secret: `- --password`. */
  #openedBy(line: string, indent: number): OpenName | undefined {
    const [, name = ''] = /^\s*-\s+["']?--?([A-Za-z][\w-]*)["']?\s*$/u.exec(line) ?? [];
    return this.#isSecret(name) ? { indent, isFlag: true } : undefined;
  }
}

function isBelow({ indent: above, isList }: OpenName, line: string, indent: number): boolean {
  if (/^\s*\{\{/u.test(line)) return true;
  if (/^[\s-]*(?:[[\]}]|\{(?!\{))/u.test(line)) return false;
  return isList === true || indent > above || (indent === above && /^\s*-\s/u.test(line));
}

/** Returns the offset after a name that the operator gave, anywhere on the line; undefined if there is none. */
function operatorNameEnd(line: string, isAsked: IsMaskedName): number | undefined {
  for (const { 0: all, 1: name = '', index } of line.matchAll(/([\w.$/@-]{1,200})["']?\s{0,8}[:=]/gu))
    if (isAsked(name.slice(name.lastIndexOf('/') + 1)) || isAsked(name.slice(name.lastIndexOf('.') + 1)))
      return index + all.length;
  return undefined;
}

/** Replaces the mark of a comment by blanks, so that what is commented out keeps its indentation. */
function withoutCommentMark(line: string): string {
  return line.replace(/^\s*(?:#+|\/\/+)(?=\s)/u, (mark) => ' '.repeat(mark.length));
}

/** The keys of pairs such as `{name: DB_PASSWORD, value: x}`, in CloudFormation and JSON patches as well. */
export const PAIR_NAME_KEYS = /^(?:name|key|parameterkey|optionname|path)$/iu;
export const PAIR_VALUE_KEYS = /^(?:value|default|defaultvalue|parametervalue)$/iu;
