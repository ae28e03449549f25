// `npm run mutation`: breaks the code that decides in small ways, chosen by a seed, and asks the tests at the seams whether they
// notice. `-- judge mask` takes some of the folders; SEED and COUNT choose other mutants, and more of each
// folder; TESTS, a regular expression, keeps other test files out.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, createVitest } from 'vitest/node';
import { mutantsOf, nameOf, sampleOf } from './mutants.mjs';

const FOLDERS = {
  judge: ['src/security/policy'],
  mask: ['src/security/secrets'],
  walk: ['src/security/containment', 'src/security/paths', 'src/security/sandbox'],
  prove: ['src/adapters/prove', 'src/security/edits'],
  settle: ['src/security/writer'],
};
// What the design keeps below the seams.
const INNER = /^test\/(security\/(containment|paths|writer)\/|adapters\/proof-faults)/;
const SEAM = /^test\/harness\/(start-server|in-process|inline-airlock|run-command)\.ts$/;
const LEAST_PERCENT = 90;
// Of tests, by the time that they take without a mutant.
const MOST_MS = Number(process.env.BUDGET_MS ?? 20_000);

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
process.env.MUTATION_FOLDER = folder;
const struck = new Set(JSON.parse(readFileSync('mutation/struck.json', 'utf8')).map(({ mutant }) => mutant));
const mutants = chosen(process.argv.slice(2));
writeFileSync(join(folder, 'mutants.json'), JSON.stringify(mutants));

const order = new Map();
class Ordered extends BaseSequencer {
  async sort(files) {
    return files.toSorted((a, b) => order.get(a.moduleId) - order.get(b.moduleId));
  }
}
const vitest = await start();
const wanted = new RegExp(process.env.TESTS ?? '');
const seams = (await vitest.getRelevantTestSpecifications()).filter(
  (one) => wanted.test(nameIn(one)) && isSeam(nameIn(one)),
);
const cover = await coverOf(seams);
const fates = new Map();
for (const mutant of mutants) {
  const fate = await fateOf(mutant);
  fates.set(mutant, fate);
  print(`${mutant.file}:${mutant.line} ${mutant.operator}: ${fate}`);
}
await vitest.close();
rmSync(folder, { recursive: true });
report();

function chosen(groups) {
  const asked = Object.entries(FOLDERS).filter(([group]) => groups.length === 0 || groups.includes(group));
  return asked
    .flatMap(([group, folders]) => {
      const files = folders.flatMap((one) => readdirSync(one).map((name) => `${one}/${name}`));
      const all = files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
      const meant = all.filter((one) => !struck.has(nameOf(one)));
      const some = sampleOf(meant, process.env.SEED ?? '43', Number(process.env.COUNT ?? 20));
      return some.map((mutant) => ({ group, ...mutant }));
    })
    .map((mutant, id) => ({ ...mutant, id }));
}

function start() {
  return createVitest('test', {
    config: 'mutation/vitest.config.mjs',
    watch: false,
    reporters: [{}],
    sequence: { sequencer: Ordered },
  });
}

/** Runs all without a mutant: what each file meets, how long it takes, and whether it can judge at all. */
async function coverOf(specifications) {
  const found = new Map();
  for (const module of await run(specifications, -1, 0)) {
    const met = join(folder, `${relative('.', module.moduleId).replaceAll('/', '+')}.json`);
    if (!module.ok()) print(`judges nothing, it fails without a mutant: ${relative('.', module.moduleId)}`);
    else if (existsSync(met))
      found.set(module.moduleId, {
        ms: module.diagnostic().duration,
        met: new Set(JSON.parse(readFileSync(met, 'utf8'))),
      });
  }
  return found;
}

async function fateOf({ id, file }) {
  const reaching = seams.filter((one) => cover.get(one.moduleId)?.met.has(id));
  if (reaching.length === 0) return 'untested';
  const words = file.slice('src/'.length, -'.ts'.length).split('/');
  // Near by name and quick ones first.
  const nearness = (one) => 1 + words.filter((word) => nameIn(one).includes(word)).length;
  const cost = (one) => cover.get(one.moduleId).ms / nearness(one);
  const sorted = reaching.toSorted((a, b) => cost(a) - cost(b));
  let ms = 0;
  const affordable = sorted.filter((one, index) => {
    ms += cover.get(one.moduleId).ms;
    return index === 0 || ms < MOST_MS;
  });
  const failed = (await run(affordable, id, 1)).find((module) => !module.ok());
  return failed === undefined ? 'survived' : `killed by ${relative('.', failed.moduleId)}`;
}

/** Runs test files in the order given. A process that goes round for ever is ended, and its file counts as failed. */
async function run(specifications, id, bail) {
  writeFileSync(join(folder, 'active'), `${id}`);
  order.clear();
  for (const [index, { moduleId }] of specifications.entries()) order.set(moduleId, index);
  vitest.state.filesMap.clear();
  vitest.config.bail = bail;
  for (const { config } of vitest.projects) config.bail = bail;
  const limit = id === -1 ? 3_600_000 : 60_000 + 10 * MOST_MS;
  const timer = setTimeout(endWorkers, limit);
  const { testModules } = await vitest.runTestSpecifications(specifications, false);
  clearTimeout(timer);
  const asked = new Set(specifications.map(({ moduleId }) => moduleId));
  return testModules
    .filter(({ moduleId }) => asked.has(moduleId))
    .filter((module) => module.state() !== 'queued');
}

function endWorkers() {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', `${process.pid}`], { encoding: 'utf8' });
  for (const pid of children.split(/\s+/).filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended by itself, as `ps` has.
    }
  }
}

function isSeam(name) {
  return INNER.test(name) || importsOf(name).some((one) => SEAM.test(one));
}

/** What a test imports of the tests, directly or not. */
function importsOf(name, seen = new Set()) {
  if (seen.has(name) || !existsSync(name)) return [];
  seen.add(name);
  const own = [...readFileSync(name, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)]
    .map(([, path]) => relative('.', resolve(dirname(name), path)))
    .filter((path) => path.startsWith('test/'));
  return own.flatMap((path) => [path, ...importsOf(path, seen)]);
}

function nameIn({ moduleId }) {
  return relative('.', moduleId);
}

function report() {
  print('| folder | mutants | killed | survived | untested |\n|---|---|---|---|---|');
  for (const group of new Set(mutants.map((mutant) => mutant.group))) {
    const own = [...fates].filter(([mutant]) => mutant.group === group).map(([, fate]) => fate.split(' ')[0]);
    const count = (fate) => own.filter((one) => one === fate).length;
    print(`| ${group} | ${own.length} | ${count('killed')} | ${count('survived')} | ${count('untested')} |`);
  }
  for (const [mutant, fate] of fates) if (!fate.startsWith('killed')) print(`${fate}: ${nameOf(mutant)}`);
  const killed = [...fates.values()].filter((fate) => fate.startsWith('killed')).length;
  print(`${killed} of ${fates.size} found, ${LEAST_PERCENT} % asked`);
  process.exitCode = 100 * killed >= LEAST_PERCENT * fates.size ? 0 : 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
