// Whether the time of an answer tells what its words do not: for each pair of calls that are answered alike, how often the
// first takes longer than the second. 50 % is a coin; the last pair, of answers that differ, shows what a difference looks like.
// The two are asked in turns, in a random order, through a client over stdio, of one server.
//   --rounds N   default: 2,000   --cli FILE   another build of the server; the bundle unless said otherwise
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2000' },
    cli: { type: 'string', default: fileURLToPath(new URL('../bundle/cli.js', import.meta.url)) },
  },
});
const rounds = Number(options.rounds);
const UNTIMED = 50;

const get = (file) => ['config_get', { file }];
const set = (file) => ['config_set', { file, path: 'a', value: '2' }];
const PAIRS = [
  ['a denied file, there or not', get('.env'), get('.envy.env')],
  ['the same, an edit', set('.env'), set('.envy.env')],
  ['in a denied folder, there or not', get('.git/config.yaml'), get('.git/absent.yaml')],
  ['a denied file, large or small', get('large.env'), get('.env')],
  ['a file off the allowlist, there or not', get('notes.txt'), get('absent.txt')],
  ['outside of the root, there or not', get('../outside/there.yaml'), get('../outside/not-there.yaml')],
  ['a link out of the root, to a file or to nothing', get('to-file.yaml'), get('to-none.yaml')],
  ['the same, to a large file or a small one', get('to-huge.yaml'), get('to-file.yaml')],
  ['behind a link to a folder, there or not', get('to-folder/there.yaml'), get('to-folder/absen.yaml')],
  ['a schema that is denied, there or not', schema('.git/config.json'), schema('.git/absent.json')],
  ['a list, with a denied folder of 5,000 files or an empty one', withFolder('full'), withFolder('bare')],
  ['a list, with 200 denied files in a folder or none', withFolder('crowd'), withFolder('bare')],
  ['to compare: an allowed file, there or not', get('small.yaml'), get('absen.yaml')],
];

function schema(file) {
  return ['config_validate', { file: 'small.yaml', schema: file }];
}

/** Of these folders outside of the root, one stands in it meanwhile. */
function withFolder(name) {
  return ['config_list', {}, name];
}

const folder = mkdtempSync(join(tmpdir(), 'airlock-timing-'));
try {
  lay(folder);
  const server = start(folder);
  await server.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'measure', version: '1' },
  });
  server.notify('notifications/initialized');
  process.stdout.write('| pair | medians, in ms | the first takes longer |\n|---|---|---|\n');
  for (const [name, ...calls] of PAIRS) await measure(server, name, calls);
  await server.end();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function lay(place) {
  const root = join(place, 'root');
  const outside = join(place, 'outside');
  for (const name of ['root/.git', 'outside', 'full/.git', 'bare/.git', 'crowd/.git'])
    mkdirSync(join(place, name), { recursive: true });
  const small = 'a: 1\n';
  for (const name of ['small.yaml', '.env', '.git/config.yaml', '.git/config.json', 'notes.txt'])
    writeFileSync(join(root, name), small);
  for (let i = 0; i < 5_000; i += 1) writeFileSync(join(place, 'full/.git', `${i}.yaml`), '');
  for (let i = 0; i < 200; i += 1) writeFileSync(join(place, 'crowd', `${i}.env`), '');
  writeFileSync(join(root, 'large.env'), small.repeat(200_000));
  writeFileSync(join(outside, 'there.yaml'), small);
  writeFileSync(join(outside, 'huge.yaml'), small.repeat(200_000));
  symlinkSync(join(outside, 'there.yaml'), join(root, 'to-file.yaml'));
  symlinkSync(join(outside, 'gone.yaml'), join(root, 'to-none.yaml'));
  symlinkSync(join(outside, 'huge.yaml'), join(root, 'to-huge.yaml'));
  symlinkSync(outside, join(root, 'to-folder'));
}

async function measure(server, name, calls) {
  const times = [[], []];
  for (let round = 0; round < rounds + UNTIMED; round += 1) {
    const first = Math.random() < 0.5 ? 0 : 1;
    for (const which of [first, 1 - first]) {
      const [tool, args, lent] = calls[which];
      if (lent !== undefined) renameSync(join(folder, lent), join(folder, 'root/lent'));
      const sent = performance.now();
      await server.request('tools/call', { name: tool, arguments: args });
      if (round >= UNTIMED) times[which].push(performance.now() - sent);
      if (lent !== undefined) renameSync(join(folder, 'root/lent'), join(folder, lent));
    }
  }
  const [first, second] = times.map((all) => all.toSorted((a, b) => a - b));
  const medians = [first, second].map((all) => all[all.length >> 1].toFixed(3)).join(' and ');
  process.stdout.write(`| ${name} | ${medians} | ${(100 * shareAbove(first, second)).toFixed(1)} % |\n`);
}

/** Of all pairs of one time from each, both sorted. */
function shareAbove(first, second) {
  let below = 0;
  let sum = 0;
  for (const time of first) {
    while (below < second.length && second[below] < time) below += 1;
    sum += below;
  }
  return sum / (first.length * second.length);
}

function start(place) {
  const args = [options.cli, '--root', join(place, 'root'), '--state-dir', join(place, 'state')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    request: (method, params) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        send({ id: last, method, params });
      }),
    notify: (method) => send({ method }),
    end: () =>
      new Promise((resolve) => {
        child.on('exit', resolve);
        child.stdin.end();
      }),
  };
}
