// Hostile contents against the built server, over stdio, as an agent would send them: how long a call takes, how
// long a ping waits beside it, what the threads computed meanwhile, and the most memory that the process has held. The
// other work of the machine makes times and waits longer; it does not change what was computed, nor much of `stall`: for how
// long the main thread was busy in one piece, at most, as a timer in it has seen (hostile/watch-turns.cjs). A ping that stands
// behind a long message waits for all of its pieces. Prints the worst rows; exits 1 where a call is not answered, the call after it is not, or the process has ended.
//   --all   every row      --only WORDS   files whose name holds them      --bytes N   default: 1,990,000
//   --formats   the files of other formats than YAML
//   --small   the files that are large in something else than bytes, too   --tasks   what needs more than one file of that kind
//   --cli FILE   another build of the server; the bundle unless said otherwise
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FORMAT_TEXTS } from './hostile/format-texts.mjs';
import { SMALL_TEXTS } from './hostile/small-texts.mjs';
import { TASKS } from './hostile/tasks.mjs';
import { TEXTS } from './hostile/texts.mjs';

const BUNDLE = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const WATCH = fileURLToPath(new URL('./hostile/watch-turns.cjs', import.meta.url));
const SHOWN = 12;
const MS_PER_TICK = 10;

const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    bytes: { type: 'string', default: '1990000' },
    formats: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    tasks: { type: 'boolean', default: false },
    cli: { type: 'string', default: BUNDLE },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'airlock-hostile-'));
const root = join(folder, 'root');
const rows = [];
try {
  if (options.tasks) {
    for (const task of TASKS) if (task.name.includes(options.only)) rows.push(...(await measureTask(task)));
  } else {
    for (const { name, extension, make } of chosenTexts()) {
      if (name.includes(options.only))
        rows.push(...(await measureText(name, extension, make(Number(options.bytes)))));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report();

function chosenTexts() {
  if (options.formats) return FORMAT_TEXTS;
  const texts = options.small ? SMALL_TEXTS : TEXTS;
  return Object.entries(texts).map(([name, make]) => ({ name, extension: 'yaml', make }));
}

/** One server a text, so that the memory is that text's own. */
function measureText(name, extension, text) {
  const small = { yaml: 'a: 1\n', jsonc: '{ "a": 1 }\n', toml: 'a = 1\n' }[extension];
  return measureTask({
    name,
    files: () => [
      [`a.${extension}`, text],
      [`other.${extension}`, small],
    ],
    calls: () => jobs(extension, text).map(([job, tool, args]) => ({ job, tool, args })),
  });
}

/** `calls`: one after the other; where `next` is said, its arguments are made of the data that the one before answered. */
async function measureTask({ name, files, calls, options: settings = [] }) {
  mkdirSync(root, { recursive: true });
  for (const [file, text] of files()) writeFileSync(join(root, file), text);
  writeFileSync(join(root, 'small.yaml'), 'a: 1\n');
  const server = start(settings);
  await server.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'measure', version: '1' },
  });
  server.notify('notifications/initialized');
  await server.call('config_get', { file: 'small.yaml' });
  const found = [];
  let last;
  for (const { job, tool, args, next } of calls()) {
    const row = await measureCall(server, { name, job, tool, args: next === undefined ? args : next(last) });
    last = row.data;
    found.push(row);
  }
  await server.end();
  rmSync(root, { recursive: true, force: true });
  return found;
}

function jobs(extension, text) {
  const file = `a.${extension}`;
  return [
    ['outline', 'config_get', { file, view: 'outline', doc: 0 }],
    ['value', 'config_get', { file, view: 'value', doc: 0 }],
    ['search', 'config_search', { value: 'zzz' }],
    ['validate', 'config_validate', { file }],
    ['set', 'config_set', { file, path: 'new_key', value: '1', doc: 0 }],
    ['delete', 'config_edit', { edits: [{ op: 'delete', file, path: 'k1', doc: 0 }] }],
    ['comment', 'config_edit', { edits: [{ op: 'comment', file, path: 'k1', comment: 'x', doc: 0 }] }],
    ['fragment', 'config_set', { file: `other.${extension}`, path: 'a', value: text }],
    ['text', 'config_validate', { text }],
  ];
}

async function measureCall(server, { name, job, tool, args }) {
  server.forgetPeak();
  let worstPing = 0;
  let isOver = false;
  const pings = (async () => {
    while (!isOver) {
      const sent = performance.now();
      await server.request('ping', {});
      worstPing = Math.max(worstPing, performance.now() - sent);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 20));
  server.forgetStall();
  const cpuBefore = server.cpuMs();
  const began = performance.now();
  const { code: outcome, data, chars } = await server.ask(tool, args);
  const ms = performance.now() - began;
  const cpu = server.cpuMs();
  isOver = true;
  await pings;
  const peakMb = server.peakMb();
  const stallMs = server.stallMs();
  const next = await server.call('config_get', { file: 'small.yaml', path: 'a' });
  return {
    name,
    job,
    outcome,
    data,
    chars,
    ms,
    cpuMs: cpu.all - cpuBefore.all,
    mainMs: cpu.main - cpuBefore.main,
    stallMs,
    pingMs: worstPing,
    peakMb,
    isNextAnswered: next === 'ok',
  };
}

function start(settings) {
  // The child begins as whoever starts it is.
  askFirst(false);
  const child = spawn(
    process.execPath,
    ['--require', WATCH, options.cli, '--root', root, '--state-dir', join(folder, 'state'), ...settings],
    {
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    },
  );
  askFirst(true);
  const waiting = new Map();
  let last = 0;
  let stallMs = 0;
  let hasEnded = false;
  createInterface({ input: child.stdio[3] }).on('line', (line) => {
    stallMs = Math.max(stallMs, Number(line));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  child.on('exit', () => {
    hasEnded = true;
    for (const settle of waiting.values()) settle({ error: { message: 'the process has ended' } });
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.on('error', () => undefined);
  const request = (method, params) =>
    new Promise((resolve) => {
      if (hasEnded) return resolve({ error: { message: 'the process has ended' } });
      last += 1;
      waiting.set(last, resolve);
      send({ id: last, method, params });
    });
  return {
    request,
    notify: (method) => send({ method }),
    /** `ok`, the code of the refusal, or what the protocol says. */
    async call(name, args) {
      return (await this.ask(name, args)).code;
    },
    async ask(name, args) {
      const { result, error } = await request('tools/call', { name, arguments: args });
      if (error !== undefined) {
        return { code: error.code === -32602 ? 'frame refused' : error.message, data: undefined, chars: 0 };
      }
      const data = result.structuredContent;
      const code = result.isError === true ? data.error.code : 'ok';
      return { code, data, chars: JSON.stringify(result).length };
    },
    forgetPeak() {
      try {
        writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      } catch {
        // Then the peak is the highest since the start.
      }
    },
    forgetStall() {
      stallMs = 0;
    },
    stallMs: () => stallMs,
    /** What the process and its main thread have computed so far. */
    cpuMs() {
      try {
        const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
        const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
        const main = readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8');
        return { all: (Number(user) + Number(system)) * MS_PER_TICK, main: Number.parseInt(main, 10) / 1e6 };
      } catch {
        return { all: Number.NaN, main: Number.NaN };
      }
    },
    peakMb() {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
      } catch {
        return Number.NaN;
      }
    },
    end: () =>
      new Promise((resolve) => {
        if (hasEnded) return resolve();
        child.on('exit', resolve);
        child.stdin.end();
      }),
  };
}

/** Who waits for a processor while the server goes on would take several pieces of its work for one. */
function askFirst(isFirst) {
  try {
    setPriority(isFirst ? -10 : 0);
  } catch {
    // Only root may: then a quiet machine is needed all the more.
  }
}

function report() {
  const worst = (key) => [...rows].sort((a, b) => b[key] - a[key]);
  if (options.all) print('every row', rows);
  for (const [title, key] of [
    ['the slowest calls', 'ms'],
    ['the most that was computed', 'cpuMs'],
    ['the longest waits of a ping', 'pingMs'],
    ['the longest that the main thread was busy in one piece', 'stallMs'],
    ['the most that the main thread computed', 'mainMs'],
    ['the most memory', 'peakMb'],
  ]) {
    print(title, worst(key).slice(0, SHOWN));
  }
  const bad = rows.filter(({ outcome, isNextAnswered }) => !isNextAnswered || outcome === 'INTERNAL');
  if (bad.length > 0) print('WRONG: not answered, or answered as a bug', bad);
  const most = (key) => Math.max(...rows.map((row) => row[key]));
  count('calls with hostile contents', rows.length);
  count('calls that were not answered, or not the next one', bad.length);
  count('most that one computed, in ms', most('cpuMs'));
  count('most that the main thread computed in one piece, in ms', most('stallMs'));
  count('most memory, in MB', most('peakMb'));
  process.exitCode = bad.length > 0 || rows.length === 0 ? 1 : 0;
}

/** For the table of `npm run test:security`, which names the file. */
function count(figure, number) {
  const file = process.env['TEST_FIGURES'];
  if (!file) return;
  appendFileSync(file, `${JSON.stringify({ who: 'airlock', figure, number: Math.round(number) })}\n`);
}

function print(title, some) {
  const body = some.map(({ name, job, outcome, ms, cpuMs, mainMs, stallMs, pingMs, peakMb, chars }) =>
    [
      name,
      job,
      outcome,
      ...[ms, cpuMs, stallMs, pingMs, mainMs, peakMb, chars].map((figure) => figure.toFixed(0)),
    ].join(' | '),
  );
  process.stdout.write(
    `\n## ${title}\n| file | call | answer | ms | CPU ms | stall ms | ping ms | main thread CPU ms | peak MB | reply chars |\n|---|---|---|---|---|---|---|---|---|---|\n| ${body.join(' |\n| ')} |\n`,
  );
}
