// A text as it is shown: each secret in it replaced by its placeholder. All that leaves towards an agent, a reviewer or a log
// is made of the shown text, and edits are planned on it; here they become edits of the text itself, by their offsets alone.
// Whoever holds one can read what is shown, and nothing else of it.
import { holdsPlaceholder } from '../text/placeholders.ts';
import type { MaskedBy } from './found-secret.ts';
import { aroundPlaceholders } from './kept-placeholders.ts';
import type { PlaceholderOf } from './placeholder.ts';
import { exactlyRemoved, type Removed, type RemovedText } from './removed-text.ts';
import { touchesSecret } from './touched-secret.ts';

/** Where a secret stands. `isBare`: a number where the format would need quotes around a placeholder. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly isBare?: boolean;
  /** What tells that it is one: 'text' where it is not said. */
  readonly by?: MaskedBy | undefined;
}

interface Hidden {
  readonly start: number;
  readonly end: number;
  readonly shownStart: number;
  readonly shownEnd: number;
  readonly by: MaskedBy | undefined;
}

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
    this.#hidden = joined(spans).map(({ start, end, by, isBare = false }) => {
      const placeholder = placeholderOf(text.slice(start, end));
      shown += text.slice(copied, start);
      copied = end;
      const shownStart = shown.length;
      shown += isBare ? `"${placeholder}"` : placeholder;
      return { start, end, by, shownStart, shownEnd: shown.length };
    });
    this.shown = shown + text.slice(copied);
    Object.freeze(this);
  }

  get isWhole(): boolean {
    return this.#hidden.length === 0;
  }
}

/** Within this layer only: where the secrets stand in the text itself, in order. */
export function secretsIn(masked: MaskedText): readonly SecretSpan[] {
  return hiddenIn(masked);
}

/**
 * Within this layer only: edits of the shown text as edits of the text itself. Throws for one that cuts or carries a secret.
 * `removed`: what may come back, as a whole.
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

/** Within this layer only: of those edits that replace something masked as a whole, what stood there. `text`: the text itself. */
export function removedBy(masked: MaskedText, text: string, edits: readonly TextEdit[]): readonly Removed[] {
  return edits.flatMap(({ start, end, insert }) => {
    const shown = masked.shown.slice(start, end);
    if (!holdsPlaceholder(shown) || holdsPlaceholder(insert)) return [];
    return [{ shown, exact: text.slice(exactOffset(masked, start), exactOffset(masked, end)) }];
  });
}

/** Within this layer only: where what stands at an offset of the text itself is shown. Not for one within a secret. */
export function shownOffset(masked: MaskedText, offset: number): number {
  let grown = 0;
  for (const { start, end, shownStart, shownEnd } of hiddenIn(masked)) {
    if (start >= offset) break;
    grown += shownEnd - shownStart - (end - start);
  }
  return offset + grown;
}

/** Throws for an offset within what stands for a secret. */
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
    else if (span.end > last.end) all[all.length - 1] = { start: last.start, end: span.end, by: last.by };
  }
  return all;
}
