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

it('bounds what all have open together [NET-6]', () => {
  const limits = new Limits({ atOnce: 64, perMinute: 600 });
  const open = Array.from({ length: 64 }, (_, n) => limits.enter(`p${n}`));
  expect(open.every((one) => typeof one === 'function')).toBe(true);
  expect(ask(limits)).toBe(503);
});
