// A reviewer's decision about one preview, signed with the reviewer's own key. The serving side holds public
// keys only: whoever can talk to the server, or write its state directory, cannot make one of these.
import { sign, verify } from 'node:crypto';
import { type Decision, type SignedDecision, signedDecisionShape } from '../../state/index.ts';
import type { ReviewerKey } from './reviewer-key.ts';
import type { Reviewer } from './reviewers.ts';
import { decodeStatement, encodeStatement, type StatedChange, type Statement } from './statement.ts';

export const MAX_NOTE_CHARACTERS = 500;

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Signs a decision about a change. */
export function signDecision(decision: Decision, change: StatedChange, key: ReviewerKey): SignedDecision {
  const payload = Buffer.from(encodeStatement(decision, change), 'utf8');
  const sig = sign(null, signedBytes(payload), key.privateKey).toString('base64');
  const signatures = [{ keyid: key.id, sig }] as const;
  return { payload: payload.toString('base64'), payloadType: PAYLOAD_TYPE, signatures };
}

/** Verifies a signed decision; answers undefined unless a listed reviewer signed exactly this, under their own name. */
export function verifiedDecision(value: unknown, reviewers: readonly Reviewer[]): Decision | undefined {
  return verifiedStatement(value, reviewers)?.decision;
}

/** Verifies a signed decision as `verifiedDecision` does, and answers all that was signed. */
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
