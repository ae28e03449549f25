// Defines the store for data that is kept from call to call: previews, changes, decisions and the audit trail. Each operation is atomic.
// The trail alone says what was applied, used or rejected. Every operation throws StateFault where the engine fails.
import type { TrailRow } from './chain.ts';
import type { EncodedRecord } from './codec.ts';
import type { Change, ExactFile } from './records/change.ts';
import type { Preview } from './records/preview.ts';
import type { Decision, SignedDecision, TrailRecord } from './records/trail-record.ts';
import type { TrailPoint } from './records/values.ts';

/** A decision as it was recorded; security/approval checks whether it is genuine. */
export interface RecordedDecision {
  readonly action: Decision['decision'];
  readonly reviewer: string;
  /** True where the record has a signature of any kind. */
  readonly isSigned: boolean;
  /** The signed decision; undefined also where the record holds something else in its place. */
  readonly signed: SignedDecision | undefined;
}

/** The limits for ended changes. The newest stay, and all that have not ended. */
export const CHANGE_BOUNDS = { changes: 2_000, totalBytes: 224e6 } as const;

export interface PreviewStatus {
  /** The decisions in the order of the trail. */
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
  /** The content; undefined where it does not have the hash in the id, or where only the trail has the id. */
  readonly preview: Preview | undefined;
  readonly isKept: boolean;
  readonly status: PreviewStatus;
}

/** `open` means that it is being applied now, or that its process was killed. */
export type ChangeState = 'open' | 'applied' | 'unknown';

export interface KeptChange extends Change {
  readonly id: string;
  readonly state: ChangeState;
  /** The applied change that has undone it. */
  readonly undoneBy: string | undefined;
  /** True if the last undo left some of its files as they are, which `Changes` tells apart. Then `undoneBy` is undefined. */
  readonly isUndoneInPart?: boolean;
}

/** A change without the texts of its files, for lists. */
export interface ListedChange extends Omit<KeptChange, 'files'> {
  readonly files: readonly Omit<Change['files'][number], 'base'>[];
  /** The number by which the changes before it are asked for. */
  readonly order: number;
}

/** The limits for previews of the same roots and kind: those for a person, and all others. */
export interface PreviewBounds {
  readonly previews: number;
  readonly totalBytes: number;
}

export interface NewPreview extends EncodedRecord {
  readonly bounds: PreviewBounds;
  /** The present time as records have it; previews that have expired by then are removed first. */
  readonly now: string;
  /** The preview whose place it takes, which is dropped, and the record that says so. */
  readonly replaces?: { readonly id: string; readonly record: TrailRecord } | undefined;
}

export interface NewChange extends EncodedRecord {
  readonly exact: readonly ExactFile[];
}

/** The preview that a change applies, and the decisions that were known when its approval was checked. */
export interface Claim {
  readonly preview: string;
  /** The preview that it is a part of, whose rejection counts as well. */
  readonly whole: string | undefined;
  /** `decidedAt` of the status that was checked. */
  readonly decidedAt: number;
}

export type Begun =
  | { readonly state: 'begun'; readonly end: TrailPoint }
  /** Another change has applied the preview, or is applying it. */
  | { readonly state: 'used'; readonly changeId: string }
  /** Somebody has decided since the approval was checked. */
  | { readonly state: 'decided' };

/** A change without an end, and the files that it is about. */
export interface OpenChange {
  readonly id: string;
  readonly roots: string;
  readonly files: readonly string[];
}

export interface Identity {
  /** An id that no other state has. */
  readonly id: string;
  /** The key for the fingerprints of masked values. It never leaves this program in any form. */
  readonly maskingKey: string;
}

export interface StateStore extends Identity {
  /**
   * Keeps the preview and its trail record. `no room` means that too many wait for a person, of which none is dropped. `gone` means
   * that the preview which it replaces is no longer kept, was rejected, or is being applied.
   */
  keepPreview(preview: NewPreview, record: TrailRecord): Promise<'kept' | 'no room' | 'gone'>;
  /** Finds a preview by its short or full id; undefined where neither a preview nor the trail has it. */
  findPreview(name: string): Promise<KeptPreview | undefined>;
  statusOf(previewId: string): Promise<PreviewStatus>;
  /** Answers the previews of any roots that were not applied, oldest first. */
  waitingPreviews(): Promise<readonly WaitingPreview[]>;
  dropPreview(id: string): Promise<void>;
  dropExpired(now: string): Promise<void>;

  /** Records a decision; undefined, with nothing recorded, where the preview was used or replaced, or is being applied. */
  recordDecision(previewId: string, record: TrailRecord): Promise<TrailPoint | undefined>;

  /** Begins a change with the record `intent`; it is durable when this answers. */
  beginChange(change: NewChange, record: TrailRecord, claim: Claim | undefined): Promise<Begun>;
  /** Records the end of a change by the record's outcome. After `rolled_back` only the trail keeps something of the change. */
  endChange(id: string, record: TrailRecord): Promise<TrailPoint>;
  /** Finds a change by its short or full id. */
  findChange(name: string): Promise<KeptChange | undefined>;
  /** Answers the masked parts of a change; undefined where they are damaged. */
  exactFilesOf(changeId: string): Promise<readonly ExactFile[] | undefined>;
  /** Lists changes of these roots, or of all, newest first; with `before`, only earlier ones. */
  listChanges(scope: {
    readonly roots: string | undefined;
    readonly before?: number;
    readonly most: number;
  }): Promise<readonly ListedChange[]>;
  openChanges(): Promise<readonly OpenChange[]>;
  /** Answers the kept changes that the trail does not have, or that ended otherwise there. There is none unless the state was altered. */
  unrecordedChanges(): Promise<readonly string[]>;

  /** Appends a record with a `notice`, durably; false, with nothing appended, where the trail has one with the same `notice`. */
  claimNotice(record: TrailRecord): Promise<boolean>;
  /** Appends to the trail; with `isDurable` the records survive a power cut once this returns. */
  append(records: readonly TrailRecord[], isDurable: boolean): Promise<TrailPoint>;
  head(): Promise<TrailPoint>;
  /** True where the trail holds exactly this record. */
  holds(point: TrailPoint): Promise<boolean>;
  /** Answers at most `most` rows after a number, in order. */
  trailAfter(seq: number, most: number): Promise<readonly TrailRow[]>;

  /**
   * Removes the previews and the ended changes from before this time, and overwrites their texts and secrets. The trail stays. Answers
   * how many were removed.
   */
  erase(before: string, record: TrailRecord): Promise<number>;
  close(): Promise<void>;
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
