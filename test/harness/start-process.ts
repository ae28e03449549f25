// The built command behind a real client of either generation, in a process of its own, as a host would run it. For what
// only a process has: all else is tested in this one, by start-server.ts. `npm run build` makes what is started.
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { connectClient } from './clients.ts';
import { groundOf, logged, type RunningServer, type StartOptions } from './start-server.ts';
import { eventually } from './wait.ts';

/** What the published package runs, which starts in half the time of what it was bundled from. */
export const CLI = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));
/** What a clone runs. */
export const DIST_CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** The server with tools of its own: see fixture-server.mjs. */
export const FIXTURE = fileURLToPath(new URL('./fixture-server.mjs', import.meta.url));
/** The same, but in a thread of their own: see isolated-worker.mjs. */
export const ISOLATED = fileURLToPath(new URL('./isolated-server.mjs', import.meta.url));

export interface ProcessOptions extends StartOptions {
  readonly program?: string | undefined;
  /** What starts it: ['strace', '-f', …], with the command behind. */
  readonly launcher?: readonly string[];
}

export interface RunningProcess extends RunningServer {
  readonly pid: number;
  /** Kills it, and waits until it is dead. `close` still has to be called. */
  kill(): Promise<void>;
}

export async function startProcess(options: ProcessOptions = {}): Promise<RunningProcess> {
  const { program = CLI, launcher = [] } = options;
  const { root, state, logFile, argv, env, read, remove } = groundOf(options);
  const [starter = '', ...args] = [...launcher, process.execPath, program, ...argv];
  // A file, not a pipe: what the server wrote before it answered can be read as soon as the answer is here.
  const stderr = openSync(logFile, 'a', 0o600);
  const { client: generation = 'v1' } = options;
  // The transport of its own generation: another one does not tell it of a process that has ended.
  const Transport = generation === 'v1' ? StdioClientTransport : ModernTransport;
  const transport = new Transport({
    command: starter,
    args,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr,
  });
  try {
    const client = await connectClient(transport, options);
    const pid = transport.pid ?? 0;
    return {
      ...{ root, state, pid },
      ...logged(client, read),
      kill: async () => {
        process.kill(pid, 'SIGKILL');
        await eventually(() => {
          if (isAlive(pid)) throw new Error('the server is still alive');
        });
      },
      close: async () => {
        await client.close();
        remove();
      },
    };
  } catch (cause) {
    const said = read();
    remove();
    throw new Error(`The server did not start: ${said}`, { cause });
  } finally {
    closeSync(stderr);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
