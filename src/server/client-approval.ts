// The yes of the person at the client, asked for by MCP elicitation: by a request of the server in revisions
// before 2026-07-28, by a result that asks and a second call in later ones. Whatever is not plainly a yes to
// the question that is open is a no. It does NOT know who sits there: the client's word is all there is.
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  SdkError,
  SdkErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Call, Outcome } from '../engine/index.ts';
import { canonicalJson, Refusal } from '../security/index.ts';

/** How long a person may take. */
const PATIENCE_MS = 120_000;
const FIRST_MODERN_REVISION = '2026-07-28';
/** What the answer is called in a second call. */
const KEY = 'approval';

const Answer = z.discriminatedUnion('action', [
  z.looseObject({ action: z.literal('accept'), content: z.strictObject({ apply: z.boolean() }) }),
  z.looseObject({ action: z.literal('decline') }),
  z.looseObject({ action: z.literal('cancel') }),
]);

/** Whether the person at the client has said yes. */
type ClientAnswer = 'client' | 'declined';

export class ClientApproval {
  readonly #server: Server;
  readonly #patienceMs: number;
  readonly #questions: Questions;

  constructor(server: Server, patienceMs: number = PATIENCE_MS) {
    this.#server = server;
    this.#patienceMs = patienceMs;
    this.#questions = new Questions(patienceMs);
  }

  /** For a call that brings an answer to the open question. Throws Refusal for what is none. */
  async confirmationIn(call: Call, context: ServerContext): Promise<ClientAnswer | undefined> {
    const { mcpReq } = context;
    // Never by the presence of an answer: who was not asked can send one.
    const state = mcpReq.requestState();
    if (state === undefined) return undefined;
    if (typeof state !== 'string' || !(await this.#questions.redeem(state, call, context))) {
      throw unavailable(
        'the answer belongs to no question that is open: too late, used before, or never asked',
      );
    }
    return answerIn(mcpReq.inputResponses?.[KEY]);
  }

  /** What the person has said; or the result that makes the client ask. Throws Refusal. */
  async ask(
    { preview, question }: Outcome & { status: 'ask' },
    call: Call,
    context: ServerContext,
  ): Promise<ClientAnswer | InputRequiredResult> {
    const isModern = (this.#server.getNegotiatedProtocolVersion() ?? '') >= FIRST_MODERN_REVISION;
    const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
    const able = isModern ? envelope[CLIENT_CAPABILITIES_META_KEY] : this.#server.getClientCapabilities();
    if (!hasForms(able)) throw unavailable('this client declares no way to ask (elicitation by forms)');
    const open = this.#questions.begin(preview, call);
    if (isModern) {
      const inputRequests = { [KEY]: inputRequired.elicit(formWith(question)) };
      return inputRequired({ inputRequests, requestState: await this.#questions.seal(open) });
    }
    try {
      const answer = await this.#request(question, context);
      if (!this.#questions.end(open))
        throw unavailable('the question was no longer open when the answer came');
      return answerIn(answer);
    } finally {
      this.#questions.end(open);
    }
  }

  async #request(question: string, { mcpReq }: ServerContext): Promise<unknown> {
    const { signal } = mcpReq;
    try {
      const request = { method: 'elicitation/create', params: { ...formWith(question) } } as const;
      return await mcpReq.send(request, { signal, timeout: this.#patienceMs });
    } catch (cause) {
      const isLate = cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout;
      const seconds = Math.round(this.#patienceMs / 1_000);
      throw unavailable(
        isLate ? `nobody answered within ${seconds} seconds` : 'the client did not ask',
        cause,
      );
    }
  }
}

function formWith(message: string): ElicitRequestFormParams {
  return {
    message,
    requestedSchema: {
      type: 'object',
      // A client that fills in what it is not told says no.
      properties: { apply: { type: 'boolean', title: 'Apply exactly this', default: false } },
      required: ['apply'],
    },
  };
}

/** A client of the revision that brought elicitation declares it without naming a kind. */
function hasForms(capabilities: unknown): boolean {
  const declared = z.looseObject({ elicitation: z.looseObject({}) }).safeParse(capabilities);
  if (!declared.success) return false;
  const { elicitation } = declared.data;
  return elicitation['form'] !== undefined || elicitation['url'] === undefined;
}

/** A question that was closed is no answer. */
function answerIn(said: unknown): ClientAnswer {
  const { success, data: answer } = Answer.safeParse(said);
  if (!success) throw unavailable('the client sent no answer to the question that was asked');
  if (answer.action === 'accept') return answer.content.apply ? 'client' : 'declined';
  if (answer.action === 'decline') return 'declined';
  throw new Refusal(
    'APPROVAL_DECLINED',
    'Cannot apply this preview: the person closed the question without an answer',
    {},
    {
      advice: [
        'Ask the person what should be different, and preview that',
        'Send the same call again only if they change their mind: the preview is kept until it expires',
      ],
    },
  );
}

function unavailable(reason: string, cause?: unknown): Refusal {
  return new Refusal(
    'APPROVAL_UNAVAILABLE',
    `Cannot apply this preview: a person has to agree, and ${reason}`,
    {},
    {
      advice: [
        'Show the person the diff, and send the same call again when they are there to answer',
        'Where this client can never ask, it takes another client, or a reviewer (the operator sets --approval)',
      ],
    },
    cause,
  );
}

/** The client can read it, and cannot make or change one. */
const State = z.strictObject({ preview: z.string(), nonce: z.string() });

export interface Question {
  readonly preview: string;
  readonly nonce: string;
  /** The tool and all its arguments: an answer is worth nothing for any other call. */
  readonly call: string;
  readonly untilMs: number;
}

/** At most one question is open at the client. It is over with the first answer, whatever that says, or when its time is up. */
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
