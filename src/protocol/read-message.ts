// Turns the bytes of one message into a JSON-RPC message that the SDK accepts, or into the fault that JSON-RPC 2.0 asks for. It
// also says whether a request may come yet. Nothing too deep, too large or malformed gets through. It knows no method but those
// of the handshake.
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
/**
 * The most characters of a method, or of an id, which comes back in the answer and in logs. An id with half of a surrogate pair
 * is refused, because it would not come back as it was.
 */
const MAX_NAME_CHARS = 256;
/** The most characters of an id as JSON, in which each may be escaped. */
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

/**
 * Returns the id of a request that is too long to be read, from its first and its last bytes; null if it is in
 * neither, and for what may be an answer. Clients write the id beside the method, or as the last member.
 */
export function idOfOverlong(head: Uint8Array, tail: Uint8Array): RequestId | null {
  const text = new TextDecoder();
  const { outer } = scanMessage(text.decode(head), MESSAGE_LIMITS);
  const [, last] = /[,{]\s*"id"\s*:\s*("[^"\\]*"|-?\d+)\s*\}\s*$/u.exec(text.decode(tail)) ?? [];
  const id = last ?? outer.get('id');
  return outer.has('method') ? usableId(id && shortValue(id)) : null;
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

/** Reads a response. A malformed one still ends the request that it answers, so that nobody waits until a timeout. */
function readResponse(value: object, id: RequestId | null): IncomingMessage {
  // Our own requests have numbers, and the SDK would take "5" for 5.
  if (typeof id === 'string') return String(Number(id)) === id ? misshapen(Number(id)) : { kind: 'blank' };
  if (isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value))
    return { kind: 'message', message: value };
  return id === null ? invalid('A response needs the "id" of its request') : misshapen(id);
}

/** Returns the fault. For a malformed response nobody but our own request waits, so that one is ended. */
function refused(message: string, id: RequestId | null, hasMethod: boolean): IncomingMessage {
  return typeof id === 'number' && !hasMethod ? misshapen(id) : invalid(message, id);
}

function usableId(id: unknown): RequestId | null {
  if (typeof id === 'string') return id.length <= MAX_NAME_CHARS && id.isWellFormed() ? id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

/** Parses a short value; undefined for one that is long or holds other values. */
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
 * Checks the order of requests. Revisions before 2026-07-28 begin with one `initialize`; later ones carry their envelope in
 * every request. The SDK negotiates the version.
 */
export class Handshake {
  #initializeId: RequestId | undefined;

  /** Returns the fault for a request that is out of order; undefined if it may pass. */
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
    // It counts when it arrives, and not when it is answered, so that a client may send what follows at once.
    this.#initializeId = id;
    return undefined;
  }

  /** Allows another `initialize` after a refused one. */
  failed(id: RequestId | undefined): void {
    if (id === this.#initializeId) this.#initializeId = undefined;
  }
}
