// Node paths: keys and indexes from the root of a document to one node, such as `server.host`, `items[0].name`,
// `metadata["a.b/c"]`. parse-path.ts parses them, and resolve-path.ts reads what a request writes in place of one.
import { HIDDEN, quoted } from '../text/visible.ts';

/** A key; an index, which is negative when counted from the end; or one of several equal keys of a mapping, counted from 1. */
export type Segment = string | number | { readonly key: string; readonly occurrence: number };

export type NodePath = readonly Segment[];

/** The path of a part of the data, in which no key stands twice. */
export type DataPath = readonly (string | number)[];

/** Returns the dotted form, which `parseNodePath` reads back as the same path. */
export function printNodePath(path: NodePath): string {
  return path.map((segment, depth) => printSegment(segment, depth === 0)).join('');
}

/** Writes a segment, with a dot before it where others come first and it needs one. */
export function printSegment(segment: Segment, isFirst: boolean): string {
  if (typeof segment === 'number') return `[${segment}]`;
  if (typeof segment === 'object') return `${printSegment(segment.key, isFirst)}[#${segment.occurrence}]`;
  if (!isBare(segment, isFirst)) return `[${quotedKey(segment)}]`;
  return isFirst ? segment : `.${segment}`;
}

/** Returns the key; undefined for an index, and where there is no segment. */
export function keyOf(segment: Segment | undefined): string | undefined {
  if (typeof segment === 'object') return segment.key;
  return typeof segment === 'string' ? segment : undefined;
}

export function keySegment(key: string, occurrence: number | undefined): Segment {
  return occurrence === undefined ? key : { key, occurrence };
}

/** Quotes a key and escapes what could deceive a reader, because paths are shown to people, and sent again as they were shown. */
function quotedKey(key: string): string {
  return JSON.stringify(key).replaceAll(DECEPTIVE, escapeUnits);
}

// A plain space deceives nobody; every other hidden character may.
const DECEPTIVE = new RegExp(`(?! )[${HIDDEN}]`, 'gu');
const NOT_BARE = new RegExp(String.raw`[*./[\]"']|(?! )[${HIDDEN}]`, 'u');

/** True for a key that needs no quotes. A slash needs them, because it separates keys for other tools. */
function isBare(key: string, isFirst: boolean): boolean {
  if (key === '' || NOT_BARE.test(key)) return false;
  return !isFirst || !key.startsWith('$');
}

const ESCAPED = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{NChar}]/gu;

/**
 * Writes a double-quoted string of JSON, which is one of YAML as well, with everything escaped that would deceive a reader.
 * `escapeAstral` writes a character beyond U+FFFF, by default as a surrogate pair.
 */
export function quotedText(text: string, escapeAstral = escapeUnits): string {
  return JSON.stringify(text).replaceAll(ESCAPED, (character) =>
    character.length > 1 ? escapeAstral(character) : escapeUnits(character),
  );
}

/** Writes each UTF-16 unit as `\uXXXX`. */
export function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** A condition of a selector for an item: `[name=web]`. */
export interface FieldCondition {
  readonly field: readonly string[];
  readonly value: string;
}

/** Names the items whose field has this text, or, without a field, that are this text. `others` are further conditions, as in `[a=1][b=2]`. */
export type Selector = {
  readonly kind: 'items';
  readonly others?: readonly FieldCondition[];
} & FieldCondition;

/**
 * A part of a pattern of node paths, such as `jobs.*.steps[*].uses`, `**.image`, `a["b.c"][0]` or `type[#2]`, before any document
 * is known.
 */
export type PathWord =
  | {
      readonly kind: 'key';
      readonly key: string;
      /** True for a key without quotes, which may be a part of a key with dots or slashes. */
      readonly isBare: boolean;
      /** True for the first key behind a leading dot, which stands for the root or belongs to the key: `.deploy` may be a hidden job. */
      readonly hasDot?: true;
      /** The index that a key of digits stands for in a list; undefined for a key in quotes. */
      readonly index?: number;
      /** The number of the entry among several with this key, from 1. */
      readonly occurrence?: number;
    }
  | { readonly kind: 'index'; readonly index: number }
  | Selector
  /** Every part of a collection; with brackets, every item of a list. */
  | { readonly kind: 'every'; readonly isItem: boolean }
  /** The node and all below it. */
  | { readonly kind: 'deep' };

/** Writes the dotted form, as it stands alone or behind another path. */
export function printPattern(words: readonly PathWord[], isAlone: boolean): string {
  return words.map((word, depth) => printWord(word, isAlone && depth === 0)).join('');
}

function printWord(word: PathWord, isFirst: boolean): string {
  const dot = isFirst ? '' : '.';
  switch (word.kind) {
    case 'key':
      // A key in quotes could no longer be a part of a key with dots.
      if (word.isBare && word.occurrence === undefined) return `${dot}${word.key}`;
      return printSegment(keySegment(word.key, word.occurrence), isFirst);
    case 'index':
      return `[${word.index}]`;
    case 'items':
      return printSelector(word);
    case 'every':
      return word.isItem ? '[*]' : `${dot}*`;
    case 'deep':
      return `${dot}**`;
  }
}

/** Writes a selector so that it can be sent again. */
export function printSelector({ others = [], ...first }: Selector): string {
  const each = [first, ...others].map(({ field, value }) => {
    const isPlain = /^[\p{L}\p{N}_/:@+-][\p{L}\p{N}_./:@+-]*$/u.test(value);
    return `[${field.join('.') || '.'}=${isPlain ? value : quotedText(value)}]`;
  });
  return each.join('');
}

/** True if the path can name several nodes. */
export function isPattern(words: readonly PathWord[]): boolean {
  return words.some(({ kind }) => kind === 'every' || kind === 'deep');
}

/**
 * Returns why a key without quotes could be misread in a rule of the operator, which would then silently never hold; else
 * undefined.
 */
export function misreadKey(key: string): string | undefined {
  return /[*?{},&]|^\s|\s$/u.test(key)
    ? `${quoted(key)} is a key as it stands here; * and ** are whole parts of a path, and a key with such characters is written ["…"]`
    : undefined;
}
