// Pairs the documents of a file with those of its next version by their names, or by their texts. Those between two pairs keep
// their order where they are as many as before; otherwise some of them came or went.
import { documentNames } from '../tree/item-names.ts';
import { type DocumentSpans, type Stream, sliceOf } from '../tree/span-tree.ts';
import { aligned } from './changed-lines.ts';

/** The indexes of a document in both versions; one is missing where it was removed, or is new. */
export interface DocumentPair {
  readonly old: number | undefined;
  readonly next: number | undefined;
}

/** Returns the pairs in the order of the new version, removed documents first. A file that does not exist has none. */
export function pairDocuments(before: Stream, after: Stream): readonly DocumentPair[] {
  const [old, next] = [documentsOf(before).length, documentsOf(after).length];
  if (old === next && unlikeDocuments(before, after) <= 1) return between(0, old, 0, next);
  const pairs: DocumentPair[] = [];
  // The last part is one that is the same.
  let [oldFrom, newFrom, oldTo, newTo] = [0, 0, 0, 0];
  for (const { added, removed, count } of aligned(keysOf(before), keysOf(after))) {
    if (added) newTo += count;
    else if (removed) oldTo += count;
    else {
      const [oldEnd, newEnd] = [oldTo + count, newTo + count];
      pairs.push(...between(oldFrom, oldTo, newFrom, newTo), ...between(oldTo, oldEnd, newTo, newEnd));
      [oldFrom, newFrom, oldTo, newTo] = [oldEnd, newEnd, oldEnd, newEnd];
    }
  }
  return pairs;
}

/** Returns for each document of the next version its index before; undefined for a new one. */
export function originsOf(before: Stream, after: Stream): readonly (number | undefined)[] {
  return pairDocuments(before, after).flatMap(({ old, next }) => (next === undefined ? [] : [old]));
}

function documentsOf({ isAbsent, documents }: Stream): readonly DocumentSpans[] {
  return isAbsent === true ? [] : documents;
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

function between(oldFrom: number, oldTo: number, newFrom: number, newTo: number): DocumentPair[] {
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
  return documentsOf(stream).map(({ root }, i) => names[i] ?? `=${sliceOf(stream.text, root)}`);
}
