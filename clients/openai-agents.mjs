// @openai/agents with strict schemas: tools as its MCP layer converts them, called as a strict model has to. Where a schema
// cannot be strict the layer keeps the tool without it, which is a failure here.
import { getAllMcpTools, MCPServerStdio, RunContext } from '@openai/agents';
import { textOf } from './sdk-session.mjs';

export async function open(command, args) {
  const server = new MCPServerStdio({ command, args });
  await server.connect();
  let isRefused = false;
  const callTool = server.callTool.bind(server);
  server.callTool = async (...given) => {
    const content = await callTool(...given);
    isRefused = content.isError === true;
    return content;
  };
  const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
  const loose = tools.filter(({ strict }) => !strict).map(({ name }) => name);
  if (loose.length > 0) {
    await server.close();
    throw new Error(`not strict: ${loose.join(', ')}`);
  }
  return {
    kind: 'strict tools',
    names: async () => tools.map(({ name }) => name),
    call: async (name, given) => {
      const tool = tools.find((tool) => tool.name === name);
      const output = await tool.invoke(new RunContext(), JSON.stringify(withNulls(tool.parameters, given)));
      return { text: textOf(output), isRefused };
    },
    close: () => server.close(),
  };
}

/** As a strict model has to send it: each field of each object, null where nothing is meant. */
function withNulls(schema, given) {
  const { properties, items } = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (Array.isArray(given) && items !== undefined) return given.map((item) => withNulls(items, item));
  if (properties === undefined) return given;
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      given[name] === undefined ? null : withNulls(field, given[name]),
    ]),
  );
}
