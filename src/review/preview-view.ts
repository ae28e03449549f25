// Makes the views of a pending preview for a person. The recorded preview says what was requested, when and by whom. Its effect on
// the files is computed.

import { unifiedDiff } from '../adapters/diff/unified-diff.ts';
import { counted } from '../adapters/tree/wording.ts';
import type { DecisionStatus } from '../security/approval/decisions.ts';
import { requireWhole, type StoredPreview } from '../security/approval/preview.ts';
import { progressText } from '../security/approval/quorum.ts';
import type { Reviewer } from '../security/approval/reviewers.ts';
import { type Change, splice } from '../security/edits/edit.ts';
import { holdsPlaceholder } from '../security/text/placeholders.ts';
import { displayDiff, displayLine } from '../security/text/visible.ts';
import type { Decision } from '../state/event.ts';
import type { Preview, WholePreview } from '../state/preview.ts';
import { ruleLine, underPresentRules } from '../tools/index.ts';
import { askedByText, type FileView, fileView, type ViewContext } from './file-view.ts';
import { type Folded, foldEqualChanges } from './folded-view.ts';
import { reasonNotToApprove } from './require-decidable.ts';
import { risksOf } from './risks.ts';
import { titleOf } from './summary.ts';
import { instant } from './times.ts';

/** The state of a preview; `part` means that a reviewer approved some of it, as a preview of its own. */
export type WaitingState = DecisionStatus['state'];

export type DecisionView = Omit<Decision, 'trail'>;

export interface Waiting extends Pick<Preview, 'tool' | 'origin' | 'created_at' | 'expires_at'> {
  readonly id: string;
  readonly state: WaitingState;
  readonly decisions: readonly DecisionView[];
  /** The previews of the parts that reviewers have approved instead of the whole. */
  readonly kept_parts: readonly string[];
  /** The approvals so far and those that are missing, where a rule asks for several or for named reviewers. */
  readonly progress?: string;
  /** The name that the client gave itself; nobody has checked it. */
  readonly asked_by: string;
  /** The reason in the agent's own words, which nobody has checked. */
  readonly reason?: string;
  /** What changes: `Set replicas in a.yaml`. */
  readonly title: string;
  /** What is dangerous in it. */
  readonly risks: readonly string[];
  readonly files: readonly string[];
  /** The number of paths whose data changes, in all files. */
  readonly change_count: number;
  /** The first of these changes, each text once, such as `replicas: 2 → 3`. */
  readonly first_changes: readonly string[];
  /** The ids of the rules that asked for a reviewer, as the server has recorded them. */
  readonly rule_ids: readonly string[];
  readonly warning_count: number;
}

/** One edit, which is the smallest part that a reviewer can approve. */
export interface PartView {
  /** The number of the edit, counted over all files. */
  readonly index: number;
  readonly file: string;
  readonly diff: string;
}

export interface PreviewView extends Omit<Waiting, 'files'> {
  /** True if a reviewer has to decide; others cannot be decided. */
  readonly needs_reviewer: boolean;
  /** Says why an approval of the reviewer who looks at it would not count. */
  readonly unapprovable?: string;
  /** The reasons: the operator's rules, judged anew. */
  readonly rules: readonly string[];
  /** The files that patterns of the call have matched and that were not edited, with the reasons. */
  readonly skipped: readonly string[];
  /** True if values in the view are masked. */
  readonly is_masked: boolean;
  readonly files: readonly FileView[];
  /** Equal changes in many places; `files` has their files as well. */
  readonly folded: Folded;
  /** The parts; empty if it cannot be approved in parts: it has one edit or too many, is a part, or a file has changed since. */
  readonly parts: readonly PartView[];
}

/** True if its files are still those that it was made for, as far as this machine can tell. */
export function isCurrent({ files }: Pick<PreviewView, 'files'>): boolean {
  return files.every(({ state }) => state === 'same' || state === 'elsewhere');
}

/** True if its files are on another machine. */
export function isElsewhere({ files }: Pick<PreviewView, 'files'>): boolean {
  return files.some(({ state }) => state === 'elsewhere');
}

const MAX_PARTS = 200;

export async function previewView(
  stored: StoredPreview,
  reviewer: Reviewer | undefined,
  context: ViewContext,
): Promise<PreviewView> {
  const whole = requireWhole(stored.record);
  const { files, approval, skipped = [] } = whole;
  const record = await underPresentRules(stored.record, context);
  const unapprovable = reviewer && reasonNotToApprove(record, reviewer);
  const views = files.map((file) => fileView(context, file));
  const isPresent = isCurrent({ files: views });
  return {
    ...(await waitingView(stored, context)),
    needs_reviewer: approval === 'human',
    ...(unapprovable === undefined ? {} : { unapprovable }),
    rules: record.rules.map((note) => displayLine(ruleLine(note))),
    skipped: skipped.map(({ file, reason }) => displayLine(`${file} (${reason})`)),
    is_masked: files.some(({ diff }) => holdsPlaceholder(diff)),
    files: views,
    folded: foldEqualChanges(files),
    parts: isPresent ? partsOf(whole) : [],
  };
}

const MAX_FIRST_CHANGES = 3;
const MAX_VALUE_CHARACTERS = 80;

/** Writes a change in one line, which the diff has in full. */
function changeText({ op, path, from, to }: Change): string {
  const values = [from, to].flatMap((value) =>
    value === undefined ? [] : [value.slice(0, MAX_VALUE_CHARACTERS)],
  );
  return displayLine(`${op} ${path}: ${values.join(' → ')}`.replace(/: $/u, ''));
}

export async function waitingView(
  { id, record: stored }: StoredPreview,
  context: ViewContext,
): Promise<Waiting> {
  const record = await underPresentRules(stored, context);
  const { tool, origin, created_at, expires_at, reason } = record;
  // Loading the preview has verified its changes of data, and not those of comments, so that only the former are shown.
  const changes = record.files.flatMap((file) => file.changes);
  const status = await context.backend.decided({ id, needs: record.needs ?? [] });
  return {
    ...{ id, tool, origin, created_at, expires_at },
    state: status.state,
    ...(status.state === 'pending' && status.needs !== undefined
      ? { progress: progressText(status.needs) }
      : {}),
    decisions: status.decisions.map(decisionView),
    kept_parts: status.state === 'part' ? status.parts : [],
    asked_by: askedByText(record.caller),
    ...(reason === undefined ? {} : { reason: displayLine(reason) }),
    title: `${origin.kind === 'revert' ? 'Undo: ' : ''}${titleOf(record.files)}`,
    risks: risksOf(record),
    files: record.files.map(({ file }) => displayLine(file)),
    change_count: changes.length,
    first_changes: [...new Set(changes.map(changeText))].slice(0, MAX_FIRST_CHANGES),
    rule_ids: [...new Set(record.rules.map(({ rule }) => displayLine(rule)))],
    warning_count: record.warnings.length,
  };
}

/** Says which rules and warnings a waiting preview has, and what was decided about it meanwhile. */
export function queueNotes({ rule_ids, warning_count, decisions, kept_parts }: Waiting): readonly string[] {
  return [
    ...(rule_ids.length === 0 ? [] : [`Rules: ${rule_ids.join(', ')}`]),
    ...(warning_count === 0 ? [] : [counted(warning_count, 'warning')]),
    ...(kept_parts.length === 0 ? [] : ['Approved in part']),
    ...decisions.map(({ decision, reviewer, at }) => `${DECIDED[decision]} by ${reviewer}, ${instant(at)}`),
  ];
}

const DECIDED = { approve: 'Approved', reject: 'Rejected' } as const;

/** Tells a person whose options differ from the server's that previews are pending there. */
export function elsewhereText(count: number): string {
  const pending = count === 1 ? '1 preview is pending' : `${count} previews are pending`;
  return `${pending} under other options: give the options of the agent's server, or the same --config file`;
}

/** Says how many waiting previews were too many to be listed. */
export function unlistedText(count: number): string {
  return `${count} more ${count === 1 ? 'waits' : 'wait'} that would take too long to list: decide about these first, or open one by its id`;
}

function decisionView({ note, trail: _, ...decision }: Decision): DecisionView {
  return note === undefined ? decision : { ...decision, note: displayLine(note) };
}

function partsOf({ files, origin }: WholePreview): readonly PartView[] {
  const edits = files.flatMap((file) => file.edits.map((edit) => ({ file, edit })));
  if (edits.length < 2 || edits.length > MAX_PARTS || origin.kind === 'part') return [];
  return edits.map(({ file: { file, base, file_op: fileOp }, edit }, index) => ({
    index,
    file: displayLine(file),
    diff: displayDiff(unifiedDiff(file, base, splice(base, [edit]), [edit], undefined, fileOp)),
  }));
}
