// The one question that may be open at the client, and the signed state that an answer has to bring back. It
// is over with the first answer, whatever that says, or when its time is up.
import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Call } from '../engine/index.ts';
import { canonicalJson, Refusal } from '../security/index.ts';

/** The client can read it, and cannot make or change one. */
const State = z.strictObject({ preview: z.string(), nonce: z.string() });

export interface Question {
  readonly preview: string;
  readonly nonce: string;
  /** The tool and all its arguments: an answer is worth nothing for any other call. */
  readonly call: string;
  readonly untilMs: number;
}

export class Questions {
  readonly #patienceMs: number;
  #codec: RequestStateCodec<z.infer<typeof State>> | undefined;
  #open: Question | undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /**
   * Throws BUSY while another preview is asked about. The attack: a harmless question, and a second one that takes
   * its place in the moment before the click. The same preview may be asked about again; then the latest counts.
   */
  begin(preview: string, call: Call): Question {
    const now = performance.now();
    if (this.#open !== undefined && this.#open.preview !== preview && now < this.#open.untilMs) {
      const seconds = Math.ceil((this.#open.untilMs - now) / 1_000);
      throw new Refusal(
        'BUSY',
        `Cannot ask about this preview yet: a question about another one is open, for ${seconds} seconds at most`,
      );
    }
    this.#open = { preview, nonce: crypto.randomUUID(), call: nameOf(call), untilMs: now + this.#patienceMs };
    return this.#open;
  }

  seal({ preview, nonce }: Question): Promise<string> {
    return this.#seals().mint({ preview, nonce });
  }

  /** Whether the state is the one that was sealed for the open question, and comes with the same call. */
  async redeem(state: string, call: Call, context: ServerContext): Promise<boolean> {
    const found = await this.#seals()
      .verify(state, context)
      .then(State.parse)
      .catch(() => undefined);
    const open = this.#open;
    if (found === undefined || open === undefined) return false;
    if (found.nonce !== open.nonce || found.preview !== open.preview) return false;
    return this.end(open) && open.call === nameOf(call);
  }

  /** False where its time was up, or another has taken its place. */
  end(question: Question): boolean {
    if (this.#open !== question) return false;
    this.#open = undefined;
    return performance.now() < question.untilMs;
  }

  /** Most connections never ask. */
  #seals(): RequestStateCodec<z.infer<typeof State>> {
    this.#codec ??= createRequestStateCodec({
      // Of this connection alone: nothing that was signed before a restart is worth anything.
      key: crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: Math.ceil(this.#patienceMs / 1_000),
    });
    return this.#codec;
  }
}

function nameOf({ tool, args }: Call): string {
  return canonicalJson([tool, args]);
}
