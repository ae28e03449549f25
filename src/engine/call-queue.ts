// One call at a time, and an outcome for each: whatever is thrown on the way is explained. Only this file decides which of
// the waiting calls comes next, and how many may wait. The order is that of arrival; but after a large call, those likely to
// take less than half as long as the oldest come first, for as long as the large one took. No call is interrupted.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../security/index.ts';
import { CANCELLED, type Call, type CallControl, type EngineContext, type Outcome } from './engine.ts';
import { explainFailure } from './failure.ts';

const MAX_WAITING = 256;
/** Most clients give up a call after a minute; the small calls may take the other half of it. */
const MAX_WAITING_MS = 30_000;
const LARGE_MS = 100;
const MAX_KINDS = 200;

interface Waiting {
  readonly call: Call;
  readonly kind: string;
  readonly begin: (isOldest: boolean) => void;
}

export class CallQueue {
  readonly #context: EngineContext;
  readonly #waiting: Waiting[] = [];
  /** How long the last call of each kind took; the kind that was served last stands last. */
  readonly #tookMs = new Map<string, number>();
  /** How long small calls still come first. */
  #smallFirstMs = 0;
  #isServing = false;

  constructor(engineContext: EngineContext) {
    this.#context = engineContext;
  }

  /** Never rejects. A call that is cancelled before its turn never begins; where too much waits, the answer is BUSY. */
  async run(call: Call, { signal }: CallControl, serve: () => Promise<Outcome>): Promise<Outcome> {
    const kind = JSON.stringify([call.tool, filesOf(call.args)]);
    try {
      const isOldest = await new Promise<boolean>((begin) => {
        this.#push({ call, kind, begin });
        if (!this.#isServing) void this.#serveNext();
      });
      const begunMs = performance.now();
      try {
        signal.throwIfAborted();
        return await serve();
      } finally {
        if (!signal.aborted) this.#learn(kind, performance.now() - begunMs, isOldest);
        void this.#serveNext();
      }
    } catch (thrown) {
      return signal.aborted ? CANCELLED : explainFailure(thrown, call, this.#context);
    }
  }

  #push(next: Waiting): void {
    const count = this.#waiting.length;
    const waitingMs = this.#waiting.reduce((sum, other) => sum + this.#likelyMs(other), 0);
    // Ten thousand pipelined calls must not become ten thousand parsed documents in memory.
    if (count >= MAX_WAITING || (waitingMs > MAX_WAITING_MS && this.#likelyMs(next) >= LARGE_MS)) {
      throw new Refusal('BUSY', `Cannot take another call: ${count} are waiting already. Send fewer at once`);
    }
    this.#waiting.push(next);
  }

  async #serveNext(): Promise<void> {
    this.#isServing = true;
    // Between two calls the event loop turns, so that a cancellation or a ping is heard.
    await nextTurn();
    const index = this.#indexOfNext();
    const [next] = this.#waiting.splice(index, 1);
    next?.begin(index === 0);
    this.#isServing = next !== undefined;
  }

  /** Nothing overtakes a call that asks for a write, and such a call overtakes none: each sees what was sent before it. */
  #indexOfNext(): number {
    const write = this.#waiting.findIndex(({ call }) => call.writes);
    const free = this.#waiting.slice(0, write === -1 ? undefined : write);
    const [oldestMs = 0, ...likelyMs] = free.map((one) => this.#likelyMs(one));
    const leastMs = Math.min(...likelyMs);
    return this.#smallFirstMs > 0 && leastMs < oldestMs / 2 ? 1 + likelyMs.indexOf(leastMs) : 0;
  }

  /** By the last call of its kind; where there was none, a millisecond for each edit. */
  #likelyMs({ call, kind }: Waiting): number {
    const { edits } = call.args;
    return this.#tookMs.get(kind) ?? (Array.isArray(edits) ? Math.min(edits.length, LARGE_MS) : 0);
  }

  #learn(kind: string, tookMs: number, wasOldest: boolean): void {
    this.#tookMs.delete(kind);
    this.#tookMs.set(kind, tookMs);
    const [longestAgo = ''] = this.#tookMs.keys();
    if (this.#tookMs.size > MAX_KINDS) this.#tookMs.delete(longestAgo);
    if (this.#waiting.length === 0) this.#smallFirstMs = 0;
    else if (wasOldest && tookMs >= LARGE_MS) this.#smallFirstMs = tookMs;
    else this.#smallFirstMs -= tookMs;
  }
}

const MAX_FILES = 20;
const MAX_EDITS = 1_000;
const MAX_CHARS = 256;

/** That the call names, by itself or in its list of edits; cut, for its arguments are not checked yet and may be anything. */
export function filesOf(args: Call['args']): readonly string[] {
  const edits: readonly unknown[] = Array.isArray(args['edits']) ? args['edits'] : [];
  const items = [args, ...edits.slice(0, MAX_EDITS)];
  return [...new Set(items.flatMap((item) => fileOf(item) ?? []))].slice(0, MAX_FILES);
}

function fileOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('file' in item)) return undefined;
  return typeof item.file === 'string' ? item.file.slice(0, MAX_CHARS) : undefined;
}
