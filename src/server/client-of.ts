// Who asks, by its own words: for the record, never for a decision.
import { isSpecType, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '../engine/index.ts';

const KEY = 'io.modelcontextprotocol/clientInfo';
const MOST_CHARS = 100;

/** Newer clients say it with every request, older ones once. */
export function clientOf({ server }: McpServer, { mcpReq }: ServerContext): Call['client'] {
  const said: unknown = Reflect.get(mcpReq.envelope ?? {}, KEY);
  const info = isSpecType.Implementation(said) ? said : server.getClientVersion();
  return info === undefined ? undefined : { client: short(info.name), version: short(info.version) };
}

function short(text: string): string {
  return text.slice(0, MOST_CHARS).toWellFormed();
}
