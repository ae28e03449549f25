// `npm run bench`: how fast the built server is, beside its floor and its peers, all in one run on one machine.
// Writes bench/results.md. Options: --quick (fewer rounds, no 10 MB), --peer "COMMAND" (a server with *_get and
// *_set, started with the folder as its last argument), --print (do not write the file).
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { coldStarts } from './cold.mjs';
import { KIND_NAMES, sample } from './corpus.mjs';
import { diffing, parsing } from './inside.mjs';
import { manyFiles, memoryAfterCalls, openField, readAndPreview, writeAndMore } from './jobs.mjs';
import { median } from './measure.mjs';
import { msText, targetTable, timeTable } from './report.mjs';
import { airlockCommand, echoCommand } from './servers.mjs';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, print: { type: 'boolean' }, peer: { type: 'string' } },
});
const isQuick = options.quick === true;
const SIZES = { '1 KB': 1e3, '10 KB': 1e4, '100 KB': 1e5, '1 MB': 1e6, ...(isQuick ? {} : { '10 MB': 1e7 }) };

const sections = [];
const bySize = {};
let main;
for (const [label, bytes] of Object.entries(SIZES)) {
  for (const kind of label === '100 KB' ? KIND_NAMES : ['values']) {
    say(`${label} ${kind}`);
    const field = await openField(sample(kind, bytes), kind === 'values' ? options.peer : undefined);
    try {
      const asked = await readAndPreview(field, isQuick);
      const alone = await writeAndMore(field, isQuick);
      if (kind === 'values') bySize[label] = { ...only(asked, 'airlock'), ...alone };
      sections.push(table(`${label} · ${field.sample.name}`, asked, alone));
      if (label === '100 KB' && kind === 'values') main = await oneHundred(field, asked, alone);
    } finally {
      await field.close();
    }
  }
}
say('a hundred files');
const many = await manyFiles(isQuick);
const targets = targetsOf(main, bySize, many);
const text = page();
process.stdout.write(`${text}\n`);
if (!options.print) writeFileSync(new URL('./results.md', import.meta.url), text);

async function oneHundred(field, asked, alone) {
  say('memory, cold starts, parser, diff');
  const memory = await memoryAfterCalls(field, isQuick ? 200 : 1_000);
  const commands = { airlock: airlockCommand(field.root, field.state, 0), echo: echoCommand() };
  const cold = await coldStarts(field, commands, isQuick);
  const parse = {};
  for (const kind of KIND_NAMES) parse[kind] = await parsing(sample(kind, 1e5), isQuick);
  return { asked, alone, memory, cold, parse, diff: await diffing(field.sample, isQuick) };
}

function targetsOf({ asked, alone, memory, cold, parse, diff }, sizes, batch) {
  const echo = asked.get.echo;
  const against = (theirs, job) => (theirs === undefined ? undefined : job / theirs);
  const slowestParse = Math.max(...Object.values(parse).map(({ airlock, yaml }) => airlock / yaml));
  return [
    { job: 'get, cached', limit: 1.6, of: 'the SDK echo', ratio: asked.get.airlock / echo },
    { job: 'get, not cached', limit: 6, of: 'the SDK echo', ratio: asked['get, not cached'].airlock / echo },
    {
      job: 'dry-run set, cached',
      limit: 2.5,
      of: 'the SDK echo',
      ratio: asked['dry-run set'].airlock / echo,
    },
    {
      job: 'apply with both fsyncs',
      limit: 1.5,
      of: 'writing and fsyncing that file',
      ratio: alone.apply / alone['durable write'],
    },
    {
      job: 'ten-edit batch, dry run',
      limit: 2,
      of: 'one dry-run set',
      ratio: alone['ten-edit batch, dry run'] / asked['dry-run set'].airlock,
    },
    { job: 'parsing alone (worst of three kinds)', limit: 1 / 30, of: '`yaml`', ratio: slowestParse },
    { job: 'unified diff of one change', limit: 1 / 40, of: '`diff`', ratio: diff.airlock / diff.diff },
    {
      job: 'anything, 10 MB against 1 MB (worst job)',
      limit: 11.5,
      of: 'its 1 MB',
      ratio: growth(sizes['1 MB'], sizes['10 MB']),
    },
    {
      job: 'hundred-file batch',
      limit: 0.7,
      of: 'a hundred single applies',
      ratio: batch['hundred-file batch'] / batch['hundred single applies'],
    },
    {
      job: 'cold start to `tools/list`',
      limit: 1.8,
      of: '`node -e 0`',
      ratio: cold.times.airlock / cold.times['node -e 0'],
    },
    {
      job: 'memory after 1,000 calls (get and dry-run set)',
      limit: 1.3,
      of: "the SDK echo's",
      ratio: memory.airlock / memory.echo,
    },
    {
      job: 'get',
      limit: 0.3,
      of: "the filesystem server's read",
      ratio: against(asked.get.filesystem, asked.get.airlock),
    },
    {
      job: 'dry-run set',
      limit: 0.3,
      of: "the filesystem server's dry-run edit",
      ratio: against(asked['dry-run set'].filesystem, asked['dry-run set'].airlock),
    },
  ];
}

/** The job that grows worst from 1 MB to 10 MB. */
function growth(small, large) {
  if (small === undefined || large === undefined) return undefined;
  const own = Object.keys(small).filter((job) => job !== 'durable write');
  return Math.max(...own.map((job) => large[job] / small[job]));
}

function only(jobs, name) {
  return Object.fromEntries(Object.entries(jobs).map(([job, times]) => [job, times[name]]));
}

function table(title, asked, alone) {
  const columns = [...new Set(Object.values(asked).flatMap(Object.keys))];
  const rows = [
    ...Object.entries(asked),
    ...Object.entries(alone).map(([job, ms]) => [job, { airlock: ms }]),
  ];
  return `### ${title}\n\n${timeTable('job', columns, rows)}`;
}

function page() {
  const { cold, memory, parse, diff } = main;
  const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  const version = (args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const more = [
    `- Cold start to \`tools/list\`: ${msText(cold.times.airlock)}; SDK echo ${msText(cold.times.echo)}; \`node -e 0\` ${msText(cold.times['node -e 0'])}. First call: at once ${msText(median(cold.firstCalls.atOnce))}, a second later ${msText(median(cold.firstCalls.afterThought))}.`,
    `- Memory after the calls: ${mb(memory.airlock)}; SDK echo ${mb(memory.echo)}. Of servers that had done all jobs before, the airlock with a second thread: ${mb(memory.afterAll.airlock)}; SDK echo ${mb(memory.afterAll.echo)}.`,
    `- Parsing 100 KB: ${Object.entries(parse)
      .map(([kind, { airlock, yaml }]) => `${kind} ${msText(airlock)} (\`yaml\` ${msText(yaml)})`)
      .join(', ')}.`,
    `- Diff of one change: ${msText(diff.airlock)} (\`diff\` ${msText(diff.diff)}).`,
    `- A hundred files: one batch ${msText(many['hundred-file batch'])}, one by one ${msText(many['hundred single applies'])}.`,
  ];
  return `# Bench results

Made by \`npm run bench${isQuick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}, at ${version(['rev-parse', '--short', 'HEAD'])}: ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}.
Medians; the contestants take turns in every round. Over stdio, with the client's part in it.

${targetTable(targets)}

${more.join('\n')}

${sections.join('\n\n')}
`;
}

function say(what) {
  process.stderr.write(`bench: ${what}\n`);
}
