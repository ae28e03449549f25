// What the ten core tasks cost an agent: calls, and characters that a model has to read in either channel, beside the
// reference filesystem server. The files are checked after each task; ends with 1 where a bound is missed.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FILES, TASKS } from './agent-tasks.mjs';
import { airlockCommand, filesystemCommand, start } from './servers.mjs';

const MOST_CALLS = 20;
const MOST_CHARS = 18_000;
const MOST_RATIO = 1.25;

const place = mkdtempSync(join(realpathSync(tmpdir()), 'airlock-agent-'));
try {
  const airlock = await run('airlock', (root) => airlockCommand(root, join(place, 'state'), 0));
  const filesystem = await run('filesystem', filesystemCommand);
  report(airlock, filesystem);
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** The costs of each task; undefined where the server is not to be had. */
async function run(name, commandOn) {
  const root = join(place, name);
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const command = commandOn(root);
  if (command === undefined) return undefined;
  const client = await start(command);
  try {
    const costs = [];
    for (const task of TASKS) costs.push(await costOf(client, task[name], name, root, task));
    return costs;
  } finally {
    await client.close();
  }
}

async function costOf(client, calls, name, root, { after, name: title }) {
  const cost = { calls: calls.length, asked: 0, text: 0, data: 0 };
  let preview;
  for (const [tool, given = { preview_id: preview }] of calls) {
    const args = name === 'filesystem' ? { ...given, path: join(root, given.path) } : given;
    const { content, structuredContent } = await client.call(tool, args);
    preview = structuredContent?.preview_id ?? preview;
    cost.asked += JSON.stringify(args).length;
    cost.text += content.reduce((sum, { text }) => sum + text.length, 0);
    cost.data += structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length;
  }
  for (const [file, wanted] of Object.entries(after))
    if (!readFileSync(join(root, file), 'utf8').includes(wanted))
      throw new Error(`${name}: ${title}: ${file} is not as it should be`);
  return cost;
}

function report(airlock, filesystem) {
  const row = (...cells) =>
    say(cells.map((cell, at) => (at === 0 ? String(cell).padEnd(32) : String(cell).padStart(11))).join(''));
  row('task', 'calls', 'asked', 'text', 'structured', 'fs calls', 'fs asked', 'fs text');
  const cells = ({ calls, asked, text, data }) => [calls, asked, text, data];
  const others = (cost) => (cost === undefined ? ['-', '-', '-'] : [cost.calls, cost.asked, cost.text]);
  for (const [index, { name }] of TASKS.entries())
    row(name, ...cells(airlock[index]), ...others(filesystem?.[index]));
  const sum = sumOf(airlock);
  row('sum', ...cells(sum), ...others(filesystem && sumOf(filesystem)));
  const bounds = [
    [`calls: ${sum.calls}, at most ${MOST_CALLS}`, sum.calls <= MOST_CALLS],
    [`text: ${sum.text} characters, at most ${MOST_CHARS}`, sum.text <= MOST_CHARS],
    [`structured content: ${sum.data} characters, at most ${MOST_CHARS}`, sum.data <= MOST_CHARS],
    [
      `structured content to text: ${(sum.data / sum.text).toFixed(2)}, at most ${MOST_RATIO}`,
      sum.data <= MOST_RATIO * sum.text,
    ],
  ];
  for (const [what, isMet] of bounds) say(`${isMet ? 'met   ' : 'MISSED'}  ${what}`);
  if (!bounds.every(([, isMet]) => isMet)) process.exitCode = 1;
}

function sumOf(costs) {
  const sum = (name) => costs.reduce((total, cost) => total + cost[name], 0);
  return { calls: sum('calls'), asked: sum('asked'), text: sum('text'), data: sum('data') };
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
