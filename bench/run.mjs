// `npm run bench`: how fast the built server is, beside its floor and its peers, all in one run on one machine.
// Writes bench/results.md. Options: --quick (fewer rounds, no 10 MB), --print (do not write the file).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { coldStarts } from './cold.mjs';
import { KIND_NAMES, sample, YAML_NAMES } from './corpus.mjs';
import { httpRatio, overHttp } from './http.mjs';
import { parsing } from './inside.mjs';
import { memoryAfterCalls, openField, readAndPreview, writeAndMore } from './jobs.mjs';
import { largeTemplate, largeTree } from './large.mjs';
import { median } from './measure.mjs';
import { msText, targetTable, timeTable } from './report.mjs';
import { wholeRepository } from './repository.mjs';
import { costOfRules } from './rules.mjs';
import { airlockCommand, echoCommand } from './servers.mjs';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, print: { type: 'boolean' } },
});
const isQuick = options.quick === true;
const SIZES = { '1 KB': 1e3, '10 KB': 1e4, '100 KB': 1e5, '1 MB': 1e6, ...(isQuick ? {} : { '10 MB': 1e7 }) };

const sections = [];
const bySize = {};
let main;
let large;
for (const [label, bytes] of Object.entries(SIZES)) {
  for (const kind of label === '100 KB' ? KIND_NAMES : ['values']) {
    say(`${label} ${kind}`);
    const field = await openField(sample(kind, bytes));
    try {
      const asked = await readAndPreview(field, isQuick);
      const alone = await writeAndMore(field, isQuick);
      if (kind === 'values') bySize[label] = { ...only(asked, 'airlock'), ...alone };
      sections.push(table(`${label} · ${field.sample.name}`, asked, alone));
      if (label === '1 MB') large = asked;
      if (label === '100 KB' && kind === 'values') main = await oneHundred(field, asked);
    } finally {
      await field.close();
    }
  }
}
say('a whole repository');
const repository = await wholeRepository(isQuick);
sections.push(
  `### A whole repository: ${repository.files} files, ${repository.megabytes.toFixed(0)} MB\n\n${timeTable('job', ['airlock', 'grep', 'filesystem (reads all)'], Object.entries(repository.jobs))}`,
);
say('a large tree and a large template');
const tree = await largeTree(isQuick);
sections.push(
  `### A tree of ${tree.files} files\n\n${timeTable('job', ['airlock', 'find or grep'], Object.entries(tree.jobs))}`,
  `### A template of ${isQuick ? '0.14' : '1.4'} MB\n\n${timeTable('job', ['first call', 'again'], Object.entries(await largeTemplate(isQuick)))}`,
);
const targets = targetsOf(main, large, bySize);
const text = page();
process.stdout.write(`${text}\n`);
if (!options.print) writeFileSync(new URL('./results.md', import.meta.url), text);

async function oneHundred(field, asked) {
  say('memory, cold starts, parser, rules, HTTP');
  const memory = await memoryAfterCalls(field, isQuick ? 200 : 1_000);
  const commands = { airlock: airlockCommand(field.root, field.state, 0), echo: echoCommand() };
  const cold = await coldStarts(field, commands, isQuick);
  const parse = {};
  for (const kind of YAML_NAMES) parse[kind] = await parsing(sample(kind, 1e5), isQuick);
  const rules = await costOfRules(field, isQuick);
  return { asked, memory, cold, parse, rules, http: await overHttp(field, isQuick) };
}

function targetsOf({ asked, memory, cold, parse, rules, http }, large, sizes) {
  const set = ({ airlock, filesystem }) => (filesystem === undefined ? undefined : airlock / filesystem);
  const edit = "the filesystem server's dry-run edit";
  return [
    { job: 'get, 100 KB', limit: 2.2, of: 'the SDK echo', ratio: asked.get.airlock / asked.get.echo },
    { job: 'dry-run set, 100 KB', limit: 1.1, of: edit, ratio: set(asked['dry-run set']) },
    {
      job: 'apply, 100 KB (a direct write)',
      limit: 4,
      of: 'a bare durable write',
      ratio: sizes['100 KB'].apply / sizes['100 KB']['a bare durable write'],
    },
    {
      job: 'dry-run set, 100 KB, under a policy of 50 rules',
      limit: 1.15,
      of: 'the same without',
      ratio: rules.with / rules.without,
    },
    { job: 'dry-run set, 1 MB', limit: 1, of: edit, ratio: set(large['dry-run set']) },
    {
      job: 'parsing alone (worst of three kinds)',
      limit: 1 / 25,
      of: '`yaml`',
      ratio: Math.max(...Object.values(parse).map(({ airlock, yaml }) => airlock / yaml)),
    },
    {
      job: 'get over HTTP, 100 KB',
      limit: 1.1,
      of: 'stdio get + HTTP echo − stdio echo',
      ratio: httpRatio(http),
    },
    {
      job: 'cold start to `tools/list`',
      limit: 0.7,
      of: "the SDK echo's",
      ratio: cold.times.airlock / cold.times.echo,
    },
    {
      job: 'memory after 1,000 calls (get and dry-run set)',
      limit: 1.9,
      of: "the SDK echo's",
      ratio: memory.airlock / memory.echo,
    },
    {
      job: 'anything, 10 MB against 1 MB (worst job)',
      limit: 12,
      of: 'its 1 MB',
      ratio: growth(sizes['1 MB'], sizes['10 MB']),
    },
  ];
}

/** The job that grows worst from 1 MB to 10 MB. */
function growth(small, large) {
  if (small === undefined || large === undefined) return undefined;
  const jobs = Object.keys(small).filter((job) => job !== 'a bare durable write');
  return Math.max(...jobs.map((job) => large[job] / small[job]));
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
  const { cold, memory, parse, rules, http } = main;
  const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  const version = (args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const more = [
    `- Cold start to \`tools/list\`: ${msText(cold.times.airlock)}; SDK echo ${msText(cold.times.echo)}. First call: at once ${msText(median(cold.firstCalls.atOnce))}, a second later ${msText(median(cold.firstCalls.afterThought))}.`,
    `- Over HTTP, 100 KB: ${Object.entries(http.times)
      .map(([job, ms]) => `${job} ${msText(ms)}`)
      .join(', ')}. Calls a second: one client ${http.one.toFixed(0)}, twenty ${http.many.toFixed(0)}.`,
    `- Memory after the calls: ${mb(memory.airlock)}; SDK echo ${mb(memory.echo)}.`,
    `- A dry-run set of 100 KB under a policy of 50 rules: ${msText(rules.with)}; without ${msText(rules.without)}.`,
    `- Behind ten million records (npm run test:long, bench/flood.txt): ${readFileSync(new URL('./flood.txt', import.meta.url), 'utf8').trim()}.`,
    `- Parsing 100 KB: ${Object.entries(parse)
      .map(([kind, { airlock, yaml }]) => `${kind} ${msText(airlock)} (\`yaml\` ${msText(yaml)})`)
      .join(', ')}.`,
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
