// Remembers the trees of the texts that were read last, by their content: what changes on disk is a new
// text, so it is always seen. Bounded in characters; refusals are not remembered.
import type { Limits } from '../security/index.ts';
import type { Syntax } from './syntax.ts';
import type { Stream } from './tree/span-tree.ts';

const MAX_CHARS = 4_000_000;

/** The same syntax; trees are never changed, so they can be shared. */
export function withCache({ name, parse, parseByOther }: Syntax): Syntax {
  const known = new Map<string, Stream>();
  let chars = 0;

  return {
    name,
    // For proofs only: each is read once.
    parseByOther,
    parse(text, limits, tagHandles) {
      // A fragment is small, and read under the tag prefixes of its surroundings.
      if (tagHandles !== undefined) return parse(text, limits, tagHandles);
      const key = keyOf(text, limits);
      const found = known.get(key);
      if (found !== undefined) {
        known.delete(key);
        known.set(key, found);
        return found;
      }
      const stream = parse(text, limits);
      known.set(key, stream);
      chars += key.length;
      forgetOldest();
      return stream;
    },
  };

  function forgetOldest(): void {
    for (const key of known.keys()) {
      if (chars <= MAX_CHARS) return;
      known.delete(key);
      chars -= key.length;
    }
  }
}

/** A text that one set of limits admits may be refused by another. */
function keyOf(text: string, limits: Limits): string {
  return `${JSON.stringify(limits)}\n${text}`;
}
