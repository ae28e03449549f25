// The airlock as an MCP server, free of transport and side effects: connect what it returns to any
// transport of the SDK. Its tools are sealed: what this package does not list cannot be added later.
import { McpServer } from '@modelcontextprotocol/server';
import { InlineEngine } from '../engine/index.ts';
import { TOOLS } from '../tools/index.ts';
import type { Airlock } from './airlock.ts';
import { callerOf } from './caller-of.ts';
import { ClientApproval } from './client-approval.ts';
import { CallParams, createDispatcher } from './dispatch.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { ListParams, listTools } from './list-tools.ts';
import { VERSION } from './version.ts';

export { type Airlock, type AirlockOptions, isolate, openAirlock } from './airlock.ts';
export { VERSION } from './version.ts';

/** A new server for one connection; several may share an airlock. */
export function createServer(airlock: Airlock): McpServer {
  const { tools = TOOLS, engine = new InlineEngine(airlock, tools) } = airlock;
  const listed = listTools(tools);
  const server = new McpServer(
    { name: 'config-airlock', title: 'Config Airlock', version: VERSION },
    // False on purpose: the tools never change while the server runs.
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
  );
  // The SDK's own registry would send the raw message of anything thrown to the client, so both
  // methods are served here, from the one list.
  server.server.setRequestHandler('tools/list', { params: ListParams }, () => ({ tools: [...listed] }));
  server.server.setRequestHandler(
    'tools/call',
    { params: CallParams },
    createDispatcher({
      engine,
      engineContext: airlock,
      tools,
      approval: new ClientApproval(server.server, airlock.patienceMs),
      callerOf: (context) => callerOf(server, context),
      recover: airlock.recover,
    }),
  );
  return server;
}
