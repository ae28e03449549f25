// Parses patterns of node paths: keys with dots between them, brackets, or a JSON pointer. A text is parsed whole or refused, in
// time linear in its length.
import { Refusal } from '../errors/refusal.ts';
import { visibleLine } from '../text/visible.ts';
import { keySegment, type NodePath, type PathWord } from './node-path.ts';

/** Quoted keys after a dot, as TOML, jq and yq write them: `a."b c".d`. */
const QUOTED = [/("(?:[^"\\]|\\.)*")(?=[.[]|$)/sy, /'((?:[^']|'')*)'(?=[.[]|$)/y] as const;
const QUOTED_IN_BRACKETS = [/\[("(?:[^"\\]|\\.)*")\]/sy, /\['((?:[^']|'')*)'\]/y] as const;

const MAX_PATH_LENGTH = 4096;
const MAX_SEGMENTS = 128;

/** Parses a path; the empty one is the document's root node. Throws NODE_PATH_INVALID. */
export function parsePath(text: string): readonly PathWord[] {
  if (text.length > MAX_PATH_LENGTH) throw invalid(text, `it is longer than ${MAX_PATH_LENGTH} characters`);
  if (!text.isWellFormed()) throw invalid(text, 'it holds half of a surrogate pair');
  const words = text.startsWith('/') ? parsePointer(text) : new DottedPathParser(text).parse();
  if (words.length > MAX_SEGMENTS) throw invalid(text, `it has more than ${MAX_SEGMENTS} segments`);
  return words;
}

/**
 * Parses the path of one node; the empty one is the root. Digits are a key here, and resolve-path.ts knows where they are an
 * index. Throws NODE_PATH_INVALID, also for selectors and patterns, which only a document can resolve.
 */
export function parseNodePath(text: string): NodePath {
  return parsePath(text).map((word) => {
    if (word.kind === 'key') return keySegment(word.key, word.occurrence);
    if (word.kind === 'index') return word.index;
    throw invalid(text, 'it has to name one node by keys and indexes here');
  });
}

const DIGITS = /^(0|[1-9][0-9]{0,8})$/;

/** Returns the index for digits as an index is written; undefined for all other texts. */
export function indexIn(text: string): number | undefined {
  return DIGITS.test(text) ? Number(text) : undefined;
}

function parsePointer(text: string): PathWord[] {
  return text
    .slice(1)
    .split('/')
    .map((token) => {
      if (/~(?![01])/.test(token))
        throw invalid(text, 'in a JSON pointer "~" is written ~0 and "/" is written ~1');
      return keyWord(token.replaceAll('~1', '/').replaceAll('~0', '~'), false);
    });
}

function keyWord(key: string, isBare: boolean): PathWord {
  const index = indexIn(key);
  return index === undefined ? { kind: 'key', key, isBare } : { kind: 'key', key, isBare, index };
}

class DottedPathParser {
  readonly #text: string;
  readonly #words: PathWord[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): readonly PathWord[] {
    const text = this.#text;
    // `$` stands for the root, as in JSONPath, and a leading dot may do so, as in jq.
    if (/^\$(?:[.[]|$)/.test(text)) this.#at = 1;
    if (text[this.#at] === '.') this.#at += 1;
    let needsSegment = this.#at > 0 && text[this.#at] === '.';
    while (this.#at < text.length) {
      const char = text[this.#at];
      if (char === '.') {
        if (this.#words.length === 0 || needsSegment)
          throw this.#invalid('a segment is missing before the dot; every depth is written **');
        this.#at += 1;
        needsSegment = true;
        continue;
      }
      if (char === '[') {
        if (needsSegment) throw this.#invalid('a dot cannot stand before "["');
        this.#bracket();
      } else {
        if (this.#words.length > 0 && !needsSegment) throw this.#invalid('a dot is missing after "]"');
        if (!this.#quoted(QUOTED)) this.#bare();
      }
      needsSegment = false;
    }
    if (needsSegment) throw this.#invalid('a segment is missing after the dot');
    const [first, ...rest] = this.#words;
    const isDotUnclear = text.startsWith('.') && first?.kind === 'key' && first.isBare;
    return isDotUnclear ? [{ ...first, hasDot: true }, ...rest] : this.#words;
  }

  #bare(): void {
    const key = this.#take(/[^.[\]"']+/y)?.[0];
    if (key === undefined)
      throw this.#invalid(`${visibleLine(this.#text[this.#at] ?? '')} must be within ["…"]`);
    const next = this.#text[this.#at];
    if (next === '"' || next === "'" || next === ']') throw this.#invalid(`${next} must be within ["…"]`);
    if (key === '*') this.#words.push({ kind: 'every', isItem: false });
    else if (key === '**') this.#words.push({ kind: 'deep' });
    else this.#words.push(keyWord(key, true));
  }

  #bracket(): void {
    const index = this.#take(/\[(0|-?[1-9][0-9]{0,8})\]/y)?.[1];
    if (index !== undefined) this.#words.push({ kind: 'index', index: Number(index) });
    else if (this.#take(/\[\*\]/y)) this.#words.push({ kind: 'every', isItem: true });
    else if (!this.#occurrence() && !this.#quoted(QUOTED_IN_BRACKETS) && !this.#selector())
      throw this.#invalid(
        'brackets hold an index such as [0], a selector such as [name=web] or a quoted key such as ["a.b"]',
      );
  }

  #occurrence(): boolean {
    const before = this.#words.at(-1);
    const occurrence = before?.kind === 'key' ? this.#take(/\[#([1-9][0-9]{0,8})\]/y)?.[1] : undefined;
    if (occurrence === undefined || before?.kind !== 'key' || before.occurrence !== undefined) return false;
    const { kind, key, isBare } = before;
    this.#words.splice(-1, 1, { kind, key, isBare, occurrence: Number(occurrence) });
    return true;
  }

  /** Reads a key in quotes; returns false if there is none. */
  #quoted([double, single]: readonly [RegExp, RegExp]): boolean {
    const json = this.#take(double)?.[1];
    const plain = json === undefined ? this.#take(single)?.[1] : undefined;
    const key = json === undefined ? plain?.replaceAll("''", "'") : this.#unquoteJson(json);
    if (key === undefined) return false;
    this.#words.push({ kind: 'key', key, isBare: false });
    return true;
  }

  /** Reads `[name=web]`, `[name="LOG LEVEL"]`, `[metadata.name=web]`, `[.=text]` for an item that is a text, or `[?(@.name=="web")]`. */
  #selector(): boolean {
    const found = this.#take(
      /\[(?:\?\(?@?)?([^[\]"'=]*)==? *(?:("(?:[^"\\]|\\.)*")|'((?:[^']|'')*)'|([^[\]"'=][^[\]"']*|)) *\)?\]/sy,
    );
    const [, name, double, single, bare] = found ?? [];
    if (name === undefined) return false;
    const value =
      double === undefined ? (single?.replaceAll("''", "'") ?? bare ?? '') : this.#unquoteJson(double);
    const field = name.trim().replace(/^\./, '');
    const condition = {
      field: field === '' ? [] : field.split('.'),
      value: bare === undefined ? value : value.trim(),
    };
    const before = this.#words.at(-1);
    // An item that has a field is no list, so that a second selector is a further condition for the same item.
    if (before?.kind === 'items')
      this.#words.splice(-1, 1, { ...before, others: [...(before.others ?? []), condition] });
    else this.#words.push({ kind: 'items', ...condition });
    return true;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #unquoteJson(quoted: string): string {
    try {
      return String(JSON.parse(quoted));
    } catch {
      throw this.#invalid('the text in quotes is not a valid JSON string');
    }
  }

  #invalid(reason: string): Refusal {
    return invalid(this.#text, `${reason} (character ${this.#at + 1})`);
  }
}

export function invalid(text: string, reason: string): Refusal {
  const shown = visibleLine(text.slice(0, 80));
  return new Refusal(
    'NODE_PATH_INVALID',
    `Cannot use the node path ${JSON.stringify(shown)}: ${reason}`,
    {},
    {
      advice: [
        'Write keys with dots and list items in brackets: spec.containers[0].image, spec.containers[name=web].image',
        'Quote a key with special characters: metadata["app.kubernetes.io/name"]',
      ],
    },
  );
}
