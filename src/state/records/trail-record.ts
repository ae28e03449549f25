// Defines a record of the audit trail: something was decided, applied, refused or shown. Hashes identify the contents of files; there is
// no field for the contents.
import { z } from 'zod';
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
    decision: z.enum(['approve', 'reject', 'part']),
    /** For `part`: the preview of the kept part, which the signature is really about. */
    part: idField.exactOptional(),
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

/** `kept` is for previews and decisions. `unknown` means that after a crash the files were neither all old nor all new. */
export const OUTCOMES = ['kept', 'intent', 'applied', 'refused', 'failed', 'rolled_back', 'unknown'] as const;

const trailFileShape = z
  .strictObject({
    file: z.string(),
    file_op: z.enum(['create', 'delete']).exactOptional(),
    base_sha256: sha256Field.exactOptional(),
    result_sha256: sha256Field.exactOptional(),
    /** The node paths that change, as many as a record may hold. */
    paths: z.array(z.string()).readonly().exactOptional(),
    /** The number of further paths. */
    more_paths: countField.exactOptional(),
  })
  .readonly();

export const trailRecordShape = z
  .strictObject({
    time: timeField,
    /**
     * The action. On previews: `propose`, `replace` (by another preview), `approve`, `part`, `reject`, `decline` (at the client), and
     * `reveal` (masked values to a reviewer). On changes: `commit`, and `recover` after a crash. By commands: `notify` and `erase`. A
     * refused write has the name of its tool; `refused_writes` stands for several that are only counted.
     */
    action: z.string().regex(/^[a-z_]{1,64}$/u),
    outcome: z.enum(OUTCOMES),
    files: z.array(trailFileShape).readonly(),
    preview: idField.exactOptional(),
    /** In a record `replace`: the preview that took the place of this one. */
    replaced_by: idField.exactOptional(),
    change_id: idField.exactOptional(),
    /** In a record `propose` of a preview that waits for a person: the time at which it expires. */
    expires_at: timeField.exactOptional(),
    /** In a record `notify`: the event, and the preview or change that it is about. No two records have the same text. */
    notice: z.string().exactOptional(),
    /** A preview or a change as a caller has named it. */
    about: z.string().exactOptional(),
    confirmed_by: z.enum(CONFIRMATIONS).exactOptional(),
    reviewer: z.string().exactOptional(),
    reason: z.string().exactOptional(),
    caller: callerShape.exactOptional(),
    code: z.string().exactOptional(),
    request_id: z.string().exactOptional(),
    count: countField.exactOptional(),
    signed: signedDecisionShape.exactOptional(),
  })
  .readonly();
export type TrailRecord = z.infer<typeof trailRecordShape>;
export type Outcome = (typeof OUTCOMES)[number];
