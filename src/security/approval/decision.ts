// A reviewer's decision about one preview, signed with the reviewer's own key. The serving side holds public
// keys only: whoever can talk to the server, or write its state directory, cannot make one of these.
import { sign, verify } from 'node:crypto';
import { canonicalJson, type Decision, type SignedDecision, signedDecisionShape } from '../../state/index.ts';
import type { ReviewerKey } from './reviewer-key.ts';
import type { Reviewer } from './reviewers.ts';

export const MAX_NOTE_CHARACTERS = 500;

// The domain separates these signatures from all others: a signature that another program made never counts as a decision.
const DOMAIN = 'config-airlock decision v3\n';

/** Throws a plain Error for a decision that says less, or more, than its kind does. */
export function signDecision(decision: Decision, key: ReviewerKey): SignedDecision {
  if (!isConsistent(decision)) throw new Error('a decision names a part exactly where it is about one');
  const signature = sign(null, signedBytes(decision), key.privateKey).toString('base64');
  return { decision, key: key.id, signature };
}

/** Verifies a signed decision; answers undefined unless a listed reviewer signed exactly this, under their own name. */
export function verifiedDecision(value: unknown, reviewers: readonly Reviewer[]): Decision | undefined {
  const signed = signedDecisionShape.safeParse(value).data;
  if (signed === undefined || !isConsistent(signed.decision)) return undefined;
  const { decision, key } = signed;
  const reviewer = reviewers.find(({ id, name }) => id === key && name === decision.reviewer);
  if (reviewer === undefined) return undefined;
  const signature = Buffer.from(signed.signature, 'base64');
  return verify(null, signedBytes(decision), reviewer.publicKey, signature) ? decision : undefined;
}

function signedBytes(decision: Decision): Buffer {
  return Buffer.from(DOMAIN + canonicalJson(decision), 'utf8');
}

function isConsistent({ preview, decision, part, note = '' }: Decision): boolean {
  const isAboutPart = part !== undefined && part !== preview;
  return (decision === 'part' ? isAboutPart : part === undefined) && note.length <= MAX_NOTE_CHARACTERS;
}
