// The questions that are open at clients, and their seals. At most one is open for each principal. It is over with the first
// answer, whatever that says, or when its time is up. A question that another process has asked with the same key may be
// answered here; that a preview is applied once is then for the state to hold.
import type { RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Call } from '../engine/index.ts';
import { canonicalJson, Refusal, sha256Hex } from '../security/index.ts';

/** How long a person may take. */
const PATIENCE_MS = 120_000;

/** The client can read it, and cannot make or change one. */
const State = z.strictObject({ preview: z.string(), nonce: z.string(), call: z.string() });

export interface Question {
  readonly preview: string;
  readonly nonce: string;
  /** Hash of the principal, the tool and all its arguments: an answer is worth nothing for any other call. */
  readonly call: string;
  readonly principal: string | undefined;
  readonly untilMs: number;
}

/** The key, of at least 32 bytes, with which all processes sign that may answer for each other. */
export type SigningKey = () => Promise<Uint8Array>;

/** What was signed with it is worth nothing on another connection, or after a restart. */
const ownKey: SigningKey = async () => crypto.getRandomValues(new Uint8Array(32));

export class Questions {
  readonly patienceMs: number;
  readonly #key: SigningKey;
  #codec: Promise<RequestStateCodec<z.infer<typeof State>>> | undefined;
  /** By principal. */
  readonly #open = new Map<string | undefined, Question>();
  /** The nonces of those that are over, each with the time at which it would be over anyway. */
  readonly #over = new Map<string, number>();

  constructor(patienceMs = PATIENCE_MS, key = ownKey) {
    this.patienceMs = patienceMs;
    this.#key = key;
  }

  /**
   * Throws BUSY while another preview is asked about. The attack: a harmless question, and a second one that takes
   * its place in the moment before the click. The same preview may be asked about again; then the latest counts.
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
    const untilMs = now + this.patienceMs;
    const question = { preview, nonce: crypto.randomUUID(), call: nameOf(call), principal, untilMs };
    this.#open.set(principal, question);
    return question;
  }

  async seal({ preview, nonce, call }: Question): Promise<string> {
    return (await this.#seals()).mint({ preview, nonce, call });
  }

  /** Whether the state is the one that was sealed for an open question, and comes with the same call. */
  async redeem(state: string, call: Call, context: ServerContext): Promise<boolean> {
    const found = await (await this.#seals())
      .verify(state, context)
      .then(State.parse)
      .catch(() => undefined);
    if (found === undefined || this.#over.has(found.nonce)) return false;
    const open = this.#open.get(call.caller.principal);
    if (open?.nonce === found.nonce) return this.end(open) && found.call === nameOf(call);
    // Asked by another process. What is open here is the latest, and counts.
    if (open !== undefined && performance.now() < open.untilMs) return false;
    this.#close(found.nonce, performance.now() + this.patienceMs);
    return found.call === nameOf(call);
  }

  /** False where its time was up, or another has taken its place. */
  end(question: Question): boolean {
    if (this.#open.get(question.principal) !== question) return false;
    this.#open.delete(question.principal);
    this.#close(question.nonce, question.untilMs);
    return performance.now() < question.untilMs;
  }

  /** Longer than its seal holds, which counts in whole seconds. */
  #close(nonce: string, untilMs: number): void {
    const now = performance.now();
    for (const [old, until] of this.#over) if (until < now) this.#over.delete(old);
    this.#over.set(nonce, untilMs + 2_000);
  }

  /** Most connections never ask. */
  #seals(): Promise<RequestStateCodec<z.infer<typeof State>>> {
    const ttlSeconds = Math.ceil(this.patienceMs / 1_000);
    this.#codec ??= this.#key().then(async (key) => {
      // Beside it stands what the SDK has for HTTP.
      const { createRequestStateCodec } = await import('@modelcontextprotocol/server');
      return createRequestStateCodec({ key, ttlSeconds });
    });
    return this.#codec;
  }
}

function nameOf({ tool, args, caller }: Call): string {
  return sha256Hex(canonicalJson([caller.principal ?? null, tool, args]));
}
