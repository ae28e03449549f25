// What HTTP adds: a get over HTTP beside the same over stdio, with the echoes of both as the floor, and how many calls a second
// twenty clients get beside one.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { race } from './measure.mjs';
import { airlockCommand, echoCommand, start } from './servers.mjs';

const MANY = 20;

export async function overHttp({ root, state, target }, isQuick) {
  const stdio = { airlock: await start(airlockCommand(root, state, 0)), echo: await start(echoCommand()) };
  const http = { airlock: await serveAirlock(root, state), echo: await serveEcho() };
  const get = (client) => client.call('config_get', { file: target.file, path: target.path });
  const echo = (client) => client.call('echo', { text: 'again' });
  try {
    const jobs = {
      'stdio get': { run: () => get(stdio.airlock) },
      'stdio echo': { run: () => echo(stdio.echo) },
      'HTTP get': { run: () => get(http.airlock) },
      'HTTP echo': { run: () => echo(http.echo) },
    };
    const times = await race(jobs, isQuick ? 40 : 200, 20);
    const calls = isQuick ? 100 : 400;
    const one = await perSecond(() => get(http.airlock), 1, calls);
    const many = await perSecond(() => get(http.airlock), MANY, calls);
    return { times, one, many };
  } finally {
    for (const client of [...Object.values(stdio), ...Object.values(http)]) await client.close();
  }
}

/** HTTP may cost what it costs the SDK's own echo, and a tenth more. */
export function httpRatio({ times }) {
  return times['HTTP get'] / (times['stdio get'] + times['HTTP echo'] - times['stdio echo']);
}

async function perSecond(call, clients, calls) {
  const begun = performance.now();
  let left = calls;
  const work = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: clients }, work));
  return (calls * 1_000) / (performance.now() - begun);
}

async function serveAirlock(root, state) {
  const [program, cli] = airlockCommand(root, state, 0);
  const made = execFileSync(program, [cli, 'token', 'bench', '--scope', 'write', '--json'], {
    encoding: 'utf8',
  });
  const { token, line } = JSON.parse(made);
  const tokens = join(state, 'http-tokens');
  writeFileSync(tokens, `${line}\n`, { mode: 0o600 });
  const limits = ['--http-calls-per-minute', '1000000', '--http-calls-at-once', '64'];
  const options = ['--root', root, '--state-dir', join(state, 'http'), '--http-tokens', tokens, ...limits];
  const server = spawn(program, [cli, 'serve', '--http', '127.0.0.1:0', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await firstOf(server.stderr, (text) => JSON.parse(text).port);
  return clientOf(server, `http://127.0.0.1:${port}/mcp`, { authorization: `Bearer ${token}` });
}

async function serveEcho() {
  const peer = fileURLToPath(new URL('peers/echo-http.mjs', import.meta.url));
  const server = spawn(process.execPath, [peer], { stdio: ['ignore', 'pipe', 'ignore'] });
  return clientOf(server, `http://127.0.0.1:${await firstOf(server.stdout, Number)}/mcp`, {});
}

async function firstOf(stream, read) {
  for await (const text of createInterface({ input: stream })) {
    const found = read(text);
    if (found === undefined) continue;
    stream.resume();
    return found;
  }
  throw new Error('the server did not listen');
}

function clientOf(server, url, more) {
  const agent = new Agent({ keepAlive: true, maxSockets: MANY });
  const headers = {
    ...more,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-06-18',
  };
  return {
    call: async (name, args) => {
      const params = { name, arguments: args };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const length = { 'content-length': Buffer.byteLength(body) };
      const asked = request(url, { agent, method: 'POST', headers: { ...headers, ...length } });
      asked.end(body);
      const [answer] = await once(asked, 'response');
      let text = '';
      for await (const piece of answer.setEncoding('utf8')) text += piece;
      if (answer.statusCode !== 200 || !text.includes('"result"') || text.includes('"isError":true'))
        throw new Error(`${name}: ${answer.statusCode} ${text.slice(0, 300)}`);
    },
    close: async () => {
      agent.destroy();
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}
