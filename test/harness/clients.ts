// A real client of either generation of the SDK, over any transport, and what it was answered in words that are the same
// for all of them.
import { Client as ModernClient, type Transport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export const GENERATIONS = ['v1', 'v2-legacy', 'v2-modern'] as const;
export type Generation = (typeof GENERATIONS)[number];

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

export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

export interface AnyClient {
  callTool(name: string, args?: Readonly<Record<string, unknown>>): Promise<Outcome>;
  listTools(): Promise<readonly ListedTool[]>;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly client?: Generation | undefined;
  /** What the person at the client answers; a client without it cannot ask. */
  readonly person?: Person | undefined;
}

/** The handshake is over when it answers. */
export async function connectClient(
  transport: Transport & ModernTransport,
  { client: generation = 'v1', person }: ClientOptions,
): Promise<AnyClient> {
  const info = { name: 'test-client', version: '1.0.0' };
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } };
  if (generation === 'v1') {
    const client = new Client(info, { capabilities });
    if (person !== undefined)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message));
    await client.connect(transport);
    return adapt(client, (params) => client.callTool(params, undefined, PATIENT));
  }
  const mode = generation === 'v2-modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new ModernClient(info, { capabilities, versionNegotiation: { mode } });
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
  await client.connect(transport);
  return adapt(client, (params) => client.callTool(params, PATIENT));
}

/** The clients give a call up after a minute by themselves, which a busy machine may need; a test has a limit of its own. */
const PATIENT = { timeout: 600_000 };

function adapt(
  client: Client | ModernClient,
  call: (params: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<unknown>,
): AnyClient {
  return {
    callTool: async (name, args = {}) => outcomeOf(await call({ name, arguments: { ...args } })),
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
