// @openai/agents with strict schemas: tools as its MCP layer converts them, called as a strict model has to, with null
// for each field that is not given. Strict schemas know no object of any keys, which `json` takes: a tool that has it
// is kept with the schema as it is. Any other reason, or tool, would be a fault of ours.
import { getAllMcpTools, MCPServerStdio, mcpToFunctionTool, RunContext } from '@openai/agents';
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
  const tools = await converted(server);
  return {
    note: `${tools.filter(({ strict }) => strict).length} of them strict`,
    names: async () => tools.map(({ name }) => name),
    call: async (name, given) => {
      const tool = tools.find((tool) => tool.name === name);
      const output = await tool.invoke(new RunContext(), JSON.stringify(inputOf(tool, given)));
      return { text: textOf(output), isRefused };
    },
    close: () => server.close(),
  };
}

/** The conversion warns of each schema that it cannot make strict: judged here instead of printed. */
async function converted(server) {
  const { warn } = console;
  console.warn = () => {};
  try {
    const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
    for (const listed of await server.listTools()) {
      const isStrict = tools.find(({ name }) => name === listed.name)?.strict;
      if (isStrict === isOpen(listed.inputSchema)) throw new Error(`${listed.name}: strict is ${isStrict}`);
      const closed = { ...listed, inputSchema: withoutObjects(listed.inputSchema) };
      if (!mcpToFunctionTool(closed, server, true).strict)
        throw new Error(`${listed.name}: cannot be strict`);
    }
    return tools;
  } finally {
    console.warn = warn;
  }
}

function isOpen(schema) {
  return JSON.stringify(schema) !== JSON.stringify(withoutObjects(schema));
}

/** Without the objects of any keys, which only `json` may have. */
function withoutObjects(schema, name = '') {
  const isFree = (option) => option?.type === 'object' && option.properties === undefined;
  if (Array.isArray(schema)) {
    const options = name === 'json' ? schema.filter((option) => !isFree(option)) : schema;
    return options.map((option) => withoutObjects(option, name));
  }
  if (typeof schema !== 'object' || schema === null) return schema;
  const below = (key) => (name === 'json' ? name : key);
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, withoutObjects(part, below(key))]),
  );
}

function inputOf({ strict, parameters }, given) {
  if (!strict) return given;
  return Object.fromEntries(Object.keys(parameters.properties).map((name) => [name, given[name] ?? null]));
}
