// What files said when they were last read, so that the same bytes need not be decoded and hashed again. Goes by
// the bytes alone, which were read anew each time: a change on the disk is always seen. Bounded.
import { hash } from 'node:crypto';
import { decodeUtf8 } from '../checks/utf8.ts';

const MOST_BYTES = 4_000_000;
const MOST_FILES = 100;
const MOST_SCRATCH_BYTES = 1_000_000;

export interface Reading {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly sha256: string;
}

export class Readings {
  /** By path, the last one of each; oldest first. */
  readonly #last = new Map<string, Reading>();
  #bytes = 0;
  /** What is read goes here first, for mostly it is known. */
  #scratch = new Uint8Array(0);

  /** For reading the next file, and until then only. */
  bufferOf(sizeBytes: number): Uint8Array {
    if (sizeBytes > MOST_SCRATCH_BYTES) return new Uint8Array(sizeBytes);
    if (this.#scratch.length < sizeBytes) this.#scratch = new Uint8Array(sizeBytes);
    return this.#scratch.subarray(0, sizeBytes);
  }

  /** Throws NOT_UTF8. */
  of(file: string, bytes: Uint8Array): Reading {
    const last = this.#last.get(file);
    const isSame = last !== undefined && Buffer.compare(last.bytes, bytes) === 0;
    const reading = isSame ? last : read(file, bytes);
    this.#forget(file);
    this.#keep(file, reading);
    return reading;
  }

  #keep(file: string, reading: Reading): void {
    this.#last.set(file, reading);
    this.#bytes += reading.bytes.length;
    for (const oldest of this.#last.keys()) {
      if (this.#bytes <= MOST_BYTES && this.#last.size <= MOST_FILES) return;
      this.#forget(oldest);
    }
  }

  #forget(file: string): void {
    this.#bytes -= this.#last.get(file)?.bytes.length ?? 0;
    this.#last.delete(file);
  }
}

/** A copy of its own: the bytes that were read are written over by the next file. */
function read(file: string, bytes: Uint8Array): Reading {
  const own = new Uint8Array(bytes);
  return { bytes: own, text: decodeUtf8(own, file), sha256: sha256(own) };
}

export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
