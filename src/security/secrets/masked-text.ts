// A text as it is shown, with each secret replaced by its placeholder. All that is sent to an agent, a reviewer or a log is
// made from the shown text. Edits are planned on it, and become edits of the real text here, by their offsets alone. Whoever
// holds one can read only what is shown.
import { holdsPlaceholder } from '../text/placeholders.ts';
import type { MaskedBy } from './found-secret.ts';
import { aroundPlaceholders } from './kept-placeholders.ts';
import { exactlyRemoved, type Removed, type RemovedText } from './removed-text.ts';
import { touchesSecret } from './touched-secret.ts';

/** The place of a secret. `isBare` marks a number, whose placeholder needs quotes in this format. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly isBare?: boolean;
  /** The reason why it is a secret; 'text' where it is left out. */
  readonly by?: MaskedBy | undefined;
  /** The kinds of values that the same rule would show in its place; see `shownBelow`. */
  readonly shows?: readonly string[] | undefined;
}

interface Hidden {
  readonly start: number;
  readonly end: number;
  readonly shownStart: number;
  readonly shownEnd: number;
  readonly by: MaskedBy | undefined;
  readonly shows: readonly string[] | undefined;
}

/** Answers the placeholder of a secret that stands at this place. */
export type PlaceholderAt = (secret: string, start: number) => string;

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

let hiddenIn: (masked: MaskedText) => readonly Hidden[];

export class MaskedText {
  /** Makes one in which nothing is masked. */
  static whole(text: string): MaskedText {
    return new MaskedText(text, [], () => '');
  }

  static {
    hiddenIn = (masked) => masked.#hidden;
  }
  readonly shown: string;
  readonly #hidden: readonly Hidden[];

  /** Masks the spans, which may be in any order; those that overlap become one. */
  constructor(text: string, spans: readonly SecretSpan[], placeholderOf: PlaceholderAt) {
    let [shown, copied] = ['', 0];
    this.#hidden = joined(spans).map(({ start, end, by, shows, isBare = false }) => {
      const placeholder = placeholderOf(text.slice(start, end), start);
      shown += text.slice(copied, start);
      copied = end;
      const shownStart = shown.length;
      shown += isBare ? `"${placeholder}"` : placeholder;
      return { start, end, by, shows, shownStart, shownEnd: shown.length };
    });
    this.shown = shown + text.slice(copied);
    Object.freeze(this);
  }

  get isWhole(): boolean {
    return this.#hidden.length === 0;
  }
}

/** For this layer only: the places of the secrets in the real text, in order. */
export function secretsIn(masked: MaskedText): readonly SecretSpan[] {
  return hiddenIn(masked);
}

/**
 * For this layer only: turns edits of the shown text into edits of the real one. Throws for an edit that cuts or carries a
 * secret. `removed` holds removed texts that may come back, each as a whole.
 */
export function exactEdits(
  masked: MaskedText,
  edits: readonly TextEdit[],
  removed?: RemovedText,
): readonly TextEdit[] {
  return edits.flatMap((edit) => {
    const back = removed && exactlyRemoved(removed, edit.insert);
    const parts = back === undefined ? aroundPlaceholders(masked.shown, [edit]) : [edit];
    return parts.map(({ start, end, insert }) => {
      if (back === undefined && holdsPlaceholder(insert)) throw touchesSecret();
      return { start: exactOffset(masked, start), end: exactOffset(masked, end), insert: back ?? insert };
    });
  });
}

/** For this layer only: answers the real texts that edits remove together with something masked. `text` is the real text. */
export function removedBy(masked: MaskedText, text: string, edits: readonly TextEdit[]): readonly Removed[] {
  return edits.flatMap(({ start, end, insert }) => {
    const shown = masked.shown.slice(start, end);
    if (!holdsPlaceholder(shown) || holdsPlaceholder(insert)) return [];
    return [{ shown, exact: text.slice(exactOffset(masked, start), exactOffset(masked, end)) }];
  });
}

/** For this layer only: maps an offset of the real text, not within a secret, to the shown text. */
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
    if (shownEnd > shownOffset) throw touchesSecret();
    grown += end - start - (shownEnd - shownStart);
  }
  return shownOffset + grown;
}

function joined(spans: readonly SecretSpan[]): readonly SecretSpan[] {
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
