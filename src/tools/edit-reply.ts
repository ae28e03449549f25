// What an edit answers: the diff first, then what the diff does not say by itself.
import { counted, describing, readConfigFile, unifiedDiff } from '../adapters/index.ts';
import {
  type Approval,
  type Change,
  type ConfirmedBy,
  type Limits,
  type PlanFile,
  type Policy,
  type SavedPlan,
  type VerifiedEdit,
  visible,
} from '../security/index.ts';
import { cutNote, cutPath, cutSentence, takeWithinBudget } from './take-within-budget.ts';
import type { CallContext, Reply } from './tool.ts';

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
}

/** A file as it is kept in a preview, and what is to be known of it beside. */
export interface Described {
  readonly file: PlanFile;
  readonly warnings: readonly string[];
}

const MAX_LISTED = 10;
/** Of one file, of each kind: a hundred thousand changes would be megabytes that nobody reads. */
const MAX_IN_DATA = 500;

/** `notes`: further warnings, in whole sentences. */
export async function showEdit(
  edit: VerifiedEdit,
  notes: readonly string[],
  { policy, pause }: CallContext,
): Promise<Described> {
  const { snapshot, after, edits, changes, resultSha256, isNoop } = edit;
  const { limits } = policy;
  const file = snapshot.path.toString();
  const base = readConfigFile(snapshot.path, snapshot.text, limits);
  const result = readConfigFile(snapshot.path, after, limits);
  const steps = describing(base, result, edit);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await pause();
  const { alsoAffects, removedComments, warnings } = step.value;
  return {
    file: {
      file,
      base: snapshot.text,
      base_sha256: snapshot.sha256,
      result_sha256: resultSha256,
      edits,
      changes: isNoop ? [] : changes,
      diff: unifiedDiff(file, snapshot.text, after, edits, base.stream.lines),
      removed_comments: removedComments,
      also_affects: alsoAffects,
    },
    warnings: [...warnings, ...notes].map(visible),
  };
}

export function shownOf(described: readonly Described[], limits: Limits): Shown {
  return {
    files: showFiles(
      described.map(({ file }) => file),
      limits,
    ),
    warnings: warningsOf(described, limits),
  };
}

function warningsOf(described: readonly Described[], { replyChars }: Limits): readonly string[] {
  const all = described.flatMap(({ file, warnings }) =>
    warnings.map((warning) => (described.length === 1 ? warning : `${file.file}: ${warning}`)),
  );
  const { shown, left } = listed(all.map(cutSentence), replyChars / 4, ({ length }) => length);
  return left === 0 ? shown : [...shown, `… and ${left} more.`];
}

/** The diffs share what a reply may hold: the first that is too long for the rest of it is cut. */
export function showFiles(files: readonly PlanFile[], { replyChars }: Limits): ShownFile[] {
  let left = replyChars;
  return files.map((file) => {
    const room = left;
    left = Math.max(left - file.diff.length, 0);
    return showFile(file, room, Math.floor(replyChars / 4 / files.length));
  });
}

function showFile(file: PlanFile, diffChars: number, listChars: number): ShownFile {
  const isLong = file.diff.length > diffChars;
  const changes = listed(file.changes.map(showChange), listChars, ({ path, from = '', to = '' }) => {
    return path.length + from.length + to.length;
  });
  const lengthOf = ({ length }: string): number => length;
  const comments = listed(
    file.removed_comments.map((comment) => visible(cutNote(comment))),
    listChars,
    lengthOf,
  );
  const affected = listed(
    file.also_affects.map((path) => visible(cutPath(path))),
    listChars,
    lengthOf,
  );
  return {
    file: file.file,
    diff: isLong
      ? `${file.diff.slice(0, diffChars).toWellFormed()}\n… the diff is longer than a reply may be\n`
      : file.diff,
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

/** In the order of the contract, as `docs/replies.md` shows it. */
function showChange({ op, doc, path, line, from, to }: Change): Change {
  return {
    ...{ op, doc, path: cutPath(path), line },
    ...(from === undefined ? {} : { from: visible(cutNote(from)) }),
    ...(to === undefined ? {} : { to: visible(cutNote(to)) }),
  };
}

/** Why a preview was not kept, and so cannot be applied. */
type Unkept = 'no change' | 'cut' | 'read-only' | 'too large';

export interface Preview {
  readonly dryRun: boolean;
  readonly saved?: SavedPlan;
  readonly unkept?: Unkept;
}

export function previewReply(shown: Shown, { dryRun, saved, unkept }: Preview, { approval }: Policy): Reply {
  const state = { ok: true, dry_run: dryRun, applied: false } as const;
  if (saved === undefined) return { text: unkeptText(shown, unkept ?? 'cut'), data: { ...state, ...shown } };
  const { id, expiresAt } = saved;
  const next = { tool: 'config_apply', arguments: { preview_id: id } };
  return {
    // Some models see the text only: what applies the preview must stand in it.
    text: `Preview: ${summary(shown)}; nothing was written.\n${details(shown)}${NEXT_STEP[approval](id)} It expires at ${expiresAt}.`,
    data: { ...state, preview_id: id, expires_at: expiresAt, ...shown, next },
  };
}

const NEXT_STEP: Readonly<Record<Approval, (id: string) => string>> = {
  direct: (id) => `To write exactly this: config_apply with preview_id ${id}.`,
  preview: (id) => `To write exactly this: config_apply with preview_id ${id}.`,
  client: (id) =>
    `To write exactly this: config_apply with preview_id ${id}; the person at the client will be asked.`,
  human: (id) =>
    `A person has to approve it first, with "config-airlock approve ${id}" in a terminal and the options that this server was started with. Then call config_apply with preview_id ${id}: it applies the change once approved, and otherwise reports its status.`,
};

function unkeptText(shown: Shown, reason: Unkept): string {
  const preview = `Preview: ${summary(shown)}; nothing was written.\n${details(shown)}`;
  switch (reason) {
    case 'no change':
      return `No change: ${shown.files.length === 1 ? 'the file says' : 'the files say'} this already. Nothing was written.`;
    case 'cut':
      return `Preview, cut: nothing was written.\n${details(shown)}It has no preview_id, for nobody may apply what nobody saw: change less at a time.`;
    case 'read-only':
      return `${preview}This server is read-only, and the preview was not kept: hand the diff to a person.`;
    case 'too large':
      return `${preview}It has no preview_id, for it is too large to be kept: change fewer files at a time.`;
  }
}

/** How and as what it was applied. */
export interface Applied {
  readonly change_id: string;
  readonly confirmed_by: ConfirmedBy;
  readonly reviewer?: string | undefined;
}

export function appliedReply(shown: Shown, { change_id, confirmed_by, reviewer }: Applied): Reply {
  const who = reviewer === undefined ? {} : { reviewer };
  const state = { ok: true, dry_run: false, applied: true, change_id, confirmed_by, ...who } as const;
  return {
    text: `Applied: ${summary(shown)}.\n${details(shown)}This is change ${change_id}.`,
    data: { ...state, ...shown },
  };
}

/** Every diff with its notes below it, then the warnings. */
function details({ files, warnings }: Shown): string {
  const parts = files.map((file) =>
    [
      file.diff,
      ...noteLines('Also changes, through an alias or merge', file.also_affects, file.also_affects_omitted),
      ...noteLines('Removed comments', file.removed_comments, file.removed_comments_omitted),
    ].join(''),
  );
  return [...parts, ...warnings.map((warning) => `Warning: ${warning}\n`)].join('');
}

function noteLines(label: string, notes: readonly string[], omitted = 0): string[] {
  if (notes.length === 0) return [];
  const left = Math.max(notes.length - MAX_LISTED, 0) + omitted;
  const more = left > 0 ? `; and ${left} more` : '';
  return [`${label}: ${notes.slice(0, MAX_LISTED).join('; ')}${more}\n`];
}

function summary({ files }: Shown): string {
  const paths = files.reduce((sum, file) => sum + file.changes.length + (file.changes_omitted ?? 0), 0);
  const changed = files.filter(({ diff }) => diff !== '').length;
  const same = files.length - changed;
  return `${counted(paths, 'path')} in ${counted(changed, 'file')}${same === 0 ? '' : ` (${same} more without a change)`}`;
}
