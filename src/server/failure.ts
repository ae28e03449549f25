// The one place where something thrown becomes a reply. A refusal is explained to the model; anything
// else is a bug: the client learns an id, the log where it happened, and nobody what the message said.
import { type ErrorReply, explainRefusal } from '../adapters/index.ts';
import { type ErrorCode, type Log, Refusal } from '../security/index.ts';
import type { Desk } from '../tools/index.ts';
import { traceOf } from './trace.ts';

export interface Call {
  readonly requestId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Failure {
  readonly code: ErrorCode;
  readonly reply: ErrorReply;
}

export function explainFailure(thrown: unknown, call: Call, desk: Desk, log: Log): Failure {
  const refusal = thrown instanceof Refusal ? thrown : recordBug(thrown, call, log);
  try {
    return { code: refusal.code, reply: explainRefusal(refusal, call, desk) };
  } catch (error) {
    // The explanation itself has a bug: nothing of it may be used, and nothing may be thrown from here.
    return plainFailure(recordBug(error, call, log));
  }
}

function recordBug(error: unknown, { requestId, tool }: Call, log: Log): Refusal {
  const { name, frames } = traceOf(error);
  log.event('error', 'internal_error', {
    request_id: requestId,
    tool,
    error_name: name,
    reason: frames.join(' < '),
  });
  return new Refusal(
    'INTERNAL',
    `Cannot run ${tool}: an internal error. The server's log holds it as ${requestId}`,
  );
}

function plainFailure({ code, message }: Refusal): Failure {
  const error = {
    code,
    category: 'system',
    message,
    suggestions: [],
    recovery_steps: [],
    retryable: false,
  } as const;
  return { code, reply: { text: message, data: { ok: false, error } } };
}
