// The view of a pending preview for a person. The preview itself says what was requested, when and by whom; its effect on the
// files is computed anew.
import { dataChanges, unifiedDiff } from '../adapters/index.ts';
import {
  type Decision,
  type DecisionStatus,
  type Decisions,
  displayDiff,
  displayLine,
  holdsPlaceholder,
  type Preview,
  progressText,
  type StoredPreview,
  splice,
} from '../security/index.ts';
import { judgeStored, ruleLine, ruleNotes } from '../tools/index.ts';
import { callerText, type FileView, fileView, type ViewContext } from './file-view.ts';
import { type RebasedView, rebasedOf } from './rebased-view.ts';

/** The state of a preview; `part` means that a reviewer approved some of it, as a preview of its own. */
export type WaitingState = DecisionStatus['state'];

export type DecisionView = Omit<Decision, 'trail'>;

export interface Waiting extends Pick<Preview, 'tool' | 'origin' | 'created_at' | 'expires_at'> {
  readonly id: string;
  readonly state: WaitingState;
  readonly decisions: readonly DecisionView[];
  /** The approvals so far and those that are missing, where a rule asks for several or for named reviewers. */
  readonly progress?: string;
  /** The name that the client gave itself; nobody has checked it. */
  readonly asked_by: string;
  /** The reason in the agent's own words, which nobody has checked. */
  readonly reason?: string;
  readonly files: readonly string[];
  /** The number of paths whose data changes, in all files. */
  readonly change_count: number;
}

/** One edit, which is the smallest part that a reviewer can approve. */
export interface PartView {
  /** The number of the edit, counted over all files. */
  readonly index: number;
  readonly file: string;
  readonly diff: string;
}

export interface PreviewView extends Omit<Waiting, 'files'> {
  /** True where a reviewer has to decide; others cannot be decided. */
  readonly needs_reviewer: boolean;
  /** The reasons: the operator's rules, judged anew. */
  readonly rules: readonly string[];
  /** True where values in the view are masked. */
  readonly is_masked: boolean;
  readonly files: readonly FileView[];
  /** Empty where it cannot be approved in parts: there is one only, or too many, it is a part itself, or a file has changed since. */
  readonly parts: readonly PartView[];
  /** Where files have changed since, the same change for the files as they are now, if it can be made there. */
  readonly rebased?: RebasedView;
}

/** Whether its files are those that it was made for, as far as that can be told on this machine. */
export function isCurrent({ files }: Pick<PreviewView, 'files'>): boolean {
  return files.every(({ state }) => state === 'same' || state === 'elsewhere');
}

/** Whether its files are on another machine. */
export function isElsewhere({ files }: Pick<PreviewView, 'files'>): boolean {
  return files.some(({ state }) => state === 'elsewhere');
}

const MOST_PARTS = 200;

export async function previewView(
  stored: StoredPreview,
  decisions: Decisions,
  context: ViewContext,
): Promise<PreviewView> {
  const { files, approval } = stored.record;
  const views = files.map((file) => fileView(context, file));
  const isAsItWas = isCurrent({ files: views });
  const rebased = isAsItWas ? undefined : await rebasedOf(stored, context);
  return {
    ...(await waitingView(stored, decisions)),
    needs_reviewer: approval === 'human',
    rules: rulesOf(stored, context),
    is_masked: files.some(({ diff }) => holdsPlaceholder(diff)),
    files: views,
    parts: isAsItWas ? partsOf(stored.record) : [],
    ...(rebased === undefined ? {} : { rebased: rebased.view }),
  };
}

export async function waitingView({ id, record }: StoredPreview, decisions: Decisions): Promise<Waiting> {
  const { tool, origin, created_at, expires_at, reason } = record;
  const status = await decisions.status(id, record);
  return {
    ...{ id, tool, origin, created_at, expires_at },
    state: status.state,
    ...(status.state === 'pending' && status.needs !== undefined
      ? { progress: progressText(status.needs) }
      : {}),
    decisions: (await decisions.of(id)).map(decisionView),
    asked_by: callerText(record.caller),
    ...(reason === undefined ? {} : { reason: displayLine(reason) }),
    files: record.files.map(({ file }) => displayLine(file)),
    // Loading the preview has verified its changes of data, but not those of comments, so only these are
    // counted.
    change_count: record.files.flatMap((file) => dataChanges(file.changes)).length,
  };
}

/** Tells a person whose options differ from the server's that previews are pending there. */
export function elsewhereText(count: number): string {
  const pending = count === 1 ? '1 preview is pending' : `${count} previews are pending`;
  return `${pending} under other options: give the options of the agent's server, or the same --config file`;
}

/** Says how many waiting previews were too many to be listed. */
export function leftText(count: number): string {
  return `${count} more ${count === 1 ? 'waits' : 'wait'} that would take too long to list: decide about these first, or open one by its id`;
}

function decisionView({ note, trail: _, ...decision }: Decision): DecisionView {
  return note === undefined ? decision : { ...decision, note: displayLine(note) };
}

function partsOf({ files, origin }: Preview): readonly PartView[] {
  const edits = files.flatMap((file) => file.edits.map((edit) => ({ file, edit })));
  if (edits.length < 2 || edits.length > MOST_PARTS || origin.kind === 'part') return [];
  return edits.map(({ file: { file, base, file_op: fileOp }, edit }, index) => ({
    index,
    file: displayLine(file),
    diff: displayDiff(unifiedDiff(file, base, splice(base, [edit]), [edit], undefined, fileOp)),
  }));
}

function rulesOf({ record }: StoredPreview, context: ViewContext): readonly string[] {
  const notes = ruleNotes(judgeStored(record.files, context), context.policy);
  return notes.map((note) => displayLine(ruleLine(note)));
}
