// What a reply holds of each file that an edit changes: the diff, and what it does not say by itself, within what a
// reply may hold.
import { dataChanges, shownDiff, shownExcerpt } from '../adapters/index.ts';
import { type Change, type Limits, type PreviewFile, visible } from '../security/index.ts';
import type { ReviewedEdit } from './review-edit.ts';
import { cutPath, cutSentence, takeWithinBudget } from './take-within-budget.ts';

/** One file of the reply, in the words of the wire contract. */
export interface ShownFile {
  readonly file: string;
  readonly diff: string;
  readonly diff_truncated: boolean;
  readonly base_sha256: string;
  readonly result_sha256: string;
  readonly changes: readonly Change[];
  /** How many more there are; the diff shows all of them. */
  readonly changes_omitted?: number;
  readonly bytes_changed_outside_edits: 0;
  readonly removed_comments: readonly string[];
  readonly removed_comments_omitted?: number;
  readonly also_affects: readonly string[];
  readonly also_affects_omitted?: number;
}

export interface Shown {
  readonly files: readonly ShownFile[];
  readonly warnings: readonly string[];
  /** How many paths of data change in all files. */
  readonly paths: number;
}

/** Of one file, of each kind: a hundred thousand changes would be megabytes that nobody reads. */
const MAX_IN_DATA = 500;

/** The diffs share what a reply may hold: the first that is too long for the rest of it is cut. */
export function shownOf(
  files: readonly PreviewFile[],
  warnings: readonly string[],
  { replyChars }: Limits,
): Shown {
  let left = replyChars;
  const shown = files.map((file) => {
    const one = showFile(file, left, Math.floor(replyChars / 4 / files.length));
    left = Math.max(left - one.diff.length, 0);
    return one;
  });
  const paths = files.reduce((sum, { changes }) => sum + dataChanges(changes).length, 0);
  return { files: shown, warnings, paths };
}

/** Those of all files, as many as a reply may hold; of several files, each names its own. */
export function warningsOf(reviewed: readonly ReviewedEdit[], { replyChars }: Limits): readonly string[] {
  const all = reviewed.flatMap(({ file, warnings }) =>
    warnings.map((warning) => (reviewed.length === 1 ? warning : `${file.file}: ${warning}`)),
  );
  const { shown, left } = listedTexts(all.map(cutSentence), replyChars / 4);
  return left === 0 ? shown : [...shown, `… and ${left} more.`];
}

function showFile(file: PreviewFile, diffChars: number, listChars: number): ShownFile {
  const diff = shownDiff(file.diff);
  const isLong = diff.length > diffChars;
  const changes = listed(file.changes.map(showChange), listChars, ({ path, from = '', to = '' }) => {
    return path.length + from.length + to.length;
  });
  const comments = listedTexts(file.removed_comments.map(shownExcerpt), listChars);
  const affected = listedTexts(
    file.also_affects.map((path) => visible(cutPath(path))),
    listChars,
  );
  return {
    file: file.file,
    diff: isLong
      ? `${diff.slice(0, diffChars).toWellFormed()}\n… the diff is longer than a reply may be\n`
      : diff,
    diff_truncated: isLong,
    base_sha256: file.base_sha256,
    result_sha256: file.result_sha256,
    changes: changes.shown,
    ...(changes.left > 0 ? { changes_omitted: changes.left } : {}),
    // Not counted but proven: VerifiedEdit compares every byte outside the edits.
    bytes_changed_outside_edits: 0,
    removed_comments: comments.shown,
    ...(comments.left > 0 ? { removed_comments_omitted: comments.left } : {}),
    also_affects: affected.shown,
    ...(affected.left > 0 ? { also_affects_omitted: affected.left } : {}),
  };
}

function listed<Item>(items: readonly Item[], chars: number, lengthOf: (item: Item) => number) {
  const shown = takeWithinBudget(items, { most: MAX_IN_DATA, chars }, lengthOf);
  return { shown, left: items.length - shown.length };
}

function listedTexts(texts: readonly string[], chars: number) {
  return listed(texts, chars, ({ length }) => length);
}

/** In the order of the contract, as `docs/replies.md` shows it. */
function showChange({ op, doc, path, line, from, to }: Change): Change {
  return {
    ...{ op, doc, path: cutPath(path), line },
    ...(from === undefined ? {} : { from: shownExcerpt(from) }),
    ...(to === undefined ? {} : { to: shownExcerpt(to) }),
  };
}
