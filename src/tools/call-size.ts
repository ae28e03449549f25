// How much one call may hold: the texts of all its files, and the node paths that it changes in them. They are in memory
// together until they are written, and V8 ends the whole process where a string no longer fits. Trees are not: of a file of
// some size they take far more room than its text, so that many small files cost less than a few large ones.
import { type Limits, Refusal } from '../security/index.ts';

/** Two files of the usual size; a revert of three has run out of the usual memory of a call. */
const USUAL_BYTES = 4_000_000;
/** Up to this size a file costs its texts alone. */
const SMALL_BYTES = 100_000;
const SMALL_SHARE = 1 / 4;
/** A path is recorded and sent once, a text several times. */
const PATH_CHARS_FOR_A_BYTE = 3;

export class CallSize {
  readonly #allowed: number;
  #actual = 0;

  constructor({ parsedSizeBytes }: Limits) {
    this.#allowed = Math.max(USUAL_BYTES, 2 * parsedSizeBytes);
  }

  /** Adds a file as it is read, before it is parsed. Throws FILE_TOO_LARGE once the sum is too large. */
  addFile(sizeBytes: number): void {
    this.#add(sizeBytes <= SMALL_BYTES ? sizeBytes * SMALL_SHARE : sizeBytes);
  }

  #add(bytes: number): void {
    this.#actual += Math.ceil(bytes);
    if (this.#actual <= this.#allowed) return;
    const limit = { name: 'call_size', allowed: this.#allowed, actual: this.#actual, unit: 'bytes' };
    throw new Refusal(
      'FILE_TOO_LARGE',
      `Cannot do this in one call: its files, with the node paths that it changes, exceed ${this.#allowed} bytes in all.`,
      {},
      { limit, advice: ['Send fewer files at a time'] },
    );
  }

  /** Adds the paths of a proven edit, and throws the same. */
  addPaths(changes: readonly { readonly path: string }[]): void {
    const chars = changes.reduce((sum, { path }) => sum + path.length, 0);
    this.#add(chars / PATH_CHARS_FOR_A_BYTE);
  }
}
