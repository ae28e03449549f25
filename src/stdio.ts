// Serves an airlock to one client over this process's stdin and stdout. Says when the connection has
// ended and everything written has left; it ends no process and handles no signal.
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Airlock, createServer } from './server.ts';
import { claimStdout } from './stdio/claim-stdout.ts';
import { StdioTransport } from './stdio/transport.ts';

/** A client that has stopped reading may not keep the process alive. */
const FLUSH_MS = 1_000;

export interface Connection {
  /** Never rejects: a client that went away is an ordinary end. */
  readonly ended: Promise<void>;
  /** Ends the connection: nothing more is read, and calls that wait are dropped. */
  end(): Promise<void>;
}

export function serveOverStdio(airlock: Airlock): Connection {
  const output = claimStdout();
  const transport = new StdioTransport(process.stdin, output, airlock.log);
  const handle = serveStdio(() => createServer(airlock), {
    transport,
    legacy: 'serve',
    // Its messages may quote what the client sent: the log gets no more than the kind of error.
    onerror: (error) => airlock.log.event('debug', 'protocol_error', { error_name: error.name }),
  });
  return { ended: transport.closed.then(() => flush(output)), end: () => handle.close() };
}

async function flush(output: Writable): Promise<void> {
  output.end();
  await finished(output, { signal: AbortSignal.timeout(FLUSH_MS) }).catch(() => undefined);
}
