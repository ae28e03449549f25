// Serves one call at a time, with an outcome for each: whatever is thrown is explained. Calls of one principal are served in
// the order of arrival, and principals take turns, so that nobody waits for all that another has sent. Only this file decides
// how many may wait. No call is interrupted.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../security/errors/refusal.ts';
import { CANCELLED, type Call, type CallControl, type EngineContext, type Outcome } from './engine.ts';
import { explainFailure } from './failure.ts';

/** The most calls of one principal that may wait. They are few, so that the last one is answered before most clients give up. */
const MAX_WAITING = 32;
const RETRY_SECONDS = 5;

export class CallQueue {
  readonly #context: EngineContext;
  /** The waiting calls by principal, in the order of their turns. */
  readonly #waiting = new Map<string | undefined, readonly (() => void)[]>();
  #isServing = false;

  constructor(engineContext: EngineContext) {
    this.#context = engineContext;
  }

  /** Runs a call in its turn, and never rejects. A call that is cancelled before its turn never begins; where too many wait, the answer is BUSY. */
  async run(call: Call, { signal }: CallControl, serve: () => Promise<Outcome>): Promise<Outcome> {
    try {
      await new Promise<void>((begin) => {
        this.#push(call.caller.principal, begin);
        if (!this.#isServing) void this.#serveNext();
      });
      try {
        signal.throwIfAborted();
        return await serve();
      } finally {
        void this.#serveNext();
      }
    } catch (thrown) {
      return signal.aborted ? CANCELLED : explainFailure(thrown, call, this.#context);
    }
  }

  #push(principal: string | undefined, begin: () => void): void {
    const waiting = this.#waiting.get(principal) ?? [];
    const { length } = waiting;
    if (length >= MAX_WAITING)
      throw new Refusal(
        'BUSY',
        `Cannot take another call: ${length} are waiting already. Send fewer at once, and this one again in ${RETRY_SECONDS} seconds`,
      );
    this.#waiting.set(principal, [...waiting, begin]);
  }

  async #serveNext(): Promise<void> {
    this.#isServing = true;
    // Between two calls the event loop turns, so that cancellations and pings are heard.
    await nextTurn();
    const [principal, [begin, ...others]] = [...this.#waiting][0] ?? [undefined, []];
    // The principal of this call goes to the end of the queue.
    this.#waiting.delete(principal);
    if (others.length > 0) this.#waiting.set(principal, others);
    begin?.();
    this.#isServing = begin !== undefined;
  }
}

const MAX_FILES = 20;
const MAX_EDITS = 1_000;
const MAX_CHARS = 256;

/** Returns the files that the arguments name, directly or in their edits. They are cut, because unchecked arguments may be anything. */
export function filesOf(args: Call['args']): readonly string[] {
  const edits: readonly unknown[] = Array.isArray(args['edits']) ? args['edits'] : [];
  const items = [args, ...edits.slice(0, MAX_EDITS)];
  return [...new Set(items.flatMap((item) => fileOf(item) ?? []))].slice(0, MAX_FILES);
}

function fileOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('file' in item)) return undefined;
  return typeof item.file === 'string' ? item.file.slice(0, MAX_CHARS) : undefined;
}
