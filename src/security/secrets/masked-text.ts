// A text in which each secret is replaced by a placeholder, which has as many lines as the secret. All that is sent to an agent, a reviewer or a log is made from the shown
// text. Edits are planned on it, and are converted to edits of the real text by their offsets alone. Whoever holds a MaskedText can
// read only what is shown.

import { createHmac } from 'node:crypto';
import { FURTHER_LINE, holdsPlaceholder, PLACEHOLDER_LETTERS as LENGTH } from '../text/placeholders.ts';
import type { MaskedBy } from './found-secret.ts';
import { aroundPlaceholders } from './kept-placeholders.ts';
import { secretTouched } from './touched-secret.ts';

/** The place of a secret. `isBare` marks a number, whose placeholder needs quotes in this format. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly isBare?: boolean;
  /** The reason why it is a secret; 'text' where it is left out. */
  readonly by?: MaskedBy | undefined;
  /** The kinds of values that the same rule would not mask in its place; see `kindsShownFor`. */
  readonly shows?: readonly string[] | undefined;
}

interface MaskedSpan extends SecretSpan {
  readonly shownStart: number;
  readonly shownEnd: number;
}

/** Returns the placeholder of a secret that stands at this place, for the first line of it. */
export type PlaceholderAt = (secret: string, start: number) => string;

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

let hiddenIn: (masked: MaskedText) => readonly MaskedSpan[];

export class MaskedText {
  /** Makes one in which nothing is masked. */
  static unmasked(text: string): MaskedText {
    return new MaskedText(text, [], () => '');
  }

  static {
    hiddenIn = (masked) => masked.#hidden;
  }
  readonly shown: string;
  readonly #hidden: readonly MaskedSpan[];

  /** Masks the spans, which may be in any order; those that overlap become one. */
  constructor(text: string, spans: readonly SecretSpan[], placeholderOf: PlaceholderAt) {
    let [shown, copied] = ['', 0];
    this.#hidden = merged(spans.map((span) => withoutBlankLines(text, span))).map((span) => {
      const { start, end, isBare = false } = span;
      const placeholder = placeholderOf(text.slice(start, end), start) + furtherLines(text, span);
      shown += text.slice(copied, start);
      copied = end;
      const shownStart = shown.length;
      shown += isBare ? `"${placeholder}"` : placeholder;
      return { ...span, shownStart, shownEnd: shown.length };
    });
    this.shown = shown + text.slice(copied);
    Object.freeze(this);
  }

  get isUnmasked(): boolean {
    return this.#hidden.length === 0;
  }
}

/** Returns the places of the secrets in the real text, in order. Only this layer uses it. */
export function secretsIn(masked: MaskedText): readonly SecretSpan[] {
  return hiddenIn(masked);
}

/**
 * Converts edits of the shown text to edits of the real one. Throws SECRET_PLACEHOLDER for an edit that cuts or holds a placeholder.
 * Only this layer uses it.
 */
export function exactEdits(masked: MaskedText, edits: readonly TextEdit[]): readonly TextEdit[] {
  return aroundPlaceholders(masked.shown, edits).map(({ start, end, insert }) => {
    if (holdsPlaceholder(insert)) throw secretTouched();
    return { start: exactOffset(masked, start), end: exactOffset(masked, end), insert };
  });
}

/** Maps an offset of the real text, which is not within a secret, to the shown text. Only this layer uses it. */
export function shownOffset(masked: MaskedText, offset: number): number {
  let grown = 0;
  for (const { start, end, shownStart, shownEnd } of hiddenIn(masked)) {
    if (start >= offset) break;
    grown += shownEnd - shownStart - (end - start);
  }
  return offset + grown;
}

/** Maps an offset of the shown text to the real one. Throws for an offset within a placeholder. */
function exactOffset(masked: MaskedText, shownOffset: number): number {
  let grown = 0;
  for (const { start, end, shownStart, shownEnd } of hiddenIn(masked)) {
    if (shownStart >= shownOffset) break;
    if (shownEnd > shownOffset) throw secretTouched();
    grown += end - start - (shownEnd - shownStart);
  }
  return shownOffset + grown;
}

/** Cuts the blank lines off both ends, because the first line of the secret itself is to hold its placeholder. */
function withoutBlankLines(text: string, span: SecretSpan): SecretSpan {
  const secret = text.slice(span.start, span.end);
  const [before, behind] = [secret.length - secret.trimStart().length, secret.trimEnd().length];
  return {
    ...span,
    start: secret.slice(0, before).includes('\n') ? span.start + before : span.start,
    end: secret.slice(behind).includes('\n') ? span.start + behind : span.end,
  };
}

/**
 * Returns the lines of a placeholder behind the first. All have the least indentation that a line of the secret has, and the mark of
 * the comment that the secret is in, so that the text is parsed as before and shows no more of the secret than the number of its lines.
 */
function furtherLines(text: string, { start, end }: SecretSpan): string {
  const [first = '', ...lines] = text.slice(start, end).split('\n');
  if (lines.length === 0) return '';
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const beginning = /^[ \t]*(?:#|\/\/|;)/u.test(before) ? /^[ \t]*(?:[#;]+|\/\/+)?[ \t]*/u : /^[ \t]*/u;
  const indent = lines
    .filter((line) => line.trim() !== '')
    .map((line) => beginning.exec(line)?.[0] ?? '')
    .reduce((least, one) => (one.length < least.length ? one : least));
  return [first, ...lines.slice(0, -1)]
    .map((line) => `${line.endsWith('\r') ? '\r\n' : '\n'}${indent}${FURTHER_LINE}`)
    .join('');
}

function merged(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const sorted = spans
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const all: SecretSpan[] = [];
  for (const span of sorted) {
    const last = all.at(-1);
    if (last === undefined || span.start >= last.end) all.push(span);
    else if (span.end > last.end)
      all[all.length - 1] = {
        ...{ start: last.start, end: span.end, by: last.by },
        shows: [...(last.shows ?? []), ...(span.shows ?? [])],
      };
  }
  return all;
}

/** Crockford's alphabet has no letter that could be taken for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the placeholder of a secret. */
export type PlaceholderOf = (secret: string) => string;

/**
 * Makes placeholders such as `<secret:7k2m9xq4>`, a keyed fingerprint: equal secrets look equal under one key, and no one without
 * the key can test a guess. The last ones are remembered, because the secrets of a file are asked for again after each edit.
 */
export function placeholdersBy(key: string): PlaceholderOf {
  const known = new Map<string, string>();
  return (secret) => {
    const before = known.get(secret);
    if (before !== undefined) return before;
    const bytes = createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
    const placeholder = `<secret:${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}>`;
    if (known.size >= MAX_REMEMBERED) known.clear();
    if (secret.length <= MAX_REMEMBERED_LENGTH) known.set(secret, placeholder);
    return placeholder;
  };
}

const MAX_REMEMBERED = 5_000;
const MAX_REMEMBERED_LENGTH = 200;
