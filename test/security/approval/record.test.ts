// The portable record of an approval, as `verify-record` reads it: it holds with the public keys alone, and none of more than 40
// kinds of tampering with it does.
import { expect, it } from 'vitest';
import type { StatedChange } from '../../../src/security/approval/statement.ts';
import { canonicalJson } from '../../../src/state/canonical.ts';
import { person } from '../../harness/previews.ts';
import { runCommand } from '../../harness/run-command.ts';
import { STATED } from '../../harness/signed.ts';
import { place } from '../fixture.ts';

const KEYS = { ann: person('ann'), bob: person('bob'), eve: person('eve') };
const AT = '2026-11-21T12:00:00.000Z';
const [CHANGE_ID, OTHER_ID] = ['a'.repeat(52), 'b'.repeat(52)];

/** Two have to sign, and the one who proposed it does not count. */
const CHANGE = { ...STATED, needs: [{ rule: 'images', count: 2 }] };

function lineOf(
  name: keyof typeof KEYS,
  more: Partial<Parameters<typeof KEYS.ann.sign>[0]> = {},
  change: StatedChange = CHANGE,
  key = KEYS[name],
  trail = { seq: 7, sha256: 'a'.repeat(64) },
): string {
  const said = { preview: CHANGE_ID, reviewer: name, at: AT, ...more };
  return `${canonicalJson(key.sign(said, trail, change))}\n`;
}

/** Bob's line, which says something else about the change that ann has approved. */
const bobSays = (other: Partial<StatedChange>) => lineOf('bob', {}, { ...CHANGE, ...other });

const [ANN, BOB] = [lineOf('ann'), lineOf('bob')];
const RECORD = ANN + BOB;

/** The record with another payload in ann's envelope, which keeps her signature. */
function withPayload(edit: (text: string) => string): string {
  const envelope = JSON.parse(ANN);
  const payload = Buffer.from(edit(Buffer.from(envelope.payload, 'base64').toString())).toString('base64');
  return `${canonicalJson({ ...envelope, payload })}\n${BOB}`;
}

const replacing = (from: string, to: string) => withPayload((text) => text.replaceAll(from, to));
const edited = (edit: (envelope: Record<string, unknown>) => object) =>
  `${canonicalJson(edit(JSON.parse(ANN)))}\n${BOB}`;

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Ann's envelope, of a length that leaves bits over at the end of its base64: they are none of the bytes that she signed. */
function respelled(): string {
  for (const note of ['', 'n', 'nn']) {
    const { payload, ...rest } = JSON.parse(lineOf('ann', { note }));
    const end = /([A-Za-z0-9+/])=+$/u.exec(payload);
    if (end === null) continue;
    const other = BASE64[BASE64.indexOf(end[1] ?? '') + 1];
    const spelled = payload.slice(0, end.index) + other + payload.slice(end.index + 1);
    return `${canonicalJson({ ...rest, payload: spelled })}\n${BOB}`;
  }
  throw new Error('one of three lengths leaves bits over');
}

const REVIEWERS = `${KEYS.ann.line}\n${KEYS.bob.line}\n`;

async function verify(text: string, reviewers = REVIEWERS) {
  const { write } = place();
  const record = write('record', text);
  const args = ['verify-record', record, '--reviewers', write('reviewers', reviewers, 0o600)];
  const { status, stdout, stderr } = await runCommand(args);
  return { status, said: stdout + stderr };
}

it('a record says who approved what, in any order [APR-16]', async () => {
  for (const text of [RECORD, BOB + ANN]) {
    const { status, said } = await verify(text);
    expect([status, said]).toEqual([0, expect.stringMatching(/^The record holds\./u)]);
    for (const name of ['ann', 'bob']) expect(said).toContain(`Approved by ${name}`);
  }
});

const SEVERAL = 'its lines differ in what was approved';
const OTHER_FILES = [{ file: 'b.yaml', after_sha256: '4'.repeat(64) }];
const CALLED_BY_ANN = { name: 'test', version: '1', principal: 'ann' };

/** What one dishonest reviewer of two may say about the change that the other has approved. */
const DIFFERENT: readonly { why: string; other: Partial<StatedChange> }[] = [
  { why: 'other files', other: { files: OTHER_FILES } },
  { why: 'one file more', other: { files: [...STATED.files, ...OTHER_FILES] } },
  { why: 'no files', other: { files: [] } },
  { why: 'masked values', other: { files: STATED.files.map((file) => ({ ...file, is_masked: true })) } },
  { why: 'another caller', other: { caller: CALLED_BY_ANN } },
  { why: 'other proposers', other: { proposers: ['eve'] } },
  { why: 'another time', other: { requested_at: AT.replace('12', '13') } },
  { why: 'other rules', other: { rules: [{ rule: 'images', level: 'human' }] } },
  { why: 'needs of nobody', other: { needs: [] } },
  { why: 'needs of fewer', other: { needs: [{ rule: 'images', count: 1 }] } },
  { why: 'needs of another rule', other: { needs: [{ rule: 'other', count: 2 }] } },
  { why: 'needs of others', other: { needs: [{ rule: 'images', count: 2, approvers: ['ann', 'bob'] }] } },
  { why: 'needs of bob', other: { needs: [...CHANGE.needs, { rule: 'b', count: 1, approvers: ['bob'] }] } },
];

it.each<{ why: string; text: string; says?: string; by?: string }>([
  { why: 'another digest of a file', text: replacing('2'.repeat(64), '4'.repeat(64)) },
  { why: 'another file', text: replacing('a.yaml', 'b.yaml') },
  { why: 'another rule', text: replacing('"images"', '"other"') },
  { why: 'fewer approvals needed', text: replacing('"count":2', '"count":1') },
  { why: 'another proposer', text: replacing('"proposers":[]', '"proposers":["eve"]') },
  { why: 'another time', text: replacing(AT, AT.replace('2026', '2027')) },
  { why: 'another end of the trail', text: replacing('"seq":7', '"seq":8') },
  { why: 'another preview', text: replacing(CHANGE_ID, OTHER_ID) },
  { why: 'another reviewer', text: replacing('"ann"', '"bob"') },
  { why: 'another predicate', text: replacing('/approval/v1', '/other/v1') },
  { why: 'a space in what was signed', text: withPayload((text) => text.replace('{', '{ ')) },
  { why: 'another key id', text: edited((one) => ({ ...one, signatures: JSON.parse(BOB).signatures })) },
  { why: 'a signature of somebody else', text: lineOf('ann', {}, CHANGE, KEYS.eve) + BOB },
  { why: 'a signature in the name of another', text: lineOf('bob', {}, CHANGE, KEYS.ann) + BOB },
  { why: 'a reviewer who is not listed', text: lineOf('eve') + BOB },
  { why: 'a reviewer who was taken off the list', text: RECORD, by: `${KEYS.bob.line}\n` },
  { why: 'another type of payload', text: edited((one) => ({ ...one, payloadType: 'application/json' })) },
  { why: 'an envelope with a field more', text: edited((one) => ({ ...one, more: 1 })) },
  { why: 'an envelope without a signature', text: edited((one) => ({ ...one, signatures: [] })) },
  { why: 'an envelope with a repeated key', text: RECORD.replace('{', '{"payload":"e30=",') },
  { why: 'an envelope in another form', text: RECORD.replace('{', '{ ') },
  { why: 'another spelling of base64', text: edited((one) => ({ ...one, payload: `${one['payload']}=` })) },
  { why: 'other bits at the end of base64', text: respelled() },
  {
    why: 'an approval of whom the reviewers file maps to the proposer',
    text: lineOf('ann', {}, { ...CHANGE, needs: [], proposers: ['ann@example.org'] }),
    says: 'a reviewer has approved their own change',
    by: `${KEYS.ann.line} principal=ann@example.org\n`,
  },
  { why: 'nothing', text: '' },
  { why: 'an empty line', text: `${RECORD}\n` },
  { why: 'the end cut off', text: RECORD.slice(0, -1), says: 'its last line has no end' },
  { why: 'a line cut off', text: ANN, says: 'approvals are missing' },
  { why: 'a line twice', text: ANN + ANN, says: 'a reviewer is in it twice' },
  { why: 'a rejection', text: ANN + lineOf('bob', { decision: 'reject' }), says: 'that is no approval' },
  {
    why: 'an approval of another change',
    text: ANN + lineOf('bob', { preview: OTHER_ID }),
    says: SEVERAL,
  },
  ...DIFFERENT.flatMap(({ why, other }) => [
    { why: `a second signature over ${why}`, text: ANN + bobSays(other), says: SEVERAL },
    { why: `a first signature over ${why}`, text: bobSays(other) + ANN, says: SEVERAL },
  ]),
  {
    why: 'a second signature over another trail',
    text: ANN + lineOf('bob', {}, CHANGE, KEYS.bob, { seq: 7, sha256: 'b'.repeat(64) }),
    says: 'its lines are from different audit trails',
  },
  {
    why: 'fewer approvals than all were shown',
    text: lineOf('ann', {}, { ...CHANGE, needs: [{ rule: 'images', count: 3 }] }),
    says: 'approvals are missing',
  },
  {
    why: 'an approval of a proposer',
    text: (['ann', 'bob'] as const).map((n) => lineOf(n, {}, { ...CHANGE, proposers: ['ann'] })).join(''),
    says: 'approvals are missing',
  },
  {
    why: 'an approval of the caller',
    text: lineOf('ann', {}, { ...STATED, needs: [{ rule: 'images', count: 1 }], caller: CALLED_BY_ANN }),
    says: 'approvals are missing',
  },
  {
    why: 'an approval of whom the reviewers file maps to the caller',
    text: lineOf('ann', {}, { ...STATED, caller: CALLED_BY_ANN }),
    says: 'a reviewer has approved their own change',
    by: `${KEYS.ann.line} principal=ann\n`,
  },
])('a record does not hold with $why [APR-16]', async ({ text, says = '', by = REVIEWERS }) => {
  const { status, said } = await verify(text, by);
  expect([status, said]).toEqual([1, expect.stringContaining('does not hold')]);
  expect(said).toContain(says);
});
