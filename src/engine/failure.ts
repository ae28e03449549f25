// The one place where a thrown error becomes an outcome. A refusal is explained to the model; anything else is a bug. Of a bug
// the client gets an id, and the log its kind and place in this package. Nobody gets its message, which may quote what was
// being read.
import { explainRefusal } from '../adapters/errors/explain-refusal.ts';
import type { Log } from '../security/audit/log.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { Call, EngineContext, Failure } from './engine.ts';
import { wellFormed } from './well-formed.ts';

export function explainFailure(thrown: unknown, call: Call, engineContext: EngineContext): Failure {
  const isRefusal = thrown instanceof Refusal && thrown.code !== 'INTERNAL';
  const refusal = thrown instanceof Refusal ? thrown : recordBug(thrown, call, engineContext.log);
  try {
    const { text, data } = explainRefusal(refusal, call, engineContext);
    const status = isRefusal ? 'refused' : 'failed';
    return { status, code: refusal.code, text: text.toWellFormed(), data: wellFormed(data) };
  } catch (error) {
    // The explanation has a bug itself: none of it may be used, and nothing may be thrown from here.
    return plainFailure(recordBug(error, call, engineContext.log));
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
  return { status: 'failed', code, text: message, data: { ok: false, error: { code, message } } };
}

const MAX_FRAMES = 12;
/** The URL of `…/src/` or `…/dist/`; the path before it would reveal something about the machine. */
const OUR_CODE = new URL('../', import.meta.url).href;

/** The facts of an unexpected error that may be logged: never its message, and no path of the machine. */
export interface Trace {
  readonly name: string;
  /** The places, such as `server/dispatch.js:12`, innermost first. */
  readonly frames: readonly string[];
}

function traceOf(error: unknown): Trace {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const stack = error.stack ?? '';
  // The stack begins with the message, which could look like frames.
  const lines = stack.slice(stack.indexOf(error.message) + error.message.length).split('\n');
  return {
    name: /^\w{1,64}$/.test(error.name) ? error.name : 'Error',
    frames: lines.flatMap((line) => frameIn(line) ?? []).slice(0, MAX_FRAMES),
  };
}

function frameIn(line: string): string | undefined {
  const at = line.indexOf(OUR_CODE);
  return at === -1 ? undefined : /^[\w./-]+:\d+/.exec(line.slice(at + OUR_CODE.length))?.[0];
}
