// The built command over HTTP, with a token that may write.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Starts it; answers its address, the headers that it wants, and how it ends. */
export async function serveHttp(cli, root, options) {
  const made = execFileSync(process.execPath, [cli, 'token', 'client', '--scope', 'write', '--json'], {
    encoding: 'utf8',
  });
  const { token, line } = JSON.parse(made);
  const tokens = `${root}.tokens`;
  writeFileSync(tokens, `${line}\n`, { mode: 0o600 });
  const args = [cli, 'serve', '--http', '127.0.0.1:0', '--http-tokens', tokens, ...options];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await portOf(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { Authorization: `Bearer ${token}` },
    close: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

async function portOf({ stderr }) {
  for await (const text of createInterface({ input: stderr })) {
    const { event, port } = JSON.parse(text);
    if (event !== 'listening') continue;
    stderr.resume();
    return port;
  }
  throw new Error('the server did not listen');
}
