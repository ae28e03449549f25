// What a person is shown of a plan that waits. What was asked, when and by whom is what the plan says of
// itself; all that it would do to the files is found anew.
import { dataChanges, unifiedDiff } from '../adapters/index.ts';
import {
  type Plan,
  type PlanFile,
  type SignedDecision,
  type Standing,
  type StoredPlan,
  splice,
  withFewMarks,
} from '../security/index.ts';
import { type Eyes, type FileView, fileView, lineForEyes } from './file-view.ts';

/** `part`: a reviewer kept some of it, and that is a plan of its own. */
export type WaitingState = Standing['state'];

/** What was said of a plan, and what it comes to. */
export interface Heard {
  readonly decisions: readonly SignedDecision[];
  readonly standing: Standing;
}

export interface DecisionView {
  readonly decision: 'approve' | 'reject' | 'part';
  readonly reviewer: string;
  readonly at: string;
  readonly note?: string;
  /** The plan of the part. */
  readonly part?: string;
}

export interface Waiting {
  readonly id: string;
  readonly state: WaitingState;
  readonly decisions: readonly DecisionView[];
  /** As the client called itself; nobody has checked that. */
  readonly asked_by: string;
  readonly tool: string;
  readonly origin: Plan['origin'];
  readonly created_at: string;
  readonly expires_at: string;
  readonly files: readonly string[];
  /** Paths whose data changes, over all files. */
  readonly change_count: number;
}

/** One splice edit, as small as a reviewer can keep or leave. */
export interface PartView {
  /** Over the edits of all files. */
  readonly index: number;
  readonly file: string;
  readonly diff: string;
}

/** What a plan says of itself, which never changes: its id is the hash of it. */
export type Summary = Omit<Waiting, 'state' | 'decisions'>;

export interface PreviewView extends Omit<Waiting, 'files'> {
  readonly files: readonly FileView[];
  /** Empty where there are too many to go through one by one. */
  readonly parts: readonly PartView[];
}

const MOST_PARTS = 200;

export function previewView(stored: StoredPlan, heard: Heard, eyes: Eyes): PreviewView {
  const { files } = stored.plan;
  return {
    ...waitingView(summaryOf(stored), heard),
    files: files.map((file) => fileView(eyes, file)),
    parts: partsOf(files),
  };
}

export function waitingView(summary: Summary, { decisions, standing }: Heard): Waiting {
  return { ...summary, state: standing.state, decisions: decisions.map(decisionView) };
}

/** For whoever looks with other options than the server's: else "nothing waits" would be all that they read. */
export function elsewhereText(count: number): string {
  const waits = count === 1 ? '1 change waits' : `${count} changes wait`;
  return `${waits} under other options: use those of the server that the agent has asked, or the same --config file.`;
}

export function summaryOf({ id, plan }: StoredPlan): Summary {
  // Loading the plan has found the changes of data again, but not those of comments.
  const changes = plan.files.flatMap((file) => dataChanges(file.changes));
  return {
    id,
    asked_by: lineForEyes(`${plan.caller.name} ${plan.caller.version}`.trim().slice(0, 100)),
    tool: plan.tool,
    origin: plan.origin,
    created_at: plan.created_at,
    expires_at: plan.expires_at,
    files: plan.files.map(({ file }) => lineForEyes(file)),
    change_count: changes.length,
  };
}

function decisionView({ decision: { decision, reviewer, at, note, part } }: SignedDecision): DecisionView {
  return {
    decision,
    reviewer,
    at,
    ...(note === undefined ? {} : { note: lineForEyes(note) }),
    ...(part === undefined ? {} : { part }),
  };
}

function partsOf(files: readonly PlanFile[]): readonly PartView[] {
  const edits = files.flatMap((file) => file.edits.map((edit) => ({ file, edit })));
  if (edits.length > MOST_PARTS) return [];
  return edits.map(({ file: { file, base }, edit }, index) => ({
    index,
    file: lineForEyes(file),
    diff: withFewMarks(unifiedDiff(file, base, splice(base, [edit]), [edit])),
  }));
}
