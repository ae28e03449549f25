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
import { quoted, Refusal } from '../security/index.ts';
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
    const call: Call = { requestId: crypto.randomUUID(), tool: tool.name, args };
    const desk: Desk = { policy, sandbox, signal: context.mcpReq.signal, progress: progressTo(context) };
    const startedMs = performance.now();
    const record = (status: 'ok' | 'refused' | 'failed' | 'cancelled', code?: string): void => {
      const duration_ms = Math.round((performance.now() - startedMs) * 10) / 10;
      log.event('info', 'tool_call', {
        request_id: call.requestId,
        tool: call.tool,
        duration_ms,
        status,
        code,
      });
    };
    try {
      const input = checkArguments(tool, args);
      const reply = await queue.run(() => tool.run(input, desk), desk.signal);
      record('ok');
      return answer(reply);
    } catch (thrown) {
      if (desk.signal.aborted) {
        record('cancelled');
        // The SDK sends nothing for a cancelled request, whatever is returned.
        return { content: [] };
      }
      const { code, reply } = explainFailure(thrown, call, desk, log);
      if (isWrite(tool, args))
        recordAttempt(call, thrown instanceof Refusal ? 'refused' : 'failed', code, log);
      record(thrown instanceof Refusal ? 'refused' : 'failed', code);
      return { ...answer(reply), isError: true };
    }
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
    content: [{ type: 'text', text: text.replace(/\p{Surrogate}/gu, '\uFFFD') }],
    structuredContent: data,
  };
}
