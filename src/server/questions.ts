// Keeps the open questions at clients, and seals them. At most one is open for each principal. It ends with the first answer, or when
// its time is over. A question that another process has asked with the same key may be answered here. The state ensures that a
// preview is applied once.
import type { RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Call } from '../engine/engine.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { canonicalJson, sha256Hex } from '../state/canonical.ts';

/** The time in milliseconds for a person to answer. */
const ANSWER_TIMEOUT_MS = 120_000;

/** The sealed state of a question; the client can read it, but cannot make or change one. */
const State = z.strictObject({ preview: z.string(), nonce: z.string(), call: z.string() });

export interface Question {
  readonly preview: string;
  readonly nonce: string;
  /** The hash of the principal, the tool and all its arguments: an answer is not valid for any other call. */
  readonly call: string;
  readonly principal: string | undefined;
  readonly untilMs: number;
}

/** Returns the key, of at least 32 bytes. Processes with the same key accept each other's questions. */
export type SigningKey = () => Promise<Uint8Array>;

/** A key for this connection only: its signatures are not valid on another one, or after a restart. */
const randomKey: SigningKey = async () => crypto.getRandomValues(new Uint8Array(32));

export class Questions {
  readonly answerTimeoutMs: number;
  readonly #key: SigningKey;
  #codec: Promise<RequestStateCodec<z.infer<typeof State>>> | undefined;
  /** The open questions by principal. */
  readonly #open = new Map<string | undefined, Question>();
  /** The nonces of ended questions, each with the time at which it would have ended anyway. */
  readonly #ended = new Map<string, number>();

  constructor(answerTimeoutMs = ANSWER_TIMEOUT_MS, key = randomKey) {
    this.answerTimeoutMs = answerTimeoutMs;
    this.#key = key;
  }

  /**
   * Begins a question. Throws BUSY while another preview is asked about, because a second question could replace a harmless one
   * just before the click. The same preview may be asked about again; then the latest counts.
   */
  begin(preview: string, call: Call): Question {
    const now = performance.now();
    const { principal } = call.caller;
    const open = this.#open.get(principal);
    if (open !== undefined && open.preview !== preview && now < open.untilMs) {
      const seconds = Math.ceil((open.untilMs - now) / 1_000);
      throw new Refusal(
        'BUSY',
        `Cannot ask about this preview yet: a question about another one is open, for ${seconds} seconds at most`,
      );
    }
    if (open !== undefined) this.end(open);
    const untilMs = now + this.answerTimeoutMs;
    const question = { preview, nonce: crypto.randomUUID(), call: callHash(call), principal, untilMs };
    this.#open.set(principal, question);
    return question;
  }

  async seal({ preview, nonce, call }: Question): Promise<string> {
    return (await this.#seals()).mint({ preview, nonce, call });
  }

  /** True if the state was sealed for an open question, and comes with the same call. */
  async redeem(state: string, call: Call, context: ServerContext): Promise<boolean> {
    const found = await (await this.#seals())
      .verify(state, context)
      .then(State.parse)
      .catch(() => undefined);
    if (found === undefined || this.#ended.has(found.nonce)) return false;
    const open = this.#open.get(call.caller.principal);
    if (open?.nonce === found.nonce) return this.end(open) && found.call === callHash(call);
    // Another process has asked the question. If one is open here, that is the latest, and only that counts.
    if (open !== undefined && performance.now() < open.untilMs) return false;
    this.#close(found.nonce, performance.now() + this.answerTimeoutMs);
    return found.call === callHash(call);
  }

  /** Ends a question; false if its time was up, or another has replaced it. */
  end(question: Question): boolean {
    if (this.#open.get(question.principal) !== question) return false;
    this.#open.delete(question.principal);
    this.#close(question.nonce, question.untilMs);
    return performance.now() < question.untilMs;
  }

  /** Remembers the nonce for longer than its seal is valid, which counts in whole seconds. */
  #close(nonce: string, untilMs: number): void {
    const now = performance.now();
    for (const [old, until] of this.#ended) if (until < now) this.#ended.delete(old);
    this.#ended.set(nonce, untilMs + 2_000);
  }

  /** Makes the codec for seals when it is first needed, because most connections never ask. */
  #seals(): Promise<RequestStateCodec<z.infer<typeof State>>> {
    const ttlSeconds = Math.ceil(this.answerTimeoutMs / 1_000);
    this.#codec ??= this.#key().then(async (key) => {
      // The module is loaded on demand, because it also holds the SDK's part for HTTP.
      const { createRequestStateCodec } = await import('@modelcontextprotocol/server');
      return createRequestStateCodec({ key, ttlSeconds });
    });
    return this.#codec;
  }
}

function callHash({ tool, args, caller }: Call): string {
  return sha256Hex(canonicalJson([caller.principal ?? null, tool, args]));
}
