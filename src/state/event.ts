// An event of the audit trail: what has become of a preview, or what was refused. Hashes identify the contents of files; there is no
// field for the contents.
import { z } from 'zod';
import { canonicalJson, parseCanonical } from './canonical-json.ts';
import {
  CONFIRMATIONS,
  callerShape,
  countField,
  idField,
  sha256Field,
  timeField,
  trailPointShape,
} from './values.ts';

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

/**
 * A signed decision: a DSSE envelope with one signature, whose payload is an in-toto statement in canonical JSON
 * (security/approval/statement.ts).
 */
export const signedDecisionShape = z
  .strictObject({
    payload: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/u),
    payloadType: z.literal('application/vnd.in-toto+json'),
    signatures: z
      .tuple([
        z
          .strictObject({
            /** The id of the key; see security/approval/reviewer-key.ts. */
            keyid: z.string(),
            /** The signature in base64. */
            sig: z.string().regex(/^[A-Za-z0-9+/]{86}==$/u),
          })
          .readonly(),
      ])
      .readonly(),
  })
  .readonly();
export type SignedDecision = z.infer<typeof signedDecisionShape>;

export const EVENT_TYPES = [
  // About a preview: it was kept, `joined` into one with more edits or for newer files, or a reviewer kept a part of it (`split`).
  ...['previewed', 'joined', 'split'],
  // Decisions of reviewers, a no at the client, and masked values that were shown to a reviewer.
  ...['approved', 'rejected', 'declined', 'revealed'],
  // Its write. `unknown`: after a crash the files were neither all old nor all new. `undone`: by the preview in `by`.
  ...['begun', 'applied', 'rolled_back', 'unknown', 'undone'],
  // About no preview. `refused` is a write that was not allowed; with `count` it stands for several.
  ...['refused', 'erased', 'notified'],
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

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
