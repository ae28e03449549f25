// One record of the audit trail: what was decided, applied, refused or shown. Hashes say which bytes; there is no field for
// what they are.
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

/** What a reviewer decided about one preview. */
const decisionShape = z
  .strictObject({
    v: z.literal(1),
    /** The id of the preview, which is the hash of all of it. */
    preview: idField,
    decision: z.enum(['approve', 'reject', 'part']),
    /** Of `part`: the preview that holds what was kept, which is what the signature is really for. */
    part: idField.exactOptional(),
    note: z.string().exactOptional(),
    reviewer: z.string(),
    at: timeField,
    /** Where the audit trail ended when the reviewer decided: the decision holds in this trail only. */
    trail: trailPointShape,
  })
  .readonly();
export type Decision = z.infer<typeof decisionShape>;

export const signedDecisionShape = z
  .strictObject({
    decision: decisionShape,
    /** Which key; see security/approval/reviewer-key.ts. */
    key: z.string(),
    /** Base64. */
    signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/u),
  })
  .readonly();
export type SignedDecision = z.infer<typeof signedDecisionShape>;

/** `kept`: of a preview or a decision. `unknown`: after a crash the files are neither all old nor all new, and stay so. */
export const OUTCOMES = ['kept', 'intent', 'applied', 'refused', 'failed', 'rolled_back', 'unknown'] as const;

const trailFileShape = z
  .strictObject({
    file: z.string(),
    file_op: z.enum(['create', 'delete']).exactOptional(),
    base_sha256: sha256Field.exactOptional(),
    result_sha256: sha256Field.exactOptional(),
    /** Node paths that change, as many as a record may hold. */
    paths: z.array(z.string()).readonly().exactOptional(),
    /** How many more there are. */
    more_paths: countField.exactOptional(),
  })
  .readonly();

export const trailRecordShape = z
  .strictObject({
    time: timeField,
    /**
     * `propose`, `replace` of a preview by one that holds more, `approve`, `part`, `reject`, `decline` at the client, `reveal` of masked values to a reviewer, `commit`,
     * `recover` after a crash, `erase`, the name of a tool whose write was refused, or `refused_writes` for those that are only counted.
     */
    action: z.string().regex(/^[a-z_]{1,64}$/u),
    outcome: z.enum(OUTCOMES),
    files: z.array(trailFileShape).readonly(),
    preview: idField.exactOptional(),
    /** Of `replace`: the preview that has taken the place of this one. */
    replaced_by: idField.exactOptional(),
    change_id: idField.exactOptional(),
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
