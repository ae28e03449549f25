// Makes an MCP server of an airlock. It can be connected to any transport of the SDK. The tools are fixed, and none can be added
// later.
import { McpServer, type Tool } from '@modelcontextprotocol/server';
import { signingKeyOf } from './security/secrets/signing-key.ts';
import type { Airlock } from './server/airlock.ts';
import { serveResourcesAndPrompts } from './server/beside-tools.ts';
import type { Serve, Verified } from './server/dispatch.ts';
import { CallParams, ListParams, listTools } from './server/list-tools.ts';
import { LISTED } from './server/listed.ts';
import { INSTRUCTIONS, VERSION } from './server/version.ts';

export {
  type Airlock,
  type AirlockOptions,
  isolate,
  openAirlock,
  policyOf,
  requireServableOptions,
} from './server/airlock.ts';
export { onCall } from './server/call-event.ts';
export { VERSION } from './server/version.ts';

/** The capabilities. No list changes while the server runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
  completions: {},
};

/** The time for which clients may cache lists. It is short, because the next process may be of another version. */
const TTL_MS = 300_000;
const FOR_ALL = { ttlMs: TTL_MS, cacheScope: 'public' } as const;
/** The list of tools is private, because it depends on the token. Resources have no hint, because they may change at any time. */
const CACHE_HINTS = {
  'tools/list': { ttlMs: TTL_MS, cacheScope: 'private' },
  'prompts/list': FOR_ALL,
  'resources/list': FOR_ALL,
  'resources/templates/list': FOR_ALL,
  'server/discover': FOR_ALL,
} as const;

/** The client of a connection, as far as its transport knows it. */
export interface Client {
  readonly verified?: Verified;
  /** True if the caller may use no tools that write, or asks for none. */
  readonly isReadOnly?: boolean;
}

/** Makes a new server for one connection; several may share an airlock. */
export function createServer(airlock: Airlock, { verified, isReadOnly = false }: Client = {}): McpServer {
  const listed = listedFor(airlock).filter(({ annotations }) => !isReadOnly || !writes(annotations));
  const server = new McpServer(
    { name: 'config-airlock', title: 'Config Airlock', version: VERSION },
    { capabilities: CAPABILITIES, instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS },
  );
  // The SDK's own registry would send the raw message of any error to the client, so both methods are served
  // here, from the one list.
  // A call of a hidden tool is still refused with the reason.
  const shown = listed.filter((tool) => isShown(tool, airlock.policy.readOnly));
  server.server.setRequestHandler('tools/list', { params: ListParams }, () => ({ tools: [...shown] }));
  let dispatch: Promise<Serve> | undefined;
  const served = (): Promise<Serve> => {
    dispatch ??= import('./server/dispatch.ts').then(({ createDispatcher }) =>
      createDispatcher(airlock, server, listed, verified),
    );
    return dispatch;
  };
  server.server.setRequestHandler('tools/call', { params: CallParams }, async (params, context) =>
    (await served())(params, context),
  );
  serveResourcesAndPrompts(server, served);
  return server;
}

/** Returns what `tools/list` answers to a client that may write. */
export function shownTools(replies: 'both' | 'text', readOnly: boolean): readonly Tool[] {
  return listedFor({ replies }).filter((tool) => isShown(tool, readOnly));
}

function isShown({ name }: Tool, readOnly: boolean): boolean {
  return !readOnly || !ON_STATE.includes(name);
}

/** The tools for what was previewed or applied before, which a read-only server does not keep. */
const ON_STATE = ['config_apply', 'config_revert', 'config_history'];

function listedFor({ tools, replies }: Pick<Airlock, 'tools' | 'replies'>): readonly Tool[] {
  const listed = tools === undefined ? LISTED : listTools(tools);
  return replies === 'text' ? listed.map(({ outputSchema: _, ...tool }) => tool) : listed;
}

/** True for a tool that may write, or keep a preview. */
export function isWritingTool(airlock: Airlock, name: string): boolean {
  return listedFor(airlock).some((tool) => tool.name === name && writes(tool.annotations));
}

function writes(annotations: Tool['annotations']): boolean {
  return annotations?.readOnlyHint !== true;
}

/**
 * Returns the same airlock for a transport that makes a new server for each request: what belongs to a connection is shared by
 * all. A question that one server has asked can be answered to any that shares its state.
 */
export async function forManyClients(
  airlock: Airlock,
): Promise<Required<Pick<Airlock, 'engine' | 'shared'>> & Airlock> {
  const { sharedParts: sharedBy } = await import('./server/dispatch.ts');
  const engine = airlock.engine ?? (await import('./server/serve-inline.ts')).inlineEngine(airlock);
  const { store } = airlock.state ?? {};
  const key = store && (async () => signingKeyOf(store));
  return { ...airlock, engine, shared: sharedBy(airlock, key) };
}

/** Loads what calls need, but the handshake and `tools/list` do not, at a moment in which nobody waits. */
export async function preloadCalls(): Promise<void> {
  await import('./server/dispatch.ts');
}
