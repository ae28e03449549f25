// What several reviewers' decisions come to, and that one counts only as it was signed, at the place of the trail that it
// was signed for, and as the last of its reviewer.
import { describe, expect, it } from 'vitest';
import { canonicalJson, makeReviewerKey } from '../../../src/security/index.ts';
import { openSqliteStore } from '../../../src/state/index.ts';
import { decisionIn, statementIn } from '../../harness/signed.ts';
import { OTHER_ID as OTHER, PART_ID as PART, PART_2_ID as PART_2, CHANGE_ID as PLAN } from './ground.ts';
import { reviewing } from './reviewing.ts';

const CALLER = { name: 'test', version: '1' };
const EDIT = { origin: { kind: 'edit' }, caller: CALLER } as const;
const [PENDING, BY_ANN] = [{ state: 'pending' }, { state: 'approved', reviewer: 'ann' }];

describe('all that was decided comes to', () => {
  it('a yes, whoever else has said nothing, and nothing before that', async () => {
    const { decisions, say, events } = reviewing();
    await say('approve', OTHER);
    expect(await decisions.status(PLAN, EDIT)).toEqual(PENDING);
    const signed = [await say('approve', PLAN, { by: 'bob' })];
    expect(await decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'bob' });
    signed.unshift(await say('approve', PLAN));
    expect(await decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    expect(await decisions.genuineOf(PLAN)).toEqual(signed.map(decisionIn));
    expect(await decisions.genuineOf(PART)).toEqual([]);
    expect([...events('error'), ...events('warn')]).toEqual([]);
  });

  it('a no, whoever says yes before or after it [APR-5]', async () => {
    const { decisions, say } = reviewing();
    await say('approve', PLAN);
    await say('reject', PLAN, { by: 'bob', note: 'why' });
    const no = { state: 'rejected', reviewer: 'bob', note: 'why' };
    expect(await decisions.status(PLAN, EDIT)).toEqual(no);
    await say('part', PLAN, { part: PART });
    expect(await decisions.status(PLAN, EDIT)).toEqual(no);
    await say('approve', PLAN, { by: 'bob' });
    expect(await decisions.status(PLAN, EDIT)).toEqual({ state: 'rejected', reviewer: 'bob' });
  });

  it('a no whoever signed it, or nobody, or was taken off the list [APR-5]', async () => {
    const { decisions, say, list, bob } = reviewing();
    await say('approve', PLAN);
    await say('reject', PLAN, { isSigned: false });
    expect(await decisions.status(PLAN, EDIT)).toEqual({ state: 'rejected', reviewer: 'ann' });
    await say('approve', OTHER, { by: 'bob' });
    await say('reject', OTHER, { key: bob });
    expect(await decisions.status(OTHER, EDIT)).toEqual({ state: 'rejected', reviewer: 'ann' });
    await say('reject', PART, { by: 'bob', note: 'x' });
    list('ann');
    expect(await decisions.status(PART, EDIT)).toEqual({ state: 'rejected', reviewer: 'bob' });
  });

  it('a no to the parts of what was rejected, and to those only', async () => {
    const { decisions, say } = reviewing();
    const origin = { origin: { kind: 'part', of: PLAN, kept: [0] }, caller: CALLER } as const;
    await say('approve', PART);
    await say('part', PLAN, { part: PART });
    expect(await decisions.status(PART, origin)).toEqual(BY_ANN);
    await say('reject', PLAN, { by: 'bob', note: 'no' });
    expect(await decisions.status(PART, origin)).toEqual({ state: 'rejected', reviewer: 'bob', note: 'no' });
    expect(await decisions.status(PART, EDIT)).toEqual(BY_ANN);
    expect(await decisions.status(PART, { ...EDIT, origin: { kind: 'revert', change_id: PLAN } })).toEqual(
      BY_ANN,
    );
  });

  it('the parts that each kept, once, though somebody approved the whole', async () => {
    const { decisions, say, list } = reviewing();
    const inParts = async (...parts: readonly string[]) =>
      expect(await decisions.status(PLAN, EDIT)).toEqual({ state: 'part', parts });
    await say('part', PLAN, { part: PART });
    await say('approve', PLAN, { by: 'bob' });
    await inParts(PART);
    await say('part', PLAN, { part: PART, by: 'bob' });
    await inParts(PART);
    await say('part', PLAN, { part: PART_2, by: 'bob' });
    await inParts(PART, PART_2);
    list('bob');
    await inParts(PART_2);
    list();
    expect([await decisions.status(PLAN, EDIT), decisions.hasReviewers]).toEqual([PENDING, false]);
  });
});

describe('a decision', () => {
  type Ground = ReturnType<typeof reviewing>;
  const nowhere = { seq: 7, sha256: 'a'.repeat(64) };

  it.each<{ why: string; forge: (ground: Ground) => Promise<unknown> }>([
    { why: 'for another place', forge: ({ say }) => say('approve', PLAN, { place: () => nowhere }) },
    {
      why: 'for another record at this place',
      forge: ({ say }) => say('approve', PLAN, { place: ({ seq }) => ({ ...nowhere, seq }) }),
    },
    {
      why: 'for this record at another place',
      forge: ({ say }) => say('approve', PLAN, { place: (end) => ({ ...end, seq: end.seq - 1 }) }),
    },
    { why: 'with the key of another reviewer', forge: ({ say, bob }) => say('approve', PLAN, { key: bob }) },
    {
      why: 'with the key of nobody',
      forge: ({ say }) => say('approve', PLAN, { key: makeReviewerKey('ann').key }),
    },
    {
      why: 'of another preview, recorded for this one',
      forge: ({ say }) => say('approve', OTHER, { recorded: { preview: PLAN } }),
    },
    {
      why: 'of another reviewer, recorded for this one',
      forge: ({ say }) => say('approve', PLAN, { by: 'bob', recorded: { reviewer: 'ann' } }),
    },
    {
      why: 'for a part, recorded as one for the whole',
      forge: ({ say }) => say('part', PLAN, { part: PART, recorded: { action: 'approve' } }),
    },
    {
      why: 'for the whole, recorded as one for a part',
      forge: ({ say }) => say('approve', PLAN, { recorded: { action: 'part' } }),
    },
    {
      why: 'of which somebody changed a word',
      forge: async ({ say, record }) => {
        const no = await say('reject', OTHER);
        const statement = statementIn(no);
        const decision = { ...statement.predicate.decision, decision: 'approve', preview: PLAN };
        const forged = { ...statement, predicate: { ...statement.predicate, decision } };
        await record('approve', PLAN, {
          ...no,
          payload: Buffer.from(canonicalJson(forged)).toString('base64'),
        });
      },
    },
    {
      why: 'that ann made, and gave up, and that somebody records again',
      forge: async ({ say, record }) => {
        const older = await say('approve', PLAN);
        await say('part', PLAN, { part: PART });
        await record('approve', PLAN, older);
      },
    },
    { why: 'that is none', forge: ({ record }) => record('approve', PLAN, 'yes') },
    { why: 'that is nothing', forge: ({ record }) => record('approve', PLAN, null) },
    {
      why: 'of another trail, at the same place',
      forge: async ({ record }) => {
        const another = reviewing();
        await record('approve', PLAN, another.say('approve', PLAN, { key: another.ann }));
      },
    },
  ])('$why is none, and those before it and of others do not count either [APR-5]', async ({ forge }) => {
    const ground = reviewing();
    const { decisions, say, events, list } = ground;
    await say('approve', PLAN);
    await say('approve', PLAN, { by: 'bob' });
    expect(await decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    await forge(ground);
    expect(await decisions.status(PLAN, EDIT)).toEqual(PENDING);
    expect(events('warn')).toEqual(['decision_not_genuine']);
    expect((await decisions.genuineOf(PLAN)).map(({ reviewer }) => reviewer)).toEqual(['bob']);
    // It does not count for whoever is not on the list, nor against anybody.
    list('bob');
    expect(await decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'bob' });
    list('ann', 'bob');
    await say('approve', PLAN);
    expect(await decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
  });

  it('without a signature changes nothing but by a no', async () => {
    const { decisions, say, events } = reviewing();
    await say('approve', PLAN, { isSigned: false });
    expect(await decisions.status(PLAN, EDIT)).toEqual(PENDING);
    await say('approve', PLAN);
    await say('part', PLAN, { part: PART, isSigned: false });
    expect(await decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    expect(events('warn')).toEqual([]);
  });

  it('does not count in a state that was put back and went on without it [APR-5]', async () => {
    const { decisions, decisionsIn, say, record, append } = reviewing();
    const proposed = { action: 'propose', outcome: 'kept' } as const;
    await append(proposed);
    await append(proposed);
    const yes = await say('approve', PLAN);
    expect(await decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    const another = openSqliteStore({ file: ':memory:' });
    await append(proposed, another);
    await append({ ...proposed, request_id: 'another' }, another);
    await record('approve', PLAN, yes, another);
    expect(await decisionsIn(another).status(PLAN, EDIT)).toEqual(PENDING);
  });
});

describe('a part', () => {
  it('is open until it is rejected or applied', async () => {
    const { decisions, say, append } = reviewing();
    expect(await decisions.isOpenPart(PART)).toBe(true);
    await say('approve', PART);
    expect(await decisions.isOpenPart(PART)).toBe(true);
    await say('reject', PART, { by: 'bob' });
    expect(await decisions.isOpenPart(PART)).toBe(false);
    await say('reject', PART_2, { isSigned: false });
    expect(await decisions.isOpenPart(PART_2)).toBe(false);
    await append({ action: 'commit', outcome: 'intent', preview: OTHER, change_id: PLAN });
    expect(await decisions.isOpenPart(OTHER)).toBe(false);
  });
});
