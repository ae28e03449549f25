// An airlock in this process behind its own transport: lines go in and come out as bytes, as with raw-server.ts,
// in a hundredth of the time.
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Airlock, createServer } from '../../src/server.ts';
import { StdioTransport } from '../../src/transports/stdio/stdio-transport.ts';
import { Frame, type RawConnection, requestOver } from './raw-server.ts';

export interface RawInProcess extends RawConnection {
  /** The client says no more. */
  end(): void;
  readonly closed: Promise<void>;
}

export function serveRaw(airlock: Airlock): RawInProcess {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new StdioTransport(input, output, airlock.log, 1e6);
  serveStdio(() => createServer(airlock), { transport, legacy: 'serve' });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const send = (line: string | object): void => {
    input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  };
  const next = async (): Promise<Frame> => Frame.parse(JSON.parse((await lines.next()).value));
  return {
    send,
    next,
    end: () => input.end(),
    closed: transport.closed,
    request: requestOver({ send, next }),
  };
}
