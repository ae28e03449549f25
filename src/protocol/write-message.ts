// Writes a message as one line for stdout. Errors of the SDK are put into short words for people.
// Results are never cut.
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { visibleLine } from '../security/text/visible.ts';
import type { ProtocolFault } from './read-message.ts';

const MAX_ERROR_CHARS = 600;

export function writeMessage(message: JSONRPCMessage): string {
  return toLine('error' in message ? shortened(message) : message);
}

/** JSON-RPC answers with `id: null` where the request's id could not be read; the SDK has no type for that. */
export function writeFault({ id, code, message }: ProtocolFault): string {
  return toLine({ jsonrpc: '2.0', id, error: { code, message } });
}

function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

function shortened(message: JSONRPCMessage & { error: { code: number; message: string; data?: unknown } }) {
  const { code, data } = message.error;
  const text = seen(inWords(message.error.message));
  const cut = text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}… (cut)` : text;
  const isShort = data !== undefined && JSON.stringify(data).length <= MAX_ERROR_CHARS;
  return { ...message, error: isShort ? { code, message: cut, data } : { code, message: cut } };
}

/** Shortens `Invalid tools/call request: [{"path": ["params", "name"], …` to a sentence with the paths. */
function inWords(text: string): string {
  const start = text.indexOf(': [\n');
  if (start === -1) return text;
  const places = text.matchAll(/^ {4}"path": \[([^\]]*)\]/gm);
  const paths = Array.from(places, ([, path = '']) => path.replaceAll(/[\s"]/g, '').replaceAll(',', '.'));
  return `${text.slice(0, start)}: not what the protocol asks for at ${[...new Set(paths)].join(', ') || 'params'}`;
}

/** Shows hidden characters; a text that shows them already stays as it is. */
function seen(text: string): string {
  const rest = text.replaceAll('<U+', '');
  return visibleLine(rest) === rest ? text : visibleLine(text);
}
