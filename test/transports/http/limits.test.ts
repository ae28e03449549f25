// What one principal may ask at once and in a minute, counted with a clock of the test.
import { afterEach, expect, it, vi } from 'vitest';
import { Limits } from '../../../src/transports/http/limits.ts';

afterEach(() => vi.restoreAllMocks());

function clock(): { pass(ms: number): void } {
  let now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    pass: (ms) => {
      now += ms;
    },
  };
}

/** The status that a call gets, or that it is admitted; it is over at once where it is. */
function ask(limits: Limits, principal = 'ann'): number | 'admitted' {
  const entered = limits.enter(principal);
  if (typeof entered !== 'function') return entered.status;
  entered();
  return 'admitted';
}

it('lets as many calls of a minute begin as it says, and more as time passes [NET-6]', () => {
  const { pass } = clock();
  const limits = new Limits({ atOnce: 8, perMinute: 6 });
  const asked = (count: number) => Array.from({ length: count }, () => ask(limits));
  expect(asked(7)).toEqual([...Array.from({ length: 6 }, () => 'admitted'), 429]);
  pass(9_999);
  expect(limits.enter('ann')).toMatchObject({ status: 429, seconds: 1 });
  pass(1);
  expect(asked(2)).toEqual(['admitted', 429]);
  pass(600_000);
  expect(asked(7)).toEqual([...Array.from({ length: 6 }, () => 'admitted'), 429]);
});

it('counts for each principal by itself [NET-6]', () => {
  clock();
  const limits = new Limits({ atOnce: 1, perMinute: 1 });
  expect([ask(limits), ask(limits), ask(limits, 'bob')]).toEqual(['admitted', 429, 'admitted']);
});

it('lets so many be open at once, and another when one is over [NET-6]', () => {
  const limits = new Limits({ atOnce: 2, perMinute: 600 });
  const [one, two] = [limits.enter('ann'), limits.enter('ann')];
  expect([typeof one, typeof two]).toEqual(['function', 'function']);
  expect(ask(limits)).toBe(429);
  if (typeof one === 'function') one();
  expect(ask(limits)).toBe('admitted');
});

it('bounds what all have open together [NET-6]', () => {
  const limits = new Limits({ atOnce: 64, perMinute: 600 });
  const open = Array.from({ length: 64 }, (_, n) => limits.enter(`p${n}`));
  expect(open.every((one) => typeof one === 'function')).toBe(true);
  expect(ask(limits)).toBe(503);
});
