// Holds the report to the promise: at least 90 % of the mutants killed, and each survivor listed in survivors.md.
// A survivor is named by its file, the mutated code and the replacement, so that moved lines do not matter.
import { readFileSync } from 'node:fs';

const LEAST = 90;
const here = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const { files } = JSON.parse(here('reports/mutation.json'));
const listed = here('survivors.md');

const counts = new Map();
const unlisted = [];
for (const [file, { source, mutants }] of Object.entries(files)) {
  const room = file.split('/').slice(0, -1).join('/');
  const count = counts.get(room) ?? { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
  counts.set(room, count);
  for (const mutant of mutants) {
    if (mutant.status in count) count[mutant.status] += 1;
    if (mutant.status !== 'Survived' && mutant.status !== 'NoCoverage') continue;
    const name = nameOf(file, source, mutant);
    if (!listed.includes(name)) unlisted.push(name);
  }
}

let [killed, all] = [0, 0];
for (const [room, { Killed, Timeout, Survived, NoCoverage }] of counts) {
  const total = Killed + Timeout + Survived + NoCoverage;
  killed += Killed + Timeout;
  all += total;
  const score = ((100 * (Killed + Timeout)) / total).toFixed(1);
  print(`| \`${room}\` | ${Killed} | ${Timeout} | ${Survived} | ${NoCoverage} | ${score} % |`);
}
for (const name of unlisted) print(`not in survivors.md: ${name}`);
const score = all === 0 ? 0 : (100 * killed) / all;
print(`${score.toFixed(1)} % of ${all} mutants killed, ${unlisted.length} survivors not explained`);
process.exitCode = score >= LEAST && unlisted.length === 0 ? 0 : 1;

function nameOf(file, source, { location, replacement }) {
  const line = source.split('\n')[location.start.line - 1] ?? '';
  return `\`${file.split('/').at(-1)}\` \`${line.trim()}\` column ${location.start.column} → \`${oneLine(replacement ?? '')}\``;
}

function oneLine(text) {
  return text.replace(/\s+/gu, ' ').slice(0, 80);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
