// What takes long in the thread of its own holds up nothing that needs no such thread.
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Call, CallControl, Outcome } from '../../src/engine/engine.ts';
import { TieredEngine } from '../../src/engine/index.ts';
import { RunQueue } from '../../src/engine/run-queue.ts';
import { WorkerEngine } from '../../src/engine/worker-engine.ts';
import { createLog } from '../../src/security/index.ts';
import { openAirlock } from '../../src/server.ts';
import { tempRoot } from '../harness/temp-root.ts';

afterEach(() => vi.restoreAllMocks());

const { signal } = new AbortController();
const NEVER = new Promise<never>(() => undefined);

it('a run holds those behind it for so long, and then they go on in their order', async () => {
  const queue = new RunQueue(1);
  const order: string[] = [];
  let end = (): void => undefined;
  const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)), signal);
  first.then(() => order.push('first'));
  const others = ['second', 'third'].map((name) => queue.run(() => order.push(name), signal));
  await Promise.all(others);
  expect(order).toEqual(['second', 'third']);
  end();
  await first;
  expect(order).toEqual(['second', 'third', 'first']);
});

it.each([undefined, 60_000])('a run that ends before lets the next one go at once (%s)', async (holdsMs) => {
  const queue = new RunQueue(holdsMs);
  const order: number[] = [];
  const runs = [1, 2, 3].map((n) => queue.run(async () => order.push(n), signal));
  const broken = queue.run(() => Promise.reject(new Error('broken')), signal);
  await expect(broken).rejects.toThrow('broken');
  await Promise.all(runs);
  expect(await queue.run(() => 'next', signal)).toBe('next');
  expect(order).toEqual([1, 2, 3]);
});

it('a small read is answered while large calls go on', async () => {
  const root = tempRoot({ 'a.yaml': 'a: 1\n' });
  onTestFinished(root.remove);
  const log = createLog({ level: 'error', format: 'json' });
  const engine = new TieredEngine(openAirlock({ roots: [root.dir], readOnly: true, log }));
  const begun: string[] = [];
  vi.spyOn(WorkerEngine.prototype, 'run').mockImplementation(({ requestId }) => {
    begun.push(String(requestId));
    return NEVER;
  });
  const watch: CallControl = { signal, progress: undefined };
  const run = (requestId: string, call: Omit<Call, 'requestId'>): Promise<Outcome> =>
    engine.run({ requestId, ...call }, watch);
  const caller = { name: 'test', version: '1' };
  const write = { tool: 'config_set', args: { file: 'a.yaml', path: 'a', json: 2, dry_run: false }, caller };
  run('one', write).catch(() => undefined);
  run('two', write).catch(() => undefined);
  const read = await run('three', { tool: 'config_get', args: { file: 'a.yaml', path: 'a' }, caller });
  expect(read).toMatchObject({ status: 'ok', data: { source: '1' } });
  expect(begun).toEqual(['one', 'two']);
});
