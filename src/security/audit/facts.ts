// What the records of the trail say together: which changes were made or may have been, and what was decided about which
// preview. A checkpoint is a shorter list of records from which the same facts follow, of what is still kept.
import { PREVIEW_MS } from '../policy/policy.ts';

export type TrailRecord = Readonly<Record<string, unknown>>;

/** Where a trail ends: the number and the hash of its last record. */
export interface TrailPoint {
  readonly seq: number;
  readonly sha256: string;
}

/** As it was recorded; approval/decisions.ts tells whether it is genuine. */
export interface RecordedDecision {
  readonly action: DecisionKind;
  readonly reviewer: string;
  readonly signed: unknown;
  /** Where the trail ended before it. */
  readonly after: TrailPoint;
}

/** Of one preview. */
export interface PreviewFacts {
  /** The last one of each reviewer, by name; in the order of the trail. */
  readonly decisions: ReadonlyMap<string, RecordedDecision>;
  /** A rejection stands, whatever the same reviewer says later, and whoever signed it. */
  readonly rejectedBy: string | undefined;
  /** The change that it became, or may have become: its process may have died before it could say. */
  readonly changeId: string | undefined;
}

/** What is kept in the state directory, and when it was looked at: a checkpoint remembers the facts of these. */
export interface KeptIds {
  readonly previews: ReadonlySet<string>;
  readonly changes: ReadonlySet<string>;
  /** And of each preview that could still be valid at this time, if somebody put it back. */
  readonly at: string;
}

type DecisionKind = 'approve' | 'reject' | 'part';

interface ChangeFacts {
  readonly preview: string | undefined;
  /** Whether an outcome was recorded, and not only the intent. */
  readonly isEnded: boolean;
}

const UNDONE: readonly string[] = ['rolled_back', 'refused', 'failed'];
const UNKNOWN: PreviewFacts = {
  decisions: new Map(),
  rejectedBy: undefined,
  changeId: undefined,
};

export class TrailFacts {
  readonly #previews = new Map<string, PreviewFacts>();
  /** By preview: when no preview that its records are about can be valid any more. */
  readonly #until = new Map<string, string>();
  readonly #changes = new Map<string, ChangeFacts>();

  ofPreview(id: string): PreviewFacts {
    return this.#previews.get(id) ?? UNKNOWN;
  }

  previewIds(): Iterable<string> {
    return this.#previews.keys();
  }

  ofChange(id: string): ChangeFacts | undefined {
    return this.#changes.get(id);
  }

  note(record: TrailRecord): void {
    const [action, preview] = [record['action'], textOf(record, 'preview')];
    const until = textOf(record, 'until') ?? endOf(record);
    if (preview !== undefined && until > (this.#until.get(preview) ?? '')) this.#until.set(preview, until);
    if (isOutcome(action)) this.#noteOutcome(record, preview);
    else if (preview !== undefined && isDecision(action)) this.#noteDecision(record, preview, action);
  }

  #noteDecision(record: TrailRecord, preview: string, action: DecisionKind): void {
    const [reviewer, prev] = [textOf(record, 'reviewer'), textOf(record, 'prev')];
    if (reviewer === undefined || prev === undefined) return;
    const before = this.ofPreview(preview);
    const decisions = new Map(before.decisions);
    // A decision has a record for each file; the first one has the signature.
    if (record['signed'] !== undefined) {
      const after = { seq: Number(record['seq']) - 1, sha256: prev };
      decisions.delete(reviewer);
      decisions.set(reviewer, { action, reviewer, signed: record['signed'], after });
    }
    const rejectedBy = action === 'reject' ? reviewer : before.rejectedBy;
    this.#previews.set(preview, { ...before, decisions, rejectedBy });
  }

  #noteOutcome(record: TrailRecord, preview: string | undefined): void {
    const [change, outcome] = [textOf(record, 'change_id'), textOf(record, 'outcome')];
    if (change === undefined || outcome === undefined) return;
    const known = this.#changes.get(change);
    const of = known?.preview ?? preview;
    if (UNDONE.includes(outcome)) {
      if (known?.isEnded === false) this.#forget(change, known.preview);
      return;
    }
    // In the order of their latest records, which a checkpoint keeps.
    this.#changes.delete(change);
    this.#changes.set(change, { preview: of, isEnded: outcome !== 'intent' || known?.isEnded === true });
    if (of === undefined) return;
    const before = this.ofPreview(of);
    const isSettled = this.#changes.get(before.changeId ?? '')?.isEnded === true;
    if (!isSettled) this.#previews.set(of, { ...before, changeId: change });
  }

  #forget(change: string, preview = ''): void {
    this.#changes.delete(change);
    const facts = this.#previews.get(preview);
    if (facts?.changeId === change) this.#previews.set(preview, { ...facts, changeId: undefined });
  }

  /** Of these, what is kept. */
  reducedTo(kept: KeptIds): TrailFacts {
    const fewer = new TrailFacts();
    for (const record of this.records(kept)) fewer.note(record);
    return fewer;
  }

  /** The records of a checkpoint. */
  *records(kept: KeptIds): Generator<TrailRecord> {
    const untilOf = (preview: string) => this.#until.get(preview) ?? '';
    const isKept = (preview: string) => kept.previews.has(preview) || untilOf(preview) > kept.at;
    for (const [preview, { decisions, rejectedBy }] of this.#previews) {
      if (!isKept(preview)) continue;
      const until = untilOf(preview);
      for (const { action, reviewer, signed, after } of decisions.values())
        yield { action, preview, until, reviewer, signed, seq: after.seq + 1, prev: after.sha256 };
      if (rejectedBy !== undefined)
        yield { action: 'reject', preview, until, reviewer: rejectedBy, prev: '' };
    }
    const isKeptChange = (id: string) => kept.changes.has(id) || isKept(this.#changes.get(id)?.preview ?? '');
    for (const [change_id, { preview = '', isEnded }] of this.#changes)
      if (isKeptChange(change_id)) {
        const about = preview === '' ? {} : { preview, until: untilOf(preview) };
        const outcome = isEnded ? 'applied' : 'intent';
        yield { action: 'commit', change_id, ...about, outcome };
      }
  }
}

/** The end of the longest life that a preview can have which was decided or applied then. */
function endOf(record: TrailRecord): string {
  const { action, confirmed_by: confirmedBy } = record;
  const life = isDecision(action) || confirmedBy === 'human' ? PREVIEW_MS.person : PREVIEW_MS.agent;
  const end = new Date(Date.parse(textOf(record, 'time') ?? '') + life);
  return Number.isNaN(end.getTime()) ? '' : end.toISOString();
}

function isOutcome(action: unknown): boolean {
  return action === 'commit' || action === 'recover';
}

function isDecision(action: unknown): action is DecisionKind {
  return action === 'approve' || action === 'reject' || action === 'part';
}

function textOf(record: TrailRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' ? value : undefined;
}
