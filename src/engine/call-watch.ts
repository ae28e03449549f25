// Watches a call from outside its thread, and reports what takes too long.

import { stopwatch } from '../security/fs/thread-time.ts';
import type { Limits } from '../security/policy/policy.ts';
import type { SharedCallState } from './shared-call-state.ts';

const LOOK_EVERY_MS = 50;

export interface CallWatch {
  /** The milliseconds that the call has taken until the last look. */
  readonly usedMs: number;
  stop(): void;
}

/** Reports at each look what took too long, until it is stopped. It measures from the first look, since most calls are over by then. */
export function watchSteps(
  callState: SharedCallState,
  thread: number | undefined,
  { stepMs, callMs }: Pick<Limits, 'stepMs' | 'callMs'>,
  isTooLong: (what: 'step' | 'call') => void,
): CallWatch {
  let call: ReturnType<typeof stopwatch> | undefined;
  let step = () => 0;
  let heartbeats: number | undefined;
  let usedMs = 0;
  const timer = setInterval(() => {
    call ??= stopwatch(thread);
    usedMs = call();
    if (callState.heartbeats !== heartbeats) {
      heartbeats = callState.heartbeats;
      step = stopwatch(thread);
    }
    if (usedMs > callMs) isTooLong('call');
    else if (step() > stepMs) isTooLong('step');
  }, LOOK_EVERY_MS);
  return {
    get usedMs() {
      return usedMs;
    },
    stop: () => clearInterval(timer),
  };
}
