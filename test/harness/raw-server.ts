// The built command as bytes: lines go in as they are, and every line that comes out must be a JSON-RPC
// frame. For what no client would send, and for how the process ends.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { memoryDisk } from './memory-disk.ts';
import { CLI } from './start-process.ts';
import { tempRoot } from './temp-root.ts';
import { nextData } from './wait.ts';

export const Frame = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.strictObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
export type Frame = z.infer<typeof Frame>;

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RawConnection {
  /** One line; an object is written as JSON. */
  send(line: string | object): void;
  /** The next frame that it writes, in order. */
  next(): Promise<Frame>;
  /** Sends a request and takes frames until its answer. */
  request(id: number, method: string, params?: object): Promise<Frame>;
}

export interface RawServer extends RawConnection {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything that it wrote to stderr, once it has ended. */
  stderr(): Promise<string>;
  /** Waits for a log record of this event. */
  logged(event: string): Promise<Readonly<Record<string, unknown>>>;
  readonly exit: Promise<Exit>;
}

export interface RawOptions {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
  readonly nodeFlags?: readonly string[];
}

export function startRaw({ args, env = {}, program = CLI, nodeFlags = [] }: RawOptions): RawServer {
  const state = tempRoot({}, memoryDisk());
  const child = spawn(process.execPath, [...nodeFlags, program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', AIRLOCK_STATE_DIR: state.dir, ...env },
  });
  child.once('close', () => state.remove());
  // Writing to a server that has ended is part of some tests.
  child.stdin.on('error', () => undefined);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (line: string | object): void => {
    child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  };
  const next = async (): Promise<Frame> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`stdout ended. stderr: ${stderr}`);
    return Frame.parse(JSON.parse(line.value));
  };
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    child,
    send,
    next,
    request: requestOver({ send, next }),
    stderr: () => exit.then(() => stderr),
    logged: async (event) => {
      for (;;) {
        const whole = stderr.slice(0, stderr.lastIndexOf('\n') + 1).split('\n');
        const line = whole.find((text) => text.includes(`"event":"${event}"`));
        if (line !== undefined) return JSON.parse(line);
        if (child.stderr.closed) throw new Error(`it ended without "${event}". stderr: ${stderr}`);
        await nextData(
          child.stderr,
          `the server, whose "${event}" is waited for and who has said: ${stderr}`,
        );
      }
    },
    exit,
  };
}

/** Sends a request and takes frames until its answer. */
export function requestOver({ send, next }: Pick<RawConnection, 'send' | 'next'>): RawConnection['request'] {
  return async (id, method, params) => {
    send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    for (;;) {
      const frame = await next();
      if (frame.id === id) return frame;
    }
  };
}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
};

/** The envelope that every request of revision 2026-07-28 carries. */
export const ENVELOPE = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** A server that has been greeted in the way of revision 2025-11-25. */
export async function startGreeted(options: RawOptions): Promise<RawServer> {
  const server = startRaw(options);
  await server.request(0, 'initialize', INITIALIZE);
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return server;
}
