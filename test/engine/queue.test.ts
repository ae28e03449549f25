// One run at a time, in order, and not too many; cancelled calls leave without an answer.
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { InlineEngine } from '../../src/engine/inline-engine.ts';
import { createLog } from '../../src/security/audit/log.ts';
import { openAirlock } from '../../src/server.ts';
import type { Tool } from '../../src/tools/index.ts';
import { fixtureTool, OK } from '../harness/fixture-tools.ts';
import { connectInProcess, type InProcess } from '../harness/in-process.ts';
import { tempRoot } from '../harness/temp-root.ts';

let server: InProcess;
const connected: InProcess[] = [];
afterEach(async () => {
  for (const one of connected.splice(0)) await one.close();
});

async function connect(tools: readonly Tool[]): Promise<InProcess> {
  const one = await connectInProcess(tools);
  connected.push(one);
  return one;
}

/** Calls by principals, as a transport that has verified them makes them. */
async function openEngine() {
  const root = tempRoot({});
  const log = createLog({ level: 'error', format: 'json', isSilent: true });
  const served: string[] = [];
  const tool = fixtureTool({
    run: (_input, { caller }) => {
      served.push(caller.principal ?? '');
      return OK;
    },
  });
  const airlock = await openAirlock({ roots: [root.dir], readOnly: true, log });
  const engine = new InlineEngine(airlock, [tool]);
  onTestFinished(() => {
    engine.close();
    root.remove();
  });
  const call = async (principal: string): Promise<string> => {
    const caller = { name: 'test', version: '1', principal, scopes: [] };
    const asked = { requestId: 'r', tool: 'fixture', args: {}, writes: false, caller };
    const control = { signal: new AbortController().signal, progress: undefined };
    return (await engine.run(asked, control)).status;
  };
  return { call, served: () => served };
}

/** Counts how many run at once, and holds each until it is let go. */
function gate(): {
  tool: Tool;
  order: unknown[];
  most: () => number;
  open: () => void;
  begun: Promise<void>;
} {
  const order: unknown[] = [];
  let running = 0;
  let most = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const tool = fixtureTool({
    input: { n: z.int() },
    run: async ({ n }) => {
      most = Math.max(most, ++running);
      begin();
      await opened;
      order.push(n);
      running--;
      return OK;
    },
  });
  return { tool, order, most: () => most, open: () => open(), begun };
}

it('refuses with BUSY when 32 are waiting, says when to come back, and recovers [SRV-2]', async () => {
  const { tool, open, begun } = gate();
  server = await connect([tool]);
  const first = server.client.callTool({ name: 'fixture', arguments: { n: 0 } });
  await begun;
  const calls = Array.from({ length: 300 }, (_, n) =>
    server.client.callTool({ name: 'fixture', arguments: { n } }),
  );
  const refused = await Promise.race(calls);
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: {
      error: { code: 'BUSY', message: expect.stringMatching(/again in 5 seconds$/) },
    },
  });
  open();
  await first;
  const results = await Promise.all(calls);
  expect(results.filter(({ isError }) => isError !== true)).toHaveLength(32);
  expect(await server.client.callTool({ name: 'fixture', arguments: { n: 1 } })).toMatchObject({
    content: [{ text: 'done' }],
  });
});

it('lets principals take turns, and fills no queue of another [SRV-2]', async () => {
  const engine = await openEngine();
  const order: string[] = [];
  const run = async (principal: string): Promise<string> => {
    const outcome = await engine.call(principal);
    order.push(principal);
    return outcome;
  };
  const flood = Array.from({ length: 40 }, () => run('ann'));
  const others = [run('bob'), run('eve'), run('bob')];
  expect(await Promise.all(others)).toEqual(['ok', 'ok', 'ok']);
  // Whoever came first is served first; those that were refused are out at once.
  expect(order.filter((name) => name !== 'ann')).toEqual(['bob', 'eve', 'bob']);
  expect((await Promise.all(flood)).filter((status) => status === 'ok')).toHaveLength(32);
  const served = engine.served();
  expect(served.indexOf('bob')).toBe(1);
  expect(served.indexOf('eve')).toBe(2);
  expect(served.lastIndexOf('bob')).toBe(4);
});

it('never begins a call that was cancelled while it waited', async () => {
  const { tool, order, open, begun } = gate();
  server = await connect([tool]);
  const first = server.client.callTool({ name: 'fixture', arguments: { n: 0 } });
  await begun;
  const cancel = new AbortController();
  const second = server.client.callTool({ name: 'fixture', arguments: { n: 1 } }, { signal: cancel.signal });
  // Sent first, then cancelled: over memory a message takes less than a turn.
  await setImmediate();
  cancel.abort();
  await expect(second).rejects.toThrow();
  open();
  await first;
  await server.client.callTool({ name: 'fixture', arguments: { n: 2 } });
  expect(order).toEqual([0, 2]);
  expect(server.log()).toContainEqual(expect.objectContaining({ event: 'tool_call', status: 'cancelled' }));
});

it('reports progress to a client that asks, and sends nothing to one that does not', async () => {
  const tool = fixtureTool({
    run: (_input, context) => {
      context.progress(1, 2);
      context.progress(2, 2);
      return OK;
    },
  });
  server = await connect([tool]);
  const heard: unknown[] = [];
  await server.client.callTool({ name: 'fixture' }, { onprogress: (progress) => heard.push(progress) });
  expect(heard).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
  await server.client.callTool({ name: 'fixture' });
  expect(heard).toHaveLength(2);
});
