// A message → the one line that stands for it on stdout: well-formed Unicode whatever the message
// holds, and an error from the SDK in words and at a length that a person reads. Results are never cut.
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { visibleLine } from '../security/index.ts';
import type { ProtocolFault } from './read-message.ts';

const MAX_ERROR_CHARS = 600;

export function writeMessage(message: JSONRPCMessage): string {
  return toLine('error' in message ? shortened(message) : message);
}

/** JSON-RPC answers with `id: null` where the request's id could not be read; the SDK has no type for it. */
export function writeFault({ id, code, message }: ProtocolFault): string {
  return toLine({ jsonrpc: '2.0', id, error: { code, message } });
}

function toLine(message: object): string {
  const line = JSON.stringify(message);
  // JSON.stringify escapes half a surrogate pair as \udXXX: legal JSON that strict readers refuse.
  return `${/\\ud[89a-f]/.test(line) ? JSON.stringify(message, wellFormed) : line}\n`;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function shortened(message: JSONRPCMessage & { error: { code: number; message: string; data?: unknown } }) {
  const { code, data } = message.error;
  const text = seen(inWords(message.error.message));
  const cut = text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}… (cut)` : text;
  const isShort = data !== undefined && JSON.stringify(data).length <= MAX_ERROR_CHARS;
  return { ...message, error: isShort ? { code, message: cut, data } : { code, message: cut } };
}

/** `Invalid tools/call request: [{"path": ["params", "name"], …` → `…: params.name: expected string`. */
function inWords(text: string): string {
  const start = text.indexOf(': [\n');
  if (start === -1) return text;
  const places = text.matchAll(/^ {4}"path": \[([^\]]*)\]/gm);
  const paths = Array.from(places, ([, path = '']) => path.replaceAll(/[\s"]/g, '').replaceAll(',', '.'));
  return `${text.slice(0, start)}: not what the protocol asks for at ${[...new Set(paths)].join(', ') || 'params'}`;
}

/** What is hidden is shown, and what is shown already stays as it is. */
function seen(text: string): string {
  const rest = text.replaceAll('<U+', '');
  return visibleLine(rest) === rest ? text : visibleLine(text);
}
