// `npm run redteam -- --server COMMAND`: attacks any MCP server that reads and changes files, on a folder that it makes for that,
// and writes a report. README.md says what is tried. Sends nothing but calls of tools, and touches nothing outside of that folder.
//   --server COMMAND  {root} stands for the folder, which is its working directory as well; {state} for one beside it
//   --report FILE     the report, in Markdown; --json FILE what it was made of
//   --only GROUPS     containment,race,secrets,content,injection,approval,crash
//   --attempts N      rounds of a race (100), and of a tenth as many kills
// Exits 1 where something fell.
import { writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { parseArgs } from 'node:util';
import { Client, commandOf } from '../client.mjs';
import { adapterFor } from './adapters.mjs';
import { approval } from './approval.mjs';
import { containment, names } from './containment.mjs';
import { content, injection } from './content.mjs';
import { crash } from './crash.mjs';
import { makeGround } from './ground.mjs';
import { race } from './race.mjs';
import { reportOf } from './report.mjs';

const GROUPS = { containment, race, secrets: names, content, injection, approval, crash };
const MOST_MS = 60_000;

const { values: options } = parseArgs({
  options: {
    server: { type: 'string' },
    report: { type: 'string' },
    json: { type: 'string' },
    only: { type: 'string', default: Object.keys(GROUPS).join(',') },
    attempts: { type: 'string', default: '100' },
  },
});
if (options.server === undefined) throw new Error('name a server: --server "my-server {root}"');

const attempts = Number(options.attempts);
const findings = [];
let name = '';
for (const group of options.only.split(',')) {
  if (GROUPS[group] === undefined) throw new Error(`no such group: ${group}`);
  process.stderr.write(`${group}\n`);
  await tried(group);
}
const facts = {
  name,
  command: options.server,
  node: process.versions.node,
  platform: `${process.platform} ${release()}`,
};
const report = reportOf(findings, { ...facts, when: new Date().toISOString().slice(0, 10) });
if (options.report === undefined) process.stdout.write(report);
else writeFileSync(options.report, report);
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify({ ...facts, findings }));
process.exitCode = findings.some(({ outcome }) => outcome === 'fell') ? 1 : 0;

async function tried(group) {
  const ground = makeGround();
  const clients = [];
  const restart = async () => {
    const command = commandOf(options.server, { root: ground.root, state: ground.state });
    const client = new Client(command, { cwd: ground.root, env: { XDG_STATE_HOME: ground.state } });
    clients.push(client);
    await client.initialize().catch(() => {
      throw new Error(`the server does not start; run it by hand to see why: ${command.join(' ')}`);
    });
    return client;
  };
  try {
    const client = await restart();
    const server = adapterFor(await client.tools(), ground.root);
    name = server.name;
    const rounds = group === 'crash' ? Math.ceil(attempts / 10) : attempts;
    await GROUPS[group]({
      ...{ ground, client, server, restart, ask, attempts: rounds },
      report: (of, what, held, why) =>
        findings.push({ group: of, what, why, outcome: held ? 'held' : 'fell' }),
      skip: (of, what, why) => findings.push({ group: of, what, why, outcome: 'skipped' }),
    });
  } finally {
    for (const client of clients) client.kill();
    ground.remove();
  }
}

/** All that came back, or `content` of it: nothing where the server refuses by an error of the protocol, or takes too long. */
async function ask(act, part = 'text') {
  const late = new Promise((resolve) => setTimeout(resolve, MOST_MS).unref());
  try {
    return (await Promise.race([act(), late]))?.[part] ?? '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
