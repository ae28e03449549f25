// Says of changes which places they are about, so that the changes of two versions of a file can be compared: an index in a list,
// or of a document, may mean another one since.
import type { Change } from '../../security/edits/edit.ts';
import { parseNodePath } from '../../security/node-paths/parse-path.ts';
import { sha256Hex } from '../../state/canonical.ts';
import type { KeptFile } from '../../state/preview.ts';
import { documentNames, ItemNames } from '../tree/item-names.ts';
import { nodeAt } from '../tree/locate.ts';
import { type SpanNode, type Stream, sliceOf } from '../tree/span-tree.ts';

/** Enough to tell places of one file apart. */
const HASH_CHARS = 16;

type FileChange = Pick<KeptFile, 'base_sha256' | 'result_sha256'> & {
  readonly file_op?: KeptFile['file_op'] | undefined;
};

/** Returns a hash for each change of a file, by what `placesIn` says of it. `stream` is the file before the change. */
export function changePlaces(
  stream: Stream,
  changes: readonly Change[],
  { file_op: op, base_sha256: base, result_sha256: result }: FileChange,
): readonly string[] {
  const places =
    op === undefined ? placesIn(stream, changes) : [JSON.stringify([op, op === 'create' ? result : base])];
  return places.map((place) => sha256Hex(place).slice(0, HASH_CHARS));
}

/**
 * Returns a text for each change, in order. Two are equal if the same value of the same item and document becomes the same. An item is
 * known by its name, or by its index and contents; a document by its name, or by its index and its neighbours.
 */
export function placesIn(stream: Stream, changes: readonly Change[]): readonly string[] {
  const names = documentNames(stream);
  const items = new ItemNames(stream);
  const hashes = new Map<SpanNode, string>();
  const rootOf = (doc: number) => stream.documents[doc]?.root;
  const contentsOf = (node: SpanNode | undefined): string | null => {
    if (node === undefined) return null;
    const hash = hashes.get(node) ?? sha256Hex(sliceOf(stream.text, node));
    hashes.set(node, hash);
    return hash;
  };
  const nameOf = (doc: number) => names[doc] ?? contentsOf(rootOf(doc));
  return changes.map(({ op, doc, path: text, from, to }) => {
    // Lines belong to no document.
    if (op === 'text') return JSON.stringify([op, from, to]);
    const path = parseNodePath(text);
    const steps = path.map((segment, depth) => {
      if (typeof segment !== 'number') return segment;
      const item = path.slice(0, depth + 1);
      return [items.at(doc, item) ?? [segment, contentsOf(nodeAt(rootOf(doc), item))]];
    });
    const document = names[doc] ?? [doc, names.length, nameOf(doc - 1), nameOf(doc + 1)];
    const old = op === 'replace' || op === 'remove' ? contentsOf(nodeAt(rootOf(doc), path)) : null;
    return JSON.stringify([op, document, steps, old, from, to]);
  });
}
