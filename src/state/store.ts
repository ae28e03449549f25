// What is kept from call to call, in the words of the domain: previews, changes, decisions and the audit trail. Each operation
// is atomic: all of it is kept, or nothing. What was applied, used or rejected follows from the trail and is stored nowhere else.
// Every operation throws StateFault where the engine cannot do it.
import type { TrailRow } from './chain.ts';
import type { Encoded } from './codec.ts';
import type { Change, ExactFile } from './records/change.ts';
import type { Preview } from './records/preview.ts';
import type { Decision, Outcome, SignedDecision, TrailRecord } from './records/trail-record.ts';
import type { TrailPoint } from './records/values.ts';

/** A decision as it was recorded; security/approval tells whether it is genuine. */
export interface RecordedDecision {
  readonly action: Decision['decision'];
  readonly reviewer: string;
  /** Whether the record has a signature, of whatever kind. */
  readonly isSigned: boolean;
  /** Undefined also for what cannot be read as a signed decision. */
  readonly signed: SignedDecision | undefined;
}

export interface PreviewStatus {
  /** In the order of the trail. */
  readonly decisions: readonly RecordedDecision[];
  /** The number of the last of these records; 0 where there is none. */
  readonly decidedAt: number;
  /** The change that it became, or is becoming. */
  readonly changeId: string | undefined;
  /** The preview that holds its edits and more, and has taken its place. */
  readonly replacedBy: string | undefined;
}

export interface KeptPreview {
  readonly id: string;
  /** Undefined where what is kept is not what the id names, or where nothing is kept any more and the trail alone knows the id. */
  readonly preview: Preview | undefined;
  readonly isKept: boolean;
  readonly status: PreviewStatus;
}

/** `open`: it is being applied now, or its process was killed. */
export type ChangeState = 'open' | 'applied' | 'unknown';

export interface KeptChange extends Change {
  readonly id: string;
  readonly state: ChangeState;
  /** The applied change that has undone it. */
  readonly undoneBy: string | undefined;
}

/** A change without the texts of its files, for lists. */
export interface ListedChange extends Omit<KeptChange, 'files'> {
  readonly files: readonly Omit<Change['files'][number], 'base'>[];
  /** For asking for those before it. */
  readonly order: number;
}

/** Bounds of the previews of the same roots and kind: those for a person, and all others. */
export interface PreviewBounds {
  readonly previews: number;
  readonly totalBytes: number;
}

export interface NewPreview extends Encoded {
  readonly bounds: PreviewBounds;
  /** Now, as records have it: what has expired by then goes first. */
  readonly now: string;
  /** The preview whose place it takes, which is dropped, and the record that says so. */
  readonly replaces?: { readonly id: string; readonly record: TrailRecord } | undefined;
}

export interface NewChange extends Encoded {
  readonly exact: readonly ExactFile[];
}

/** A preview that a change applies, as it was when its approval was looked at. */
export interface Claim {
  readonly preview: string;
  /** The preview that it is a part of: its rejection counts, too. */
  readonly whole: string | undefined;
  /** `decidedAt` of the status that was looked at. */
  readonly decidedAt: number;
}

export type Begun =
  | { readonly state: 'begun'; readonly end: TrailPoint }
  /** Another change has applied the preview, or is applying it. */
  | { readonly state: 'used'; readonly changeId: string }
  /** Somebody has decided since the approval was looked at. */
  | { readonly state: 'decided' };

/** A change without an end, and the files that it is about. */
export interface OpenChange {
  readonly id: string;
  readonly roots: string;
  readonly files: readonly string[];
}

export interface StateStore {
  /** Tells this state from every other. */
  readonly id: string;
  /** Makes the fingerprints of masked values. It leaves this program in no form. */
  readonly maskingKey: string;

  /**
   * Keeps the preview and its trail record. `no room`: too many wait for a person, and none is dropped for this one. `gone`: the
   * one that it replaces is no longer kept, or is being applied.
   */
  keepPreview(preview: NewPreview, record: TrailRecord): Promise<'kept' | 'no room' | 'gone'>;
  /** By its id, short or full. Undefined where neither a preview nor a record of the trail has it. */
  findPreview(name: string): Promise<KeptPreview | undefined>;
  statusOf(previewId: string): Promise<PreviewStatus>;
  /** The previews of any roots that were not applied, oldest first. */
  waitingPreviews(): Promise<readonly WaitingPreview[]>;
  dropPreview(id: string): Promise<void>;
  dropExpired(now: string): Promise<void>;

  /** Undefined where the preview was used or replaced, or is being applied: then nothing is recorded. */
  recordDecision(previewId: string, record: TrailRecord): Promise<TrailPoint | undefined>;

  /** Durable before it answers. The record is the `intent`. */
  beginChange(change: NewChange, record: TrailRecord, claim: Claim | undefined): Promise<Begun>;
  /** Records how the change ended, by the record's outcome. `rolled_back`: nothing of the change is kept but the trail. */
  endChange(id: string, record: TrailRecord): Promise<TrailPoint>;
  /** By its id, short or full. */
  findChange(name: string): Promise<KeptChange | undefined>;
  /** Undefined where what is kept is damaged. */
  exactFilesOf(changeId: string): Promise<readonly ExactFile[] | undefined>;
  /** Newest first, of these roots; those before `before` where it is given. */
  listChanges(scope: {
    readonly roots: string;
    readonly before?: number;
    readonly most: number;
  }): Promise<readonly ListedChange[]>;
  openChanges(): Promise<readonly OpenChange[]>;
  /** Kept changes that the trail does not know, or whose end it knows otherwise: somebody has changed the state. None where it is sound. */
  unrecordedChanges(): Promise<readonly string[]>;

  /** Appends to the trail; `isDurable`: it survives a power cut once it returns. */
  append(records: readonly TrailRecord[], isDurable: boolean): Promise<TrailPoint>;
  head(): Promise<TrailPoint>;
  /** Whether the trail holds exactly this record. */
  holds(point: TrailPoint): Promise<boolean>;
  /** The rows behind a number, in order. */
  trailAfter(seq: number, most: number): Promise<readonly TrailRow[]>;

  /**
   * All that is kept, in pieces: the trail first, then previews and changes in their order. Throws StateFault for a record or
   * a text that is not what its id says.
   */
  rows(): AsyncIterable<readonly KeptRow[]>;
  /**
   * Makes a copy of another state of this one, in which nothing may be kept yet. Until the last row has come nobody can open it,
   * and where a row never comes it stays so. This object is of no use afterwards but for `rows`, `head` and `close`.
   */
  become(
    identity: Pick<StateStore, 'id' | 'maskingKey'>,
    rows: AsyncIterable<readonly KeptRow[]>,
  ): Promise<void>;

  /**
   * Removes the previews made, and the changes that ended, before this time, with their texts and secrets, and overwrites where they
   * stood. The trail stays. Answers how many.
   */
  erase(before: string, record: TrailRecord): Promise<number>;
  close(): Promise<void>;
}

/** One thing that is kept, as it is: for a copy. */
export type KeptRow =
  | { readonly kind: 'trail'; readonly row: TrailRow }
  | { readonly kind: 'preview'; readonly record: Encoded }
  | { readonly kind: 'change'; readonly record: CopiedChange };

export interface CopiedChange extends Encoded {
  readonly exact: string | undefined;
  /** The number of the record that says how it ended. */
  readonly ended: number | undefined;
}

export interface WaitingPreview {
  readonly id: string;
  readonly roots: string;
  readonly policy: string;
  readonly approval: Preview['approval'];
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly isDecided: boolean;
}

export type { Outcome };
