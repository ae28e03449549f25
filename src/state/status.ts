// What became of a preview, by the events about it. Nothing else says so.
import type { Event } from './event.ts';
import type { PreviewBody, WholePreview } from './preview.ts';
import type { RecordedEvent } from './trail.ts';

/** `open` means that it is being applied now, or that its process was killed. */
export type WriteState = 'open' | 'applied' | 'unknown';

export interface PreviewStatus {
  /** What reviewers have decided, in the order of the trail. Whether it is genuine and in force, security/approval checks. */
  readonly decisions: readonly Event[];
  /** The number of the last event by which it could not be applied, or not without another look; 0 if there is none. */
  readonly decidedAt: number;
  /** The state of its write; undefined as long as nobody has begun to apply it, or all was put back. */
  readonly write: WriteState | undefined;
  /** The event of that write. */
  readonly begun: RecordedEvent | undefined;
  /** The preview that holds its edits and more, and has taken its place. */
  readonly joinedInto: string | undefined;
  /** The previews of the parts that reviewers have kept of it. */
  readonly parts: readonly string[];
  /** The number of the event of the last part; 0 if there is none. It takes an approval that was signed later to have the whole. */
  readonly splitAt: number;
  /** The preview whose write has undone it. */
  readonly undoneBy: string | undefined;
  /** True if the last undo left some of its files as they are. Then `undoneBy` is undefined. */
  readonly isUndoneInPart: boolean;
}

/** Returns the status by all events about a preview, in the order of the trail. */
export function statusOf(events: readonly RecordedEvent[]): PreviewStatus {
  const ofType = (...types: readonly Event['type'][]) =>
    events.filter(({ event }) => types.includes(event.type));
  const begun = ofType('begun').at(-1);
  const split = ofType('split');
  const write = begun && writeState(events.filter(({ seq }) => seq > begun.seq));
  const undone = ofType('undone').at(-1)?.event;
  const isUndoneInPart = undone?.part === true;
  return {
    decisions: ofType('approved', 'rejected').map(({ event }) => event),
    decidedAt: ofType('approved', 'rejected', 'joined', 'split').at(-1)?.seq ?? 0,
    write,
    begun: write && begun,
    joinedInto: ofType('joined').at(-1)?.event.by,
    parts: split.flatMap(({ event }) => event.by ?? []),
    splitAt: split.at(-1)?.seq ?? 0,
    undoneBy: isUndoneInPart ? undefined : undone?.by,
    isUndoneInPart,
  };
}

/** A later event that it was rolled back takes nothing back. */
function writeState(since: readonly RecordedEvent[]): WriteState | undefined {
  const end = since.find(({ event: { type } }) => type === 'applied' || type === 'unknown')?.event.type;
  if (end === 'applied' || end === 'unknown') return end;
  return since.some(({ event }) => event.type === 'rolled_back') ? undefined : 'open';
}

/** True if the preview was rejected or joined into another, so that it can no longer be applied. */
export function isClosed({ decisions, joinedInto }: PreviewStatus): boolean {
  return joinedInto !== undefined || decisions.some(({ type }) => type === 'rejected');
}

/** A preview whose write was begun, and who confirmed it. */
export type ChangeOf<Body extends PreviewBody> = Body & {
  /** The id of the preview. */
  readonly id: string;
  readonly at: string;
  readonly state: WriteState;
  readonly confirmed_by: NonNullable<Event['confirmed_by']>;
  readonly reviewer: string | undefined;
  /** The ids of the rules that asked for this confirmation, or `default`; undefined if there was no policy. */
  readonly by_rules: readonly string[] | undefined;
  readonly undoneBy: string | undefined;
  readonly isUndoneInPart: boolean;
  /** The number by which the changes before it are asked for. */
  readonly order: number;
};

/** A change with the texts of its files. */
export type KeptChange = ChangeOf<WholePreview>;
/** A change for lists. */
export type ListedChange = ChangeOf<PreviewBody>;

/** Returns the change that a preview became; undefined if its write was not begun. */
export function changeOf<Body extends PreviewBody>(
  id: string,
  preview: Body,
  { write, begun, undoneBy, isUndoneInPart }: PreviewStatus,
): ChangeOf<Body> | undefined {
  if (write === undefined || begun?.event.confirmed_by === undefined) return undefined;
  const { time: at, confirmed_by, reviewer, by_rules } = begun.event;
  const order = begun.seq;
  return {
    ...preview,
    id,
    at,
    state: write,
    confirmed_by,
    reviewer,
    by_rules,
    undoneBy,
    isUndoneInPart,
    order,
  };
}
