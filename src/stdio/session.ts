// The server and the SDK behind the transport: all that is needed once a client says more than the ordinary first
// words, and loaded only then.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Airlock, createServer } from '../server.ts';
import type { Streams } from './connect.ts';
import type { Received } from './reception.ts';
import { StdioTransport } from './transport.ts';

const LINE_BYTES = { least: 4 * 1024 ** 2, envelope: 256 * 1024, most: 500_000_000 };

export interface Session {
  /** Settles once the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /** Settles the first time that nothing was said for a moment. */
  readonly quiet: Promise<void>;
  close(): Promise<void>;
}

/** Rejects where the server does not answer what was received as that was answered. */
export async function startSession(
  airlock: Airlock,
  { input, output }: Streams,
  received: Received,
): Promise<Session> {
  const { log, policy, recover } = airlock;
  recover?.();
  const transport = new StdioTransport(input, output, log, maxLineBytes(policy), received);
  const handle = serveStdio(() => createServer(airlock), {
    transport,
    legacy: 'serve',
    // Its messages may quote what the client sent: the log gets no more than the kind of error.
    onerror: (error) => log.event('debug', 'protocol_error', { error_name: error.name }),
  });
  await transport.rehearsed.catch((error) => {
    log.event('error', 'answered_otherwise');
    throw error;
  });
  return { closed: transport.closed, quiet: transport.quiet, close: () => handle.close() };
}

/** A text of the size that is still parsed fits in, however a client spells it: at worst each two bytes as \u00e9. */
function maxLineBytes({ limits }: Airlock['policy']): number {
  const needed = 3 * limits.parsedSizeBytes + LINE_BYTES.envelope;
  // Beyond the most a line no longer fits into one string of the engine.
  return Math.min(Math.max(LINE_BYTES.least, needed), LINE_BYTES.most);
}
