// What is open at clients, where several processes answer for each other and each principal is asked by itself.
import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, it, vi } from 'vitest';
import type { Call } from '../../../src/engine/engine.ts';
import { Questions } from '../../../src/server/questions.ts';

const KEY = async () => new Uint8Array(32).fill(7);
const PATIENCE_MS = 60_000;

function call(principal: string | undefined, preview = 'one'): Call {
  const verified = principal === undefined ? {} : { principal, scopes: [] };
  const caller = { name: 'test', version: '1', ...verified };
  return { requestId: 'r', tool: 'config_apply', args: { preview_id: preview }, writes: true, caller };
}

// The codec looks into it only where it was told to bind to something in it.
const CONTEXT: ServerContext = Object.create(null);
const asks = (questions: Questions, by: Call) => questions.seal(questions.begin('one', by));

it('takes the answer to what another process has asked with the same key, once [APR-11]', async () => {
  const [one, two] = [new Questions(PATIENCE_MS, KEY), new Questions(PATIENCE_MS, KEY)];
  const state = await asks(one, call('ann'));
  expect(await two.redeem(state, call('ann'), CONTEXT)).toBe(true);
  expect(await two.redeem(state, call('ann'), CONTEXT)).toBe(false);
});

it('takes none that another key has sealed [APR-11]', async () => {
  const [one, two] = [new Questions(PATIENCE_MS, KEY), new Questions(PATIENCE_MS)];
  const state = await asks(one, call('ann'));
  expect(await two.redeem(state, call('ann'), CONTEXT)).toBe(false);
});

it.each([
  { why: 'another principal', by: call('bob') },
  { why: 'nobody who was verified', by: call(undefined) },
  { why: 'another call', by: call('ann', 'two') },
])('takes none from $why, here or elsewhere [APR-11]', async ({ by }) => {
  const [one, two] = [new Questions(PATIENCE_MS, KEY), new Questions(PATIENCE_MS, KEY)];
  const state = await asks(one, call('ann'));
  expect(await two.redeem(state, by, CONTEXT)).toBe(false);
  expect(await one.redeem(state, by, CONTEXT)).toBe(false);
});

it('keeps one question open for each principal [APR-12]', async () => {
  const questions = new Questions(PATIENCE_MS, KEY);
  questions.begin('one', call('ann'));
  expect(() => questions.begin('two', call('ann', 'two'))).toThrow(/question about another one is open/u);
  expect(() => questions.begin('two', call('bob', 'two'))).not.toThrow();
});

it('takes no late answer, and asks anew once the time is up [APR-10]', async () => {
  const questions = new Questions(PATIENCE_MS, KEY);
  const state = await asks(questions, call('ann'));
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + PATIENCE_MS);
  expect(() => questions.begin('two', call('ann', 'two'))).not.toThrow();
  expect(await questions.redeem(state, call('ann'), CONTEXT)).toBe(false);
  vi.restoreAllMocks();
});
