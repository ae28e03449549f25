// How many plans may be kept, and whether there is room for one more without looking at all of them.
import type { StateFolder } from '../records/state-folder.ts';

/** What a plan may push out, and is pushed out by. */
export interface PlanKind {
  readonly roots: string;
  readonly isForPerson: boolean;
}

/** Of one kind. */
export interface PlanBounds {
  readonly plans: number;
  readonly totalBytes: number;
  readonly planBytes: number;
}

export const PLAN_BOUNDS: PlanBounds = { plans: 500, totalBytes: 64e6, planBytes: 16e6 };

/** What was found when somebody last looked, with what was kept since; and of that, what is new. */
interface Estimate extends PlanKind {
  readonly count: number;
  readonly bytes: number;
  readonly newCount: number;
  readonly newBytes: number;
}

const estimates = new WeakMap<StateFolder, Estimate>();

export function noteEstimate(folder: StateFolder, kind: PlanKind, count: number, bytes: number): void {
  estimates.set(folder, { ...kind, count, bytes, newCount: 0, newBytes: 0 });
}

/** Others may keep plans here as well: so the estimate is good for a tenth of the bounds. Then somebody has to look. */
export function hasRoom(
  folder: StateFolder,
  kind: PlanKind,
  { plans, totalBytes }: PlanBounds,
  addedBytes: number,
): boolean {
  const last = estimates.get(folder);
  if (last === undefined || !isSameKind(last, kind)) return false;
  const count = last.count + 1;
  const bytes = last.bytes + addedBytes;
  const newCount = last.newCount + 1;
  const newBytes = last.newBytes + addedBytes;
  const isGood = newCount <= plans / 10 && newBytes <= totalBytes / 10;
  if (!isGood || count > plans || bytes > totalBytes) return false;
  estimates.set(folder, { ...last, count, bytes, newCount, newBytes });
  return true;
}

export function isSameKind(a: PlanKind, b: PlanKind): boolean {
  return a.roots === b.roots && a.isForPerson === b.isForPerson;
}
