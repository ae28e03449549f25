// mcporter: tools as methods, found and checked by their schemas.
import { createRuntime, createServerProxy } from 'mcporter';

const NAME = 'airlock';

export async function open(command, args) {
  const server = { name: NAME, command: { kind: 'stdio', command, args, cwd: process.cwd() } };
  const runtime = await createRuntime({ servers: [server] });
  const proxy = createServerProxy(runtime, NAME, { cacheSchemas: false });
  return {
    names: async () => (await proxy.listTools()).map(({ name }) => name),
    call: async (name, given) => {
      const method = name.replace(/_./gu, ([, letter]) => letter.toUpperCase());
      const result = await proxy[method](given);
      return { text: result.text() ?? '', isRefused: result.raw.isError === true };
    },
    close: () => runtime.close(),
  };
}
