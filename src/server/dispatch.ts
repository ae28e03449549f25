// Dispatches every call of a tool: it is looked up, run by the engine, recorded and answered. No value of an argument reaches the log.
import {
  type CallToolResult,
  type InputRequiredResult,
  isSpecType,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { closest } from '../adapters/tree/closest.ts';
import { CANCELLED, type Call, type CallControl, type Outcome } from '../engine/engine.ts';
import { explainFailure } from '../engine/failure.ts';
import { RefusedWrites } from '../engine/refused-writes.ts';
import { quoted } from '../security/text/visible.ts';
import type { Caller } from '../state/preview.ts';
import type { Airlock, SharedParts } from './airlock.ts';
import { publishCall, traceIn } from './call-event.ts';
import { ClientApproval } from './client-approval.ts';
import type { CallParams } from './list-tools.ts';
import { Questions, type SigningKey } from './questions.ts';

/** The result of a call, or the question to the person at the client. */
type CallResult =
  | Exclude<Outcome, { status: 'ask' }>
  | { readonly status: 'asked'; readonly result: InputRequiredResult };

/** The identity that the transport has verified. */
export type Verified = Required<Pick<Caller, 'principal' | 'scopes'>>;

export type Serve = (
  params: z.infer<typeof CallParams>,
  context: ServerContext,
  /** True if the answer has structured content. The default is what the operator chose. */
  hasData?: boolean,
) => Promise<CallToolResult | InputRequiredResult>;

export function sharedParts(airlock: Airlock, key?: SigningKey): SharedParts {
  return {
    questions: new Questions(airlock.answerTimeoutMs, key),
    refusedWrites: new RefusedWrites(airlock),
  };
}

/** Makes the function that serves calls of one connection; `listed` are the tools that the connection has shown. */
export async function createDispatcher(
  airlock: Airlock,
  { server }: McpServer,
  listed: readonly Tool[],
  verified: Partial<Verified> = {},
): Promise<Serve> {
  const { log, recover } = airlock;
  const engine = airlock.engine ?? (await import('./serve-inline.ts')).inlineEngine(airlock);
  const { questions, refusedWrites } = airlock.shared ?? sharedParts(airlock);
  const approval = new ClientApproval(server, questions);
  // The process may end before the next record of refused writes is due.
  if (airlock.shared === undefined) server.onclose = () => void refusedWrites.flush();
  const byName = new Map(listed.map((tool) => [tool.name, tool]));

  return async ({ name, arguments: args = {} }, context, hasData = airlock.replies !== 'text') => {
    const tool = byName.get(name);
    if (tool === undefined) throw unknownTool(name, [...byName.keys()]);
    const trace = traceIn(context.mcpReq._meta);
    const call: Call = {
      requestId: crypto.randomUUID(),
      tool: name,
      args,
      writes: asksForWrite(tool, args),
      caller: {
        ...callerOf(server, context),
        ...verified,
        ...(trace === undefined ? {} : { trace_id: trace.traceId }),
      },
    };
    const startMs = performance.now();
    const outcome = await serve(call, context);
    const code = 'code' in outcome ? outcome.code : undefined;
    if ('code' in outcome) await refusedWrites.record(call, outcome);
    const ms = performance.now() - startMs;
    log.event('info', 'tool_call', {
      request_id: call.requestId,
      tool: name,
      principal: verified.principal,
      duration_ms: Math.round(ms * 10) / 10,
      status: outcome.status,
      code,
      trace_id: trace?.traceId,
    });
    publishCall({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'mcp.server.operation.duration': ms / 1_000,
      'error.type': code === undefined ? undefined : 'tool_error',
      'config_airlock.code': code,
      'config_airlock.request_id': call.requestId,
      traceparent: trace?.traceparent,
    });
    return toResult(outcome, hasData);
  };

  /** Serves a call in one round, or in two with a question to the person at the client between them; other calls are served meanwhile. */
  async function serve(call: Call, context: ServerContext): Promise<CallResult> {
    const { signal } = context.mcpReq;
    const run = async (confirmed: Call['confirmed']): Promise<CallResult> => {
      const outcome = await engine.run({ ...call, confirmed }, { signal, progress: progressTo(context) });
      if (outcome.status !== 'ask') return outcome;
      if (confirmed !== undefined) throw new Error('a call that was confirmed asks again');
      log.event('info', 'approval_asked', { request_id: call.requestId, tool: call.tool });
      const answer = await approval.ask(outcome, call, context);
      return typeof answer === 'string' ? run(answer) : { status: 'asked', result: answer };
    };
    try {
      await recover?.();
      return await run(await approval.confirmationIn(call, context));
    } catch (thrown) {
      return signal.aborted ? CANCELLED : explainFailure(thrown, call, airlock);
    }
  }
}

/**
 * True if a call asks for files to be changed, and not for a preview. Its arguments are unchecked and may be anything: only
 * a plain `false` for `dry_run` asks for a write.
 */
function asksForWrite({ annotations, inputSchema }: Tool, { dry_run: dryRun }: Call['args']): boolean {
  if (annotations?.readOnlyHint === true) return false;
  return !Object.hasOwn(inputSchema.properties ?? {}, 'dry_run') || dryRun === false;
}

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  const nearest = closest(name, names);
  const hint = nearest.length > 0 ? `nearest: ${nearest.join(', ')}` : `the tools are ${names.join(', ')}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${quoted(name)}; ${hint}`);
}

function toResult(outcome: CallResult, hasData: boolean): CallToolResult | InputRequiredResult {
  if (outcome.status === 'asked') return outcome.result;
  // The SDK sends nothing for a cancelled request, whatever is returned.
  if (outcome.status === 'cancelled') return { content: [] };
  const { text, note, data, status } = outcome;
  const texts = note === undefined ? [text] : [text, note];
  const content = texts.map((one) => ({ type: 'text' as const, text: one }));
  const result = hasData ? { content, structuredContent: data } : { content };
  return status === 'ok' ? result : { ...result, isError: true };
}

const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';
const MAX_CHARS = 100;

/** Returns the client's name. Newer clients send it with every request, and older ones once. */
function callerOf(server: McpServer['server'], { mcpReq }: ServerContext): Caller {
  const said: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_INFO_KEY);
  const { name, version } = (isSpecType.Implementation(said) ? said : server.getClientVersion()) ?? UNNAMED;
  return { name: shortened(name), version: shortened(version) };
}

const UNNAMED = { name: 'unknown', version: '' };

function shortened(text: string): string {
  return text.slice(0, MAX_CHARS).toWellFormed();
}

/**
 * Returns what sends progress; undefined if the client did not ask for it. It is never awaited and never throws, because a
 * client that has gone may not stop a write.
 */
function progressTo({ mcpReq }: ServerContext): CallControl['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (done, total) => {
    const progress = total === undefined ? { progress: done } : { progress: done, total };
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
      .catch(() => undefined);
  };
}
