// A reviewer's decision about one preview, signed with the reviewer's own key. The serving side holds public
// keys only: whoever can talk to the server, or write its state directory, cannot make one of these.
import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../state/canonical.ts';
import type { Decision, Event, TrailPoint } from '../../state/event.ts';
import { recordedText } from '../audit/recorded-event.ts';
import type { ReviewerKey } from './reviewer-key.ts';
import type { Reviewer } from './reviewers.ts';
import { decodeStatement, encodeStatement, type StatedChange, type Statement } from './statement.ts';

export const MAX_NOTE_CHARACTERS = 500;

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A signed decision: a DSSE envelope with one signature, whose payload is an in-toto statement in canonical JSON (statement.ts). */
export const signedDecisionShape = z
  .strictObject({
    payload: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/u),
    payloadType: z.literal(PAYLOAD_TYPE),
    signatures: z
      .tuple([
        z
          .strictObject({
            /** The id of the key; see reviewer-key.ts. */
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

/** Signs a decision about a change. */
export function signDecision(decision: Decision, change: StatedChange, key: ReviewerKey): SignedDecision {
  const payload = Buffer.from(encodeStatement(decision, change), 'utf8');
  const sig = sign(null, signedBytes(payload), key.privateKey).toString('base64');
  const signatures = [{ keyid: key.id, sig }] as const;
  return { payload: payload.toString('base64'), payloadType: PAYLOAD_TYPE, signatures };
}

/** The event that a decision is recorded as. */
export const RECORDED_AS = { approve: 'approved', reject: 'rejected' } as const;

/** Returns what an event's reviewer has signed; undefined unless that is the decision about the preview that the event records. */
export function statementIn(
  { type, about, reviewer, signed }: Event,
  reviewers: readonly Reviewer[],
): Statement | undefined {
  const statement = verifiedStatement(signed, reviewers);
  if (statement === undefined) return undefined;
  const { decision } = statement;
  const isRecorded = decision.preview === about && decision.reviewer === reviewer;
  return isRecorded && RECORDED_AS[decision.decision] === type ? statement : undefined;
}

/**
 * Returns the end of the trail that an event's reviewer has signed; undefined unless they have signed what it says: the decision, the
 * preview, and what becomes of its files.
 */
export function signedAt(event: Event, reviewers: readonly Reviewer[]): TrailPoint | undefined {
  const { decision, change } = statementIn(event, reviewers) ?? {};
  const signed = change?.files.map(({ file, before_sha256, after_sha256 }) => ({
    file: recordedText(file),
    base_sha256: before_sha256,
    result_sha256: after_sha256,
  }));
  const recorded = event.files.map(({ file, base_sha256, result_sha256 }) => ({
    file,
    base_sha256,
    result_sha256,
  }));
  const isSame = signed !== undefined && canonicalJson(signed) === canonicalJson(recorded);
  return isSame ? decision?.trail : undefined;
}

/** Returns what was signed; undefined unless a listed reviewer signed exactly this, under their own name. */
export function verifiedStatement(value: unknown, reviewers: readonly Reviewer[]): Statement | undefined {
  const envelope = signedDecisionShape.safeParse(value).data;
  if (envelope === undefined) return undefined;
  const { keyid, sig } = envelope.signatures[0];
  const reviewer = reviewers.find(({ id }) => id === keyid);
  const payload = Buffer.from(envelope.payload, 'base64');
  // Bytes have several spellings in base64; only one counts.
  if (reviewer === undefined || payload.toString('base64') !== envelope.payload) return undefined;
  if (!verify(null, signedBytes(payload), reviewer.publicKey, Buffer.from(sig, 'base64'))) return undefined;
  const statement = decodeStatement(payload.toString('utf8'));
  if (statement?.decision.reviewer !== reviewer.name) return undefined;
  return (statement.decision.note ?? '').length <= MAX_NOTE_CHARACTERS ? statement : undefined;
}

/** The encoding that DSSE signs: it has the type, so that a signature over bytes of another type never counts. */
function signedBytes(payload: Buffer): Buffer {
  const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `;
  return Buffer.concat([Buffer.from(head, 'utf8'), payload]);
}
