// Shows edits within the limits of a reply: as diffs or, if many are equal, with a line each, followed by what these do not show. It
// reports whether this is complete: a preview that is not shown whole cannot be applied.
import { changedPaths, countedPaths } from '../adapters/review/describe-edit.ts';
import { shownDiff, shownExcerpt } from '../adapters/shown/shown.ts';
import { counted, firstOf } from '../adapters/tree/wording.ts';
import type { Limits } from '../security/policy/policy.ts';
import { visible, visibleLine } from '../security/text/visible.ts';
import type { KeptFile, PreviewFile } from '../state/preview.ts';
import { ALL_SHOWN, equalChangesOf, equalChangeText } from './equal-changes.ts';
import type { ReviewedEdit } from './review-edit.ts';
import { cutSentence, takeWithinBudget } from './tool.ts';

/** What both the text and the data of a reply say; parts are empty if there is nothing to say. */
export interface Shown {
  /** A summary such as `2 paths in 1 file`. */
  readonly summary: string;
  readonly diff: string;
  /** True if everything that would change is shown. */
  readonly isWhole: boolean;
  readonly alsoAffects: readonly string[];
  readonly removedComments: readonly string[];
  /** The hashes of each changed file before and after, if there are few files. */
  readonly sha256: readonly string[];
  readonly warnings: readonly string[];
}

const MAX_COMMENTS = 10;
const MAX_HASHES = 10;
const HASH_CHARS = 12;
/** The number of files whose diffs are always shown; beyond the limit of characters others are only counted. */
const MIN_DIFFS = 10;
const MAX_DIFFS = 20_000;
const TOO_LONG = '… the diff is longer than a reply may be\n';

export function shownOf(
  files: readonly PreviewFile[],
  warnings: readonly string[],
  { replyChars }: Limits,
  { isApplied = false, isKept = true } = {},
): Shown {
  const changed = files.filter(isChanged);
  const { groups, others } = equalChangesOf(changed);
  const diffs = others.map((file) => shownDiff(file.diff));
  const equal = groups.map((group) => equalChangeText(group, !isApplied)).join('');
  const whole = diffs.join('') + equal;
  const isLong = whole.length > replyChars;
  const most = diffs.length <= MIN_DIFFS || !isKept ? Number.POSITIVE_INFINITY : MAX_DIFFS;
  const first = takeWithinBudget(diffs, { most: diffs.length, chars: most }, ({ length }) => length);
  const left = diffs.length - first.length;
  const more = left === 0 ? '' : `… and the diffs of ${left} more files${ALL_SHOWN}\n`;
  const named = (file: PreviewFile, note: string) =>
    changed.length === 1 ? note : `${visibleLine(file.file)}: ${note}`;
  const followers = changed.flatMap((file) => file.also_affects.map((path) => named(file, visible(path))));
  const affected = takeWithinBudget(
    followers,
    { most: followers.length, chars: replyChars / 4 },
    ({ length }) => length,
  );
  const hasLost = affected.length < followers.length || affected.join('').length > replyChars / 4;
  const comments = changed.flatMap((file) =>
    file.removed_comments.filter(notArrivedIn(changed)).map((one) => named(file, shownExcerpt(one))),
  );
  return {
    summary: summaryOf(files),
    diff: isLong
      ? `${whole.slice(0, replyChars).toWellFormed()}\n${TOO_LONG}`
      : first.join('') + more + equal,
    isWhole: !isLong && !hasLost,
    alsoAffects: withRest(affected, followers.length),
    removedComments: withRest(comments.slice(0, MAX_COMMENTS), comments.length),
    sha256: hashesIn(changed),
    warnings,
  };
}

/** Shows a change that its preview already showed whole: neither diff nor warnings are repeated. */
export function shownBefore(files: readonly KeptFile[]): Shown {
  const none = { diff: '', alsoAffects: [], removedComments: [], warnings: [] };
  return { ...none, summary: summaryOf(files), isWhole: true, sha256: hashesIn(files.filter(isChanged)) };
}

/** Returns how much is changed, such as `2 paths in 1 file`. */
function summaryOf(files: readonly KeptFile[]): string {
  const changed = files.filter(isChanged);
  const same = files.length - changed.length;
  const paths = changed.reduce((sum, file) => sum + changedPaths(file), 0);
  return `${countedPaths(paths)} in ${counted(changed.length, 'file')}${same === 0 ? '' : ` (${same} more without a change)`}`;
}

function isChanged({ file_op: op, base_sha256: base, result_sha256: result }: KeptFile): boolean {
  return op !== undefined || base !== result;
}

/** Returns a test for comments that did not move to another file. Only a few files exchange parts in one call. */
function notArrivedIn(files: readonly PreviewFile[]): (comment: string) => boolean {
  if (files.length < 2 || files.length > MAX_HASHES) return () => true;
  const arrived = files.flatMap(({ edits }) => edits.map(({ insert }) => insert)).join('\n');
  return (comment) => !arrived.includes(comment.split('\n', 1)[0] ?? comment);
}

function hashesIn(changed: readonly KeptFile[]): readonly string[] {
  return changed.length > MAX_HASHES ? [] : changed.map(hashesOf);
}

function hashesOf({ file, file_op: op, base_sha256: base, result_sha256: result }: KeptFile): string {
  const before = op === 'create' ? 'none' : base.slice(0, HASH_CHARS);
  const after = op === 'delete' ? 'none' : result.slice(0, HASH_CHARS);
  return `${visibleLine(file)} ${before} → ${after}`;
}

function withRest(shown: readonly string[], count: number): readonly string[] {
  const left = count - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more`];
}

const MAX_FILES_NAMED = 3;

/** Returns the warnings of all files, as many as fit into a reply. With several files, each warning names its files. */
export function warningsOf(reviewed: readonly ReviewedEdit[], { replyChars }: Limits): readonly string[] {
  const filesOf = new Map<string, string[]>();
  for (const { file, warnings } of reviewed)
    for (const warning of warnings) {
      const files = filesOf.get(warning) ?? [];
      files.push(file.file);
      filesOf.set(warning, files);
    }
  const all = [...filesOf].map(([warning, files]) =>
    reviewed.length === 1 ? warning : `${firstOf(files, MAX_FILES_NAMED)}: ${warning}`,
  );
  const shown = takeWithinBudget(
    all.map(cutSentence),
    { most: 500, chars: replyChars / 4 },
    ({ length }) => length,
  );
  const left = all.length - shown.length;
  return left === 0 ? shown : [...shown, `… and ${left} more.`];
}
