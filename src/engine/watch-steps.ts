// Watches whether the running call still moves from step to step. It only reports: what may be done about it depends
// on the state of the call.
import type { Limits } from '../security/index.ts';
import type { SharedCallState } from './shared-call-state.ts';

const LOOK_EVERY_MS = 50;
/** A step that computes little for its time waits for the disk, or for the other work of the machine. */
const PATIENCE = 5;

export interface Clock {
  now(): number;
  /** What the process has computed so far. */
  computed(): number;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  computed: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Says at every look what took too long, until it is stopped by the function that it returns. A step's time is
 * that of a machine with nothing else to do, so that a busy one refuses no more than a quiet one.
 */
export function watchSteps(
  callState: SharedCallState,
  { stepMs, callMs }: Limits,
  isTooLong: (what: 'step' | 'call') => void,
  clock: Clock = CLOCK,
): () => void {
  const callBegan = clock.now();
  let stepBegan = callBegan;
  let computedBefore = clock.computed();
  let heartbeats = callState.heartbeats;
  const timer = setInterval(() => {
    const now = clock.now();
    const computed = clock.computed();
    if (callState.heartbeats !== heartbeats) {
      heartbeats = callState.heartbeats;
      stepBegan = now;
      computedBefore = computed;
    }
    // Several processors compute more than the time that passes.
    const stepTook = Math.max(
      Math.min(now - stepBegan, computed - computedBefore),
      (now - stepBegan) / PATIENCE,
    );
    if (now - callBegan > callMs) isTooLong('call');
    else if (stepTook > stepMs) isTooLong('step');
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
