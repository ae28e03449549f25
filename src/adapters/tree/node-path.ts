// Node paths: `server.host`, `items[0].name`, `metadata["a.b/c"]`, or a JSON pointer (RFC 6901) when
// the first character is `/`. A path is parsed whole or refused; a valid prefix is never used alone.
import { HIDDEN, Refusal, visibleLine } from '../../security/index.ts';

/** `key`: a mapping key. `index`: a list index, negative from the end. `either`: a pointer's digits, which can be both. */
export type Segment =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'either'; readonly key: string; readonly index: number };

export type NodePath = readonly Segment[];

const MAX_PATH_LENGTH = 4096;
const MAX_SEGMENTS = 128;

/** Throws NODE_PATH_INVALID. The empty path is the document's root node. */
export function parseNodePath(text: string): NodePath {
  if (text.length > MAX_PATH_LENGTH) throw invalid(text, `it is longer than ${MAX_PATH_LENGTH} characters`);
  if (!text.isWellFormed()) throw invalid(text, 'it holds half of a surrogate pair');
  const segments = text.startsWith('/') ? parsePointer(text) : new DottedPathParser(text).parse();
  if (segments.length > MAX_SEGMENTS) throw invalid(text, `it has more than ${MAX_SEGMENTS} segments`);
  return segments;
}

/** The dotted form, which `parseNodePath` reads back as the same path. */
export function printNodePath(path: NodePath): string {
  let result = '';
  for (const segment of path) {
    if (segment.kind === 'index') result += `[${segment.index}]`;
    else if (isBare(segment.key, result === '')) result += result === '' ? segment.key : `.${segment.key}`;
    else result += `[${quotedKey(segment.key)}]`;
  }
  return result;
}

export function keySegment(key: string): Segment {
  return { kind: 'key', key };
}

export function indexSegment(index: number): Segment {
  return { kind: 'index', index };
}

/** What could deceive a reader is escaped: a path is shown to people, and sent again as it was shown. */
function quotedKey(key: string): string {
  return JSON.stringify(key).replaceAll(DECEPTIVE, escapeUnits);
}

// A space is a space; every other one only looks like it.
const DECEPTIVE = new RegExp(`(?! )[${HIDDEN}]`, 'gu');
const NOT_BARE = new RegExp(String.raw`[.[\]"']|(?! )[${HIDDEN}]`, 'u');

function isBare(key: string, isFirst: boolean): boolean {
  if (key === '' || NOT_BARE.test(key)) return false;
  return !isFirst || !(key.startsWith('/') || key.startsWith('$'));
}

function parsePointer(text: string): Segment[] {
  return text
    .slice(1)
    .split('/')
    .map((token) => {
      if (/~(?![01])/.test(token))
        throw invalid(text, 'in a JSON pointer "~" is written ~0 and "/" is written ~1');
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      return /^(0|[1-9][0-9]{0,8})$/.test(key)
        ? { kind: 'either', key, index: Number(key) }
        : keySegment(key);
    });
}

class DottedPathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Segment[] {
    const text = this.#text;
    if (text.startsWith('$') && (text.length === 1 || text[1] === '.' || text[1] === '[')) {
      this.#at = text[1] === '.' ? 2 : 1;
      if (text === '$.') throw this.#invalid('a segment is missing after the dot');
    }
    const segments: Segment[] = [];
    let needsSegment = this.#at === 2;
    while (this.#at < text.length) {
      const char = text[this.#at];
      if (char === '[') {
        if (needsSegment) throw this.#invalid('a dot cannot stand before "["');
        segments.push(this.#bracket());
      } else if (char === '.') {
        if (segments.length === 0 || needsSegment) throw this.#invalid('a segment is missing before the dot');
        this.#at += 1;
        needsSegment = true;
        continue;
      } else {
        if (segments.length > 0 && !needsSegment) throw this.#invalid('a dot is missing after "]"');
        segments.push(keySegment(this.#bare()));
      }
      needsSegment = false;
    }
    if (needsSegment) throw this.#invalid('a segment is missing after the dot');
    return segments;
  }

  #bare(): string {
    const match = /[^.[\]"']+/y;
    match.lastIndex = this.#at;
    const key = match.exec(this.#text)?.[0];
    if (key === undefined)
      throw this.#invalid(`${visibleLine(this.#text[this.#at] ?? '')} must be within ["…"]`);
    this.#at += key.length;
    const next = this.#text[this.#at];
    if (next === '"' || next === "'" || next === ']') throw this.#invalid(`${next} must be within ["…"]`);
    return key;
  }

  #bracket(): Segment {
    const rest = this.#text.slice(this.#at);
    const index = /^\[(-?(?:0|[1-9][0-9]{0,8}))\]/.exec(rest);
    if (index?.[1] !== undefined && index[1] !== '-0') {
      this.#at += index[0].length;
      return indexSegment(Number(index[1]));
    }
    const double = /^\[("(?:[^"\\]|\\.)*")\]/s.exec(rest);
    if (double?.[1] !== undefined) {
      this.#at += double[0].length;
      return keySegment(this.#unquoteJson(double[1]));
    }
    const single = /^\['((?:[^']|'')*)'\]/.exec(rest);
    if (single?.[1] !== undefined) {
      this.#at += single[0].length;
      return keySegment(single[1].replaceAll("''", "'"));
    }
    throw this.#invalid('brackets hold an index such as [0] or a quoted key such as ["a.b"]');
  }

  #unquoteJson(quoted: string): string {
    try {
      return String(JSON.parse(quoted));
    } catch {
      throw this.#invalid('the quoted key is not a valid JSON string');
    }
  }

  #invalid(reason: string): Refusal {
    return invalid(this.#text, `${reason} (character ${this.#at + 1})`);
  }
}

function invalid(text: string, reason: string): Refusal {
  const shown = visibleLine(text.slice(0, 80));
  return new Refusal(
    'NODE_PATH_INVALID',
    `Cannot use the node path ${JSON.stringify(shown)}: ${reason}`,
    {},
    {
      advice: [
        'Write keys with dots and list indexes in brackets: spec.containers[0].image',
        'Quote a key with special characters: metadata["app.kubernetes.io/name"]',
      ],
    },
  );
}

const ESCAPED = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{NChar}]/gu;

/**
 * A double-quoted string of JSON, which is one of YAML as well, with everything escaped that would deceive a reader.
 * `escapeAstral`: how the format writes a character beyond U+FFFF; as a surrogate pair unless said otherwise.
 */
export function quotedText(text: string, escapeAstral = escapeUnits): string {
  return JSON.stringify(text).replaceAll(ESCAPED, (character) =>
    character.length > 1 ? escapeAstral(character) : escapeUnits(character),
  );
}

/** Each UTF-16 unit as `\uXXXX`. */
export function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }).join('');
}
