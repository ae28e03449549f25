// An event of the audit trail: what has become of a preview, or what was refused. Hashes identify the contents of files; there is no
// field for the contents. Only the events about a preview say what became of it.
import { z } from 'zod';
import { canonicalJson, parseCanonical } from './canonical.ts';
import {
  APPROVALS,
  callerShape,
  countField,
  idField,
  originShape,
  type Preview,
  sha256Field,
  timeField,
  type WholePreview,
} from './preview.ts';

/** The confirmation of a write: by its level, or by the person at the terminal of the command line. */
const CONFIRMATIONS = [...APPROVALS, 'terminal'] as const;
export type ConfirmedBy = (typeof CONFIRMATIONS)[number];

/** The end of a trail: the number and the hash of its last record. */
const trailPointShape = z.strictObject({ seq: countField, sha256: sha256Field }).readonly();
export type TrailPoint = z.infer<typeof trailPointShape>;

/** A reviewer's decision about one preview. */
export const decisionShape = z
  .strictObject({
    v: z.literal(1),
    /** The id of the preview, which is the hash of all of it. */
    preview: idField,
    decision: z.enum(['approve', 'reject']),
    note: z.string().exactOptional(),
    reviewer: z.string(),
    at: timeField,
    /** The end of the audit trail when the reviewer decided: the decision is valid in this trail only. */
    trail: trailPointShape,
  })
  .readonly();
export type Decision = z.infer<typeof decisionShape>;

const EVENT_TYPES = [
  // About a preview: it was kept, `joined` into one with more edits or for newer files, or a reviewer kept a part of it (`split`).
  ...['previewed', 'joined', 'split'],
  // Decisions of reviewers, a no at the client, and masked values that were shown to a reviewer.
  ...['approved', 'rejected', 'declined', 'revealed'],
  // Its write. `unknown`: after a crash the files were neither all old nor all new. `undone`: by the preview in `by`.
  ...['begun', 'applied', 'rolled_back', 'unknown', 'undone'],
  // About no preview. `refused` is a write that was not allowed; with `count` it stands for several.
  ...['refused', 'erased', 'notified'],
] as const;

const fileShape = z
  .strictObject({
    file: z.string(),
    file_op: z.enum(['create', 'delete']).exactOptional(),
    base_sha256: sha256Field.exactOptional(),
    result_sha256: sha256Field.exactOptional(),
    /** The node paths that change, as many as an event may hold. */
    paths: z.array(z.string()).readonly().exactOptional(),
    /** The number of further paths. */
    more_paths: countField.exactOptional(),
  })
  .readonly();

const eventShape = z
  .strictObject({
    time: timeField,
    type: z.enum(EVENT_TYPES),
    /** The preview that it is about. */
    about: idField.exactOptional(),
    /** The other preview: what it was joined into, the part that was kept of it, or what has undone it. */
    by: idField.exactOptional(),
    files: z.array(fileShape).readonly(),
    /** In `previewed`, for a preview that waits for a person: the time at which it expires. */
    expires_at: timeField.exactOptional(),
    /** In `begun` and the ends: who confirmed the write. */
    confirmed_by: z.enum(CONFIRMATIONS).exactOptional(),
    reviewer: z.string().exactOptional(),
    /** In `begun`: the ids of the rules that asked for this confirmation, or `default`; left out if there is no policy. */
    by_rules: z.array(z.string()).readonly().exactOptional(),
    /** In `begun` and the ends: where the preview came from, unless it was an edit. */
    origin: originShape.exactOptional(),
    /** In an end that was found out after the process of the write had ended. */
    settled: z.literal(true).exactOptional(),
    /** In `undone`: some files were left as they are. */
    part: z.literal(true).exactOptional(),
    /** The signed decision, unchecked: whoever can write to the state can put anything here. */
    signed: z.unknown().exactOptional(),
    reason: z.string().exactOptional(),
    caller: callerShape.exactOptional(),
    request_id: z.string().exactOptional(),
    /** In `refused`: the tool, and the preview or change as the caller has named it. */
    tool: z.string().exactOptional(),
    named: z.string().exactOptional(),
    code: z.string().exactOptional(),
    count: countField.exactOptional(),
    /** In `notified`: the event, and the preview that it is about. No two events have the same text. */
    notice: z.string().exactOptional(),
    outcome: z.enum(['begun', 'done', 'failed']).exactOptional(),
  })
  .readonly();
export type Event = z.infer<typeof eventShape>;

export function encodeEvent(event: Event): string {
  return canonicalJson(event);
}

/** Decodes an event; undefined for a text that this program did not write to the byte. */
export function decodeEvent(text: string): Event | undefined {
  return eventShape.safeParse(parseCanonical(text)).data;
}

/** An event with its number in the trail. */
export interface RecordedEvent {
  readonly seq: number;
  readonly event: Event;
}

/** `open` means that it is being applied, or that its process was killed. */
const WRITE_STATES = ['open', 'applied', 'unknown'] as const;
export type WriteState = (typeof WRITE_STATES)[number];

/** What became of a preview. */
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
  return {
    decisions: ofType('approved', 'rejected').map(({ event }) => event),
    decidedAt: ofType('approved', 'rejected', 'joined', 'split').at(-1)?.seq ?? 0,
    write,
    begun: write && begun,
    joinedInto: ofType('joined').at(-1)?.event.by,
    parts: split.flatMap(({ event }) => event.by ?? []),
    splitAt: split.at(-1)?.seq ?? 0,
    ...undoneBy(ofType('undone').at(-1)?.event),
  };
}

/** A later event that it was rolled back takes nothing back. */
function writeState(since: readonly RecordedEvent[]): WriteState | undefined {
  const end = since.find(({ event: { type } }) => type === 'applied' || type === 'unknown')?.event.type;
  if (end === 'applied' || end === 'unknown') return end;
  return since.some(({ event }) => event.type === 'rolled_back') ? undefined : 'open';
}

/** Says by the last event `undone` about a preview whether it is undone. */
function undoneBy(undone: Event | undefined): Pick<PreviewStatus, 'undoneBy' | 'isUndoneInPart'> {
  const isUndoneInPart = undone?.part === true;
  return { undoneBy: isUndoneInPart ? undefined : undone?.by, isUndoneInPart };
}

/** True if the preview was rejected or joined into another, so that it can no longer be applied. */
export function isClosed({ decisions, joinedInto }: PreviewStatus): boolean {
  return joinedInto !== undefined || decisions.some(({ type }) => type === 'rejected');
}

/** What a preview became whose write was begun, and who confirmed it. */
interface Write extends Pick<PreviewStatus, 'undoneBy' | 'isUndoneInPart'> {
  /** The id of the preview. */
  readonly id: string;
  readonly at: string;
  readonly state: WriteState;
  readonly confirmed_by: ConfirmedBy;
  readonly reviewer: string | undefined;
  /** The ids of the rules that asked for this confirmation, or `default`; undefined if there was no policy. */
  readonly by_rules: readonly string[] | undefined;
}

/** A change, with the texts of its files. */
export type KeptChange = WholePreview & Write;

/** A change as lists show it: what the event says by which its write was begun. */
export interface ListedChange extends Write, Pick<Preview, 'caller' | 'origin'> {
  readonly reason?: string | undefined;
  readonly files: Event['files'];
  /** The number by which the changes before it are asked for. */
  readonly order: number;
}

/** Returns the change that a preview became; undefined if its write was not begun. */
export function changeOf(id: string, preview: WholePreview, status: PreviewStatus): KeptChange | undefined {
  const { write: state, begun, undoneBy, isUndoneInPart } = status;
  const { time: at, confirmed_by, reviewer, by_rules } = begun?.event ?? {};
  if (state === undefined || at === undefined || confirmed_by === undefined) return undefined;
  return { ...preview, id, at, state, confirmed_by, reviewer, by_rules, undoneBy, isUndoneInPart };
}

/** Returns the change for lists; undefined for an event that no write of this program begins with. */
export function listedChange(
  { seq, event }: RecordedEvent,
  state: unknown,
  undone: Event | undefined,
): ListedChange | undefined {
  const { about: id, time: at, files, caller, reason, origin = { kind: 'edit' } } = event;
  const { confirmed_by, reviewer, by_rules } = event;
  const write = WRITE_STATES.find((one) => one === state);
  if (id === undefined || caller === undefined || confirmed_by === undefined || write === undefined)
    return undefined;
  const said = { id, at, state: write, confirmed_by, reviewer, by_rules, ...undoneBy(undone) };
  return { ...said, files, caller, reason, origin, order: seq };
}
