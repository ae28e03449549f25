// One line of text → a JSON-RPC message that the SDK accepts, or the fault that JSON-RPC 2.0 asks
// to answer with. Promises that nothing deep, huge or misshapen gets past it; it knows no method.
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import { readJson } from './read-json.ts';
import type { Steps } from './steps.ts';

/** An id comes back in the answer and in logs: nobody needs a long one, nor half of a surrogate pair, which would not come back. */
const MAX_NAME_CHARS = 256;
/** Messages of real clients have some dozens. */
const MAX_OWN_VALUES = 2_000;
const CROWDED = `A message may have at most ${MAX_OWN_VALUES} values outside of a call's arguments`;

export interface Fault {
  readonly id: RequestId | null;
  readonly code: ProtocolErrorCode;
  readonly message: string;
}

export type Frame =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'blank' };

/** Of what is no text, undefined. */
export function* readFrame(text: string | undefined): Steps<Frame> {
  const reading = yield* readJson(text);
  if (reading.kind === 'value') {
    yield;
    return readEnvelope(reading.value);
  }
  if (reading.kind === 'blank') return reading;
  if (reading.kind === 'broken') {
    return {
      kind: 'fault',
      fault: { id: null, code: ProtocolErrorCode.ParseError, message: reading.message },
    };
  }
  const id = usableId(yield* reading.member('id'));
  return refused(reading.message, id, (yield* reading.member('method')) !== undefined);
}

/** Whoever sent it waits for an answer to this id, and whoever is to get it for this one. */
function refused(message: string, id: RequestId | null, hasMethod: boolean): Frame {
  return typeof id === 'number' && !hasMethod ? misshapen(id) : invalid(message, id);
}

function readEnvelope(value: unknown): Frame {
  if (Array.isArray(value)) return invalid('Batches are not supported: send one message a line');
  if (typeof value !== 'object' || value === null) return invalid('A message must be a JSON object');
  const members = new Map<string, unknown>(Object.entries(value));
  const id = usableId(members.get('id'));
  if (members.get('jsonrpc') !== '2.0') return invalid('"jsonrpc" must be "2.0"', id);
  if (members.has('id') && id === null) {
    return invalid(`"id" must be an integer or a string of at most ${MAX_NAME_CHARS} characters`);
  }
  if (isCrowded(members)) return refused(CROWDED, id, members.has('method'));
  const isAnswer = members.has('result') || members.has('error');
  // Our own requests are numbered, and the SDK would take "5" for 5.
  if (isAnswer && typeof id === 'string' && !members.has('method')) {
    return String(Number(id)) === id ? misshapen(Number(id)) : { kind: 'blank' };
  }
  if (isAnswer && (isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value))) {
    return { kind: 'message', message: value };
  }
  // To whoever waits for it that is an answer as well: they must not go on waiting until their time is up.
  if (isAnswer && id !== null && !members.has('method')) return misshapen(id);
  const method = members.get('method');
  if (typeof method !== 'string' || method === '' || method.length > MAX_NAME_CHARS) {
    return invalid(`"method" must be a string of 1 to ${MAX_NAME_CHARS} characters`, id);
  }
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value)) return { kind: 'message', message: value };
  return invalid('A message has only "jsonrpc", "id", "method" and an object "params"', id);
}

/** The arguments of a call are looked at where it is served; all else the SDK copies, several times. */
function isCrowded(members: ReadonlyMap<string, unknown>): boolean {
  let left = MAX_OWN_VALUES;
  const fits = (value: unknown, isParams: boolean): boolean => {
    left -= 1;
    if (left < 0 || typeof value !== 'object' || value === null) return left >= 0;
    const own = Object.entries(value).filter(([name]) => !(isParams && name === 'arguments'));
    return own.length <= left && own.every(([, member]) => fits(member, false));
  };
  return ![...members].every(([name, member]) => fits(member, name === 'params'));
}

function usableId(id: unknown): RequestId | null {
  if (typeof id === 'string') return id.length <= MAX_NAME_CHARS && id.isWellFormed() ? id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

function misshapen(id: RequestId): Frame {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: 'The answer is misshapen' };
  return { kind: 'message', message: { jsonrpc: '2.0', id, error } };
}

function invalid(message: string, id: RequestId | null = null): Frame {
  return { kind: 'fault', fault: { id, code: ProtocolErrorCode.InvalidRequest, message } };
}
