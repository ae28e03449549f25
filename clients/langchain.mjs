// @langchain/mcp-adapters: tool objects, which check what they are given by the schema, and throw what is refused.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { textOf } from './sdk-session.mjs';

export async function open(command, args) {
  const client = new MultiServerMCPClient({ mcpServers: { airlock: { transport: 'stdio', command, args } } });
  const tools = await client.getTools();
  return {
    names: async () => tools.map(({ name }) => name),
    call: async (name, input) => {
      const tool = tools.find((tool) => tool.name === name);
      try {
        return { text: textOf(await tool.invoke(input)), isRefused: false };
      } catch (error) {
        if (error.name !== 'ToolException') throw error;
        return { text: error.message, isRefused: true };
      }
    },
    close: () => client.close(),
  };
}
