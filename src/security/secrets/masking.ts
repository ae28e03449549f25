// What an airlock masks: it shows each text with its secrets replaced, and remembers those of the texts that it has shown
// last, so that an edit can carry one to another file. Where secrets stand is said by whoever knows the formats.
import type { SafePath } from '../paths/safe-path.ts';
import { sha256Hex } from '../text/canonical-json.ts';
import { MaskedText, type Recall, type Secret, type SecretSpan, secretsIn } from './masked-text.ts';
import { type PlaceholderOf, placeholdersBy } from './placeholder.ts';

/** `masked`: the text with these spans replaced. */
export type MaskText = (
  path: SafePath,
  text: string,
  masked: (spans: readonly SecretSpan[]) => MaskedText,
) => MaskedText;

const MOST_CHARS = 4_000_000;
const CHARS_PER_TEXT = 1_000;

export class Masking {
  readonly #mask: MaskText;
  readonly #placeholderOf: PlaceholderOf;
  readonly #recall: Recall;
  /** By file and hash of the text, oldest first. */
  readonly #texts = new Map<string, { readonly masked: MaskedText; readonly chars: number }>();
  #chars = 0;

  /** `recall`: of what was removed by earlier changes. */
  constructor(mask: MaskText, key: string, recall: Recall) {
    this.#mask = mask;
    this.#placeholderOf = placeholdersBy(key);
    this.#recall = recall;
  }

  /** `sha256`: of the text. Long texts of one length have one hash in a Map, which would compare each with each. */
  of(path: SafePath, text: string, sha256 = sha256Hex(text)): MaskedText {
    const name = `${path.toString()}\0${sha256}`;
    const known = this.#texts.get(name);
    if (known !== undefined) return known.masked;
    const masked = this.#mask(path, text, (spans) => new MaskedText(text, spans, this.#placeholderOf));
    const chars = text.length + CHARS_PER_TEXT;
    this.#texts.set(name, { masked, chars });
    this.#chars += chars;
    for (const [oldest, old] of this.#texts) {
      if (this.#chars <= MOST_CHARS || this.#texts.size <= 2) break;
      this.#texts.delete(oldest);
      this.#chars -= old.chars;
    }
    return masked;
  }

  /** A secret that stands, or stood, in a file of this airlock. */
  recall(placeholder: string, quote: string): Secret | undefined {
    let other: Secret | undefined;
    for (const { masked } of this.#texts.values())
      for (const secret of secretsIn(masked)) {
        if (secret.placeholder !== placeholder) continue;
        if (secret.quote === quote) return secret;
        other = secret;
      }
    return this.#recall(placeholder, quote) ?? other;
  }
}
