// The MCP TypeScript SDK, version 1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { INFO, sdkSession } from './sdk-session.mjs';

export function open(command, args) {
  return sdkSession(new Client(INFO), new StdioClientTransport({ command, args }));
}

export function openHttp(url, headers) {
  return sdkSession(
    new Client(INFO),
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
}
