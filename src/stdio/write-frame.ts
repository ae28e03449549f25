// A message → the one line that stands for it on stdout: well-formed Unicode whatever the message
// holds, and an error from the SDK cut to a length that a person reads. Results are never cut.
import { isJSONRPCErrorResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Fault } from './read-frame.ts';

const MAX_ERROR_CHARS = 600;

export function writeFrame(message: JSONRPCMessage): string {
  return toLine(isJSONRPCErrorResponse(message) ? shortened(message) : message);
}

/** JSON-RPC answers with `id: null` where the request's id could not be read; the SDK has no type for it. */
export function writeFault({ id, code, message }: Fault): string {
  return toLine({ jsonrpc: '2.0', id, error: { code, message } });
}

function toLine(frame: object): string {
  const line = JSON.stringify(frame);
  // JSON.stringify escapes half a surrogate pair as \udXXX: legal JSON that strict readers refuse.
  return `${/\\ud[89a-f]/.test(line) ? JSON.stringify(frame, wellFormed) : line}\n`;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function shortened(message: JSONRPCMessage & { error: { code: number; message: string; data?: unknown } }) {
  const { code, data } = message.error;
  const text = message.error.message;
  const cut = text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}… (cut)` : text;
  const isShort = data !== undefined && JSON.stringify(data).length <= MAX_ERROR_CHARS;
  return { ...message, error: isShort ? { code, message: cut, data } : { code, message: cut } };
}
