// What both threads know of a call: it writes as often as it has to, and not once it was stopped.
import { expect, test } from 'vitest';
import { SharedCallState } from '../../src/engine/shared-call-state.ts';

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
