// One client over a pair of byte streams: received with what was prepared, and served as soon as it says more.
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Airlock } from '../server.ts';
import type { Prepared } from './prepared.ts';
import { Reception } from './reception.ts';

/** A client that has stopped reading may not keep the process alive. */
const FLUSH_MS = 1_000;

export interface Connection {
  /** Rejects for a bug only: a client that went away is an ordinary end. */
  readonly ended: Promise<void>;
  /** Settles the first time that nothing was said for a moment, if ever: the time for what nobody waits for. */
  readonly quiet: Promise<void>;
  /** Ends the connection: nothing more is read, and calls that wait are dropped. */
  end(): Promise<void>;
}

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

export function connect(airlock: Airlock, streams: Streams, prepared: Prepared | undefined): Connection {
  const reception = new Reception(streams, prepared);
  const session = reception.over.then(async (received) => {
    if (received === undefined) return undefined;
    const { startSession } = await import('./session.ts');
    return startSession(airlock, streams, received);
  });
  return {
    ended: session.then((started) => started?.closed).then(() => flush(streams.output)),
    quiet: new Promise((resolve) => {
      session.then(
        (started) => started?.quiet.then(resolve),
        () => undefined,
      );
    }),
    end: async () => {
      reception.end();
      await session.then(
        (started) => started?.close(),
        () => undefined,
      );
    },
  };
}

async function flush(output: Writable): Promise<void> {
  output.end();
  await finished(output, { signal: AbortSignal.timeout(FLUSH_MS) }).catch(() => undefined);
}
