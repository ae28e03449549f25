// The MCP TypeScript SDK, version 2, with the newest protocol revision that the server offers.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { INFO, sdkSession } from './sdk-session.mjs';

export function open(command, args) {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  return sdkSession(client, new StdioClientTransport({ command, args }));
}

export function openHttp(url, headers) {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  return sdkSession(client, new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
}
