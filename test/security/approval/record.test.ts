// The portable record of an approval: what it says, and more than 30 kinds of tampering with it, none of which verifies.
import { createPublicKey, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signDecision } from '../../../src/security/approval/decision.ts';
import { verifiedRecord } from '../../../src/security/approval/record.ts';
import type { Reviewer } from '../../../src/security/approval/reviewers.ts';
import {
  canonicalJson,
  type Decision,
  makeReviewerKey,
  type ReviewerKey,
} from '../../../src/security/index.ts';
import { STATED } from '../../harness/signed.ts';
import { AT, CHANGE_ID, OTHER_ID } from './ground.ts';

const KEYS = {
  ann: makeReviewerKey('ann').key,
  bob: makeReviewerKey('bob').key,
  eve: makeReviewerKey('eve').key,
};
const listed = (name: keyof typeof KEYS, ...principals: readonly string[]): Reviewer => ({
  name,
  id: KEYS[name].id,
  publicKey: createPublicKey(KEYS[name].privateKey),
  principals,
});
const REVIEWERS = [listed('ann'), listed('bob')];

/** Two have to sign, and the one who proposed it does not count. */
const CHANGE = { ...STATED, needs: [{ rule: 'images', count: 2 }] };

function lineOf(
  name: 'ann' | 'bob' | 'eve',
  more: Partial<Decision> = {},
  change = CHANGE,
  key?: ReviewerKey,
): string {
  const decision = { v: 1, preview: CHANGE_ID, decision: 'approve', reviewer: name, at: AT } as const;
  const trail = { seq: 7, sha256: 'a'.repeat(64) };
  return `${canonicalJson(signDecision({ ...decision, trail, ...more }, change, key ?? KEYS[name]))}\n`;
}

const [ANN, BOB] = [lineOf('ann'), lineOf('bob')];
const RECORD = ANN + BOB;

/** The record with another payload in ann's envelope, which keeps her signature. */
function withPayload(edit: (text: string) => string): string {
  const envelope = JSON.parse(ANN);
  const payload = Buffer.from(edit(Buffer.from(envelope.payload, 'base64').toString())).toString('base64');
  return `${canonicalJson({ ...envelope, payload })}\n${BOB}`;
}

const edited = (edit: (envelope: Record<string, unknown>) => object) =>
  `${canonicalJson(edit(JSON.parse(ANN)))}\n${BOB}`;

/** As a reviewer's key signs a text that another program has made. */
function signedAs(type: string, text: string): string {
  const bytes = Buffer.from(text);
  const sig = sign(
    null,
    Buffer.from(`DSSEv1 ${type.length} ${type} ${bytes.length} ${text}`),
    KEYS.ann.privateKey,
  );
  const signatures = [{ keyid: KEYS.ann.id, sig: sig.toString('base64') }];
  const payloadType = 'application/vnd.in-toto+json';
  return `${canonicalJson({ payload: bytes.toString('base64'), payloadType, signatures })}\n${BOB}`;
}

const PAYLOAD = Buffer.from(JSON.parse(ANN).payload, 'base64').toString();

describe('the record of an approval', () => {
  it('says who approved what, and needs nothing but the public keys', () => {
    const verified = verifiedRecord(RECORD, REVIEWERS);
    expect(verified).toMatchObject({ change: CHANGE, approvals: [{ reviewer: 'ann' }, { reviewer: 'bob' }] });
    expect(verifiedRecord(BOB + ANN, REVIEWERS)).toMatchObject({ change: CHANGE });
  });

  it.each<{ why: string; text: string; says?: string; by?: readonly Reviewer[] }>([
    {
      why: 'another digest of a file',
      text: withPayload((text) => text.replaceAll('2'.repeat(64), '4'.repeat(64))),
    },
    { why: 'another file', text: withPayload((text) => text.replaceAll('a.yaml', 'b.yaml')) },
    { why: 'another rule', text: withPayload((text) => text.replace('"images"', '"other"')) },
    { why: 'fewer approvals needed', text: withPayload((text) => text.replace('"count":2', '"count":1')) },
    {
      why: 'another proposer',
      text: withPayload((text) => text.replace('"proposers":[]', '"proposers":["eve"]')),
    },
    { why: 'another time', text: withPayload((text) => text.replaceAll(AT, AT.replace('2026', '2027'))) },
    { why: 'another end of the trail', text: withPayload((text) => text.replace('"seq":7', '"seq":8')) },
    { why: 'another preview', text: withPayload((text) => text.replace(CHANGE_ID, OTHER_ID)) },
    { why: 'another reviewer', text: withPayload((text) => text.replace('"ann"', '"bob"')) },
    { why: 'a space in what was signed', text: withPayload((text) => text.replace('{', '{ ')) },
    { why: 'another key id', text: edited((one) => ({ ...one, signatures: JSON.parse(BOB).signatures })) },
    { why: 'a signature of somebody else', text: lineOf('ann', {}, CHANGE, KEYS.eve) + BOB },
    { why: 'a signature in the name of another', text: lineOf('bob', {}, CHANGE, KEYS.ann) + BOB },
    { why: 'a reviewer who is not listed', text: lineOf('eve') + BOB },
    { why: 'a reviewer who was taken off the list', text: RECORD, by: REVIEWERS.slice(1) },
    { why: 'another type of payload', text: edited((one) => ({ ...one, payloadType: 'application/json' })) },
    { why: 'a signature over another type', text: signedAs('application/json', PAYLOAD) },
    {
      why: 'a statement of another predicate',
      text: signedAs('application/vnd.in-toto+json', PAYLOAD.replace('/approval/v1', '/other/v1')),
    },
    {
      why: 'a subject that the change does not have',
      text: signedAs('application/vnd.in-toto+json', PAYLOAD.replace(/"subject":\[.*?\]/u, '"subject":[]')),
    },
    { why: 'an envelope with a field more', text: edited((one) => ({ ...one, more: 1 })) },
    { why: 'an envelope without a signature', text: edited((one) => ({ ...one, signatures: [] })) },
    { why: 'an envelope with a repeated key', text: RECORD.replace('{', '{"payload":"e30=",') },
    { why: 'an envelope in another form', text: RECORD.replace('{', '{ ') },
    {
      why: 'a payload in another spelling of base64',
      text: edited((one) => ({ ...one, payload: `${one['payload']}=` })),
    },
    {
      why: 'an approval of whom the reviewers file maps to the proposer',
      text: lineOf('ann', {}, { ...CHANGE, needs: [], proposers: ['ann@example.org'] }),
      says: 'a reviewer has approved their own change',
      by: [listed('ann', 'ann@example.org')],
    },
    { why: 'nothing', text: '' },
    { why: 'an empty line', text: `${RECORD}\n` },
    { why: 'the end cut off', text: RECORD.slice(0, -1), says: 'its last line has no end' },
    {
      why: 'a line cut off',
      text: ANN,
      says: 'approvals are missing: 1 of 2 approvals (ann); needs one more of: bob',
    },
    { why: 'a line twice', text: ANN + ANN, says: 'a reviewer is in it twice' },
    {
      why: 'a rejection',
      text: ANN + lineOf('bob', { decision: 'reject' }),
      says: 'it holds a decision that is no approval',
    },
    {
      why: 'an approval of another change',
      text: ANN + lineOf('bob', { preview: OTHER_ID }),
      says: 'it is about several changes',
    },
    {
      why: 'the id of a change that the other has approved, and other files',
      text: lineOf('ann', {}, { ...CHANGE, files: [{ file: 'b.yaml', after_sha256: '4'.repeat(64) }] }) + BOB,
      says: 'it is about several changes',
    },
    {
      why: 'fewer approvals than the other was shown',
      text:
        lineOf('ann', {}, { ...CHANGE, needs: [] }) +
        lineOf('bob', {}, { ...CHANGE, needs: [{ rule: 'images', count: 3 }] }),
      says: 'approvals are missing: 2 of 3 approvals (ann, bob); there are not enough other reviewers whom the rule allows: the operator has to name more',
    },
    {
      why: 'an approval of the proposer',
      text:
        lineOf('ann', {}, { ...CHANGE, proposers: ['ann'] }) +
        lineOf('bob', {}, { ...CHANGE, proposers: ['ann'] }),
      says: 'approvals are missing: 1 of 2 approvals (bob); there are not enough other reviewers whom the rule allows: the operator has to name more',
    },
  ])('does not hold with $why', ({ text, says, by = REVIEWERS }) => {
    expect(text).not.toBe(by === REVIEWERS ? RECORD : '');
    const verified = verifiedRecord(text, by);
    expect(typeof verified).toBe('string');
    if (says !== undefined) expect(verified).toBe(says);
  });
});
