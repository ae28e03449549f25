// Watches whether the call under way still moves from step to step. It only says so: what may be done about
// it the call's cell decides.
import type { Limits } from '../security/index.ts';
import type { CallCell } from './call-cell.ts';

const LOOK_EVERY_MS = 50;

/** Says at every look what took too long, until it is stopped by the function that it returns. */
export function watchSteps(
  cell: CallCell,
  { stepMs, callMs }: Limits,
  isTooLong: (what: 'step' | 'call') => void,
): () => void {
  const callBegan = performance.now();
  let stepBegan = callBegan;
  let beats = cell.beats;
  const timer = setInterval(() => {
    const now = performance.now();
    if (cell.beats !== beats) {
      beats = cell.beats;
      stepBegan = now;
    }
    if (now - callBegan > callMs) isTooLong('call');
    else if (now - stepBegan > stepMs) isTooLong('step');
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
