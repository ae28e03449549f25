// Remembers the trees of the texts that were read last, by their content: what changes on disk is a new
// text, so it is always seen. Bounded in characters; refusals are not remembered.
import type { Syntax } from './syntax.ts';
import type { Stream } from './tree/span-tree.ts';

const MAX_CHARS = 4_000_000;

interface Read {
  readonly stream: Stream;
  /** The limits that admitted it: another set may refuse it. */
  readonly allowed: string;
}

/** The same syntax; trees are never changed, so they can be shared. */
export function withCache({ name, parse, parseByOther }: Syntax): Syntax {
  const known = new Map<string, Read>();
  let chars = 0;

  return {
    name,
    // For proofs only: each is read once.
    parseByOther,
    parse(text, limits, tagHandles) {
      // A fragment is small, and read under the tag prefixes of its surroundings.
      if (tagHandles !== undefined) return parse(text, limits, tagHandles);
      const allowed = JSON.stringify(limits);
      const found = known.get(text);
      forget(text);
      const stream = found?.allowed === allowed ? found.stream : parse(text, limits);
      known.set(text, { stream, allowed });
      chars += text.length;
      forgetOldest();
      return stream;
    },
  };

  function forgetOldest(): void {
    for (const text of known.keys()) {
      if (chars <= MAX_CHARS) return;
      forget(text);
    }
  }

  function forget(text: string): void {
    if (known.delete(text)) chars -= text.length;
  }
}
