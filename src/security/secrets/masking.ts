// Shows texts with their secrets masked, and remembers what was learnt of each content, so that a call over a whole repository
// reads no content twice. The layer that knows the formats finds the secrets.

import { sha256Hex } from '../../state/index.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { isPlaceholder, PLACEHOLDER_LENGTH, PLACEHOLDERS } from '../text/placeholders.ts';
import { MaskedText, type PlaceholderAt, type SecretSpan, secretsIn } from './masked-text.ts';
import { type PlaceholderOf, placeholdersBy } from './placeholder.ts';
import type { Searched, TextSearch } from './search-text.ts';

/** Finds the secrets of texts; the adapters make one, because they know the formats. */
export interface MaskText {
  /** Searches a text. `like` is a text that was searched before, and of which this one may be an edited copy. */
  readonly search: (text: string, like?: Searched) => TextSearch;
  /** Answers the text in which `masked` has replaced the secrets. */
  readonly mask: (
    path: SafePath,
    text: string,
    search: TextSearch,
    masked: (spans: readonly SecretSpan[]) => MaskedText,
  ) => MaskedText;
}

/** A placeholder for any secret, where only the places matter. */
const NOTHING = '<secret:00000000>';
/** The limit of what is kept. Texts with masked values are kept; for any other text only the fact that it has none. */
const MOST_CHARS = 16_000_000;
const CHARS_PER_TEXT = 300;
const CHARS_PER_FOUND = 60;
const CHARS_PER_NAMED = 4;
/** A file with masked values is searched in three forms. */
const MOST_SEARCHED = 4;

/** The facts that are known about a content. */
export interface Known {
  readonly masked: MaskedText;
  /** Facts that readers have learnt about the text as it is shown, by their question. */
  readonly notes: Map<string, string>;
}

/** A text, with its hash where that is known. */
export interface HashedText {
  readonly text: string;
  readonly sha256?: string | undefined;
}

interface Kept {
  /** Undefined where nothing is masked; the text itself is then not kept. */
  readonly masked: MaskedText | undefined;
  readonly search: TextSearch;
  readonly notes: Known['notes'];
  readonly chars: number;
}

export class Masking {
  readonly #text: MaskText;
  readonly #placeholderOf: PlaceholderOf;
  /** The entries by file and hash of the text, oldest first. */
  readonly #kept = new Map<string, Kept>();
  #chars = 0;
  /** The last texts that were searched, by file, oldest first. Calls on one file in succession have nearly the same text. */
  readonly #searched = new Map<string, Searched>();

  constructor(text: MaskText, key: string) {
    this.#text = text;
    this.#placeholderOf = placeholdersBy(key);
  }

  of(path: SafePath, text: string, sha256?: string): MaskedText {
    return this.known(path, text, sha256).masked;
  }

  /** Answers what is known of a text. The key holds its hash, because a Map would have to compare long texts of one length. */
  known(path: SafePath, text: string, sha256 = sha256Hex(text)): Known {
    const { masked = MaskedText.whole(text), notes } = this.#known(path, { text, sha256 });
    return { masked, notes };
  }

  /**
   * Answers the places that would be masked, in order, if `stand` stood in the place of each secret of a shown text. It is as long
   * as a placeholder, so that all places stay.
   */
  spansIn(
    path: SafePath,
    { text: shown, sha256 = sha256Hex(shown) }: HashedText,
    stand: string,
  ): readonly SecretSpan[] {
    const placeholderOf = (_: string, start: number) => {
      const own = shown.slice(start, start + PLACEHOLDER_LENGTH);
      return isPlaceholder(own) ? own : NOTHING;
    };
    const text = shown.replaceAll(PLACEHOLDERS, stand);
    const { masked } = this.#known(path, { text, sha256 }, stand, placeholderOf);
    return masked === undefined ? [] : secretsIn(masked);
  }

  #known(
    path: SafePath,
    { text, sha256 }: Required<HashedText>,
    stand = '',
    placeholderOf: PlaceholderAt = this.#placeholderOf,
  ): Kept {
    const file = `${path.toString()}\0${stand}`;
    const name = `${file}\0${sha256}`;
    const known = this.#kept.get(name);
    const search = known?.search ?? this.#text.search(text, this.#searched.get(file));
    this.#remember(file, { text, search });
    if (known !== undefined) return known;
    const masked = this.#masked(path, text, search, placeholderOf);
    const found = search.found.length * CHARS_PER_FOUND + search.named.length * CHARS_PER_NAMED;
    const kept = {
      masked: masked.isWhole ? undefined : masked,
      search,
      notes: new Map<string, string>(),
      chars: CHARS_PER_TEXT + found + (masked.isWhole ? 0 : text.length),
    };
    this.#kept.set(name, kept);
    this.#chars += kept.chars;
    for (const [oldest, { chars }] of this.#kept) {
      if (this.#chars <= MOST_CHARS || this.#kept.size <= 2) break;
      this.#kept.delete(oldest);
      this.#chars -= chars;
    }
    return kept;
  }

  #remember(file: string, searched: Searched): void {
    this.#searched.delete(file);
    this.#searched.set(file, searched);
    const [oldest = ''] = this.#searched.keys();
    if (this.#searched.size > MOST_SEARCHED) this.#searched.delete(oldest);
  }

  /** Masks a recorded text, in which placeholders may stand already; those stay as they are. The result is not remembered. */
  again(path: SafePath, text: string): MaskedText {
    const placeholderOf = (secret: string) => (isPlaceholder(secret) ? secret : this.#placeholderOf(secret));
    return this.#masked(path, text, this.#text.search(text), placeholderOf);
  }

  #masked(path: SafePath, text: string, search: TextSearch, placeholderOf: PlaceholderAt): MaskedText {
    return this.#text.mask(path, text, search, (spans) => new MaskedText(text, spans, placeholderOf));
  }
}
