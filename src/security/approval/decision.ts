// What a reviewer decided about one preview, signed with the reviewer's own key. The serving side holds public
// keys only: whoever can talk to the server, or write its state directory, cannot make one of these.
import { sign, verify } from 'node:crypto';
import type { TrailPoint } from '../audit/facts.ts';
import { Malformed, readFields, readOrUndefined, SHA256 } from '../records/fields.ts';
import { canonicalJson, isContentId } from '../text/canonical-json.ts';
import type { ReviewerKey } from './reviewer-key.ts';
import type { Reviewer } from './reviewers.ts';

export interface Decision {
  readonly v: 1;
  /** The id of the preview, which is the hash of all of it. */
  readonly preview: string;
  readonly decision: 'approve' | 'reject' | 'part';
  /** Of `part`: the preview that holds what was kept, which is what the signature is really for. */
  readonly part?: string;
  readonly note?: string;
  readonly reviewer: string;
  readonly at: string;
  /** Where the audit trail ended: the decision counts as the next record, and nowhere else. */
  readonly trail: TrailPoint;
}

export interface SignedDecision {
  readonly decision: Decision;
  /** Which key; see reviewer-key.ts. */
  readonly key: string;
  /** Base64. */
  readonly signature: string;
}

export const MAX_NOTE_CHARACTERS = 500;

// So that a signature over something else, in another program, is never one over a decision.
const DOMAIN = 'config-airlock decision v2\n';

export function signDecision(decision: Decision, key: ReviewerKey): SignedDecision {
  requireConsistent(decision);
  const signature = sign(null, signedBytes(decision), key.privateKey).toString('base64');
  return { decision, key: key.id, signature };
}

/** Undefined unless a reviewer of the list signed exactly this, under their own name. */
export function verifiedDecision(value: unknown, reviewers: readonly Reviewer[]): Decision | undefined {
  const signed = readOrUndefined(() => readSigned(value));
  if (signed === undefined) return undefined;
  const { decision, key } = signed;
  const reviewer = reviewers.find(({ id, name }) => id === key && name === decision.reviewer);
  if (reviewer === undefined) return undefined;
  const signature = Buffer.from(signed.signature, 'base64');
  return verify(null, signedBytes(decision), reviewer.publicKey, signature) ? decision : undefined;
}

function signedBytes(decision: Decision): Buffer {
  return Buffer.from(DOMAIN + canonicalJson(decision), 'utf8');
}

function readSigned(value: unknown): SignedDecision {
  return readFields(value, (fields) => ({
    decision: readDecision(fields.raw('decision')),
    key: fields.text('key'),
    signature: fields.text('signature', /^[A-Za-z0-9+/]{86}==$/u),
  }));
}

function readDecision(value: unknown): Decision {
  const decision = readFields(
    value,
    (fields): Decision => ({
      v: fields.version(),
      preview: fields.text('preview'),
      decision: fields.oneOf('decision', ['approve', 'reject', 'part']),
      ...fields.optionalTexts('part', 'note'),
      reviewer: fields.text('reviewer'),
      at: fields.time('at'),
      trail: readFields(fields.raw('trail'), (trail) => ({
        seq: trail.count('seq'),
        sha256: trail.text('sha256', SHA256),
      })),
    }),
  );
  requireConsistent(decision);
  return decision;
}

function requireConsistent({ preview, decision, part, note }: Decision): void {
  const isPart = part !== undefined && isContentId(part) && part !== preview;
  if (!isContentId(preview) || (decision === 'part' ? !isPart : part !== undefined))
    throw new Malformed('part');
  if (note !== undefined && note.length > MAX_NOTE_CHARACTERS) throw new Malformed('note');
}
