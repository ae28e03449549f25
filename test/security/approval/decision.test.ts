// What a reviewer's signature is over, and all that makes a text no decision of a reviewer's.
import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signDecision, verifiedDecision } from '../../../src/security/approval/decision.ts';
import type { Reviewer } from '../../../src/security/approval/reviewers.ts';
import { canonicalJson, type Decision, makeReviewerKey } from '../../../src/security/index.ts';
import { AT, CHANGE_ID, OTHER_ID as PART } from './ground.ts';

const [ann, bob] = [makeReviewerKey('ann').key, makeReviewerKey('bob').key];
const reviewers: readonly Reviewer[] = [
  { name: 'ann', id: ann.id, publicKey: createPublicKey(ann.privateKey) },
  { name: 'bob', id: bob.id, publicKey: createPublicKey(bob.privateKey) },
];

const TRAIL = { seq: 7, sha256: 'a'.repeat(64) };
const YES: Decision = {
  ...{ v: 1, preview: CHANGE_ID, decision: 'approve', reviewer: 'ann', at: AT },
  trail: TRAIL,
};
const DOMAIN = 'config-airlock decision v3\n';

/** As somebody could make it who has ann's key, and another program. */
function signed(decision: object, domain = DOMAIN): unknown {
  const bytes = Buffer.from(domain + canonicalJson(decision));
  const signature = sign(null, bytes, ann?.privateKey ?? '').toString('base64');
  // As it comes out of a record.
  return JSON.parse(canonicalJson({ decision, key: ann?.id, signature }));
}

describe('a decision', () => {
  it('is signed with the name of what it is, and all that it says', () => {
    const { decision, key, signature } = signDecision(YES, ann);
    expect([decision, key]).toEqual([YES, ann.id]);
    const bytes = Buffer.from(
      `config-airlock decision v3\n{"at":"${AT}","decision":"approve","preview":"${CHANGE_ID}","reviewer":"ann","trail":{"seq":7,"sha256":"${TRAIL.sha256}"},"v":1}`,
    );
    expect(verify(null, bytes, createPublicKey(ann.privateKey), Buffer.from(signature, 'base64'))).toBe(true);
    expect(signed(YES)).toEqual({ decision, key, signature });
  });

  it.each<{ why: string; more: Partial<Decision> }>([
    { why: 'a yes', more: {} },
    { why: 'a no', more: { decision: 'reject' } },
    { why: 'a part', more: { decision: 'part', part: PART } },
    { why: 'a note', more: { note: 'n'.repeat(500) } },
    { why: 'an empty note', more: { note: '' } },
  ])('is verified as it was signed: $why', ({ more }) => {
    const made = signDecision({ ...YES, ...more }, ann);
    expect(verifiedDecision(made, reviewers)).toStrictEqual(made.decision);
  });

  it('counts for whoever on the list has signed it, and nobody else', () => {
    const made = signDecision({ ...YES, reviewer: 'bob' }, bob);
    expect(verifiedDecision(made, reviewers)).toStrictEqual(made.decision);
    expect(verifiedDecision(made, reviewers.slice(0, 1))).toBeUndefined();
    expect(verifiedDecision(made, [])).toBeUndefined();
    expect(verifiedDecision({ ...made, key: ann.id }, reviewers)).toBeUndefined();
    // In another's name.
    expect(verifiedDecision(signDecision(YES, bob), reviewers)).toBeUndefined();
  });

  it('is none under the words of another program', () => {
    expect(verifiedDecision(signed(YES), reviewers)).toStrictEqual(YES);
    for (const domain of ['', 'config-airlock decision v2\n'])
      expect(verifiedDecision(signed(YES, domain), reviewers)).toBeUndefined();
  });

  it.each<{ why: string; more: object }>([
    { why: 'a part that it does not name', more: { decision: 'part' } },
    { why: 'a part that is the whole', more: { decision: 'part', part: CHANGE_ID } },
    { why: 'a part beside a yes', more: { part: PART } },
    { why: 'a part beside a no', more: { decision: 'reject', part: PART } },
    { why: 'a note that is too long', more: { note: 'n'.repeat(501) } },
  ])('is neither signed nor read with $why', ({ more }) => {
    expect(() => signDecision({ ...YES, ...more }, ann)).toThrow('a decision names a part');
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
    const { decision, key, signature } = signDecision(YES, ann);
    const form = (more: object) => ({ decision, key, signature, ...more });
    expect(verifiedDecision(form({}), reviewers)).toStrictEqual(YES);
    const others = [
      ...[`\n${signature}`, `${signature}\n`, signature.slice(0, -2), '', 1].map((other) => ({
        signature: other,
      })),
      ...[{ key: `${key}x` }, { key: 1 }, { more: 1 }, { decision: undefined }, { decision: [] }],
    ];
    for (const other of others) expect(verifiedDecision(form(other), reviewers)).toBeUndefined();
    for (const other of [undefined, null, [], 7, canonicalJson(form({}))])
      expect(verifiedDecision(other, reviewers)).toBeUndefined();
  });
});
