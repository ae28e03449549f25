// Serves an airlock to one client over this process's stdin and stdout. It says when the connection has ended and everything
// written has left; it ends no process and handles no signal. Stdout is for the protocol alone: whatever else the process
// prints there goes to stderr. This does not hold for native code that writes to descriptor 1.
import { type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Airlock, createServer } from '../../server.ts';
import { StdioTransport } from './stdio-transport.ts';

/** The time for the last bytes: a client that has stopped reading may not keep the process alive, but a slow one should get a long reply. */
const FLUSH_MS = 10_000;
const LINE_BYTES = { least: 4 * 1024 ** 2, envelope: 256 * 1024, most: 500_000_000 };

export interface Connection {
  /** Settles once the connection has ended, for whatever reason, and what was written has left. */
  readonly ended: Promise<void>;
  /** Settles the first time that nothing was said for a moment; work for which nobody waits can be done then. */
  readonly idle: Promise<void>;
  /** Ends the connection: nothing more is read, and waiting calls are dropped. */
  end(): Promise<void>;
}

/** Serves the airlock. A check that talks to the server as a client does gives `streams` other than those of this process. */
export function serveOverStdio(
  airlock: Airlock,
  streams: { readonly input: Readable; readonly output: Writable } = {
    input: process.stdin,
    output: claimStdout(),
  },
): Connection {
  const { log, policy } = airlock;
  const { input, output } = streams;
  const transport = new StdioTransport(input, output, log, maxLineBytes(policy));
  const handle = serveStdio(() => createServer(airlock), {
    transport,
    legacy: 'serve',
    // The messages may quote what the client sent, so only the kind of error is logged.
    onerror: (error) => log.event('debug', 'protocol_error', { error_name: error.name }),
  });
  return {
    ended: transport.closed.then(() => flush(output)),
    idle: transport.idle,
    end: () => handle.close(),
  };
}

/** Returns the bytes of a line that holds a text of the largest parsed size, however a client writes it: at worst, two bytes become the six of \u00e9. */
function maxLineBytes({ limits }: Airlock['policy']): number {
  const needed = 3 * limits.parsedSizeBytes + LINE_BYTES.envelope;
  // A longer line would not fit into one string of the engine.
  return Math.min(Math.max(LINE_BYTES.least, needed), LINE_BYTES.most);
}

async function flush(output: Writable): Promise<void> {
  output.end();
  await finished(output, { signal: AbortSignal.timeout(FLUSH_MS) }).catch(() => undefined);
}

/** Takes over stdout; the stream that it answers is the only way to it. */
function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  // A stray console.log of a dependency between two frames would end the connection, or forge one.
  Object.defineProperty(stdout, 'write', { value: stderr.write.bind(stderr) });
  const frames = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      write(line, done);
    },
  });
  // EPIPE arrives here as well as in the callback; without a listener it would crash the process.
  stdout.on('error', (error) => frames.destroy(error));
  return frames;
}
