// Holds the reports, one a room, to the promise: at least 90 % of the mutants killed, and each survivor listed in survivors/.
// A survivor is named by its file, the mutated code and the replacement, so that moved lines do not matter.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isInSample } from './sample.mjs';

const LEAST = 90;
const here = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const listed = readdirSync(new URL('survivors/', import.meta.url))
  .map((name) => here(`survivors/${name}`))
  .join('\n');

let [killed, all] = [0, 0];
const unlisted = new Set();
const survivors = new Set();
const judged = new Set();
const names = reports();
print('| room | mutants | killed | endless | too slow | survived | no test | score |');
for (const name of names) {
  const count = { mutants: 0, killed: 0, endless: 0, slow: 0, survived: 0, untested: 0 };
  for (const [file, { source, mutants }] of Object.entries(JSON.parse(here(`reports/${name}`)).files)) {
    judged.add(file.split('/').at(-1));
    for (const mutant of mutants) {
      const fate = fateOf(mutant);
      if (fate === undefined || !isInSample(mutant)) continue;
      count.mutants += 1;
      count[fate] += 1;
      if (fate !== 'survived' && fate !== 'untested') continue;
      const survivor = nameOf(file, source, mutant);
      survivors.add(survivor);
      if (!listed.includes(survivor)) unlisted.add(survivor);
    }
  }
  const good = count.killed + count.endless + count.slow;
  print(
    `| \`${name.slice(0, -5)}\` | ${Object.values(count).join(' | ')} | ${percent(good, count.mutants)} |`,
  );
  killed += good;
  all += count.mutants;
}
for (const name of unlisted) print(`not in survivors/: ${name}`);
for (const [, name, file] of listed.matchAll(/^- (`([\w.-]+)` .+)$/gmu))
  if (judged.has(file) && !survivors.has(name)) print(`in survivors/, but killed: ${name}`);
print(`${percent(killed, all)} of ${all} mutants killed, ${unlisted.size} survivors not explained`);
process.exitCode = all > 0 && (100 * killed) / all >= LEAST && unlisted.size === 0 ? 0 : 1;

/** Endless: stopped by the count of its rounds, whatever the machine does. Too slow: by the clock. */
function fateOf({ status, statusReason }) {
  if (status === 'Timeout') return statusReason?.includes('for ever') ? 'endless' : 'slow';
  return { Killed: 'killed', Survived: 'survived', NoCoverage: 'untested' }[status];
}

function reports() {
  const folder = new URL('reports/', import.meta.url);
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  if (found.length > 0) return found;
  print(
    'there is no report yet: run "MUTATION_ROOM=sandbox npm run mutation", or "npm run mutation" for all of src/security',
  );
  process.exit(1);
}

function nameOf(file, source, { location, replacement }) {
  const line = source.split('\n')[location.start.line - 1] ?? '';
  return `\`${file.split('/').at(-1)}\` \`${line.trim()}\` column ${location.start.column} → \`${oneLine(replacement ?? '')}\``;
}

function oneLine(text) {
  return text.replace(/\s+/gu, ' ').slice(0, 80);
}

function percent(part, whole) {
  return `${whole === 0 ? 0 : ((100 * part) / whole).toFixed(1)} %`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
