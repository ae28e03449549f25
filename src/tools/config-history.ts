// config_history lists the applied changes and waiting previews of files that the policy allows, newest first, and shows one of
// them with its diff. Both are kept for a time only.
import { z } from 'zod';
import { countedPaths } from '../adapters/review/describe-edit.ts';
import { shownDiff } from '../adapters/shown/shown.ts';
import type { DecisionStatus } from '../security/approval/decisions.ts';
import { isOwn, type StoredPreview } from '../security/approval/preview.ts';
import { progressText } from '../security/approval/quorum.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { newestFirst } from '../security/state/backend.ts';
import { quoted, visibleLine } from '../security/text/visible.ts';
import { shortId } from '../state/canonical.ts';
import type { ListedChange } from '../state/event.ts';
import { maskedNow } from './masked-now.ts';
import { decisionOn, loadPreview, ownChange } from './own.ts';
import { isReadable } from './read-file.ts';
import { ruleLine, underPresentRules } from './rule-notes.ts';
import { backendIn, type CallContext, cutSentence, type Reply, tool } from './tool.ts';

const DEFAULT_LIMIT = 20;
/** The most records that are looked at: each one is loaded whole. */
const MAX_READ = 300;

export const configHistory = tool({
  name: 'config_history',
  title: 'See recent changes and waiting previews',
  description:
    "Recent changes and waiting previews, newest first: id, state, files, reviewers' notes. With an id, that one with its diff.",
  input: z.strictObject({
    file: z.string().optional(),
    since: z.string().optional().describe('30m, 2h, 7d, or a time: 2026-01-31T12:00Z'),
    change_id: z.string().optional(),
    preview_id: z.string().optional(),
    limit: z.number().int().min(1).max(100).default(DEFAULT_LIMIT),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ file, since, change_id: changeId, preview_id: previewId, limit }, context) {
    if (context.backend === undefined) return { text: NOTHING_KEPT, data: { ok: true, note: NOTHING_KEPT } };
    if (changeId !== undefined) return oneChange(changeId, context);
    if (previewId !== undefined) return onePreview(previewId, context);
    const name = file === undefined ? undefined : context.sandbox.parse(file).toString();
    if (name !== undefined && !isReadable(name, context)) return listReply([]);
    const wanted = {
      file: name,
      from: timeOf(since),
      limit,
    };
    const previews = await waitingPreviews(wanted, context);
    const changes = await recentChanges(wanted, context);
    return listReply(newestOf(previews, changes, limit));
  },
});

const NOTHING_KEPT = 'This server is read-only: it keeps no changes and no previews.';

interface Wanted {
  readonly file: string | undefined;
  /** The earliest time in ISO 8601, in UTC. */
  readonly from: string;
  readonly limit: number;
}

const UNITS: Readonly<Record<string, number>> = { m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };

/** Returns the time of "since" in ISO 8601. Throws ARGUMENT_INVALID. */
function timeOf(since: string | undefined): string {
  if (since === undefined) return '';
  const [, count, unit = ''] = /^\s*(\d{1,6})\s*(m|h|d|w)/iu.exec(since) ?? [];
  const ms =
    count === undefined ? Date.parse(since) : Date.now() - Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
  if (Number.isNaN(ms))
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot use ${quoted(since)} as "since": give 30m, 2h, 7d, or a time such as 2026-01-31T12:00Z`,
    );
  return new Date(ms).toISOString();
}

interface Row {
  /** The id; left out for another principal's. */
  readonly id?: string;
  readonly at: string;
  readonly line: string;
}

/** Returns at most `limit` rows, the newest of both kinds: first the previews, then the changes. */
function newestOf(previews: readonly Row[], changes: readonly Row[], limit: number): readonly Row[] {
  const all = [...previews, ...changes];
  const newest = new Set(all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit));
  return all.filter((row) => newest.has(row));
}

async function waitingPreviews({ file, from, limit }: Wanted, context: CallContext): Promise<Row[]> {
  const rows: Row[] = [];
  const waiting = (await backendIn(context).waiting({})).filter(({ createdAt }) => createdAt >= from);
  for (const { id } of waiting.toReversed().slice(0, MAX_READ)) {
    if (rows.length >= limit) break;
    await context.pause();
    const preview = await loaded(id, context);
    if (preview === undefined) continue;
    const files = readableFiles(preview.record.files, file, context);
    if (files.length === 0) continue;
    const { record } = preview;
    const asked = await underPresentRules(record, context);
    const is = stateOfPreview(preview, await decisionOn(preview.id, asked, context));
    const name = shortId('pv', id);
    const named = files.map(({ file, changes }) => ({ file, pathCount: changes.length }));
    const line = `${name}  ${record.created_at}  ${is}  ${filesText(named)}${reasonText(record)}`;
    rows.push({ id: name, at: record.created_at, line });
  }
  return rows;
}

/** Loads a preview of the caller; undefined if it has expired or can no longer be loaded. */
async function loaded(id: string, context: CallContext): Promise<StoredPreview | undefined> {
  try {
    return await loadPreview(id, context);
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'IO_ERROR') return undefined;
    throw error;
  }
}

async function recentChanges({ file, from, limit }: Wanted, context: CallContext): Promise<Row[]> {
  const rows: Row[] = [];
  let read = 0;
  for await (const change of newestFirst(backendIn(context))) {
    if (rows.length >= limit || change.at < from || read >= MAX_READ) break;
    read += 1;
    await context.pause();
    const files = readableFiles(change.files, file, context);
    if (files.length > 0) rows.push(changeRow(change, files, context));
  }
  return rows;
}

/** Makes the row of a change. Another principal's has no id, which would be of no use, and no reason, which was not meant for this caller. */
function changeRow(change: ListedChange, files: ListedChange['files'], context: CallContext): Row {
  const named = files.map(({ file, paths = [], more_paths = 0 }) => ({
    ...{ file, pathCount: paths.length + more_paths },
  }));
  const line = `${change.at}  ${stateOfChange(change)}  ${filesText(named)}`;
  if (!isOwn(context, change.caller)) return { at: change.at, line };
  const id = shortId('ch', change.id);
  return { id, at: change.at, line: `${id}  ${line}${reasonText(change)}` };
}

function reasonText({ reason }: { readonly reason?: string | undefined }): string {
  return reason === undefined ? '' : `  reason: ${quoted(reason)}`;
}

function listReply(rows: readonly Row[]): Reply {
  const [preview, change] = ['pv_', 'ch_'].map((kind) => rows.find(({ id }) => id?.startsWith(kind))?.id);
  const lines = rows.map(({ line }) => cutSentence(line));
  const next = [
    ...(preview === undefined ? [] : [`A preview with its diff: config_history {"preview_id":"${preview}"}`]),
    ...(change === undefined ? [] : [`To undo: config_revert {"change_id":"${change}"}`]),
  ];
  const text =
    lines.length === 0 ? 'Nothing was changed here, and no preview waits.' : [...lines, ...next].join('\n');
  return { text, data: { ok: true, history: lines, ...(next.length === 0 ? {} : { next }) } };
}

/** Shows one change. Throws CHANGE_NOT_FOUND, also if the policy hides all of its files. */
async function oneChange(name: string, context: CallContext): Promise<Reply> {
  const change = await ownChange(name, context);
  const files = change === undefined ? [] : readableFiles(change.files, undefined, context);
  if (change === undefined || files.length === 0)
    throw new Refusal(
      'CHANGE_NOT_FOUND',
      'Cannot show this change: none that was applied here has this id, or its record was dropped.',
    );
  const { undoneBy } = change;
  const id = shortId('ch', change.id);
  const next =
    undoneBy === undefined
      ? `To undo: config_revert {"change_id":"${id}"}`
      : `Undone by ${(await ownChange(undoneBy, context)) === undefined ? 'someone else' : shortId('ch', undoneBy)}`;
  const diffs = files.map((file) => maskedNow(file, context).diff);
  return oneReply(`${id}  ${change.at}  ${stateOfChange(change)}${reasonText(change)}`, diffs, next, context);
}

/** Shows one preview, or the change that it has become. Throws what loading it throws. */
async function onePreview(name: string, context: CallContext): Promise<Reply> {
  const preview = await loadPreview(name, context).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'PREVIEW_USED') return undefined;
    throw error;
  });
  if (preview === undefined) return oneChange(name, context);
  const files = readableFiles(preview.record.files, undefined, context);
  const { created_at: at, expires_at: until, warnings, rules } = preview.record;
  const asked = await underPresentRules(preview.record, context);
  const status = await decisionOn(preview.id, asked, context);
  const id = shortId('pv', preview.id);
  const next = [
    ...rules.map((note) => `Rule ${ruleLine(note)}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    status.state === 'rejected'
      ? 'Ask what should be different'
      : `Expires ${until}\nTo write it: config_apply {"preview_id":"${id}"}`,
  ].join('\n');
  // It was loaded under today's masking.
  const diffs = files.map(({ diff }) => diff);
  return oneReply(`${id}  ${at}  ${stateOfPreview(preview, status)}`, diffs, next, context);
}

function oneReply(title: string, diffs: readonly string[], next: string, { policy }: CallContext): Reply {
  const diff = diffs.map(shownDiff).join('');
  const most = policy.limits.replyChars;
  const shown =
    diff.length <= most
      ? diff.trimEnd()
      : `${diff.slice(0, most).toWellFormed()}\n… the diff is longer than a reply may be`;
  return { text: [title, shown, next].join('\n'), data: { ok: true, entry: title, diff: shown, next } };
}

const MAX_FILES_NAMED = 3;

/** A file with the number of paths that change in it. */
interface NamedFile {
  readonly file: string;
  readonly pathCount: number;
}

function stateOfPreview({ record }: StoredPreview, status: DecisionStatus): string {
  switch (status.state) {
    case 'rejected': {
      const note = status.note === undefined ? '' : `: ${quoted(status.note)}`;
      return `preview, rejected by ${visibleLine(status.reviewer)}${note}`;
    }
    case 'approved':
      return `preview, approved by ${visibleLine(status.reviewer)}, not applied yet`;
    case 'part':
      return `preview, approved in part: ${status.parts.map((part) => shortId('pv', part)).join(', ')}`;
    case 'pending': {
      if (status.needs !== undefined) return `preview, waits with ${progressText(status.needs)}`;
      return `preview, ${record.approval === 'human' ? `waits for a reviewer${byRules(record)}` : 'not applied'}`;
    }
  }
}

/** Names the rules. This does not reveal hidden files: no rule is about a single file only. */
function byRules({ rules }: StoredPreview['record']): string {
  return idsText([...new Set(rules.map(({ rule }) => rule))]);
}

function idsText(ids: readonly string[]): string {
  return ids.length === 0 ? '' : ` (${ids.length === 1 ? 'rule' : 'rules'} ${ids.join(', ')})`;
}

/** The words for states other than applied. */
const WHAT: Readonly<Partial<Record<ListedChange['state'], string>>> = {
  open: 'being applied',
  unknown: 'interrupted, and files differ from it',
};

function stateOfChange(change: Omit<ListedChange, 'order' | 'files'>): string {
  const { state, origin, reviewer, caller, undoneBy, isUndoneInPart = false, by_rules: rules = [] } = change;
  const whole = undoneBy === undefined ? '' : ', undone since';
  const undone = isUndoneInPart ? ', undone in part since' : whole;
  const what = origin.kind === 'revert' ? `applied, undoes ${shortId('ch', origin.change_id)}` : 'applied';
  const by = caller.scopes === undefined ? '' : ` by ${visibleLine(caller.principal ?? '')}`;
  const who = reviewer === undefined ? '' : `, approved by ${visibleLine(reviewer)}`;
  return `${WHAT[state] ?? what}${by}${who}${idsText(rules.map(visibleLine))}${undone}`;
}

/** Returns the readable files, the wanted one first; empty if it is not among them. Hidden files are neither named nor counted. */
function readableFiles<File extends { readonly file: string }>(
  files: readonly File[],
  wanted: string | undefined,
  context: CallContext,
): readonly File[] {
  const readable = files.filter(({ file }) => isReadable(file, context));
  if (wanted === undefined) return readable;
  // Undoing the change affects the other files as well.
  const asked = readable.filter(({ file }) => file === wanted);
  return asked.length === 0 ? [] : [...asked, ...readable.filter(({ file }) => file !== wanted)];
}

function filesText(files: readonly NamedFile[]): string {
  const named = files.slice(0, MAX_FILES_NAMED).map(({ file, pathCount }) => {
    return `${visibleLine(file)} (${countedPaths(pathCount)})`;
  });
  const more = files.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
