// Which texts the scan could not read by itself, for the debug log: reasons from a closed list, no contents.
import type { HandOverReason } from './scan/hand-over.ts';

const MAX_KEPT = 100;
const kept: HandOverReason[] = [];

export function noteHandOver(reason: HandOverReason): void {
  if (kept.length < MAX_KEPT) kept.push(reason);
}

/** Those of this thread since this was last asked for, at most 100. */
export function takeHandOvers(): readonly HandOverReason[] {
  return kept.splice(0);
}
