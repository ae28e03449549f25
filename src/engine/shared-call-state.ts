// The few numbers about the running call that both threads see at once: whether it runs, writes or was stopped, and how many
// steps it has taken. They ensure that no thread is ended in the middle of a write. The watch on steps only reports; the state
// of the call decides what may be done.
import type { Limits } from '../security/index.ts';

const PHASE = 0;
const HEARTBEAT = 1;

/** The call has ended, or has written and goes on; nothing of it is stopped any more. */
const DONE = 0;
const RUNNING = 1;
const COMMITTING = 2;
const KILLED = 3;

export class SharedCallState {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** The calling thread hands over a call. */
  begin(): void {
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

  /** Blocks until a write that has begun is over, or `patienceMs` have passed; after that nothing is written. */
  stop(patienceMs: number): void {
    while (Atomics.wait(this.#cells, PHASE, COMMITTING, patienceMs) !== 'timed-out')
      if ([RUNNING, DONE, KILLED].some((phase) => this.#change(phase, KILLED))) return;
  }

  #change(from: number, to: number): boolean {
    return Atomics.compareExchange(this.#cells, PHASE, from, to) === from;
  }
}

const LOOK_EVERY_MS = 50;
/** A step may take this many times its computing time, while it waits for the disk or other work of the machine. */
const PATIENCE = 5;

export interface Clock {
  now(): number;
  /** The computing time of the process so far, in milliseconds. */
  computed(): number;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  computed: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Reports at each check what took too long, until the function that it returns is called. The time of a step is computing time,
 * so that a busy machine refuses no more than a quiet one.
 */
export function watchSteps(
  callState: SharedCallState,
  { stepMs, callMs }: Limits,
  isTooLong: (what: 'step' | 'call') => void,
  clock: Clock = CLOCK,
): () => void {
  const callBegan = clock.now();
  let stepBegan = callBegan;
  let computedBefore = clock.computed();
  let heartbeats = callState.heartbeats;
  const timer = setInterval(() => {
    const now = clock.now();
    const computed = clock.computed();
    if (callState.heartbeats !== heartbeats) {
      heartbeats = callState.heartbeats;
      stepBegan = now;
      computedBefore = computed;
    }
    // Several processors can compute more than the time that passes, so the smaller number counts.
    const stepTook = Math.max(
      Math.min(now - stepBegan, computed - computedBefore),
      (now - stepBegan) / PATIENCE,
    );
    if (now - callBegan > callMs) isTooLong('call');
    else if (stepTook > stepMs) isTooLong('step');
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
