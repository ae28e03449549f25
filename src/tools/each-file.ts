// Runs a step for each of many files, in a fixed order, until the page is full or its time is over.
import type { Listing } from '../security/index.ts';
import { filesBelow } from './read-file.ts';
import type { CallContext } from './tool.ts';

/** Answers all files that a pattern names, whether there may be more than a listing shows, and those that are not open. Throws ARGUMENT_INVALID for a bad one. */
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
/** The time in milliseconds for a page that has something on it. */
const PAGE_MS = 4_000;
/** The share of a call's time for an empty page: a file that ends the thread makes a call begin again. */
const EMPTY_PAGE_SHARE = 1 / 4;

/**
 * Walks the files from `from` on. `take` answers whether the page is full; `isEmpty` whether nothing is on it yet, which allows
 * more time. Answers the index of the first file that was not looked at.
 */
export async function eachFile(
  files: readonly string[],
  from: number,
  step: { readonly take: (file: string) => boolean; readonly isEmpty: () => boolean },
  { pause, progress, policy, endsAt }: CallContext,
): Promise<number> {
  const begun = performance.now();
  let turned = begun;
  for (let at = from; ; at++) {
    const file = files[at];
    if (file === undefined) return at;
    const now = performance.now();
    // The first file is always taken, so that repeated calls come to an end.
    const pageMs = step.isEmpty() ? policy.limits.callMs * EMPTY_PAGE_SHARE : PAGE_MS;
    if (at > from && now - begun > pageMs) return at;
    if (at === from || now - turned > TURN_MS) {
      progress(at, files.length);
      await pause();
      turned = performance.now();
    }
    if (step.take(file)) return at;
    if (file === endsAt) return at + 1;
  }
}
