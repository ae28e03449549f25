// The few numbers about the running call that both threads see at once: whether it runs, writes or was stopped, and how
// many steps it has taken. They make sure that nobody ends a thread in the middle of a write. Who watches the steps only
// reports: what may be done about it depends on the state of the call.
import type { Limits } from '../security/index.ts';

const PHASE = 0;
const HEARTBEAT = 1;

const IDLE = 0;
const RUNNING = 1;
const COMMITTING = 2;
const COMMITTED = 3;
const KILLED = 4;

export class SharedCallState {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** The thread that asks: a call is handed over. */
  begin(): void {
    Atomics.store(this.#cells, PHASE, RUNNING);
  }

  /** The thread that asks: false where the call is writing, or over already; else it will never write. */
  kill(): boolean {
    const before = Atomics.compareExchange(this.#cells, PHASE, RUNNING, KILLED);
    return before === RUNNING || before === KILLED;
  }

  /** The thread that serves: false where the call was stopped. Without it, a thread could be ended between two renames. */
  beginCommit(): boolean {
    return Atomics.compareExchange(this.#cells, PHASE, RUNNING, COMMITTING) === RUNNING;
  }

  endCommit(): void {
    this.#leave(COMMITTED);
  }

  /** The thread that serves: the call is over. A call that was stopped stays so. */
  end(): void {
    if (Atomics.load(this.#cells, PHASE) !== KILLED) this.#leave(IDLE);
  }

  get hasBegunCommit(): boolean {
    const phase = Atomics.load(this.#cells, PHASE);
    return phase === COMMITTING || phase === COMMITTED;
  }

  get isCommitting(): boolean {
    return Atomics.load(this.#cells, PHASE) === COMMITTING;
  }

  /** The thread that serves, between two steps. */
  heartbeat(): void {
    Atomics.add(this.#cells, HEARTBEAT, 1);
  }

  get heartbeats(): number {
    return Atomics.load(this.#cells, HEARTBEAT);
  }

  /** Blocks until the write that has begun is over. */
  waitForCommit(patienceMs: number): void {
    Atomics.wait(this.#cells, PHASE, COMMITTING, patienceMs);
  }

  #leave(phase: number): void {
    Atomics.store(this.#cells, PHASE, phase);
    Atomics.notify(this.#cells, PHASE);
  }
}

const LOOK_EVERY_MS = 50;
/** A step that computes little for its time waits for the disk, or for the other work of the machine. */
const PATIENCE = 5;

export interface Clock {
  now(): number;
  /** What the process has computed so far. */
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
 * Says at every look what took too long, until it is stopped by the function that it returns. A step's time is
 * that of a machine with nothing else to do, so that a busy one refuses no more than a quiet one.
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
    // Several processors compute more than the time that passes.
    const stepTook = Math.max(
      Math.min(now - stepBegan, computed - computedBefore),
      (now - stepBegan) / PATIENCE,
    );
    if (now - callBegan > callMs) isTooLong('call');
    else if (stepTook > stepMs) isTooLong('step');
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
