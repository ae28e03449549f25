// What both threads see at once of the running call: how many steps it has taken, and at which file it works.

const HEARTBEAT = 0;
const FILE_BYTES = 1;
const CELLS_BYTES = 8;
/** No path of a request is longer. */
const MAX_FILE_BYTES = 4_096;

export class SharedCallState {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;
  readonly #file: Buffer;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(CELLS_BYTES + MAX_FILE_BYTES)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory, 0, CELLS_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#file = Buffer.from(memory, CELLS_BYTES);
  }

  /** The calling thread hands over a call. */
  begin(): void {
    Atomics.store(this.#cells, FILE_BYTES, 0);
  }

  /** The serving thread calls this between two steps. */
  heartbeat(): void {
    Atomics.add(this.#cells, HEARTBEAT, 1);
  }

  get heartbeats(): number {
    return Atomics.load(this.#cells, HEARTBEAT);
  }

  /** The serving thread begins to work on a file. */
  begins(file: string): void {
    Atomics.store(this.#cells, FILE_BYTES, this.#file.write(file));
  }

  /** The file that the call works on, or has worked on last; undefined before the first one. */
  get file(): string | undefined {
    return this.#file.toString('utf8', 0, Atomics.load(this.#cells, FILE_BYTES)) || undefined;
  }
}
