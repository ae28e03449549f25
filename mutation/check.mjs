// Holds the reports, one a room, to the promise: at least 95 % of the mutants killed. Prints each that survived.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isInSample } from './sample.mjs';

const LEAST = 95;
const here = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

let [killed, all] = [0, 0];
const survivors = new Set();
const names = reports();
print('| room | mutants | killed | endless | too slow | survived | no test | score |');
for (const name of names) {
  const count = { mutants: 0, killed: 0, endless: 0, slow: 0, survived: 0, untested: 0 };
  for (const [file, { source, mutants }] of Object.entries(JSON.parse(here(`reports/${name}`)).files)) {
    for (const mutant of mutants) {
      const fate = fateOf(mutant);
      if (fate === undefined || !isInSample(mutant)) continue;
      count.mutants += 1;
      count[fate] += 1;
      if (fate === 'survived' || fate === 'untested') survivors.add(nameOf(file, source, mutant));
    }
  }
  const good = count.killed + count.endless + count.slow;
  print(
    `| \`${name.slice(0, -5)}\` | ${Object.values(count).join(' | ')} | ${percent(good, count.mutants)} |`,
  );
  killed += good;
  all += count.mutants;
}
for (const name of survivors) print(`survived: ${name}`);
print(`${percent(killed, all)} of ${all} mutants killed, ${LEAST} % asked`);
process.exitCode = all > 0 && (100 * killed) / all >= LEAST ? 0 : 1;

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
