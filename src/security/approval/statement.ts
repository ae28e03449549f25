// What a reviewer signs with their own key: an in-toto statement about one change, in a DSSE envelope. Whoever has the reviewers' public
// keys can check it without the server and its state; the serving side holds public keys only, so that whoever can talk to it, or write
// its state, cannot make one. Its digests are those of the masked texts, because a digest of a text with a secret in it could be used
// to test guesses of the secret.
import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, parseCanonical, parsedJson } from '../../state/canonical.ts';
import { type Decision, decisionShape, type Event, type TrailPoint } from '../../state/event.ts';
import { callerShape, LEVELS, needShape, type Preview, sha256Field, timeField } from '../../state/preview.ts';
import { recordedText } from '../audit/recorded-event.ts';
import { holdsPlaceholder } from '../text/placeholders.ts';
import { proposersOf } from './preview.ts';
import { isMet, progressText, statusOfNeeds } from './quorum.ts';
import type { ReviewerKey } from './reviewer-key.ts';
import { mayApprove, type Reviewer } from './reviewers.ts';

const TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE = 'https://github.com/config-airlock/config-airlock/approval/v1';

const fileShape = z
  .strictObject({
    file: z.string(),
    /** Each hash is left out where the file does not exist at that time. */
    before_sha256: sha256Field.exactOptional(),
    after_sha256: sha256Field.exactOptional(),
    /** True if a value of the file is masked, so that the digests are not those of its bytes. */
    is_masked: z.literal(true).exactOptional(),
  })
  .readonly();
export type StatedFile = z.infer<typeof fileShape>;

const changeShape = z
  .strictObject({
    files: z.array(fileShape).readonly(),
    caller: callerShape,
    proposers: z.array(z.string()).readonly(),
    requested_at: timeField,
    /** The rules that asked for a reviewer, and whom they ask for, as the reviewer was shown them. */
    rules: z.array(z.strictObject({ rule: z.string(), level: z.enum(LEVELS) }).readonly()).readonly(),
    needs: z.array(needShape).readonly(),
  })
  .readonly();
export type StatedChange = z.infer<typeof changeShape>;

const statementShape = z
  .strictObject({
    _type: z.literal(TYPE),
    subject: z.array(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: sha256Field }) })),
    predicateType: z.literal(PREDICATE),
    predicate: z.strictObject({ decision: decisionShape, change: changeShape }).readonly(),
  })
  .readonly();
export type Statement = z.infer<typeof statementShape>['predicate'];

/** Returns what a statement says of the change that a preview makes; its rules are those that the reviewer is shown. */
export function statedChange(preview: Preview): StatedChange {
  const { files, caller, created_at, rules, needs = [] } = preview;
  const named = new Map(rules.map(({ rule, level }) => [rule, { rule, level }]));
  return {
    files: files.map(({ file, file_op, base_sha256, result_sha256, diff, base }) => ({
      file,
      ...(file_op === 'create' ? {} : { before_sha256: base_sha256 }),
      ...(file_op === 'delete' ? {} : { after_sha256: result_sha256 }),
      ...(holdsPlaceholder(base) || holdsPlaceholder(diff) ? { is_masked: true } : {}),
    })),
    caller,
    proposers: proposersOf(preview),
    requested_at: created_at,
    rules: [...named.values()],
    needs,
  };
}

/** True if a statement is about what the preview makes of its files. The rules and needs may have been edited since. */
export function isAbout(change: StatedChange, preview: Preview): boolean {
  const { rules, needs } = change;
  return canonicalJson({ ...statedChange(preview), rules, needs }) === canonicalJson(change);
}

/** Encodes a statement as canonical JSON. */
function encodeStatement(decision: Decision, change: StatedChange): string {
  const subject = subjectOf(change);
  return canonicalJson({ _type: TYPE, subject, predicateType: PREDICATE, predicate: { decision, change } });
}

/** Decodes a statement; undefined for a text that this program did not write to the byte. */
function decodeStatement(text: string): Statement | undefined {
  const { predicate } = statementShape.safeParse(parsedJson(text)).data ?? {};
  if (predicate === undefined) return undefined;
  return encodeStatement(predicate.decision, predicate.change) === text ? predicate : undefined;
}

/** Returns the files with their digests: the text after the change, or before it where it deletes the file. */
function subjectOf({ files }: StatedChange) {
  return files.map(({ file, before_sha256, after_sha256 = before_sha256 }) => ({
    name: file,
    digest: { sha256: after_sha256 },
  }));
}

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
function verifiedStatement(value: unknown, reviewers: readonly Reviewer[]): Statement | undefined {
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

/**
 * The portable record of an approval: the signed decisions of all reviewers whose approval a change needed, one envelope a line.
 * It proves itself by the reviewers' public keys, without the server and its state. It does not prove that the change was
 * applied, nor that no reviewer rejected it.
 */
export interface ApprovalRecord {
  readonly approvals: readonly Decision[];
  readonly change: StatedChange;
}

/** Verifies a record. Returns the approvals, or a text that says why the record is not genuine. */
export function verifiedRecord(text: string, reviewers: readonly Reviewer[]): ApprovalRecord | string {
  if (!text.endsWith('\n')) return 'its last line has no end';
  const statements = [];
  for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
    const statement = verifiedStatement(parseCanonical(line), reviewers);
    if (statement === undefined) return `line ${index + 1} is not what a listed reviewer has signed`;
    statements.push(statement);
  }
  const [first] = statements;
  if (first === undefined) return 'it is empty';
  const { change } = first;
  const approvals = statements.map(({ decision }) => decision);
  if (approvals.some(({ decision }) => decision !== 'approve'))
    return 'it holds a decision that is no approval';
  // One reviewer could sign other files, rules or needs beside the id that the others have approved.
  if (countOf(statements.map((one) => [one.decision.preview, one.change])) !== 1)
    return 'its lines differ in what was approved: the preview, its files, the rules, or who has to approve';
  const trails = approvals.map(({ trail }) => trail);
  if (countOf(trails) !== countOf(trails.map(({ seq }) => seq)))
    return 'its lines are from different audit trails';
  const approvedBy = approvals.map(({ reviewer }) => reviewer);
  if (new Set(approvedBy).size !== approvedBy.length) return 'a reviewer is in it twice';
  const proposers = proposersOf(change);
  const listed = reviewers.filter((reviewer) => mayApprove(reviewer, proposers)).map(({ name }) => name);
  if (!approvedBy.every((name) => listed.includes(name))) return 'a reviewer has approved their own change';
  const statuses = statusOfNeeds(change.needs, { approvedBy, listed, proposers });
  if (!statuses.every(isMet)) return `approvals are missing: ${progressText(statuses)}`;
  return { approvals, change };
}

/** Returns the number of different values. */
function countOf(values: readonly unknown[]): number {
  return new Set(values.map(canonicalJson)).size;
}
