// Who calls, in the client's own words.
import { isSpecType, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../security/index.ts';

const KEY = 'io.modelcontextprotocol/clientInfo';
const MOST_CHARS = 100;

/** Newer clients say it with every request, older ones once. */
export function callerOf({ server }: McpServer, { mcpReq }: ServerContext): Caller {
  const said: unknown = Reflect.get(mcpReq.envelope ?? {}, KEY);
  const { name, version } = (isSpecType.Implementation(said) ? said : server.getClientVersion()) ?? UNNAMED;
  return { name: short(name), version: short(version) };
}

const UNNAMED = { name: 'unknown', version: '' };

function short(text: string): string {
  return text.slice(0, MOST_CHARS).toWellFormed();
}
