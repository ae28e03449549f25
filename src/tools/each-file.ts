// Runs a step for each of many files, in a fixed order, until the page is full or its time is over.
import { type Listing, ownThread, stopwatch } from '../security/index.ts';
import { filesBelow } from './file-pattern.ts';
import type { CallContext } from './tool.ts';

/** Returns all files that a pattern names, whether there may be more than a listing shows, and those that are not open. Throws ARGUMENT_INVALID for a bad one. */
export function filesOf(
  pattern: string | undefined,
  { sandbox, policy, previewed = new Map() }: CallContext,
): {
  readonly files: readonly string[];
  readonly isTruncated: boolean;
  readonly closed: Listing['closed'];
} {
  const wanted = pattern === undefined ? undefined : filesBelow(pattern);
  const {
    files,
    truncated: isTruncated,
    closed,
  } = sandbox.list({ pattern: wanted, limit: policy.limits.listEntries });
  const listed = files.map(({ path }) => path.toString());
  if (previewed.size === 0) return { files: listed, isTruncated, closed };
  const matches = wanted === undefined ? () => true : sandbox.matching(wanted);
  const created = [...previewed.values()].filter(
    ({ file, file_op: op }) => op === 'create' && matches(sandbox.parse(file)),
  );
  const kept = listed.filter((file) => previewed.get(file)?.file_op !== 'delete');
  return { files: [...kept, ...created.map(({ file }) => file)], isTruncated, closed };
}

/** The time in milliseconds after which the event loop turns between files, so that a cancellation can arrive. */
const TURN_MS = 10;
/** The share of a call's time for one page: a file that ends the thread makes a call begin again. */
const PAGE_SHARE = 1 / 3;

/** Walks the files from `from` on until `take` returns true, for a full page. Returns the index of the first file that was not looked at. */
export async function eachFile(
  files: readonly string[],
  from: number,
  take: (file: string) => boolean,
  { pause, progress, policy, endsAt }: CallContext,
): Promise<number> {
  const usedMs = stopwatch(ownThread());
  let turned = 0;
  for (let at = from; ; at++) {
    const file = files[at];
    if (file === undefined) return at;
    if (at === from || performance.now() - turned > TURN_MS) {
      // The first file is always taken, so that repeated calls come to an end.
      if (at > from && usedMs() > policy.limits.callMs * PAGE_SHARE) return at;
      progress(at, files.length);
      await pause();
      turned = performance.now();
    }
    if (take(file)) return at;
    if (file === endsAt) return at + 1;
  }
}
