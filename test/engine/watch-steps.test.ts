// When a step or a call has taken too long: by what was computed, not by what else the machine had to do.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SharedCallState, watchSteps } from '../../src/engine/shared-call-state.ts';
import { DEFAULT_LIMITS } from '../../src/security/index.ts';

const LIMITS = { ...DEFAULT_LIMITS, stepMs: 2_000, callMs: 30_000 };

describe('a step', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test.each([
    { why: 'computes all the time', now: 2_001, computed: 2_001, told: 'step' },
    { why: 'computes on several processors', now: 1_000, computed: 4_000, told: undefined },
    { why: 'gets a third of a busy machine', now: 5_000, computed: 1_667, told: undefined },
    { why: 'hangs without computing', now: 10_001, computed: 0, told: 'step' },
    { why: 'is one of a call that never ends', now: 30_001, computed: 0, told: 'call' },
  ])('that $why [SRV-3]', ({ now, computed, told }) => {
    const callState = new SharedCallState();
    const clock = { now: 0, computed: 0 };
    const heard: string[] = [];
    const stop = watchSteps(callState, LIMITS, (what) => heard.push(what), {
      now: () => clock.now,
      computed: () => clock.computed,
    });
    Object.assign(clock, { now, computed });
    vi.advanceTimersByTime(50);
    stop();
    expect(heard[0]).toBe(told);
  });
});

test('a call writes as often as it has to, and is not stopped once it has written [SRV-8]', () => {
  const callState = new SharedCallState();
  callState.begin();
  for (const _ of ['what was left', 'its own']) {
    expect(callState.beginCommit()).toBe(true);
    expect(callState.kill()).toBe(false);
    callState.done();
  }
  expect(callState.kill()).toBe(false);
  callState.begin();
  expect(callState.kill()).toBe(true);
  expect(callState.beginCommit()).toBe(false);

  for (const write of [() => undefined, () => expect(callState.beginCommit()).toBe(true)]) {
    callState.begin();
    write();
    callState.done();
    callState.stop(0);
    expect(callState.beginCommit()).toBe(false);
  }
});
