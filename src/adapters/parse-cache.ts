// Remembers the trees of the texts that were read last, by their content: what changes on disk is a new
// text, so it is always seen. Bounded in characters and in texts; refusals are not remembered.
import type { Limits } from '../security/index.ts';
import type { Syntax } from './syntax.ts';
import type { Stream } from './tree/span-tree.ts';

/** Room for the longest text that is read and for what an edit makes of it. */
const MAX_TEXTS_OF_FULL_LENGTH = 2;
/** Room for several of ordinary length, however small the limit is. */
const LEAST_CHARS = 500_000;
const MAX_TEXTS = 500;
/** What edits make is looked at again in the same call, and hardly ever later: so much of it, but at least the last two texts. */
const MAX_EDITED_CHARS = 400_000;
/** How many characters of two texts are looked at first. */
const TAIL = 100;

interface Read {
  readonly stream: Stream;
  /** Of its text, held by itself: cut off anew for each comparison it would cost more than all else. */
  readonly tail: string;
  /** The limits that admitted it: another set may refuse it. */
  readonly allowed: string;
  readonly isEdited: boolean;
}

/** The same syntax; trees are never changed, so they can be shared. */
export function withCache({ name, parse, parseEdited, parseByOther }: Syntax): Syntax {
  /** Oldest first. No map: long texts of one length have one hash for V8, and an edit often keeps the length. */
  const known: Read[] = [];
  let chars = 0;

  return {
    name,
    // For proofs only: each is read once.
    parseByOther,
    parse(text, limits, tagHandles) {
      // A fragment is small, and read under the tag prefixes of its surroundings.
      if (tagHandles !== undefined) return parse(text, limits, tagHandles);
      return remembered(text, limits, false, () => parse(text, limits));
    },
    parseEdited(before, edits, after, limits, isStep = false) {
      const read = () => parseEdited(before, edits, after, limits);
      if (!isStep) return remembered(after, limits, true, read);
      // Whoever takes the step holds on to it as long as it is needed.
      forgetOldest(limits, after.length);
      return read();
    },
  };

  function remembered(text: string, limits: Limits, isEdited: boolean, read: () => Stream): Stream {
    const allowed = JSON.stringify(limits);
    const tail = text.slice(-TAIL);
    // Versions of a file that grows at its end are not compared from their beginning on.
    const at = known.findLastIndex(
      (each) => each.tail === tail && each.stream.text === text && each.allowed === allowed,
    );
    const [found] = at === -1 ? [] : known.splice(at, 1);
    // Before it is read, or three of full length would be in memory at once.
    if (found === undefined) forgetOldest(limits, text.length);
    const now = found ?? { stream: read(), tail, allowed, isEdited };
    if (found === undefined) chars += text.length;
    known.push(now);
    if (found === undefined && isEdited) forgetEdited();
    return now.stream;
  }

  function forgetEdited(): void {
    let kept = 0;
    const edited = known.filter((read) => read.isEdited).reverse();
    for (const [index, old] of edited.entries()) {
      const { length } = old.stream.text;
      kept += length;
      if (index < 2 || kept <= MAX_EDITED_CHARS) continue;
      known.splice(known.indexOf(old), 1);
      chars -= length;
    }
  }

  /** What the steps of a call made on the way goes first: its file is looked at again when they are through. */
  function forgetOldest({ parsedSizeBytes }: Limits, coming: number): void {
    const mostChars = Math.max(MAX_TEXTS_OF_FULL_LENGTH * parsedSizeBytes, LEAST_CHARS) - coming;
    while (known.length > 0 && (chars > mostChars || known.length >= MAX_TEXTS)) {
      const made = known.findIndex(({ isEdited }, at) => isEdited && at < known.length - 1);
      const [old] = known.splice(Math.max(made, 0), 1);
      chars -= old?.stream.text.length ?? chars;
    }
  }
}
