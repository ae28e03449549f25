// What goes when the folder of plans is full: what has expired first, then the oldest, and what a reviewer
// has approved last. An id that went leaves an empty file behind, so that it is known for a while.
import type { StateFolder } from './state-folder.ts';

export interface PlanBounds {
  readonly plans: number;
  readonly totalBytes: number;
  readonly planBytes: number;
}

export const PLAN_BOUNDS: PlanBounds = { plans: 500, totalBytes: 64e6, planBytes: 16e6 };

const MOST_REMAINS = 2_000;
/** The canonical text begins with approval, asked_by, created_at and expires_at. */
const HEAD_BYTES = 2_000;
const EXPIRY = /"expires_at":"([^"]{24})"/u;

/** The ids of files with this ending. */
export function idsWith(folder: StateFolder, ending: string): readonly string[] {
  return folder.names().flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
}

/** Makes room for one more plan of `newBytes`. Answers the ids that were dropped. */
export function makeRoom(
  folder: StateFolder,
  bounds: PlanBounds,
  approved: () => ReadonlySet<string>,
  now: Date,
  newBytes: number,
): readonly string[] {
  if (hasRoom(folder, bounds, newBytes)) return [];
  const { plans, totalBytes } = bounds;
  const kept = keptPlans(folder);
  let bytes = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, newBytes);
  let count = kept.length + (newBytes > 0 ? 1 : 0);
  estimates.set(folder, { count, bytes, newCount: 0, newBytes: 0 });
  if (count <= plans && bytes <= totalBytes) return [];
  const isApproved = approved();
  const rank = (id: string): number => (isExpired(folder, id, now) ? 0 : isApproved.has(id) ? 2 : 1);
  const order = kept
    .map((plan) => ({ ...plan, rank: rank(plan.id) }))
    .sort((a, b) => a.rank - b.rank || (a.since < b.since ? -1 : 1));
  const dropped: string[] = [];
  // A tenth more than needed, so that not each of many previews has to look at all the others.
  const [enough, enoughBytes] = [plans - Math.floor(plans / 10), totalBytes * 0.9];
  for (const { id, sizeBytes, rank: isLater } of order) {
    // Once there is a reason to look, everything that has expired goes; of what is approved, no more than must.
    const isRoom =
      isLater === 2 ? count <= plans && bytes <= totalBytes : count <= enough && bytes <= enoughBytes;
    if (isLater > 0 && isRoom) break;
    drop(folder, id);
    dropped.push(id);
    count -= 1;
    bytes -= sizeBytes;
  }
  estimates.set(folder, { count, bytes, newCount: 0, newBytes: 0 });
  return dropped;
}

/** What was found when somebody last looked, with what was kept since; and of that, what is new. */
interface Estimate {
  readonly count: number;
  readonly bytes: number;
  readonly newCount: number;
  readonly newBytes: number;
}

const estimates = new WeakMap<StateFolder, Estimate>();

/** Others may keep plans here as well: so the estimate is good for a tenth of the bounds. Then somebody has to look. */
function hasRoom(folder: StateFolder, { plans, totalBytes }: PlanBounds, addedBytes: number): boolean {
  const last = estimates.get(folder);
  if (last === undefined) return false;
  const count = last.count + 1;
  const bytes = last.bytes + addedBytes;
  const newCount = last.newCount + 1;
  const newBytes = last.newBytes + addedBytes;
  const isGood = newCount <= plans / 10 && newBytes <= totalBytes / 10;
  if (!isGood || count > plans || bytes > totalBytes) return false;
  estimates.set(folder, { count, bytes, newCount, newBytes });
  return true;
}

interface KeptPlan {
  readonly id: string;
  readonly sizeBytes: number;
  readonly since: bigint;
}

/** Looked at once: a plan is never written to again. */
const seen = new WeakMap<StateFolder, ReadonlyMap<string, KeptPlan>>();

function keptPlans(folder: StateFolder): readonly KeptPlan[] {
  const before = seen.get(folder);
  const kept = idsWith(folder, '.json').flatMap((id) => {
    const facts = before?.has(id) ? undefined : folder.facts(`${id}.json`);
    const fresh = facts === undefined ? undefined : { id, sizeBytes: facts.sizeBytes, since: facts.mtimeNs };
    return before?.get(id) ?? fresh ?? [];
  });
  seen.set(folder, new Map(kept.map((plan) => [plan.id, plan])));
  return kept;
}

/** At start: a plan holds the whole text of its files, and need not lie about once it is worth nothing. */
export function dropExpired(folder: StateFolder, now: Date): readonly string[] {
  const expired = idsWith(folder, '.json').filter((id) => isExpired(folder, id, now));
  for (const id of expired) drop(folder, id);
  for (const ending of ['.gone', '.used']) dropRemains(folder, ending);
  return expired;
}

function drop(folder: StateFolder, id: string): void {
  if (folder.remove(`${id}.json`)) folder.put(`${id}.gone`, '');
}

function dropRemains(folder: StateFolder, ending: string): void {
  const ids = idsWith(folder, ending);
  if (ids.length <= MOST_REMAINS) return;
  const byAge = ids
    .map((id) => ({ id, since: folder.facts(id + ending)?.mtimeNs ?? 0n }))
    .sort((a, b) => (a.since < b.since ? -1 : 1));
  for (const { id } of byAge.slice(0, ids.length - MOST_REMAINS)) folder.remove(id + ending);
}

/** A hint for what to drop; whether a plan may be applied is asked of the plan itself. */
function isExpired(folder: StateFolder, id: string, now: Date): boolean {
  const head = folder.readSome(`${id}.json`, HEAD_BYTES) ?? '';
  const expiresAt = EXPIRY.exec(head)?.[1];
  return expiresAt === undefined || expiresAt <= now.toISOString();
}
