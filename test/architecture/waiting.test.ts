// No test waits for a while, and the guard that sees to it is shown faults.
import { describe, expect, it } from 'vitest';
import { filesIn } from './sources.ts';
import { waitingViolations } from './waiting.ts';

const EXCEPTIONS = [
  { file: 'test/harness/wait.ts', what: 'vi.waitFor', why: 'this is `eventually`' },
  { file: 'test/harness/terminal.ts', what: 'setTimeout', why: 'ends a wait for output, after PATIENCE_MS' },
  { file: 'test/harness/end.ts', what: 'kill', why: 'this is `end`' },
  { file: 'test/harness/start-process.ts', what: 'kill', why: 'waits for the death' },
  { file: 'test/harness/isolated-tools.mjs', what: 'performance.now', why: 'computes longer than it may' },
  { file: 'test/cli/children/intruder.mjs', what: 'timeout', why: 'is an option that it tries' },
  {
    file: 'test/security/attacks/yaml.system.test.ts',
    what: 'performance.now',
    why: 'prints it, and compares nothing',
  },
  { file: 'test/long/state.test.ts', what: 'performance.now', why: 'prints it, and compares nothing' },
  { file: 'test/security/children/writer.mjs', what: 'Date.now', why: 'two begin at the same instant' },
  {
    file: 'test/security/writer/killing.ts',
    what: 'setTimeout',
    why: 'dies at any instant, whatever that is',
  },
];

it('no test waits for a while, has a limit of its own, or shares a name with another run', () => {
  expect(waitingViolations(filesIn('test', /\.m?ts$|\.mjs$/u), EXCEPTIONS)).toEqual([]);
});

const SHARED = ['', 'tmp', 'airlock-new'].join('/');

describe('the guard against waiting', () => {
  it.each([
    { code: 'await new Promise((resolve) => setTimeout(resolve, 20));', says: 'setTimeout', why: 'a sleep' },
    { code: 'await setTimeout(20);', says: 'setTimeout', why: 'the same from node:timers/promises' },
    { code: 'Atomics.wait(cells, 0, 0, 20);', says: 'Atomics.wait', why: 'a sleep of the whole thread' },
    { code: 'await expect.poll(() => a).toBe(1);', says: 'expect.poll', why: 'gives up after a second' },
    { code: 'await vi.waitFor(() => a);', says: 'vi.waitFor', why: 'gives up after a second' },
    { code: 'await vi.waitUntil(() => a);', says: 'vi.waitUntil', why: 'gives up after a second' },
    {
      code: 'const start = performance.now();',
      says: 'performance.now',
      why: 'the machine does other things',
    },
    { code: 'const ms = Date.now() - start;', says: 'Date.now', why: 'the same' },
    { code: 'while (Date.now() < end);', says: 'Date.now', why: 'a sleep' },
    { code: "it('works', () => {}, 30_000);", says: 'timeout', why: 'a limit of its own' },
    { code: "it.each(ROWS)('works', () => {}, 30_000);", says: 'timeout', why: 'a limit of its own' },
    { code: 'beforeAll(() => {}, 30_000);', says: 'timeout', why: 'a limit of its own' },
    { code: "describe('a', { timeout: 30_000 }, () => {});", says: 'timeout', why: 'a limit of its own' },
    { code: "child.kill('SIGKILL');", says: 'kill', why: 'it may live on for a while' },
    { code: "process.kill(server.pid, 'SIGKILL');", says: 'kill', why: 'it may live on for a while' },
    { code: 'server.listen(8080);', says: 'listen', why: 'somebody else may have that port' },
    { code: `const file = '${SHARED}';`, says: SHARED, why: 'another run has it as well' },
  ])('refuses $code: $why', ({ code, says }) => {
    const [breach = '', ...others] = waitingViolations(new Map([['test/a.test.ts', code]]), []);
    expect([breach.startsWith(`test/a.test.ts:1 ${says}: `), others]).toEqual([true, []]);
  });

  it.each([
    "// setTimeout(resolve, 20); Date.now()\nconst text = 'performance.now()';",
    "await eventually(() => expect(log()).toContain('x'));",
    'setImmediate(resume); const { port } = await new Promise((resolve) => server.listen(0, resolve));',
    "process.kill(process.pid, 'SIGKILL'); child.kill('SIGTERM');",
    "const { timeout } = options; it('works', { timeout: PATIENCE_MS }, () => {});",
    'const before = Date.now(); const random = seededRandom(Date.now() + 1);',
    "tempRoot({ 'tmp/a.yaml': '' }); expect(1_000).toBe(1_000);",
  ])('lets %s pass', (code) => {
    expect(waitingViolations(new Map([['test/a.test.ts', code]]), [])).toEqual([]);
  });

  it('names an exception that nobody needs', () => {
    const exception = { file: 'test/a.test.ts', what: 'setTimeout', why: 'it was needed once' };
    expect(waitingViolations(new Map([['test/a.test.ts', '']]), [exception])).toEqual([
      'nobody needs the exception for setTimeout in test/a.test.ts',
    ]);
  });
});
