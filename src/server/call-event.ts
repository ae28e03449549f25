// Publishes an event for each call on a channel of node:diagnostics_channel, with the names of OpenTelemetry's conventions for MCP. It
// holds no argument, no path, no content and no person.
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TRACEPARENT_META_KEY } from '@modelcontextprotocol/server';

const NAME = 'config-airlock.call';

export interface CallEvent {
  readonly 'mcp.method.name': 'tools/call';
  readonly 'gen_ai.operation.name': 'execute_tool';
  readonly 'gen_ai.tool.name': string;
  /** The duration in seconds. */
  readonly 'mcp.server.operation.duration': number;
  /** `tool_error` for a call that failed or was refused, whose code is `config_airlock.code`. */
  readonly 'error.type'?: 'tool_error' | undefined;
  readonly 'config_airlock.code'?: string | undefined;
  /** The id of the call in the log and in the audit trail. */
  readonly 'config_airlock.request_id': string;
  /** The span of the client that made the call, as it was sent. */
  readonly traceparent?: string | undefined;
}

/** The trace of a call: what the client sent, and the id in it. */
export interface Trace {
  readonly traceparent: string;
  readonly traceId: string;
}

const CALLS = channel(NAME);
/** Matches version 00 of W3C Trace Context. Ids of zeros only are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/u;

export function publishCall(event: CallEvent): void {
  if (CALLS.hasSubscribers) CALLS.publish(event);
}

/** Listens to the calls of this process. Returns the function that ends this. */
export function onCall(hear: (event: CallEvent) => void): () => void {
  const listener = (message: unknown): void => {
    if (isCall(message)) hear(message);
  };
  subscribe(NAME, listener);
  return () => void unsubscribe(NAME, listener);
}

/** True for an event that `publishCall` has sent. */
function isCall(message: unknown): message is CallEvent {
  return typeof message === 'object' && message !== null && 'mcp.server.operation.duration' in message;
}

/** Reads the trace from the `_meta` of a request; undefined if there is none, or an invalid one. */
export function traceIn(meta: Readonly<Record<string, unknown>> | undefined): Trace | undefined {
  const traceparent = meta?.[TRACEPARENT_META_KEY];
  const traceId = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return typeof traceparent === 'string' && traceId !== undefined ? { traceparent, traceId } : undefined;
}
