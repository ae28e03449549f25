// The words of Vitest that the judging tests use, for runner.mjs: with these, a test is a function that can be called
// again for each mutant. The assertions are Vitest's own.
import {
  addCustomEqualityTesters,
  chai,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import * as spies from '@vitest/spy';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect, {
  getState: () => getState(expect),
  setState: (state) => setState(state, expect),
  addEqualityTesters: addCustomEqualityTesters,
});
setState({ assertionCalls: 0 }, expect);

export const vi = { ...spies, waitFor };

async function waitFor(assertion, { timeout, interval }) {
  for (const end = performance.now() + timeout; ; ) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}

let suite;
let running;

/** The tests that a file defines while `load` imports it, in their order. */
export async function collect(load) {
  const top = newSuite(undefined, '');
  suite = top;
  try {
    await load();
  } finally {
    suite = undefined;
  }
  return { tests: top.tests, end: () => end(top) };
}

export const describe = words((name, define, options) => {
  const outer = suite;
  suite = newSuite(outer, name);
  suite.skipped ||= options.skipped;
  define();
  outer.inner.push(suite);
  suite = outer;
});

export const it = words((name, run, { skipped }) => {
  suite.tests.push({ name: `${suite.name} ${name}`.trim(), run, suite, skipped: skipped || suite.skipped });
});
export const test = it;

export const beforeAll = (act) => suite.before.push(act);
export const afterAll = (act) => suite.after.push(act);
export const beforeEach = (act) => suite.beforeEach.push(act);
export const afterEach = (act) => suite.afterEach.push(act);
export const onTestFinished = (act) => running.finished.push(act);

/** What a test throws that skips itself. */
export const SKIPPED = new Error('skipped');
const skip = () => {
  throw SKIPPED;
};

/** Runs one test with its hooks; answers what it throws. */
export async function run({ run: act, suite: of }) {
  const suites = [];
  for (let each = of; each !== undefined; each = each.outer) suites.unshift(each);
  const mine = { finished: [] };
  running = mine;
  let failure;
  const attempt = async (step) => {
    try {
      await step();
    } catch (error) {
      failure ??= error ?? new Error('threw nothing');
    }
  };
  await attempt(async () => {
    for (const each of suites) await begin(each);
    for (const hook of suites.flatMap((each) => each.beforeEach)) await hook();
    await act({ skip });
  });
  for (const hook of suites.flatMap((each) => each.afterEach)) await attempt(hook);
  for (const hook of mine.finished.reverse()) await attempt(hook);
  running = undefined;
  return failure;
}

async function begin(one) {
  if (one.begun) return;
  one.begun = true;
  // What could not begin has nothing to end.
  one.isWhole = false;
  for (const hook of one.before) await hook();
  one.isWhole = true;
}

async function end(one) {
  for (const inner of one.inner) await end(inner);
  // What a test could not begin, a hook cannot end: the others still have to.
  if (one.begun && one.isWhole)
    for (const hook of one.after)
      await Promise.resolve()
        .then(hook)
        .catch(() => {});
  one.begun = false;
}

function newSuite(outer, name) {
  return {
    outer,
    name: `${outer?.name ?? ''} ${name}`.trim(),
    tests: outer?.tests ?? [],
    inner: [],
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
    skipped: outer?.skipped ?? false,
    begun: false,
  };
}

/** `define` with what may follow it: `.each(rows)`, `.for(rows)`, `.skipIf(condition)`, one after the other. */
function words(define, options = { skipped: false }) {
  const word = (name, ...rest) => define(name, functionOf(rest), options);
  word.skipIf = (condition) => words(define, { skipped: options.skipped || Boolean(condition) });
  const forRows =
    (rows, call) =>
    (name, ...rest) => {
      const act = functionOf(rest);
      for (const [index, row] of rows.entries()) {
        const values = Array.isArray(row) ? row : [row];
        define(titleOf(name, values, index), (context) => call(act, row, values, context), options);
      }
    };
  word.each = (rows) => forRows(rows, (act, _, values) => act(...values));
  word.for = (rows) => forRows(rows, (act, row, _, context) => act(row, context));
  return word;
}

/** A test may have options before its function and a time limit behind it. */
function functionOf(rest) {
  return rest.find((each) => typeof each === 'function');
}

function titleOf(name, values, index) {
  let next = 0;
  const filled = name
    .replace(/%[sdijo]/gu, () => shown(values[next++]))
    .replace(/\$(\w+)/gu, (whole, key) =>
      Object(values[0])[key] === undefined ? whole : shown(values[0][key]),
    );
  return `${filled} (${index})`;
}

function shown(value) {
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 60);
}
