// The bundled command behind a real client of either generation, in a process of its own, as a host
// would run it. `npm test` bundles it first.
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { memoryDisk } from './memory-disk.ts';
import { tempRoot } from './temp-root.ts';
import { eventually } from './wait.ts';

/** What the published package runs, which starts in half the time of what it was bundled from. */
export const CLI = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));
/** What a clone runs. */
export const DIST_CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** The server with tools of its own: see fixture-server.mjs. */
export const FIXTURE = fileURLToPath(new URL('./fixture-server.mjs', import.meta.url));
/** The same, but in a thread of their own: see isolated-worker.mjs. */
export const ISOLATED = fileURLToPath(new URL('./isolated-server.mjs', import.meta.url));
export const GENERATIONS = ['v1', 'v2-legacy', 'v2-modern'] as const;
export type Generation = (typeof GENERATIONS)[number];

export interface StartOptions {
  /** Served as the only root; without it, a temporary one is made of `files` and removed by `close`. */
  readonly root?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Beside `--root`, which is left out when these name one. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The state directory, for servers that share one; else each has its own for as long as it runs. */
  readonly state?: string;
  readonly client?: Generation;
  /** What the person at the client answers; a client without it cannot ask. */
  readonly person?: Person;
  readonly program?: string;
  /** What starts it: ['strace', '-f', …], with the command behind. */
  readonly launcher?: readonly string[];
}

/** Reads the question; its answer is sent as it is. */
export type Person = (message: string) => Promise<{
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, boolean>;
}>;

/** What a call answered, in either generation's words. */
export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface RunningServer {
  readonly root: string;
  readonly state: string;
  readonly pid: number;
  callTool(name: string, args?: Readonly<Record<string, unknown>>): Promise<Outcome>;
  listTools(): Promise<readonly ListedTool[]>;
  /** Everything that it wrote to stderr so far: what it wrote before an answer is there with the answer. */
  stderr(): string;
  /**
   * The same, and with the record of each call that was answered: what is not in it was not logged. Throws where a
   * record is missing, as at a log level above `info`.
   */
  log(): string;
  /** Kills it, and waits until it is dead. `close` still has to be called. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { flags = [], env = {}, client: generation = 'v1', program = CLI, launcher = [] } = options;
  const temp = options.root === undefined ? tempRoot(options.files) : undefined;
  const root = options.root ?? temp?.dir ?? '';
  const own = tempRoot({}, memoryDisk());
  const ownState = join(own.dir, 'state');
  mkdirSync(ownState, { mode: 0o700 });
  const state = options.state ?? ownState;
  const remove = (): void => {
    temp?.remove();
    own.remove();
  };
  const rootFlags = flags.includes('--root') ? [] : ['--root', root];
  const [starter = '', ...args] = [...launcher, process.execPath, program, ...rootFlags, ...flags];
  // A file, not a pipe: what the server wrote before it answered can be read as soon as the answer is here.
  const logFile = join(own.dir, 'stderr');
  const stderr = openSync(logFile, 'a', 0o600);
  const command = {
    command: starter,
    args,
    env: { PATH: process.env['PATH'] ?? '', AIRLOCK_STATE_DIR: state, ...env },
    stderr,
  };
  const { client, transport } = makeClient(generation, command, options.person);
  try {
    await client.connect();
  } catch (cause) {
    const said = readFileSync(logFile, 'utf8');
    remove();
    throw new Error(`The server did not start: ${said}`, { cause });
  } finally {
    closeSync(stderr);
  }
  const pid = transport.pid ?? 0;
  const read = () => readFileSync(logFile, 'utf8');
  let answers = 0;
  return {
    root,
    state,
    pid,
    callTool: async (name, args = {}) => {
      const outcome = outcomeOf(await client.callTool({ name, arguments: { ...args } }));
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
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface AnyClient {
  connect(): Promise<void>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listTools(): Promise<readonly ListedTool[]>;
  close(): Promise<void>;
}

type Command = ConstructorParameters<typeof StdioClientTransport>[0] & { readonly stderr: number };

function makeClient(generation: Generation, command: Command, person: Person | undefined) {
  const info = { name: 'test-client', version: '1.0.0' };
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } };
  if (generation === 'v1') {
    const transport = new StdioClientTransport(command);
    const client = new Client(info, { capabilities });
    if (person !== undefined)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message));
    return { transport, client: adapt(client, () => client.connect(transport)) };
  }
  const transport = new ModernTransport(command);
  const mode = generation === 'v2-modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new ModernClient(info, { capabilities, versionNegotiation: { mode } });
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
  return { transport, client: adapt(client, () => client.connect(transport)) };
}

function adapt(client: Client | ModernClient, connect: () => Promise<void>): AnyClient {
  return {
    connect,
    callTool: (params) => client.callTool(params),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}

function outcomeOf(result: unknown): Outcome {
  const { isError = false, content, structuredContent = {} } = CallToolResultSchema.parse(result);
  const [first, note] = content;
  const isPlain = content.length <= 2 && (note === undefined || note.type === 'text');
  if (!isPlain || first?.type !== 'text') throw new Error('A reply is a text, and perhaps a note');
  return { isError, text: first.text, data: structuredContent };
}
