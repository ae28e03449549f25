// What a reviewer's signature is over, and all that makes a text no decision of a reviewer's.
import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signDecision, verifiedDecision } from '../../../src/security/approval/decision.ts';
import type { Reviewer } from '../../../src/security/approval/reviewers.ts';
import { canonicalJson, type Decision, makeReviewerKey } from '../../../src/security/index.ts';
import { decisionIn, STATED, statementIn } from '../../harness/signed.ts';
import { AT, CHANGE_ID, OTHER_ID as PART } from './ground.ts';

const [ann, bob] = [makeReviewerKey('ann').key, makeReviewerKey('bob').key];
const reviewers: readonly Reviewer[] = [
  { name: 'ann', id: ann.id, publicKey: createPublicKey(ann.privateKey), principals: [] },
  { name: 'bob', id: bob.id, publicKey: createPublicKey(bob.privateKey), principals: [] },
];

const TRAIL = { seq: 7, sha256: 'a'.repeat(64) };
const YES: Decision = {
  ...{ v: 1, preview: CHANGE_ID, decision: 'approve', reviewer: 'ann', at: AT },
  trail: TRAIL,
};
const TYPE = 'application/vnd.in-toto+json';
const PREDICATE = 'https://github.com/config-airlock/config-airlock/approval/v1';

const statement = (decision: object, more: object = {}) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'a.yaml', digest: { sha256: '2'.repeat(64) } }],
  predicateType: PREDICATE,
  predicate: { decision, change: STATED },
  ...more,
});

/** As somebody could make it who has ann's key, and another program. */
function signedText(payload: string, type = TYPE): unknown {
  const bytes = Buffer.from(payload);
  const encoded = Buffer.from(`DSSEv1 ${type.length} ${type} ${bytes.length} ${payload}`);
  const sig = sign(null, encoded, ann.privateKey).toString('base64');
  const envelope = {
    payload: bytes.toString('base64'),
    payloadType: TYPE,
    signatures: [{ keyid: ann.id, sig }],
  };
  // As it comes out of a record.
  return JSON.parse(canonicalJson(envelope));
}

const signed = (decision: object, more?: object) => signedText(canonicalJson(statement(decision, more)));

describe('a decision', () => {
  it('is an in-toto statement in a DSSE envelope', () => {
    const made = signDecision(YES, STATED, ann);
    expect(signed(YES)).toEqual(made);
    expect(statementIn(made)).toEqual(statement(YES));
    const bytes = Buffer.from(made.payload, 'base64');
    const encoded = Buffer.concat([Buffer.from(`DSSEv1 28 ${TYPE} ${bytes.length} `), bytes]);
    const [{ keyid, sig }] = made.signatures;
    expect(keyid).toBe(ann.id);
    expect(verify(null, encoded, createPublicKey(ann.privateKey), Buffer.from(sig, 'base64'))).toBe(true);
  });

  it.each<{ why: string; more: Partial<Decision> }>([
    { why: 'a yes', more: {} },
    { why: 'a no', more: { decision: 'reject' } },
    { why: 'a part', more: { decision: 'part', part: PART } },
    { why: 'a note', more: { note: 'n'.repeat(500) } },
    { why: 'an empty note', more: { note: '' } },
  ])('is verified as it was signed: $why', ({ more }) => {
    const made = signDecision({ ...YES, ...more }, STATED, ann);
    expect(verifiedDecision(made, reviewers)).toStrictEqual(decisionIn(made));
  });

  it('counts for whoever on the list has signed it, and nobody else', () => {
    const made = signDecision({ ...YES, reviewer: 'bob' }, STATED, bob);
    expect(verifiedDecision(made, reviewers)).toStrictEqual(decisionIn(made));
    expect(verifiedDecision(made, reviewers.slice(0, 1))).toBeUndefined();
    expect(verifiedDecision(made, [])).toBeUndefined();
    const [{ sig }] = made.signatures;
    expect(verifiedDecision({ ...made, signatures: [{ keyid: ann.id, sig }] }, reviewers)).toBeUndefined();
    // In another's name.
    expect(verifiedDecision(signDecision(YES, STATED, bob), reviewers)).toBeUndefined();
  });

  it('is none under the words of another program', () => {
    expect(verifiedDecision(signed(YES), reviewers)).toStrictEqual(YES);
    const text = canonicalJson(statement(YES));
    for (const type of ['', 'application/json', `${TYPE} `])
      expect(verifiedDecision(signedText(text, type), reviewers)).toBeUndefined();
    const others = [
      ...[
        { predicateType: 'https://slsa.dev/provenance/v1' },
        { _type: 'https://in-toto.io/Statement/v0.1' },
      ],
      ...[
        { subject: [] },
        { subject: [{ name: 'b.yaml', digest: { sha256: '2'.repeat(64) } }] },
        { more: 1 },
      ],
    ];
    for (const more of others) expect(verifiedDecision(signed(YES, more), reviewers)).toBeUndefined();
    for (const other of [
      ` ${text}`,
      text.replace('{', '{"more":1,'),
      text.replace('{', '{"predicate":1,'),
      '',
    ])
      expect(verifiedDecision(signedText(other), reviewers)).toBeUndefined();
  });

  it.each<{ why: string; more: object }>([
    { why: 'a part that it does not name', more: { decision: 'part' } },
    { why: 'a part that is the whole', more: { decision: 'part', part: CHANGE_ID } },
    { why: 'a part beside a yes', more: { part: PART } },
    { why: 'a part beside a no', more: { decision: 'reject', part: PART } },
    { why: 'a note that is too long', more: { note: 'n'.repeat(501) } },
  ])('is neither signed nor read with $why', ({ more }) => {
    expect(() => signDecision({ ...YES, ...more }, STATED, ann)).toThrow('a decision names a part');
    expect(verifiedDecision(signed({ ...YES, ...more }), reviewers)).toBeUndefined();
  });

  it.each<{ why: string; more: object }>([
    { why: 'a preview that is no id', more: { preview: 'A' } },
    { why: 'a part that is no id', more: { decision: 'part', part: 'B' } },
    { why: 'another version', more: { v: 2 } },
    { why: 'another word', more: { decision: 'maybe' } },
    { why: 'a note that is no text', more: { note: null } },
    { why: 'no reviewer', more: { reviewer: undefined } },
    { why: 'no time', more: { at: 'now' } },
    { why: 'no place', more: { trail: undefined } },
    { why: 'a place that is none', more: { trail: { seq: -1, sha256: TRAIL.sha256 } } },
    { why: 'a place behind no record', more: { trail: { seq: 7, sha256: 'a' } } },
    { why: 'a place that says more', more: { trail: { ...TRAIL, file: 1 } } },
    { why: 'a field that it does not have', more: { by: 'ann' } },
  ])('is not read with $why, though it is signed', ({ more }) => {
    expect(verifiedDecision(signed({ ...YES, ...more }), reviewers)).toBeUndefined();
  });

  it('has one form', () => {
    const made = signDecision(YES, STATED, ann);
    const [{ keyid, sig }] = made.signatures;
    const form = (more: object) => ({ ...made, ...more });
    expect(verifiedDecision(form({}), reviewers)).toStrictEqual(YES);
    const signatures = [
      ...[`\n${sig}`, `${sig}\n`, sig.slice(0, -2), '', 1].map((other) => [{ keyid, sig: other }]),
      ...[
        [],
        [
          { keyid, sig },
          { keyid, sig },
        ],
        [{ keyid: `${keyid}x`, sig }],
        [{ keyid: 1, sig }],
        [{ sig }],
      ],
      ...[[{ keyid, sig, more: 1 }], { keyid, sig }],
    ];
    const others = [
      ...signatures.map((one) => ({ signatures: one })),
      ...[{ payloadType: 'application/json' }, { more: 1 }, { payload: undefined }, { payload: '' }],
      ...[`${made.payload}\n`, made.payload.slice(0, -1), `${made.payload}=`].map((payload) => ({ payload })),
    ];
    for (const other of others) expect(verifiedDecision(form(other), reviewers)).toBeUndefined();
    for (const other of [undefined, null, [], 7, canonicalJson(form({}))])
      expect(verifiedDecision(other, reviewers)).toBeUndefined();
  });
});
