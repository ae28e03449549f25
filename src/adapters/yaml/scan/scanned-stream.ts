// A whole text as it was scanned, with what is needed to scan it again in part.
import type { Span, Stream } from '../../tree/span-tree.ts';
import type { Counts } from './cursor.ts';
import type { Source } from './scanned-parts.ts';

/** What was read of a text beside its rows. */
export interface Found {
  readonly documents: Stream['documents'];
  /** Of each document's root. */
  readonly rootRows: readonly number[];
  /** Start and end of each comment in turn. */
  readonly comments: readonly number[];
  readonly counts: Counts;
}

/** A whole text; its comments are made when they are first asked for. */
export class ScannedStream implements Stream {
  readonly text: string;
  readonly documents: Stream['documents'];
  readonly #source: Source;
  readonly #found: Found;
  #comments: readonly Span[] | undefined;

  constructor(source: Source, found: Found) {
    this.text = source.text;
    this.documents = found.documents;
    this.#source = source;
    this.#found = found;
  }

  get comments(): readonly Span[] {
    this.#comments ??= spansOf(this.#found.comments);
    return this.#comments;
  }

  /** For scanning it again in part. */
  get source(): Source {
    return this.#source;
  }

  get found(): Found {
    return this.#found;
  }
}

function spansOf(bounds: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (let i = 0; i + 1 < bounds.length; i += 2) {
    const [start = 0, end = 0] = [bounds[i], bounds[i + 1]];
    spans.push({ start, end });
  }
  return spans;
}
