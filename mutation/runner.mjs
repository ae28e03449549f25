// A test runner for Stryker that calls the tests in its own process. Vitest would start a process, load all modules and
// collect all tests anew for each mutant: more than a second, of which the tests take a few milliseconds.
import childProcess from 'node:child_process';
import { closeSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { register, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import threads from 'node:worker_threads';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { isInSample } from './sample.mjs';
import { collect, run, SKIPPED } from './test-api.mjs';

/** The policy's own reader of YAML, and its second judge, stand beside the formats. */
const JUDGING = ['test/security', 'test/adapters/policy'];
/** Races, kill loops and whatever needs the built server: each mutant would run them again. */
const LEFT_OUT = /\/(?:attacks|races|children)\/|canaries|\/writer\/(?:kill|two-writers)\./u;
/** A test that takes longer does not judge: too many mutants would wait for it. */
const SLOWEST_MS = 2000;
/** Tests for one mutant: what these have not noticed counts as not noticed, though slower ones might. */
const ENOUGH_MS = 4000;
/** Made by the first process of a run, read by all: the tests that judge, with their times. */
const JUDGES = 'judges.json';

/** Where the broken code asks which mutant is on, and notes which it meets. */
const stryker = { madeOnce, forgetting };
globalThis.__stryker__ = stryker;
/** What lazily.ts has made, and for which mutant: see loader.mjs. */
const made = new WeakMap();
/** What modules remember: see loader.mjs. */
const memories = [];
/** The sandbox that Stryker made: it goes there after this module is loaded. */
let home;
let loads = 0;

class InProcess {
  #loaded;
  #judges;
  #isUsed = false;
  #isSpoiled = false;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    home = process.cwd();
    register(new URL('./loader.mjs', import.meta.url));
  }

  /** Every test once, for its time and for the mutants that it meets. Tests that start programs judge none. */
  async dryRun() {
    const all = await loadTests();
    const tests = [];
    const judges = {};
    /** Files in which a test wanted a program: one that they share is missed by the others as well. */
    const starters = new Set();
    for (const [id, test] of all.tests) {
      if (test.skipped) continue;
      const before = performance.now();
      const cpu = process.cpuUsage();
      stryker.currentTestId = id;
      forget();
      const { failure, started } = await noticingPrograms(() => run(test));
      stryker.currentTestId = undefined;
      const timeSpentMs = performance.now() - before;
      const { user, system } = process.cpuUsage(cpu);
      // Computing time, for a busy machine makes every test slow; but waiting counts as well.
      const costMs = Math.max((user + system) / 1000, timeSpentMs / 4);
      const about = { id, name: test.name, timeSpentMs, fileName: test.file };
      if (started) starters.add(test.file);
      const isMissing = failure !== undefined && starters.has(test.file);
      if (started || isMissing || failure === SKIPPED || costMs > SLOWEST_MS) {
        if (stryker.mutantCoverage !== undefined) delete stryker.mutantCoverage.perTest[id];
        continue;
      }
      closeLeft();
      judges[id] = costMs;
      const failed = failure !== undefined;
      tests.push(
        failed
          ? { ...about, status: TestStatus.Failed, failureMessage: textOf(failure) }
          : { ...about, status: TestStatus.Success },
      );
    }
    await all.end();
    writeFileSync(JUDGES, JSON.stringify(judges));
    this.#loaded = all;
    return { status: DryRunStatus.Complete, tests, mutantCoverage: stryker.mutantCoverage };
  }

  /** What this throws makes Stryker start a new process and ask it. */
  async mutantRun(options) {
    if (!isInSample(options.activeMutant))
      return { status: MutantRunStatus.Error, errorMessage: 'not in the sample' };
    if (this.#isSpoiled) throw new Error('an earlier mutant has spoiled this process');
    const result = await this.#judge(options);
    // Where the same test fails without the mutant, the process is no judge any more: who spoiled it, this or an earlier one?
    if (result.status === MutantRunStatus.Killed && !(await this.#isSound(result.killedBy))) {
      this.#isSpoiled = true;
      if (this.#isUsed) throw new Error('this process is spoiled');
    }
    this.#isUsed = true;
    return result;
  }

  async #isSound(ids) {
    stryker.hitCount = undefined;
    this.#loaded ??= await loadTests();
    return (await judged(this.#loaded, ids)).status === MutantRunStatus.Survived;
  }

  async #judge({ activeMutant, mutantActivation, testFilter, hitLimit }) {
    this.#judges ??= JSON.parse(readFileSync(JUDGES, 'utf8'));
    stryker.activeMutant = undefined;
    stryker.hitCount = undefined;
    if (mutantActivation !== 'static') this.#loaded ??= await loadTests();
    stryker.activeMutant = activeMutant.id;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    stryker.hitLimit = hitLimit;
    try {
      const loaded = mutantActivation === 'static' ? await loadTests() : this.#loaded;
      const ids = this.#inOrder(testFilter ?? Object.keys(this.#judges), activeMutant.fileName);
      return await judged(loaded, ids);
    } catch (error) {
      // Only loading throws: the mutant keeps the module from being loaded.
      return { status: MutantRunStatus.Killed, killedBy: [], failureMessage: textOf(error), nrOfTests: 0 };
    } finally {
      stryker.activeMutant = undefined;
      process.chdir(home);
    }
  }

  /** The tests named after the mutant's own file first, then those of its room, and of each the fast ones first. */
  #inOrder(ids, fileName) {
    const [, room = '', own = ''] = /(security\/(?:\w+\/)?)([\w-]+)\.ts$/u.exec(fileName) ?? [];
    const distance = (id) => (id.includes(`${room}${own}`) ? 0 : id.includes(room) ? 1 : 2);
    const cost = (id) => this.#judges[id] + distance(id) * SLOWEST_MS;
    let together = 0;
    return ids
      .filter((id) => id in this.#judges)
      .sort((one, other) => cost(one) - cost(other))
      .filter((id) => {
        together += this.#judges[id];
        return together < ENOUGH_MS;
      });
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcess)];

async function judged(loaded, ids) {
  let nrOfTests = 0;
  try {
    for (const id of ids) {
      nrOfTests += 1;
      forget();
      const failure = await run(loaded.tests.get(id));
      if (stryker.hitLimit !== undefined && stryker.hitCount > stryker.hitLimit)
        return { status: MutantRunStatus.Timeout, reason: 'goes round for ever' };
      if (failure !== undefined)
        return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage: textOf(failure), nrOfTests };
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  } finally {
    await loaded.end().catch(() => {});
    closeLeft();
  }
}

/** Closes what tests and mutants left open among the temporary files, or the thousandth could open nothing more. */
function closeLeft() {
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      if (readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${tmpdir()}/airlock-`)) closeSync(Number(fd));
    } catch {
      // That of the listing itself is closed by now.
    }
  }
}

/** Loads all test files, with all that they import, from the sandbox that Stryker made and works in. */
async function loadTests() {
  loads += 1;
  const tests = new Map();
  const ends = [];
  const only = new RegExp(process.env.MUTATION_TESTS ?? '', 'u');
  const files = JUDGING.flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
    .filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.test(name))
    .filter((name) => only.test(name))
    .sort();
  for (const file of files) {
    const { tests: found, end } = await collect(
      () => import(`${pathToFileURL(join(home, file))}?v=${loads}`),
    );
    ends.push(end);
    for (const test of found) tests.set(`${file}#${test.name}`, { ...test, file });
  }
  return {
    tests,
    end: async () => {
      for (const end of ends) await end();
    },
  };
}

const STARTERS = ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync'];

async function noticingPrograms(act) {
  let started = false;
  const originals = Object.fromEntries(STARTERS.map((name) => [name, childProcess[name]]));
  for (const name of STARTERS)
    childProcess[name] = (...given) => {
      if (/^mk(?:fifo|nod)$/u.test(given[0])) return originals[name](...given);
      started = true;
      throw new Error('no programs here');
    };
  const { Worker } = threads;
  threads.Worker = class {
    constructor() {
      childProcess.spawn();
    }
  };
  syncBuiltinESMExports();
  const failure = await act();
  threads.Worker = Worker;
  Object.assign(childProcess, originals);
  syncBuiltinESMExports();
  return { failure, started };
}

function madeOnce(make) {
  // In the first run for each test, for every one of them meets the mutants that are in it.
  const under = `${stryker.activeMutant} ${stryker.currentTestId}`;
  if (made.get(make)?.under !== under) made.set(make, { under, value: make() });
  return made.get(make).value;
}

function forgetting(memory) {
  memories.push(memory);
  return memory;
}

function forget() {
  for (const memory of memories)
    if (memory instanceof Map) memory.clear();
    else for (const key of Object.keys(memory)) delete memory[key];
}

function textOf(failure) {
  return (failure instanceof Error ? `${failure.message}\n${failure.stack}` : String(failure)).slice(0, 1000);
}
