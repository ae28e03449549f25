// Masks the secrets in texts. The results are cached by file and content, so that a call over a whole repository searches no content
// twice. The layer that knows the formats finds the secrets.

import { sha256Hex } from '../../state/canonical.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { firstLineOf, PLACEHOLDER_LENGTH, PLACEHOLDER_LINES } from '../text/placeholders.ts';
import { holdsPiece } from '../text/visible.ts';
import {
  MaskedText,
  type PlaceholderAt,
  type PlaceholderOf,
  placeholdersBy,
  type SecretSpan,
  secretsIn,
} from './masked-text.ts';
import { NOTHING_FOUND, type SearchedText, type TextSearch } from './search-text.ts';

/** Finds the secrets of texts; the adapters make one, because they know the formats. */
export interface MaskText {
  /** False only if `mask` masks nothing in a file with this path, whatever the rest of it is; `piece` is some whole lines of it. */
  readonly mayHoldSecret: (path: SafePath, piece: string) => boolean;
  /** Searches a text. `like` is a text that was searched before, and that may differ from this one by an edit only. */
  readonly search: (text: string, like?: SearchedText) => TextSearch;
  /** Returns the text in which `masked` has replaced the secrets. */
  readonly mask: (
    path: SafePath,
    text: string,
    search: TextSearch,
    masked: (spans: readonly SecretSpan[]) => MaskedText,
  ) => MaskedText;
}

/** A placeholder for any secret, where only the offsets matter. */
const ANY_PLACEHOLDER = '<secret:00000000>';
/** The size limit of the cache. It keeps the places of the secrets in a text, but no text, so that it holds those of a whole repository. */
const MAX_CHARS = 16_000_000;
const CHARS_PER_TEXT = 300;
const CHARS_PER_FOUND = 60;
const CHARS_PER_NAMED = 4;
/** The limit is small, because only calls on the same files profit. A file with masked values is searched in three forms. */
const MAX_SEARCHED = 4;

/** A masked text, and facts about it. */
export interface KnownText {
  readonly masked: MaskedText;
  /** Facts that readers have computed from the shown text, by a name for the computation. */
  readonly notes: Map<string, string>;
}

/** A text, with its hash where that is known. */
export interface HashedText {
  readonly text: string;
  readonly sha256?: string | undefined;
}

interface CacheEntry {
  /** The places of the secrets, in order. */
  readonly spans: readonly SecretSpan[];
  readonly search: TextSearch;
  readonly notes: KnownText['notes'];
  readonly chars: number;
}

export class Masking {
  readonly #text: MaskText;
  readonly #placeholderOf: PlaceholderOf;
  /** The entries by file and hash of the text, oldest first. */
  readonly #kept = new Map<string, CacheEntry>();
  #chars = 0;
  /** The last texts that were searched, by file, oldest first. Calls on one file in succession have nearly the same text. */
  readonly #searched = new Map<string, SearchedText>();

  constructor(text: MaskText, key: string) {
    this.#text = text;
    this.#placeholderOf = placeholdersBy(key);
  }

  mask(path: SafePath, text: string, sha256?: string): MaskedText {
    return this.known(path, text, sha256).masked;
  }

  /** Returns the masked text with its facts. The cache is keyed by hash, because a Map would have to compare long texts. */
  known(path: SafePath, text: string, sha256 = sha256Hex(text)): KnownText {
    const { spans, notes } = this.#known(path, { text, sha256 });
    return { masked: new MaskedText(text, spans, this.#placeholderOf), notes };
  }

  /** True if nothing in a file of these well-formed bytes is masked. False also if that is not known without searching its structure. */
  isPlain(path: SafePath, bytes: Uint8Array, sha256: string): boolean {
    const name = nameOf(fileOf(path), sha256);
    const known = this.#kept.get(name);
    if (known !== undefined) return known.spans.length === 0;
    if (holdsPiece(bytes, (piece) => this.#text.mayHoldSecret(path, piece))) return false;
    this.#keep(name, { spans: [], search: NOTHING_FOUND, notes: new Map(), chars: CHARS_PER_TEXT });
    return true;
  }

  /**
   * Returns the spans that would be masked, in order, if each line of a placeholder of a shown text was replaced by `sample`, which is
   * cut to the same length, so that all offsets stay the same.
   */
  spansIn(
    path: SafePath,
    { text: shown, sha256 = sha256Hex(shown) }: HashedText,
    sample: string,
  ): readonly SecretSpan[] {
    const placeholderOf = (_: string, start: number) =>
      firstLineOf(shown.slice(start, start + PLACEHOLDER_LENGTH)) ?? ANY_PLACEHOLDER;
    const text = shown.replaceAll(PLACEHOLDER_LINES, (line) => sample.slice(0, line.length));
    return this.#known(path, { text, sha256 }, sample, placeholderOf).spans;
  }

  #known(
    path: SafePath,
    { text, sha256 }: Required<HashedText>,
    sample = '',
    placeholderOf: PlaceholderAt = this.#placeholderOf,
  ): CacheEntry {
    const file = fileOf(path, sample);
    const name = nameOf(file, sha256);
    const known = this.#kept.get(name);
    const search = known?.search ?? this.#text.search(text, this.#searched.get(file));
    this.#remember(file, { text, search });
    if (known !== undefined) return known;
    const spans = secretsIn(this.#masked(path, text, search, placeholderOf));
    const found = (search.found.length + spans.length) * CHARS_PER_FOUND;
    const named = search.nameCandidates.length * CHARS_PER_NAMED;
    const kept = { spans, search, notes: new Map<string, string>(), chars: CHARS_PER_TEXT + found + named };
    this.#keep(name, kept);
    return kept;
  }

  #keep(name: string, kept: CacheEntry): void {
    this.#kept.set(name, kept);
    this.#chars += kept.chars;
    for (const [oldest, { chars }] of this.#kept) {
      if (this.#chars <= MAX_CHARS || this.#kept.size <= 2) break;
      this.#kept.delete(oldest);
      this.#chars -= chars;
    }
  }

  #remember(file: string, searched: SearchedText): void {
    this.#searched.delete(file);
    this.#searched.set(file, searched);
    const [oldest = ''] = this.#searched.keys();
    if (this.#searched.size > MAX_SEARCHED) this.#searched.delete(oldest);
  }

  /** Masks a recorded text. Placeholders that it already has stay as they are. The result is not cached. */
  maskRecorded(path: SafePath, text: string): MaskedText {
    const placeholderOf = (secret: string) => firstLineOf(secret) ?? this.#placeholderOf(secret);
    return this.#masked(path, text, this.#text.search(text), placeholderOf);
  }

  #masked(path: SafePath, text: string, search: TextSearch, placeholderOf: PlaceholderAt): MaskedText {
    return this.#text.mask(path, text, search, (spans) => new MaskedText(text, spans, placeholderOf));
  }
}

/** The keys of the caches: a file with what stands for its placeholders, and one text of it. */
function fileOf(path: SafePath, sample = ''): string {
  return `${path.toString()}\0${sample}`;
}

function nameOf(file: string, sha256 = ''): string {
  return `${file}\0${sha256}`;
}
