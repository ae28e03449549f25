// @ai-sdk/mcp: tool objects, and of their results what the SDK gives to a model.
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { textOf } from './sdk-session.mjs';

export async function open(command, args) {
  const client = await createMCPClient({ transport: new StdioMCPTransport({ command, args }) });
  const tools = await client.tools();
  return {
    names: async () => Object.keys(tools),
    call: async (name, input) => {
      const toolCallId = 'call-1';
      const output = await tools[name].execute(input, { toolCallId, messages: [] });
      const { value } = tools[name].toModelOutput({ toolCallId, input, output });
      return { text: textOf(value), isRefused: output.isError === true };
    },
    close: () => client.close(),
  };
}
