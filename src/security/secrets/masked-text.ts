// A text as it is shown: each secret in it replaced by its placeholder. All that leaves towards an agent, a reviewer or a log
// is made of the shown text, and edits are planned on it; here they are carried over to the text itself. Whoever holds one
// can read what is shown, and nothing else of it.
import { Refusal } from '../errors/refusal.ts';
import { PLACEHOLDERS } from '../text/placeholders.ts';
import type { MaskedBy } from './found-secret.ts';
import type { PlaceholderOf } from './placeholder.ts';

/** Where a secret stands. `isBare`: a number where the format would need quotes around a placeholder. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly isBare?: boolean;
  /** What tells that it is one: 'text' where it is not said. */
  readonly by?: MaskedBy | undefined;
}

/** As it is kept: further lines without the indentation of the first. */
export interface Secret {
  readonly placeholder: string;
  readonly text: string;
  /** The quote before it, '' where there is none. */
  readonly quote: string;
  readonly isBare: boolean;
}

interface Hidden extends Secret {
  readonly start: number;
  readonly end: number;
  readonly shownStart: number;
  readonly shownEnd: number;
}

/** A secret by its placeholder, of several spellings the one in these quotes. */
export type Recall = (placeholder: string, quote: string) => Secret | undefined;

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

let hiddenIn: (masked: MaskedText) => readonly Hidden[];

export class MaskedText {
  /** One in which nothing is masked. */
  static whole(text: string): MaskedText {
    return new MaskedText(text, [], () => '');
  }

  static {
    hiddenIn = (masked) => masked.#hidden;
  }
  readonly shown: string;
  readonly #hidden: readonly Hidden[];

  /** `spans` in any order; those that overlap become one. */
  constructor(text: string, spans: readonly SecretSpan[], placeholderOf: PlaceholderOf) {
    let [shown, copied] = ['', 0];
    this.#hidden = joined(spans).map(({ start, end, isBare = false }) => {
      const quote = /["']/u.exec(text.charAt(start - 1))?.[0] ?? '';
      const secret = withoutIndent(text.slice(start, end), () => columnAt(text, start));
      // A number and a text of the same letters are two secrets: one cannot stand for the other.
      const placeholder = placeholderOf(isBare ? `\0${secret}` : secret);
      shown += text.slice(copied, start);
      copied = end;
      const shownStart = shown.length;
      shown += isBare ? `"${placeholder}"` : placeholder;
      return { start, end, shownStart, shownEnd: shown.length, placeholder, text: secret, quote, isBare };
    });
    this.shown = shown + text.slice(copied);
    Object.freeze(this);
  }

  get isWhole(): boolean {
    return this.#hidden.length === 0;
  }
}

/** Within this layer only. */
export function secretsIn(masked: MaskedText): readonly Secret[] {
  return hiddenIn(masked);
}

/** Within this layer only: those of which some is replaced. */
export function secretsWithin(masked: MaskedText, edits: readonly TextEdit[]): readonly Secret[] {
  return hiddenIn(masked)
    .filter(({ shownStart, shownEnd }) =>
      edits.some(({ start, end }) => start < shownEnd && end > shownStart),
    )
    .map(({ placeholder, text, quote, isBare }) => ({ placeholder, text, quote, isBare }));
}

/**
 * Within this layer only: edits of the shown text as edits of the text itself, with the secrets that they carry to another
 * place. Throws SECRET_PLACEHOLDER for an edit that cuts one, and for one that nobody knows.
 */
export function unmaskedEdits(
  masked: MaskedText,
  edits: readonly TextEdit[],
  recall: Recall,
): readonly TextEdit[] {
  const own = new Map<string, Secret | 'several'>();
  for (const secret of hiddenIn(masked)) {
    const known = own.get(secret.placeholder);
    own.set(secret.placeholder, known === undefined || isSame(known, secret) ? secret : 'several');
  }
  const find = (placeholder: string, quote: string): Secret | 'several' | undefined => {
    const there = own.get(placeholder);
    // The same letters may stand in other quotes elsewhere.
    const isOther = there !== undefined && there !== 'several' && !there.isBare && there.quote !== quote;
    return there === undefined || isOther ? (recall(placeholder, quote) ?? there) : there;
  };
  return edits.map(({ start, end, insert }) => ({
    start: offsetIn(masked, start),
    end: offsetIn(masked, end),
    insert: restored(masked.shown.slice(0, start), insert, find),
  }));
}

function isSame(known: Secret | 'several', { text, isBare }: Secret): boolean {
  return known !== 'several' && known.text === text && known.isBare === isBare;
}

function offsetIn(masked: MaskedText, shownOffset: number): number {
  let grown = 0;
  for (const { start, end, shownStart, shownEnd } of hiddenIn(masked)) {
    if (shownStart >= shownOffset) break;
    if (shownEnd > shownOffset) throw cannotCarry('the edit ends within a masked value');
    grown += end - start - (shownEnd - shownStart);
  }
  return shownOffset + grown;
}

function restored(
  before: string,
  insert: string,
  find: (placeholder: string, quote: string) => Secret | 'several' | undefined,
): string {
  let [text, from] = ['', 0];
  for (const { 0: placeholder, index } of insert.matchAll(PLACEHOLDERS)) {
    const quote = /["']/u.exec(insert.charAt(index - 1))?.[0] ?? '';
    const secret = find(placeholder, quote);
    if (secret === undefined || secret === 'several') throw cannotCarry('its value is not known any more');
    const end = index + placeholder.length;
    // What is written in one kind of quotes may read otherwise in another.
    if (quote !== (secret.isBare ? '"' : secret.quote)) throw cannotCarry('it would stand in other quotes');
    const column = columnAt(before + insert, before.length + index);
    const lines = secret.text.replaceAll('\n', `\n${' '.repeat(column)}`).replaceAll(/\n +(?=\r?\n)/gu, '\n');
    text += insert.slice(from, secret.isBare ? index - 1 : index) + lines;
    from = secret.isBare ? end + 1 : end;
  }
  return text + insert.slice(from);
}

/** `column`: asked only where there are lines, for it takes a look at all of the line before. */
function withoutIndent(secret: string, column: () => number): string {
  return secret.includes('\n') ? secret.replaceAll(`\n${' '.repeat(column())}`, '\n') : secret;
}

/** How far the line is indented. */
function columnAt(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let column = 0;
  while (start + column < offset && text[start + column] === ' ') column += 1;
  return column;
}

function joined(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const sorted = spans
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const all: SecretSpan[] = [];
  for (const span of sorted) {
    const last = all.at(-1);
    if (last === undefined || span.start >= last.end) all.push(span);
    else if (span.end > last.end) all[all.length - 1] = { start: last.start, end: span.end };
  }
  return all;
}

function cannotCarry(reason: string): Refusal {
  return new Refusal(
    'SECRET_PLACEHOLDER',
    `Cannot make this edit: it would have to carry over a masked value, and ${reason}`,
    {},
    { advice: ['Leave the masked value where it stands, and edit around it'] },
  );
}
