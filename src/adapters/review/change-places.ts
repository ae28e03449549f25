// Says of recorded changes which places they are about, so that the changes of two versions of a file can be compared: an index in
// a list, or of a document, may mean another one since.
import { type Change, type KeptFile, parseNodePath, sha256Hex } from '../../security/index.ts';
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
 * Returns a text for each change, in order. Two are equal if the same value of the same item and document becomes the same: one
 * with a name of its own is known by that, any other item by its index and contents.
 */
export function placesIn(stream: Stream, changes: readonly Change[]): readonly string[] {
  const places = new Places(stream);
  return changes.map(({ op, doc, path: text, from, to }) => {
    // Lines belong to no document.
    if (op === 'text') return JSON.stringify([op, from, to]);
    const steps = parseNodePath(text);
    const place = steps.map((_, depth) => places.step(doc, steps.slice(0, depth + 1)));
    const old =
      op !== 'replace' && op !== 'remove' ? null : places.contents(nodeAt(places.rootOf(doc), steps));
    return JSON.stringify([op, places.document(doc), place, old, from, to]);
  });
}

class Places {
  readonly #stream: Stream;
  readonly #documents: ReturnType<typeof documentNames>;
  readonly #allDocuments: string;
  #nameless: bigint | undefined;
  readonly #items: ItemNames;
  readonly #hashes = new Map<SpanNode, string>();

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#documents = documentNames(stream);
    this.#allDocuments = sha256Hex(JSON.stringify(this.#documents));
    this.#items = new ItemNames(stream);
  }

  rootOf(doc: number): SpanNode | undefined {
    return this.#stream.documents[doc]?.root;
  }

  /** One without a name is the same if all the others are as before: the named ones by their names, the rest by their contents. */
  document(doc: number): unknown {
    return this.#documents[doc] ?? [doc, this.#allDocuments, `${this.#othersThan(doc)}`];
  }

  /** The sum of all contents is made once. */
  #othersThan(doc: number): bigint {
    const numberOf = (at: number) => BigInt(`0x${this.contents(this.rootOf(at)) ?? 0}`);
    this.#nameless ??= this.#documents.reduce(
      (sum, name, at) => (name === undefined ? sum + numberOf(at) : sum),
      0n,
    );
    return this.#nameless - numberOf(doc);
  }

  step(doc: number, path: ReturnType<typeof parseNodePath>): unknown {
    const last = path.at(-1);
    if (typeof last !== 'number') return last;
    return [this.#items.at(doc, path) ?? [last, this.contents(nodeAt(this.rootOf(doc), path))]];
  }

  contents(node: SpanNode | undefined): string | null {
    if (node === undefined) return null;
    const hash = this.#hashes.get(node) ?? sha256Hex(sliceOf(this.#stream.text, node));
    this.#hashes.set(node, hash);
    return hash;
  }
}
