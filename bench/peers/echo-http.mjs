// The floor over HTTP: what the MCP SDK and its HTTP parts cost, with a tool that only answers. Prints its port.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  const inputSchema = z.strictObject({ text: z.string() });
  server.registerTool('echo', { description: 'Says it again', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
    structuredContent: { ok: true, text },
  }));
  return server;
});
const listening = createServer(getRequestListener((request) => handler.fetch(request)));
listening.listen(0, '127.0.0.1', () => process.stdout.write(`${listening.address().port}\n`));
