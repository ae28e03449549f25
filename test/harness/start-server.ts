// Our server in this process behind a real client of either generation. Flags and variables are read by the command's own
// command line and settings, and messages cross as lines of bytes, through our own transport; what a process adds (the
// lock-down, the worker thread, signals) is left to start-process.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { airlockOptions, logOptions } from '../../src/cli/settings/airlock-options.ts';
import { resolveSettings } from '../../src/cli/settings/settings.ts';
import { InlineEngine } from '../../src/engine/inline-engine.ts';
import { createLog } from '../../src/security/audit/log.ts';
import { type Airlock, createServer, openAirlock } from '../../src/server.ts';
import { StdioTransport } from '../../src/transports/stdio/stdio-transport.ts';
import { type AnyClient, type ClientOptions, connectClient } from './clients.ts';
import { memoryDisk } from './memory-disk.ts';
import { tempRoot } from './temp-root.ts';

export interface StartOptions extends ClientOptions {
  /** Served as the only root; without it, a temporary one is made of `files` and removed by `close`. */
  readonly root?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Beside `--root`, which is left out when these name one. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The state directory, for servers that share one; else each has its own for as long as it runs. */
  readonly state?: string;
}

export interface RunningServer extends AnyClient {
  readonly root: string;
  readonly state: string;
  /** Everything that it logged so far: what it wrote before an answer is there with the answer. */
  stderr(): string;
  /**
   * The same, and with the record of each call that was answered: what is not in it was not logged. Throws where a
   * record is missing, as at a log level above `info`.
   */
  log(): string;
}

export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { root, state, logFile, argv, env, read, remove } = groundOf(options);
  try {
    const airlock = await open(argv, env, logFile);
    const { client, ended } = await connect(airlock, options);
    return {
      ...{ root, state },
      ...logged(client, read),
      close: async () => {
        await client.close();
        await ended();
        airlock.engine.close();
        airlock.sandbox.close();
        airlock.state?.dir?.close();
        remove();
      },
    };
  } catch (cause) {
    remove();
    throw new Error(`The server did not start: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/** As `serve` of src/cli/commands does, in the thread that asks. */
async function open(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
): Promise<Airlock & { readonly engine: InlineEngine }> {
  const request = readCommandLine(argv);
  if (request.kind !== 'run' || request.command.name !== 'serve') throw new Error('not what serves');
  const settings = await resolveSettings(request.flags, env);
  const { file = logFile, ...said } = logOptions(settings);
  const log = createLog({ ...said, file });
  const airlock = await openAirlock({ ...(await airlockOptions(settings, env)), log });
  await airlock.recover?.();
  return { ...airlock, engine: new InlineEngine(airlock) };
}

const LINE_BYTES = 100_000_000;

async function connect(airlock: Airlock, options: ClientOptions) {
  const [asked, answered] = [new PassThrough(), new PassThrough()];
  const ours = new StdioTransport(asked, answered, airlock.log, LINE_BYTES);
  const handle = serveStdio(() => createServer(airlock), { transport: ours, legacy: 'serve' });
  // The SDK's transport of servers is one over two streams, and both ends of a connection are alike.
  const theirs = new StdioServerTransport(answered, asked, { maxBufferSize: LINE_BYTES });
  const ended = async (): Promise<void> => {
    await handle.close();
    await ours.closed;
  };
  return { client: await connectClient(theirs, options), ended };
}

/** Where a server runs and what it is started with, however it is started. */
export function groundOf({ root: given, files, flags = [], env = {}, state }: StartOptions) {
  const temp = given === undefined ? tempRoot(files) : undefined;
  const root = given ?? temp?.dir ?? '';
  const own = tempRoot({}, memoryDisk());
  const ownState = join(own.dir, 'state');
  mkdirSync(ownState, { mode: 0o700 });
  const logFile = join(own.dir, 'stderr');
  writeFileSync(logFile, '', { mode: 0o600 });
  const stateDir = state ?? ownState;
  return {
    ...{ root, state: stateDir, logFile },
    argv: [...(flags.includes('--root') ? [] : ['--root', root]), ...flags],
    env: { AIRLOCK_STATE_DIR: stateDir, ...env },
    read: () => readFileSync(logFile, 'utf8'),
    remove: () => {
      temp?.remove();
      own.remove();
    },
  };
}

/** The client, and the log held against what it was answered. */
export function logged(
  client: AnyClient,
  read: () => string,
): Omit<RunningServer, 'root' | 'state' | 'close'> {
  let answers = 0;
  return {
    callTool: async (name, args) => {
      const outcome = await client.callTool(name, args);
      answers += 1;
      return outcome;
    },
    listTools: () => client.listTools(),
    stderr: read,
    log: () => {
      const log = read();
      const records = log.match(/\btool_call\b/gu)?.length ?? 0;
      if (records < answers) throw new Error(`${answers} calls were answered, and ${records} are in the log`);
      return log;
    },
  };
}
