// Pairs the documents of a file with those of its next version by their names, or by their texts. Those between two pairs keep
// their order where they are as many as before; otherwise some of them came or went.
import { documentNames } from '../tree/item-names.ts';
import { type Stream, sliceOf } from '../tree/span-tree.ts';

/**
 * The indexes of a document in both versions; one is missing where it was removed, or is new. Pairs are in the order of the new
 * version, removed ones first.
 */
export interface DocumentPair {
  readonly old: number | undefined;
  readonly next: number | undefined;
}

export function pairDocuments(before: Stream, after: Stream): readonly DocumentPair[] {
  const [old, next] = [before.documents.length, after.documents.length];
  if (old === next && unlikeDocuments(before, after) <= 1)
    return after.documents.map((_, index) => ({ old: index, next: index }));
  const [oldKeys, newKeys] = [keysOf(before), keysOf(after)];
  const pairs: DocumentPair[] = [];
  let [i, j] = [0, 0];
  for (const [oldIndex, newIndex] of longestCommon(oldKeys, newKeys)) {
    pairs.push(...betweenPairs(i, oldIndex, j, newIndex), { old: oldIndex, next: newIndex });
    [i, j] = [oldIndex + 1, newIndex + 1];
  }
  return [...pairs, ...betweenPairs(i, old, j, next)];
}

/** Returns for each document of the next version its index before; undefined for a new one. */
export function originsOf(before: Stream, after: Stream): readonly (number | undefined)[] {
  return pairDocuments(before, after).flatMap(({ old, next }) => (next === undefined ? [] : [old]));
}

/** Returns the number of documents from the first to the last whose text differs; both versions have equally many. */
function unlikeDocuments(before: Stream, after: Stream): number {
  const textOf = ({ text, documents }: Stream, index: number) => {
    const root = documents[index]?.root;
    return root === undefined ? undefined : sliceOf(text, root);
  };
  const isUnlike = (_: unknown, index: number) => textOf(before, index) !== textOf(after, index);
  const first = after.documents.findIndex(isUnlike);
  return first === -1 ? 0 : after.documents.findLastIndex(isUnlike) - first + 1;
}

function betweenPairs(oldFrom: number, oldTo: number, newFrom: number, newTo: number): DocumentPair[] {
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  if (oldTo - oldFrom === newTo - newFrom)
    return range(oldFrom, oldTo).map((old, at) => ({ old, next: newFrom + at }));
  return [
    ...range(oldFrom, oldTo).map((old) => ({ old, next: undefined })),
    ...range(newFrom, newTo).map((next) => ({ old: undefined, next })),
  ];
}

function keysOf(stream: Stream): string[] {
  const names = documentNames(stream);
  return stream.documents.map(({ root }, i) => names[i] ?? `=${sliceOf(stream.text, root)}`);
}

/** The largest table of comparisons, which grows with the square; above it only equal beginnings and ends are paired. */
const MAX_TABLE = 250_000;

/** Returns the longest list of pairs with the same key, in order. */
function longestCommon(
  old: readonly string[],
  next: readonly string[],
): readonly (readonly [number, number])[] {
  const start: [number, number][] = [];
  while (start.length < Math.min(old.length, next.length) && old[start.length] === next[start.length])
    start.push([start.length, start.length]);
  const from = start.length;
  const end: [number, number][] = [];
  for (let i = old.length - 1, j = next.length - 1; i >= from && j >= from && old[i] === next[j]; i--, j--)
    end.unshift([i, j]);
  const [oldTo, newTo] = [old.length - end.length, next.length - end.length];
  return [...start, ...between(old.slice(from, oldTo), next.slice(from, newTo), from), ...end];
}

function between(old: readonly string[], next: readonly string[], shift: number): [number, number][] {
  if (old.length * next.length > MAX_TABLE) return [];
  // The length of the best list from here on.
  const rows: number[][] = Array.from({ length: old.length + 1 }, () => new Array(next.length + 1).fill(0));
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--) {
      const row = rows[i];
      if (row !== undefined)
        row[j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < old.length && j < next.length; ) {
    if (old[i] === next[j]) pairs.push([i++ + shift, j++ + shift]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
