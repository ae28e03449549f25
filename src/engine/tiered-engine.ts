// Two places to serve a call: small reads and previews in the thread that asks, for the way to another thread and
// back takes longer than they do, and everything else in a thread of its own, which is started when it is first
// needed. Here the limits are so tight that no step takes long; what meets one of them is served over there, as if
// it had never been here. Nothing is written here but previews, and nobody's lock is waited for. Calls are served in
// the order of arrival, but what takes long over there holds up nothing here.
import {
  type ErrorCode,
  type Limits,
  Refusal,
  reopenState,
  StartError,
  toHandle,
} from '../security/index.ts';
import { CallQueue } from './call-queue.ts';
import type { Call, CallControl, Engine, EngineContext, Outcome } from './engine.ts';
import { InlineEngine } from './inline-engine.ts';
import { isSmallCall } from './small-call.ts';
import { WorkerEngine } from './worker-engine.ts';
import { keepYoungSpace } from './young-space.ts';

/** A hundred kilobytes of real configuration, and nothing that costs much more than its bytes: see docs/security-figures.md. */
const MOST_HERE = {
  parsedSizeBytes: 130_000,
  tokens: 60_000,
  // What only `yaml` reads costs a hundred times as much.
  referenceTokens: 0,
  // A few may stand for a great many values.
  aliases: 0,
  documents: 100,
  parseMs: 20,
  // The event loop turns between its steps: this is only about who else waits.
  callMs: 2_000,
} as const;

/** What was sent together is served one after the other, where that does not take longer. */
const HOLDS_MS = 1_000;

const BEYOND = new Set<ErrorCode>([
  // What may be otherwise where there is more time, more memory and more patience.
  ...(['YAML_LIMIT', 'FILE_TOO_LARGE', 'TIMEOUT', 'BUSY'] as const),
  // What takes a walk over all files to explain.
  ...(['FILE_NOT_FOUND', 'PATH_INVALID', 'PATH_OUTSIDE_ROOT'] as const),
]);
const isBeyond = ({ code }: Refusal): boolean => BEYOND.has(code);

export class TieredEngine implements Engine {
  readonly #context: EngineContext;
  readonly #there: WorkerEngine;
  readonly #queue: CallQueue;
  #here: InlineEngine | undefined;

  constructor(engineContext: EngineContext) {
    this.#context = engineContext;
    this.#queue = new CallQueue(engineContext, HOLDS_MS);
    this.#there = new WorkerEngine(engineContext);
  }

  /** So that the first call need not wait for what is loaded late. Never rejects. */
  async warmUp(): Promise<void> {
    await this.#fit()?.warmUp();
    keepYoungSpace();
  }

  run(call: Call, watch: CallControl): Promise<Outcome> {
    return this.#queue.run(call, watch, () => this.#serve(call, watch));
  }

  close(): void {
    this.#here?.close();
    this.#there.close();
  }

  async #serve(call: Call, watch: CallControl): Promise<Outcome> {
    const here = isSmallCall(call) ? this.#fit() : undefined;
    try {
      // Nobody needs to hear how far a small call has come, and nobody may hear that it went back.
      if (here !== undefined) return await here.serve(call, { ...watch, progress: undefined });
    } catch (thrown) {
      if (!(thrown instanceof Refusal && isBeyond(thrown))) throw thrown;
    }
    return this.#there.run(call, watch);
  }

  /** Undefined where calls cannot be served here: then the other thread finds words for why. */
  #fit(): InlineEngine | undefined {
    const { policy, state, log: plain } = this.#context;
    // Two readers for each text take their time.
    if (policy.verify === 'full') return undefined;
    if (this.#here !== undefined) return this.#here;
    try {
      const hasty = state === undefined ? undefined : reopenState(toHandle(state), plain, 0);
      const log = hasty?.log ?? plain;
      const limits = tightened(policy.limits);
      const context = { ...this.#context, policy: { ...policy, limits }, log, state: hasty };
      this.#here = new InlineEngine(context, { isolation: 'worker', leaves: isBeyond });
      return this.#here;
    } catch (error) {
      if (error instanceof StartError) return undefined;
      throw error;
    }
  }
}

/** Never more than the operator allows. */
function tightened(limits: Limits): Limits {
  const { parsedSizeBytes, tokens, documents, parseMs, callMs } = limits;
  return {
    ...limits,
    ...MOST_HERE,
    parsedSizeBytes: Math.min(parsedSizeBytes, MOST_HERE.parsedSizeBytes),
    tokens: Math.min(tokens, MOST_HERE.tokens),
    documents: Math.min(documents, MOST_HERE.documents),
    parseMs: Math.min(parseMs, MOST_HERE.parseMs),
    callMs: Math.min(callMs, MOST_HERE.callMs),
  };
}
