// Asks the person at the client by MCP elicitation. In revisions before 2026-07-28 that is a request of the server; in later ones it is
// a result, and a second call with the answer. Everything but a plain yes to the open question counts as a no. The client says who
// the person is, and nobody verifies that.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  SdkError,
  SdkErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Call, Outcome } from '../engine/engine.ts';
import { approvalDeclinedAtClient } from '../security/approval/approved.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { Questions } from './questions.ts';

const FIRST_MODERN_REVISION = '2026-07-28';
/** The name of the answer in a second call. */
const KEY = 'approval';

const Answer = z.discriminatedUnion('action', [
  z.looseObject({ action: z.literal('accept'), content: z.strictObject({ apply: z.boolean() }) }),
  z.looseObject({ action: z.literal('decline') }),
  z.looseObject({ action: z.literal('cancel') }),
]);

/** The answer of the person at the client; `client` means yes. */
type ClientAnswer = 'client' | 'declined';

export class ClientApproval {
  readonly #server: Server;
  readonly #questions: Questions;

  /** `questions` belong to this connection, or to all clients where each request is a new connection. */
  constructor(server: Server, questions: Questions) {
    this.#server = server;
    this.#questions = questions;
  }

  /** Returns what a call says to the open question; undefined if it brings no answer. Throws Refusal for a bad one. */
  async confirmationIn(call: Call, context: ServerContext): Promise<ClientAnswer | undefined> {
    const { mcpReq } = context;
    // The sealed state decides whether there is an answer, because anybody could send one.
    const state = mcpReq.requestState();
    if (state === undefined) return undefined;
    if (typeof state !== 'string' || !(await this.#questions.redeem(state, call, context))) {
      throw unavailable(
        'the answer belongs to no question that is open: too late, used before, or never asked',
      );
    }
    return parseAnswer(mcpReq.inputResponses?.[KEY]);
  }

  /** Returns what the person has said, or the result that makes the client ask. Throws Refusal. */
  async ask(
    { preview, question }: Outcome & { status: 'ask' },
    call: Call,
    context: ServerContext,
  ): Promise<ClientAnswer | InputRequiredResult> {
    const isModern = (this.#server.getNegotiatedProtocolVersion() ?? '') >= FIRST_MODERN_REVISION;
    const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
    const able = isModern ? envelope[CLIENT_CAPABILITIES_META_KEY] : this.#server.getClientCapabilities();
    if (able === undefined && !isModern)
      throw unavailable(`over HTTP only a client of revision ${FIRST_MODERN_REVISION} or later can be asked`);
    if (!hasForms(able)) throw unavailable('this client declares no way to ask (elicitation by forms)');
    const open = this.#questions.begin(preview, call);
    if (isModern) {
      const inputRequests = { [KEY]: inputRequired.elicit(approvalForm(question)) };
      return inputRequired({ inputRequests, requestState: await this.#questions.seal(open) });
    }
    try {
      const answer = await this.#request(question, context);
      if (!this.#questions.end(open))
        throw unavailable('the question was no longer open when the answer came');
      return parseAnswer(answer);
    } finally {
      this.#questions.end(open);
    }
  }

  async #request(question: string, { mcpReq }: ServerContext): Promise<unknown> {
    const { signal } = mcpReq;
    try {
      const request = { method: 'elicitation/create', params: { ...approvalForm(question) } } as const;
      return await mcpReq.send(request, { signal, timeout: this.#questions.answerTimeoutMs });
    } catch (cause) {
      const isLate = cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout;
      const seconds = Math.round(this.#questions.answerTimeoutMs / 1_000);
      throw unavailable(
        isLate ? `nobody answered within ${seconds} seconds` : 'the client did not ask',
        cause,
      );
    }
  }
}

function approvalForm(message: string): ElicitRequestFormParams {
  return {
    message,
    requestedSchema: {
      type: 'object',
      // The default is no, because some clients fill in defaults themselves.
      properties: { apply: { type: 'boolean', title: 'Apply exactly this', default: false } },
      required: ['apply'],
    },
  };
}

/** True if the client can show forms. Clients of the first revision with elicitation declare no kind. */
function hasForms(capabilities: unknown): boolean {
  const declared = z.looseObject({ elicitation: z.looseObject({}) }).safeParse(capabilities);
  if (!declared.success) return false;
  const { elicitation } = declared.data;
  return elicitation['form'] !== undefined || elicitation['url'] === undefined;
}

/** Parses the answer. Throws a Refusal where the person has closed the question, or the client sent something else. */
function parseAnswer(said: unknown): ClientAnswer {
  const { success, data: answer } = Answer.safeParse(said);
  if (!success) throw unavailable('the client sent no answer to the question that was asked');
  if (answer.action === 'accept') return answer.content.apply ? 'client' : 'declined';
  if (answer.action === 'decline') return 'declined';
  throw approvalDeclinedAtClient('the person closed the question without an answer');
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
