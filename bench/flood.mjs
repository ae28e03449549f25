// How long a server takes that starts behind a long audit trail: until it serves, reads and applies, and what `audit verify`
// takes. Prints one line. Usage: node bench/flood.mjs ROOT STATE_DIR
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const [root, state] = process.argv.slice(2);
const flags = ['--root', root, '--state-dir', state];
const quiet = ['--log-level', 'error'];

const began = performance.now();
const child = spawn(process.execPath, [CLI, ...flags, ...quiet], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
createInterface({ input: child.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message.result);
});
let last = 0;
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = (method, params) =>
  new Promise((settle) => {
    last += 1;
    waiting.set(last, settle);
    send({ id: last, method, params });
  });
const call = async (name, args) => {
  const { structuredContent: data } = await ask('tools/call', { name, arguments: args });
  if (data?.ok !== true) throw new Error(`${name}: ${JSON.stringify(data)}`);
  return data;
};

const clientInfo = { name: 'flood', version: '1' };
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
send({ method: 'notifications/initialized' });
const started = performance.now();
await call('config_get', { file: 'a.yaml', path: 'a' });
const read = performance.now();
const { preview_id } = await call('config_set', { file: 'a.yaml', path: 'a', json: 7 });
await call('config_apply', { preview_id });
const applied = performance.now();
const memory = Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1_024;
child.stdin.end();
const verifying = performance.now();
const verified = spawnSync(process.execPath, [CLI, 'audit', 'verify', ...flags], { encoding: 'utf8' });
const end = performance.now();

const folder = join(state, 'audit');
const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
const ms = (time) => `${Math.round(time)} ms`;
process.stdout.write(
  `${[
    `trail of ${(bytes / 1e9).toFixed(1)} GB`,
    `start ${ms(started - began)}`,
    `first read ${ms(read - started)}`,
    `first preview and apply ${ms(applied - read)}`,
    `most memory ${Math.round(memory / 1e6)} MB`,
    `audit verify ${ms(end - verifying)} (${verified.stdout.split('\n')[0]})`,
  ].join(', ')}\n`,
);
