// What small files that are large in something else take of the thread that serves them when it is the main one: the
// processor time between two turns of its event loop, at worst, for each kind of call. Processor time, so that the
// other work of the machine changes little of it.
//   --bytes N   default: 128,000   --only WORDS   files whose name holds them   --budget MS   default: 50
//   --limits JSON   instead of the defaults, as {"tokens":60000}; --only-over   only the rows with a step over the budget
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SMALL_TEXTS } from './hostile/small-texts.mjs';

const { lockDown } = await import('../dist/lock-down.js');
lockDown();
const { openAirlock } = await import('../dist/server.js');
const { InlineEngine } = await import('../dist/engine/index.js');
const { warmUp } = await import('../dist/engine/warm-up.js');

const { values: options } = parseArgs({
  options: {
    bytes: { type: 'string', default: '128000' },
    only: { type: 'string', default: '' },
    budget: { type: 'string', default: '50' },
    limits: { type: 'string', default: '{}' },
    'only-over': { type: 'boolean', default: false },
  },
});
const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;
const JOBS = [
  'get',
  'value',
  'outline',
  'search',
  'validate',
  'miss',
  'set',
  'first',
  'ten',
  'delete',
  'apply',
  'apply ten',
];

const folder = mkdtempSync(join(tmpdir(), 'airlock-inline-'));
const root = join(folder, 'root');
mkdirSync(root, { recursive: true });
const state = join(folder, 'state');
const rows = [];
try {
  const airlock = openAirlock({ roots: [root], stateDir: state });
  const limits = { ...airlock.policy.limits, ...JSON.parse(options.limits) };
  const engine = new InlineEngine({ ...airlock, policy: { ...airlock.policy, limits } });
  await warmUp(() => true);
  writeFileSync(join(root, 'small.yaml'), 'a: 1\nb:\n  c: [1, 2]\n');
  for (let round = 0; round < 20; round++) {
    await call(engine, 'config_get', { file: 'small.yaml' });
    await call(engine, 'config_set', { file: 'small.yaml', path: 'a', value: String(round) });
    await call(engine, 'config_search', { value: 'zzz' });
  }
  for (const [name, make] of Object.entries(SMALL_TEXTS)) {
    if (name.includes(options.only)) rows.push(await measureText(engine, name, make));
  }
  engine.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report();

async function measureText(engine, name, make) {
  const found = { name };
  const size = Number(options.bytes);
  for (const [index, job] of JOBS.entries()) {
    // A text of its own for each, so that none finds it read already.
    const text = make(size - 40 * index);
    writeFileSync(join(root, 'a.yaml'), text);
    const { tool, args, first } = callFor(job, text);
    if (first !== undefined) {
      const preview = await call(engine, first.tool, first.args);
      if (preview.outcome.data.preview_id === undefined) {
        found[job] = { stall: Number.NaN, all: Number.NaN, code: `no preview: ${preview.code}` };
        continue;
      }
      found[job] = await call(engine, tool, { preview_id: preview.outcome.data.preview_id });
    } else found[job] = await call(engine, tool, args);
    found.bytes = Buffer.byteLength(text);
  }
  rmSync(join(root, 'a.yaml'));
  return found;
}

function callFor(job, text) {
  const file = 'a.yaml';
  const keys = [...text.matchAll(/^(?:["'])?([\w]+)(?:["'])?:/gm)].map(([, key]) => key);
  const first = keys[0] ?? 'k1';
  const last = keys.at(-1) ?? 'k1';
  const set = { tool: 'config_set', args: { file, path: 'new_key', value: '1', doc: 0 } };
  const edit = (op, path, rest) => ({ op, file, path, doc: 0, ...rest });
  const isList = /^\s*-/.test(text);
  const ten = {
    tool: 'config_edit',
    args: {
      edits: isList
        ? Array.from({ length: 10 }, (_, i) => edit('append', '', { value: `x${i}` }))
        : [
            ...Array.from({ length: 5 }, (_, i) => edit('set', `new_${i}`, { value: `v${i}` })),
            edit('rename', 'new_0', { new_key: 'renamed' }),
            edit('comment', 'new_1', { comment: 'why' }),
            edit('delete', 'new_2', {}),
            edit('set', last, { value: '7' }),
            edit('insert', '', { key: 'inserted', value: '1', after: 'new_3' }),
          ],
    },
  };
  const change = isList
    ? { tool: 'config_edit', args: { edits: [edit('append', '', { value: 'x' })] } }
    : set;
  switch (job) {
    case 'get':
      return { tool: 'config_get', args: { file } };
    case 'value':
    case 'outline':
      return { tool: 'config_get', args: { file, view: job, doc: 0 } };
    case 'search':
      return { tool: 'config_search', args: { pattern: '*', value: '*' } };
    case 'validate':
      return { tool: 'config_validate', args: { file } };
    case 'miss':
      return { tool: 'config_get', args: { file, path: 'configuratoin.kez1', doc: 0 } };
    case 'first':
      return { tool: 'config_set', args: { file, path: isList ? '[0]' : first, value: '7', doc: 0 } };
    case 'delete':
      return { tool: 'config_edit', args: { edits: [edit('delete', isList ? '[0]' : first, {})] } };
    case 'set':
      return change;
    case 'ten':
      return ten;
    case 'apply':
      return { tool: 'config_apply', first: change };
    case 'apply ten':
      return { tool: 'config_apply', first: ten };
  }
}

async function call(engine, tool, args) {
  const signal = new AbortController().signal;
  let isOver = false;
  let stall = 0;
  const before = cpuMs();
  let last = before;
  const look = () => {
    const now = cpuMs();
    stall = Math.max(stall, now - last);
    last = cpuMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const outcome = await engine.run(
    { requestId: crypto.randomUUID(), tool, args },
    { signal, progress: undefined },
  );
  JSON.stringify(outcome);
  isOver = true;
  const all = cpuMs() - before;
  await new Promise((resolve) => setImmediate(resolve));
  stall = Math.max(stall, 0);
  return { outcome, stall, all, code: outcome.code ?? outcome.status };
}

function cpuMs() {
  return Number.parseInt(readFileSync(SCHEDSTAT, 'utf8'), 10) / 1e6;
}

function report() {
  const budget = Number(options.budget);
  const cell = ({ stall, all, code }) =>
    `${stall > budget ? '**' : ''}${stall.toFixed(0)}${stall > budget ? '**' : ''}${all > stall * 1.5 ? `/${all.toFixed(0)}` : ''}${code === 'ok' ? '' : ` ${code}`}`;
  const worst = (row) => Math.max(...JOBS.map((job) => row[job].stall || 0));
  rows.sort((a, b) => worst(b) - worst(a));
  const shown = rows.filter((row) => !options['only-over'] || worst(row) > budget);
  const body = shown.map(
    (row) => `| ${[row.name, row.bytes, ...JOBS.map((job) => cell(row[job]))].join(' | ')} |`,
  );
  process.stdout.write(
    `| file | bytes | ${JOBS.join(' | ')} |\n|---|---|${JOBS.map(() => '---').join('|')}|\n${body.join('\n')}\n`,
  );
}
