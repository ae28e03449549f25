// More than a client should send at once is answered all the same, in bounded memory.
import { PassThrough } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { createLog } from '../../../src/security/audit/log.ts';
import { StdioTransport } from '../../../src/transports/stdio/stdio-transport.ts';
import { startGreeted } from '../../harness/raw-server.ts';
import { FIXTURE } from '../../harness/start-process.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { eventually } from '../../harness/wait.ts';

const PING = '{"jsonrpc":"2.0","id":"ping","method":"ping"}\n';
const root = tempRoot();
afterAll(() => root.remove());

it('answers each of 10,000 pipelined calls, some with BUSY (PROT-006) [SRV-2]', async () => {
  const server = await startGreeted({ args: ['--root', root.dir], program: FIXTURE });
  const count = 10_000;
  for (let id = 1; id <= count; id++) {
    server.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'x' } },
    });
  }
  const answered = new Set<unknown>();
  const codes = new Set<unknown>();
  while (answered.size < count) {
    const { id, result } = await server.next();
    answered.add(id);
    codes.add(Reflect.get(Object(Reflect.get(Object(result?.['structuredContent']), 'error')), 'code'));
  }
  expect([...codes].filter((code) => code !== undefined && code !== 'BUSY')).toEqual([]);
  expect(codes).toContain(undefined);
  expect(await server.request(0, 'ping')).toMatchObject({ result: {} });
  server.child.stdin.end();
  expect(await server.exit).toEqual({ code: 0, signal: null });
});

it('stops reading while nobody reads its answers, and goes on when somebody does [SRV-2]', async () => {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 100 });
  const transport = new StdioTransport(input, output, createLog({ level: 'error', format: 'json' }), 1_000);
  let received = 0;
  transport.onmessage = () => {
    received++;
    void transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  };
  void transport.start();
  for (let count = 0; count < 10; count++) input.write(PING);
  await eventually(() => expect(input.isPaused()).toBe(true));
  expect(received).toBeLessThan(10);
  for (let count = 0; count < 10; count++) input.write(PING);
  output.resume();
  await eventually(() => expect(received).toBe(20));
  await transport.close();
});
