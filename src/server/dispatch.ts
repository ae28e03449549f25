// Every call of a tool goes through here: looked up, checked, queued, run, translated, logged. Nothing
// that is thrown inside gets out unexplained, and no value of an argument reaches the log.
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { closest, type ErrorReply } from '../adapters/index.ts';
import { type ErrorCode, type Log, quoted, Refusal } from '../security/index.ts';
import type { Desk, Reply, Tool } from '../tools/index.ts';
import type { Airlock } from './airlock.ts';
import { checkArguments } from './check-arguments.ts';
import { type Call, explainFailure } from './failure.ts';
import { progressTo } from './progress.ts';
import { RunQueue } from './run-queue.ts';
import { isWrite, recordAttempt } from './write-attempt.ts';

/** The arguments raw: a schema that copies them would drop a `__proto__`, which must be refused instead. */
export const CallParams = z.looseObject({
  name: z.string(),
  arguments: z.custom<Readonly<Record<string, unknown>>>(isObject).optional(),
});

type Serve = (params: z.infer<typeof CallParams>, context: ServerContext) => Promise<CallToolResult>;

export function createDispatcher(airlock: Airlock, tools: readonly Tool[]): Serve {
  const { policy, sandbox, log } = airlock;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const queue = new RunQueue();

  return async ({ name, arguments: args = {} }, context) => {
    const tool = byName.get(name);
    if (tool === undefined) throw unknownTool(name, [...byName.keys()]);
    const requestId = crypto.randomUUID();
    const call: Call = { requestId, tool: name, args };
    const { signal } = context.mcpReq;
    const desk: Desk = { requestId, policy, sandbox, signal, progress: progressTo(context) };
    const record = startRecord(call, log);
    try {
      const input = checkArguments(tool, args);
      const reply = await queue.run(() => tool.run(input, desk), signal);
      record('ok');
      return answer(reply);
    } catch (thrown) {
      if (signal.aborted) {
        record('cancelled');
        // The SDK sends nothing for a cancelled request, whatever is returned.
        return { content: [] };
      }
      const { code, reply } = explainFailure(thrown, call, desk, log);
      const outcome = thrown instanceof Refusal ? 'refused' : 'failed';
      if (isWrite(tool, args)) recordAttempt(call, outcome, code, log);
      record(outcome, code);
      return { ...answer(reply), isError: true };
    }
  };
}

type Status = 'ok' | 'refused' | 'failed' | 'cancelled';

/** One log record a call, with the time from now until its end. */
function startRecord({ requestId, tool }: Call, log: Log): (status: Status, code?: ErrorCode) => void {
  const startMs = performance.now();
  return (status, code) => {
    const duration_ms = Math.round((performance.now() - startMs) * 10) / 10;
    log.event('info', 'tool_call', { request_id: requestId, tool, duration_ms, status, code });
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  const nearest = closest(name, names);
  const hint = nearest.length > 0 ? `nearest: ${nearest.join(', ')}` : `the tools are ${names.join(', ')}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${quoted(name)}; ${hint}`);
}

function answer({ text, data }: Reply | ErrorReply): CallToolResult {
  // Half of a surrogate pair, which a YAML escape can spell, is no text that JSON readers agree on.
  return {
    content: [{ type: 'text', text: text.toWellFormed() }],
    structuredContent: data,
  };
}
