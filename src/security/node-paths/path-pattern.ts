// Patterns of node paths, before any document is known: `containers[name=web].image`, `a["b.c"][0]`, `type[#2]`,
// `jobs.*.steps[*].uses`, `**.image`, or a JSON pointer (RFC 6901) where the first character is `/`. parse-path.ts reads them.
import { keySegment, printSegment, quotedText } from './node-path.ts';

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
