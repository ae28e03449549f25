// The bytes of one message → a JSON-RPC message that the SDK accepts, or the fault that JSON-RPC 2.0 asks to answer
// with; and whether a request may come yet. Promises that nothing deep, crowded or misshapen gets past it; it knows no
// method but the handshake's.
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import { MESSAGE_LIMITS, type MessageScan, scanMessage } from './scan-message.ts';

const PROBLEMS: Readonly<Record<NonNullable<MessageScan['problem']>, string>> = {
  depth: `A message may nest at most ${MESSAGE_LIMITS.depth} levels deep: send what is deeper as YAML text`,
  tokens: `A message may have at most ${MESSAGE_LIMITS.tokens} brackets, commas and colons outside of strings: send large values as YAML text, or in several calls`,
  envelopeTokens: `A message may have at most ${MESSAGE_LIMITS.envelopeTokens} brackets, commas and colons outside of strings and of a call's arguments`,
  duplicate: 'A message may name each member of an object once',
};
/** An id comes back in the answer and in logs: nobody needs a long one, nor half of a surrogate pair, which would not come back. */
const MAX_NAME_CHARS = 256;
/** An id, each character of it escaped. */
const MAX_ID_JSON_CHARS = 2_000;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export interface ProtocolFault {
  readonly id: RequestId | null;
  readonly code: ProtocolErrorCode;
  readonly message: string;
}

export type IncomingMessage =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'fault'; readonly fault: ProtocolFault }
  | { readonly kind: 'blank' };

export function readMessage(bytes: Uint8Array): IncomingMessage {
  const text = attempt(() => UTF8.decode(bytes));
  if (text === undefined) return broken('The message is not valid UTF-8');
  if (text.trim() === '') return { kind: 'blank' };
  const { problem, outer } = scanMessage(text, MESSAGE_LIMITS);
  if (problem !== undefined) {
    const id = outer.get('id');
    return refused(PROBLEMS[problem], usableId(id && shortValue(id)), outer.has('method'));
  }
  const value = attempt((): unknown => JSON.parse(text));
  return value === undefined ? broken('The message is not valid JSON') : readEnvelope(value);
}

function readEnvelope(value: unknown): IncomingMessage {
  if (Array.isArray(value)) return invalid('Batches are not supported: send one message a line');
  if (typeof value !== 'object' || value === null) return invalid('A message must be a JSON object');
  const members = new Map<string, unknown>(Object.entries(value));
  const id = usableId(members.get('id'));
  if (members.get('jsonrpc') !== '2.0') return invalid('"jsonrpc" must be "2.0"', id);
  if (members.has('id') && id === null) {
    return invalid(`"id" must be an integer or a string of at most ${MAX_NAME_CHARS} characters`);
  }
  const hasMethod = members.has('method');
  if (!hasMethod && (members.has('result') || members.has('error'))) return readResponse(value, id);
  const method = members.get('method');
  if (typeof method !== 'string' || method === '' || method.length > MAX_NAME_CHARS) {
    return invalid(`"method" must be a string of 1 to ${MAX_NAME_CHARS} characters`, id);
  }
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value)) return { kind: 'message', message: value };
  return invalid('A message has only "jsonrpc", "id", "method" and an object "params"', id);
}

/** Whoever waits for a response that is misshapen must not go on waiting until their time is up. */
function readResponse(value: object, id: RequestId | null): IncomingMessage {
  // Our own requests are numbered, and the SDK would take "5" for 5.
  if (typeof id === 'string') return String(Number(id)) === id ? misshapen(Number(id)) : { kind: 'blank' };
  if (isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value))
    return { kind: 'message', message: value };
  return id === null ? invalid('A response needs the "id" of its request') : misshapen(id);
}

/** The sender waits for an answer to its request; of a response, whoever made the request waits. */
function refused(message: string, id: RequestId | null, hasMethod: boolean): IncomingMessage {
  return typeof id === 'number' && !hasMethod ? misshapen(id) : invalid(message, id);
}

function usableId(id: unknown): RequestId | null {
  if (typeof id === 'string') return id.length <= MAX_NAME_CHARS && id.isWellFormed() ? id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

/** Undefined for a value that is long or holds others. */
function shortValue(json: string): unknown {
  const isShort = json.length <= MAX_ID_JSON_CHARS && /^["\d-]/u.test(json);
  return isShort ? attempt((): unknown => JSON.parse(json)) : undefined;
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function misshapen(id: RequestId): IncomingMessage {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: 'The answer is misshapen' };
  return { kind: 'message', message: { jsonrpc: '2.0', id, error } };
}

function broken(message: string): IncomingMessage {
  return { kind: 'fault', fault: { id: null, code: ProtocolErrorCode.ParseError, message } };
}

function invalid(message: string, id: RequestId | null = null): IncomingMessage {
  return { kind: 'fault', fault: { id, code: ProtocolErrorCode.InvalidRequest, message } };
}

/**
 * Revisions before 2026-07-28 begin with `initialize`, once; later ones carry their envelope in every request. It
 * negotiates nothing: that is the SDK's work.
 */
export class Handshake {
  #initializeId: RequestId | undefined;

  /** What to answer to a request that is out of order; undefined when it may pass. */
  objection(request: JSONRPCRequest): ProtocolFault | undefined {
    if (request.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return undefined;
    if (request.method === 'ping') return undefined;
    const { id, method } = request;
    const hasBegun = this.#initializeId !== undefined;
    const code = ProtocolErrorCode.InvalidRequest;
    if (method !== 'initialize') {
      const message = 'Send "initialize" first, or the _meta envelope of revision 2026-07-28';
      return hasBegun ? undefined : { id, code, message };
    }
    if (hasBegun) return { id, code, message: 'The connection is initialized already' };
    if (!isInitializeRequest(request)) {
      const message = '"initialize" needs protocolVersion, capabilities and clientInfo with name and version';
      return { id, code: ProtocolErrorCode.InvalidParams, message };
    }
    // Counted when it is sent, not when it is answered, so that a client may pipeline what follows.
    this.#initializeId = id;
    return undefined;
  }

  /** A refused `initialize` may be tried again. */
  failed(id: RequestId | undefined): void {
    if (id === this.#initializeId) this.#initializeId = undefined;
  }
}
