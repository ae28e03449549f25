// Shows texts with their secrets masked, and remembers what was learnt of each content, so that a call over a whole repository
// reads no content twice. The layer that knows the formats finds the secrets.

import { sha256Hex } from '../../state/index.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { isPlaceholder } from '../text/placeholders.ts';
import { MaskedText, type SecretSpan, secretsIn } from './masked-text.ts';
import { type PlaceholderOf, placeholdersBy } from './placeholder.ts';

/** Finds the secrets of a text, and answers the text in which `masked` has replaced them. */
export type MaskText = (
  path: SafePath,
  text: string,
  masked: (spans: readonly SecretSpan[]) => MaskedText,
) => MaskedText;

/** A placeholder for any secret, where only the places matter. */
const NOTHING = '<secret:00000000>';
/** The limit of what is kept. Texts with masked values are kept; for any other text only the fact that it has none. */
const MOST_CHARS = 16_000_000;
const CHARS_PER_TEXT = 300;

/** The facts that are known about a content. */
export interface Known {
  readonly masked: MaskedText;
  /** Facts that readers have learnt about the text as it is shown, by their question. */
  readonly notes: Map<string, string>;
}

interface Kept {
  /** Undefined where nothing is masked; the text itself is then not kept. */
  readonly masked: MaskedText | undefined;
  readonly notes: Known['notes'];
  readonly chars: number;
}

export class Masking {
  readonly #mask: MaskText;
  readonly #placeholderOf: PlaceholderOf;
  /** The entries by file and hash of the text, oldest first. */
  readonly #kept = new Map<string, Kept>();
  #chars = 0;

  constructor(mask: MaskText, key: string) {
    this.#mask = mask;
    this.#placeholderOf = placeholdersBy(key);
  }

  of(path: SafePath, text: string, sha256?: string): MaskedText {
    return this.known(path, text, sha256).masked;
  }

  /** Answers what is known of a text. The key holds its hash, because a Map would have to compare long texts of one length. */
  known(path: SafePath, text: string, sha256 = sha256Hex(text)): Known {
    const name = `${path.toString()}\0${sha256}`;
    const kept = this.#kept.get(name) ?? this.#learn(name, path, text);
    return { masked: kept.masked ?? MaskedText.whole(text), notes: kept.notes };
  }

  #learn(name: string, path: SafePath, text: string): Kept {
    const masked = this.#mask(path, text, (spans) => new MaskedText(text, spans, this.#placeholderOf));
    const kept = masked.isWhole
      ? { masked: undefined, notes: new Map<string, string>(), chars: CHARS_PER_TEXT }
      : { masked, notes: new Map<string, string>(), chars: text.length + CHARS_PER_TEXT };
    this.#kept.set(name, kept);
    this.#chars += kept.chars;
    for (const [oldest, { chars }] of this.#kept) {
      if (this.#chars <= MOST_CHARS || this.#kept.size <= 2) break;
      this.#kept.delete(oldest);
      this.#chars -= chars;
    }
    return kept;
  }

  /** Masks a recorded text, in which placeholders may stand already; those stay as they are. The result is not remembered. */
  again(path: SafePath, text: string): MaskedText {
    const placeholderOf = (secret: string) => (isPlaceholder(secret) ? secret : this.#placeholderOf(secret));
    return this.#mask(path, text, (spans) => new MaskedText(text, spans, placeholderOf));
  }

  /** Answers the places that would be masked, in order. The result is not remembered. */
  spansIn(path: SafePath, text: string): readonly SecretSpan[] {
    return secretsIn(this.#mask(path, text, (spans) => new MaskedText(text, spans, () => NOTHING)));
  }
}
