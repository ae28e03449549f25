// mcporter: tools as methods, found and checked by their schemas.
import { createRuntime, createServerProxy } from 'mcporter';

const NAME = 'airlock';

export function open(command, args) {
  return session({ kind: 'stdio', command, args, cwd: process.cwd() });
}

export function openHttp(url, headers) {
  return session({ kind: 'http', url: new URL(url), headers });
}

async function session(command) {
  const server = { name: NAME, command };
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
