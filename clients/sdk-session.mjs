// A session of the MCP TypeScript SDK, of either generation, and the text of a result as all clients give it.
export const INFO = { name: 'config-airlock-clients', version: '1.0.0' };

export async function sdkSession(client, transport) {
  await client.connect(transport);
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      return { text: textOf(content), isRefused: isError === true };
    },
    close: () => client.close(),
  };
}

export function textOf(content) {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map(({ text }) => text).join('\n');
}
