// The bundled command behind a real client of either generation, in a process of its own, as a host
// would run it. `npm test` bundles it first.
import { fileURLToPath } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { memoryDisk } from './memory-disk.ts';
import { tempRoot } from './temp-root.ts';

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
  /** Everything that it wrote to stderr so far. */
  stderr(): string;
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
  const state = options.state === undefined ? tempRoot({}, memoryDisk()) : undefined;
  const rootFlags = flags.includes('--root') ? [] : ['--root', root];
  const [starter = '', ...args] = [...launcher, process.execPath, program, ...rootFlags, ...flags];
  const command = {
    command: starter,
    args,
    env: { PATH: process.env['PATH'] ?? '', AIRLOCK_STATE_DIR: options.state ?? state?.dir ?? '', ...env },
    stderr: 'pipe' as const,
  };
  const { client, transport } = makeClient(generation, command, options.person);
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  try {
    await client.connect();
  } catch (cause) {
    temp?.remove();
    state?.remove();
    throw new Error(`The server did not start: ${stderr}`, { cause });
  }
  return {
    root,
    state: options.state ?? state?.dir ?? '',
    pid: transport.pid ?? 0,
    callTool: async (name, args = {}) => outcomeOf(await client.callTool({ name, arguments: { ...args } })),
    listTools: () => client.listTools(),
    stderr: () => stderr,
    close: async () => {
      await client.close();
      temp?.remove();
      state?.remove();
    },
  };
}

interface AnyClient {
  connect(): Promise<void>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listTools(): Promise<readonly ListedTool[]>;
  close(): Promise<void>;
}

type Command = ConstructorParameters<typeof StdioClientTransport>[0] & { readonly stderr: 'pipe' };

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
  const [first] = content;
  if (content.length !== 1 || first?.type !== 'text') throw new Error('A reply is one piece of text');
  return { isError, text: first.text, data: structuredContent };
}
