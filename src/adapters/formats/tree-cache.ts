// A format that remembers the trees of the texts that it parsed last, by their content: a change on disk is another text, so it
// is always seen.
import type { Limits } from '../../security/policy/policy.ts';
import type { Format } from '../tree/format.ts';
import type { Stream } from '../tree/span-tree.ts';
import { requireParsable } from '../tree/wording.ts';

/** A text and what an edit makes of it, however long they are. */
const MIN_TEXTS = 2;
const MAX_CHARS = 500_000;
/** The cost of a tree in addition to its text, so that many short texts count as well. */
const CHARS_PER_TEXT = 1_000;

/** Limits that say nothing about a text that was read, or that are asked before it is. */
const WITHOUT_EFFECT = {
  syntaxProblems: undefined,
  isOneOfMany: undefined,
  parseMs: undefined,
  parsedSizeBytes: undefined,
};

/** Returns the same format with a cache; trees are never changed, so they can be shared. */
export function withCache(format: Format): Format {
  /** The trees by their text, oldest first. */
  const streams = new Map<string, Stream>();
  /** The characters of all texts together. */
  let chars = 0;
  /** The limits under which they were parsed; other limits may refuse what these have accepted. */
  let admittedBy = '';
  let lastAsked: Limits | undefined;
  /** The tree of one of many files, until the next one is read. */
  let passing: { readonly text: string; readonly stream: Stream } | undefined;

  return { ...format, parse };

  function parse(text: string, limits: Limits): Stream {
    requireParsable(text, limits);
    requireSameLimits(limits);
    const kept = streams.get(text);
    const known = kept ?? (passing?.text === text ? passing.stream : undefined);
    passing = undefined;
    if (limits.isOneOfMany === true) {
      const stream = known ?? format.parse(text, limits);
      passing = { text, stream };
      return stream;
    }
    if (kept !== undefined) streams.delete(text);
    // Room is made before parsing, because otherwise three texts of full length would be in memory at once.
    else makeRoomFor(text);
    const stream = known ?? format.parse(text, limits);
    if (kept === undefined) chars += text.length + CHARS_PER_TEXT;
    streams.set(text, stream);
    return stream;
  }

  function requireSameLimits(limits: Limits): void {
    if (limits === lastAsked) return;
    lastAsked = limits;
    const name = JSON.stringify({ ...limits, ...WITHOUT_EFFECT });
    if (name === admittedBy) return;
    streams.clear();
    chars = 0;
    admittedBy = name;
  }

  function makeRoomFor(coming: string): void {
    for (const old of streams.keys()) {
      if (streams.size < MIN_TEXTS || chars + coming.length <= MAX_CHARS) return;
      streams.delete(old);
      chars -= old.length + CHARS_PER_TEXT;
    }
  }
}
