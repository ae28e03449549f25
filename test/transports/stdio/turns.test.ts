// What arrives at once is not taken in at once: others come between, nothing overtakes, and nothing is lost.
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/security/index.ts';
import { StdioTransport } from '../../../src/transports/stdio/stdio-transport.ts';
import { eventually } from '../../harness/wait.ts';

const LONG = '\n'.repeat(1_000_000);

it('receives a flood of small messages in many turns, in their order', async () => {
  const { input, received, turns } = start();
  const ids = Array.from({ length: 1_000 }, (_, id) => String(id));
  input.write(ids.map((id) => ping(id)).join(''));
  await eventually(() => expect(received).toHaveLength(ids.length));
  expect(received.map((message) => Reflect.get(message, 'id'))).toEqual(ids);
  const inOneTurn = turns.map((turn) => turns.filter((other) => other === turn).length);
  expect(Math.max(...inOneTurn)).toBeLessThan(20);
});

it.each([
  { why: 'a long last line without its end', ids: ['first', 'last'], long: 'last' },
  { why: 'a short one behind a long one', ids: ['first', 'long', 'last'], long: 'long' },
])('delivers everything before the end of the input: $why', async ({ ids, long }) => {
  const { input, received, transport } = start();
  const told: unknown[] = [];
  transport.onclose = () => told.push(...received.map((message) => Reflect.get(message, 'id')));
  const lines = ids.map((id) => ping(id, id === long ? LONG : ''));
  input.end(lines.join('').trimEnd());
  await eventually(() => expect(received).toHaveLength(ids.length));
  for (const id of ids) void transport.send({ jsonrpc: '2.0', id, result: {} });
  await transport.closed;
  expect(told).toEqual(ids);
});

function ping(id: string, text?: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { text } })}\n`;
}

/** `turns`: in which turn of the event loop each message was delivered. */
function start(highWaterMark = 1_000_000) {
  const input = new PassThrough({ highWaterMark: 10_000_000 });
  const output = new PassThrough({ highWaterMark });
  const transport = new StdioTransport(
    input,
    output,
    createLog({ level: 'error', format: 'json' }),
    10_000_000,
  );
  const received: object[] = [];
  const turns: number[] = [];
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  onTestFinished(async () => {
    isOver = true;
    await transport.close();
  });
  transport.onmessage = (message) => {
    received.push(message);
    turns.push(turn);
  };
  void transport.start();
  return { input, output, received, turns, transport };
}
