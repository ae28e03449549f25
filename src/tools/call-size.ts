// How much one call may change: the texts of its files, and the node paths that it changes in them. They are in memory
// together until they are written. Trees are not: only those of one file are held at a time.
import { Refusal } from '../security/index.ts';

const ALLOWED_BYTES = 64_000_000;
/** A path is recorded and sent several times, a text twice. */
const BYTES_FOR_A_PATH_CHAR = 3;

export class CallSize {
  #actual = 0;
  #files = 0;

  /** Adds a file. Throws FILE_TOO_LARGE once the sum is too large. */
  addFile(sizeBytes: number): void {
    this.#add(sizeBytes);
    this.#files += 1;
  }

  #add(bytes: number): void {
    this.#actual += bytes;
    if (this.#actual <= ALLOWED_BYTES) return;
    const limit = { name: 'call_size', allowed: ALLOWED_BYTES, actual: this.#actual, unit: 'bytes' };
    throw new Refusal(
      'FILE_TOO_LARGE',
      `Cannot do this in one call: its files, with the node paths that it changes, exceed ${ALLOWED_BYTES} bytes in all.`,
      {},
      {
        limit,
        advice: [`Send fewer files at a time${this.#files > 1 ? `: the first ${this.#files} fit` : ''}`],
      },
    );
  }

  /** Adds the paths of a proven edit, and throws the same. */
  addPaths(changes: readonly { readonly path: string }[]): void {
    this.#add(changes.reduce((sum, { path }) => sum + path.length, 0) * BYTES_FOR_A_PATH_CHAR);
  }
}
