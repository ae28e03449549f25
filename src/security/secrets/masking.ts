// What an airlock masks: it shows each text with its secrets replaced, and remembers what it has learnt of each content, so
// that a call over a whole repository looks at no content twice. Where secrets stand is said by whoever knows the formats.

import { sha256Hex } from '../../state/index.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { isPlaceholder } from '../text/placeholders.ts';
import { MaskedText, type SecretSpan, secretsIn } from './masked-text.ts';
import { type PlaceholderOf, placeholdersBy } from './placeholder.ts';

/** `masked`: the text with these spans replaced. */
export type MaskText = (
  path: SafePath,
  text: string,
  masked: (spans: readonly SecretSpan[]) => MaskedText,
) => MaskedText;

/** Stands for any. */
const NOTHING = '<secret:00000000>';
/** Of what is kept: the texts with masked values; of any other one only that it has none. */
const MOST_CHARS = 16_000_000;
const CHARS_PER_TEXT = 300;

/** What is known of a content. */
export interface Known {
  readonly masked: MaskedText;
  /** What readers have learnt of the text as it is shown, by what they asked. */
  readonly notes: Map<string, string>;
}

interface Kept {
  /** Undefined where nothing is masked: the text is read anew each time. */
  readonly masked: MaskedText | undefined;
  readonly notes: Known['notes'];
  readonly chars: number;
}

export class Masking {
  readonly #mask: MaskText;
  readonly #placeholderOf: PlaceholderOf;
  /** By file and hash of the text, oldest first. */
  readonly #kept = new Map<string, Kept>();
  #chars = 0;

  constructor(mask: MaskText, key: string) {
    this.#mask = mask;
    this.#placeholderOf = placeholdersBy(key);
  }

  of(path: SafePath, text: string, sha256?: string): MaskedText {
    return this.known(path, text, sha256).masked;
  }

  /** `sha256`: of the text. Long texts of one length have one hash in a Map, which would compare each with each. */
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

  /** Of a text that was recorded, in which placeholders may stand already: they stay what they are. Not remembered. */
  again(path: SafePath, text: string): MaskedText {
    const placeholderOf = (secret: string) => (isPlaceholder(secret) ? secret : this.#placeholderOf(secret));
    return this.#mask(path, text, (spans) => new MaskedText(text, spans, placeholderOf));
  }

  /** What of a text would be masked, in order. Not remembered. */
  spansIn(path: SafePath, text: string): readonly SecretSpan[] {
    return secretsIn(this.#mask(path, text, (spans) => new MaskedText(text, spans, () => NOTHING)));
  }
}
