// What an edit answers: the diff first, then what the diff does not say by itself, within what a reply may hold.
import { counted, countedPaths, dataChanges, shownDiff, shownExcerpt } from '../adapters/index.ts';
import {
  type Approval,
  type Change,
  type ChangeDraft,
  type Limits,
  type Policy,
  type PreviewFile,
  type SavedPreview,
  shortId,
  visible,
} from '../security/index.ts';
import type { ReviewedEdit } from './review-edit.ts';
import { cutPath, cutSentence, type Reply, takeWithinBudget } from './tool.ts';

const MAX_LISTED = 10;

/** Why a preview was not kept, and so cannot be applied. */
export type NotKept = 'no change' | 'cut' | 'read-only' | 'too large' | 'too long to ask';

export function previewReply(
  shown: Shown,
  isDryRun: boolean,
  saved: SavedPreview | NotKept,
  { approval }: Policy,
): Reply {
  const { files, warnings } = shown;
  const state = { ok: true, dry_run: isDryRun, applied: false } as const;
  if (typeof saved === 'string')
    return { text: notKeptText(shown, saved), data: { ...state, files, warnings } };
  const id = shortId('pv', saved.id);
  const { expiresAt } = saved;
  const next = { tool: 'config_apply', arguments: { preview_id: id } };
  return {
    // Some models see the text only: what applies the preview must stand in it.
    text: `Preview: ${summary(shown)}; nothing was written.\n${details(shown)}${NEXT_STEP[approval](id)} It expires at ${expiresAt}.`,
    data: { ...state, preview_id: id, expires_at: expiresAt, files, warnings, next },
  };
}

const NEXT_STEP: Readonly<Record<Approval, (id: string) => string>> = {
  direct: (id) => `${applyStep(id)}.`,
  preview: (id) => `${applyStep(id)}.`,
  client: (id) => `${applyStep(id)}; the person at the client will be asked.`,
  human: (id) =>
    `A person has to approve it first, with "config-airlock approve ${id}" in a terminal and the options that this server was started with. Then call config_apply with preview_id ${id}: it applies the change once approved, and otherwise reports its status.`,
};

function applyStep(id: string): string {
  return `To write exactly this: config_apply with preview_id ${id}`;
}

function notKeptText(shown: Shown, reason: NotKept): string {
  if (reason === 'no change')
    return `No change: ${shown.files.length === 1 ? 'the file says' : 'the files say'} this already. Nothing was written.`;
  const start = reason === 'cut' ? 'Preview, cut:' : `Preview: ${summary(shown)};`;
  return `${start} nothing was written.\n${details(shown)}${WHY_NOT_KEPT[reason]}`;
}

const WHY_NOT_KEPT: Readonly<Record<Exclude<NotKept, 'no change'>, string>> = {
  cut: 'It has no preview_id, because not all of it could be shown, and nobody may apply what nobody saw: change less at a time.',
  'read-only': 'This server is read-only, and the preview was not kept: hand the diff to a person.',
  'too large': 'It has no preview_id, because it is too large to be kept: change fewer files at a time.',
  'too long to ask':
    'It has no preview_id, because it is too long for the person at the client to be asked about it in one question: change less at a time.',
};

/** `applied`: how, and as which change. */
export function appliedReply(
  shown: Shown,
  applied: Pick<ChangeDraft, 'confirmed_by' | 'reviewer'> & { readonly change_id: string },
): Reply {
  const { files, warnings } = shown;
  const change_id = shortId('ch', applied.change_id);
  return {
    text: `Applied: ${summary(shown)}.\n${details(shown)}This is change ${change_id}`,
    data: { ok: true, dry_run: false, applied: true, ...applied, change_id, files, warnings },
  };
}

/** Every diff with its notes below it, then the warnings. */
function details({ files, warnings }: Shown): string {
  const parts = files.map((file) =>
    [
      file.diff,
      // All of them: no diff shows these.
      ...noteLines(
        'Also changes, through an alias or merge',
        file.also_affects,
        file.also_affects_omitted,
        file.also_affects.length,
      ),
      ...noteLines('Removed comments', file.removed_comments, file.removed_comments_omitted, MAX_LISTED),
    ].join(''),
  );
  return [...parts, ...warnings.map((warning) => `Warning: ${warning}\n`)].join('');
}

function noteLines(
  label: string,
  notes: readonly string[],
  omitted: number | undefined,
  most: number,
): string[] {
  const left = Math.max(notes.length - most, 0) + (omitted ?? 0);
  if (notes.length + left === 0) return [];
  return [`${label}: ${[...notes.slice(0, most), ...(left > 0 ? [`and ${left} more`] : [])].join('; ')}\n`];
}

function summary({ files, paths }: Shown): string {
  const changed = files.filter(({ diff }) => diff !== '').length;
  const same = files.length - changed;
  return `${countedPaths(paths)} in ${counted(changed, 'file')}${same === 0 ? '' : ` (${same} more without a change)`}`;
}

/** One file of the reply, in the words of the wire contract. */
export interface ShownFile extends Omit<PreviewFile, 'base' | 'edits'> {
  readonly diff_truncated: boolean;
  /** How many more there are; the diff shows all of them. */
  readonly changes_omitted?: number;
  readonly bytes_changed_outside_edits: 0;
  readonly removed_comments_omitted?: number;
  /** How many more there are, which nothing shows. */
  readonly also_affects_omitted?: number;
}

/** Whether it shows all that would change. */
export function isShownWhole({ diff_truncated, also_affects_omitted }: ShownFile): boolean {
  return !diff_truncated && also_affects_omitted === undefined;
}

export interface Shown {
  readonly files: readonly ShownFile[];
  readonly warnings: readonly string[];
  /** How many paths of data change in all files. */
  readonly paths: number;
}

/** Of one file, of each kind: a hundred thousand changes would be megabytes that nobody reads. */
const MAX_IN_DATA = 500;

/** The files share what a reply may hold of diffs, and of what follows: the first that is too long for the rest is cut. */
export function shownOf(
  files: readonly PreviewFile[],
  warnings: readonly string[],
  { replyChars }: Limits,
): Shown {
  const left = { diff: replyChars, followers: replyChars / 4 };
  const shown = files.map((file) => {
    const one = showFile(file, left, Math.floor(replyChars / 4 / files.length));
    left.diff = Math.max(left.diff - one.diff.length, 0);
    left.followers -= one.also_affects.join('').length;
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

function showFile(
  file: PreviewFile,
  left: { readonly diff: number; readonly followers: number },
  listChars: number,
): ShownFile {
  const diff = shownDiff(file.diff);
  const isLong = diff.length > left.diff;
  const changes = listed(file.changes.map(showChange), listChars, ({ path, from = '', to = '' }) => {
    return path.length + from.length + to.length;
  });
  const comments = listedTexts(file.removed_comments.map(shownExcerpt), listChars);
  const affected = listedWhole(file.also_affects.map(visible), left.followers);
  const omitted = file.also_affects.length - affected.length;
  return {
    file: file.file,
    diff: isLong
      ? `${diff.slice(0, left.diff).toWellFormed()}\n… the diff is longer than a reply may be\n`
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
    also_affects: affected,
    ...(omitted > 0 ? { also_affects_omitted: omitted } : {}),
  };
}

function listed<Item>(items: readonly Item[], chars: number, lengthOf: (item: Item) => number) {
  const shown = takeWithinBudget(items, { most: MAX_IN_DATA, chars }, lengthOf);
  return { shown, left: items.length - shown.length };
}

function listedTexts(texts: readonly string[], chars: number) {
  return listed(texts, chars, ({ length }) => length);
}

/** Those that fit one after the other, and none cut. */
function listedWhole(texts: readonly string[], chars: number): readonly string[] {
  let left = chars;
  const end = texts.findIndex(({ length }) => {
    left -= length;
    return left < 0;
  });
  return end === -1 ? texts : texts.slice(0, end);
}

/** In the order of the contract, as `docs/replies.md` shows it. */
function showChange({ op, doc, path, line, from, to }: Change): Change {
  return {
    ...{ op, doc, path: cutPath(path), line },
    ...(from === undefined ? {} : { from: shownExcerpt(from) }),
    ...(to === undefined ? {} : { to: shownExcerpt(to) }),
  };
}
