// What both threads see at once of the running call: whether it runs, writes or was stopped, how many steps it has taken, and
// at which file it works. It ensures that no thread is ended in the middle of a write.

const PHASE = 0;
const HEARTBEAT = 1;
const FILE_BYTES = 2;
const CELLS_BYTES = 12;
/** No path of a request is longer. */
const MAX_FILE_BYTES = 4_096;

/** The call has ended, or has written and goes on; nothing of it is stopped any more. */
const DONE = 0;
const RUNNING = 1;
const COMMITTING = 2;
const KILLED = 3;

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
    Atomics.store(this.#cells, PHASE, RUNNING);
  }

  /** The calling thread stops the call, which then never writes; false where it is writing or has ended. */
  kill(): boolean {
    return [RUNNING, KILLED].some((phase) => this.#change(phase, KILLED));
  }

  /** The serving thread begins a write; false where the call was stopped. Without this, a thread could be ended between two renames. */
  beginCommit(): boolean {
    // A call may write again: it settles what another process left, and then applies its preview.
    return [RUNNING, DONE].some((phase) => this.#change(phase, COMMITTING));
  }

  /** The serving thread has written, or ends the call. A call that was stopped stays so. */
  done(): void {
    if (Atomics.load(this.#cells, PHASE) === KILLED) return;
    Atomics.store(this.#cells, PHASE, DONE);
    Atomics.notify(this.#cells, PHASE);
  }

  get hasBegunCommit(): boolean {
    const phase = Atomics.load(this.#cells, PHASE);
    return phase === COMMITTING || phase === DONE;
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

  /** Blocks until a write that has begun is over, or `patienceMs` have passed; after that nothing is written. */
  stop(patienceMs: number): void {
    while (Atomics.wait(this.#cells, PHASE, COMMITTING, patienceMs) !== 'timed-out')
      if ([RUNNING, DONE, KILLED].some((phase) => this.#change(phase, KILLED))) return;
  }

  #change(from: number, to: number): boolean {
    return Atomics.compareExchange(this.#cells, PHASE, from, to) === from;
  }
}
