// The floor: what the MCP SDK itself costs, with a tool that only answers.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  const inputSchema = z.strictObject({ text: z.string() });
  server.registerTool('echo', { description: 'Says it again', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
    structuredContent: { ok: true, text },
  }));
  return server;
});
