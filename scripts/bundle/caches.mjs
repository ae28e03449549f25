// What V8 makes of the bundle's scripts in the first moments of a server, for NAME.cache beside each: a copy of
// the bundle is started, asked what a client asks first, and writes it down.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CACHES = ['main.cjs.cache', 'thread.cjs.cache'];
const PATIENCE_MS = 30_000;
const clientInfo = { name: 'bundle', version: '1' };
const call = (id, name, args) => ({ id, method: 'tools/call', params: { name, arguments: args } });
const MESSAGES = [
  { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
  { id: 1, method: 'tools/list', params: {} },
  call(2, 'config_list', {}),
  call(3, 'config_get', { file: 'a.yaml', path: 'a' }),
  call(4, 'config_set', { file: 'a.yaml', path: 'a.b', json: 2 }),
];
const ANSWERS = 5;

/** `makeStart` builds what is started into a folder. Answers how many bytes were written. */
export async function writeCaches(bundle, makeStart) {
  const place = mkdtempSync(join(tmpdir(), 'airlock-bundle-'));
  try {
    const copy = join(place, 'bundle');
    cpSync(bundle, copy, { recursive: true });
    await makeStart(copy);
    mkdirSync(join(place, 'root'));
    writeFileSync(join(place, 'root/a.yaml'), '# why\na:\n  b: 1  # one\nc: [1, "2"]\n');
    await runFirstMoments(join(copy, 'cli.js'), place);
    const caches = readdirSync(copy).filter((name) => name.endsWith('.cache'));
    return caches.reduce((bytes, name) => {
      const cache = readFileSync(join(copy, name));
      writeFileSync(join(bundle, name), cache);
      return bytes + cache.length;
    }, 0);
  } finally {
    rmSync(place, { recursive: true });
  }
}

async function runFirstMoments(program, place) {
  const places = { root: 'root', 'state-dir': 'state', 'log-file': 'log' };
  const options = Object.entries(places).flatMap(([name, at]) => [`--${name}`, join(place, at)]);
  const env = { PATH: process.env.PATH };
  const child = spawn(process.execPath, [program, ...options], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const frames = MESSAGES.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.write(frames.join(''));
  let answers = '';
  const answered = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      answers += chunk;
      if (answers.split('\n').length > ANSWERS) resolve();
    });
  });
  await Promise.race([answered, ended]);
  await written(dirname(program), Date.now());
  child.stdin.end();
  const results = answers.split('\n', ANSWERS).map((line) => JSON.parse(line).result);
  if ((await ended) !== 0 || !results.every((result) => result !== undefined && !result.isError)) {
    throw new Error(`bundle: its first moments went wrong: ${answers}`);
  }
}

async function written(dir, since) {
  const isNew = (name) => (statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > since;
  while (!CACHES.every(isNew)) {
    if (Date.now() > since + PATIENCE_MS) throw new Error('bundle: no caches came');
    await sleep(20);
  }
}
