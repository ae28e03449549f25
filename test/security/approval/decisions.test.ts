// What several reviewers' decisions come to, and that one counts only as it was signed, at the place of the trail that it
// was signed for, and as the last of its reviewer.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeReviewerKey } from '../../../src/security/index.ts';
import { NOT_WHOLE, toldBy } from '../audit/ground.ts';
import { CHANGE_ID as PLAN } from '../store/ground.ts';
import { reviewing } from './reviewing.ts';

const [OTHER, PART, PART_2] = ['B'.repeat(43), 'C'.repeat(43), 'D'.repeat(43)];
const CALLER = { name: 'test', version: '1' };
const EDIT = { origin: { kind: 'edit' }, caller: CALLER } as const;
const [PENDING, BY_ANN] = [{ state: 'pending' }, { state: 'approved', reviewer: 'ann' }];

describe('all that was decided comes to', () => {
  it('a yes, whoever else has said nothing, and nothing before that', () => {
    const { decisions, say, events } = reviewing();
    say('approve', OTHER);
    expect(decisions.status(PLAN, EDIT)).toEqual(PENDING);
    const signed = [say('approve', PLAN, { by: 'bob' })];
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'bob' });
    signed.unshift(say('approve', PLAN));
    expect(decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    expect(decisions.of(PLAN)).toEqual(signed.map((made) => made?.decision));
    expect(decisions.of(PART)).toEqual([]);
    expect([...events('error'), ...events('warn')]).toEqual([]);
  });

  it('a no, whoever says yes before or after it [APR-5]', () => {
    const { decisions, say } = reviewing();
    say('approve', PLAN);
    say('reject', PLAN, { by: 'bob', note: 'why' });
    const no = { state: 'rejected', reviewer: 'bob', note: 'why' };
    expect(decisions.status(PLAN, EDIT)).toEqual(no);
    say('part', PLAN, { part: PART });
    expect(decisions.status(PLAN, EDIT)).toEqual(no);
    say('approve', PLAN, { by: 'bob' });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'rejected', reviewer: 'bob' });
  });

  it('a no whoever signed it, or nobody, or was taken off the list [APR-5]', () => {
    const { decisions, say, list, bob } = reviewing();
    say('approve', PLAN);
    say('reject', PLAN, { isSigned: false });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'rejected', reviewer: 'ann' });
    say('approve', OTHER, { by: 'bob' });
    say('reject', OTHER, { key: bob });
    expect(decisions.status(OTHER, EDIT)).toEqual({ state: 'rejected', reviewer: 'ann' });
    say('reject', PART, { by: 'bob', note: 'x' });
    list('ann');
    expect(decisions.status(PART, EDIT)).toEqual({ state: 'rejected', reviewer: 'bob' });
  });

  it('a no to the parts of what was rejected, and to those only', () => {
    const { decisions, say } = reviewing();
    const origin = { origin: { kind: 'part', of: PLAN, kept: [0] }, caller: CALLER } as const;
    say('approve', PART);
    say('part', PLAN, { part: PART });
    expect(decisions.status(PART, origin)).toEqual(BY_ANN);
    say('reject', PLAN, { by: 'bob', note: 'no' });
    expect(decisions.status(PART, origin)).toEqual({ state: 'rejected', reviewer: 'bob', note: 'no' });
    expect(decisions.status(PART, EDIT)).toEqual(BY_ANN);
    expect(decisions.status(PART, { ...EDIT, origin: { kind: 'revert', change_id: PLAN } }).state).toBe(
      'approved',
    );
  });

  it('the parts that each kept, once, though somebody approved the whole', () => {
    const { decisions, say, list } = reviewing();
    const inParts = (...parts: readonly string[]) =>
      expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'part', parts });
    say('part', PLAN, { part: PART });
    say('approve', PLAN, { by: 'bob' });
    inParts(PART);
    say('part', PLAN, { part: PART, by: 'bob' });
    inParts(PART);
    say('part', PLAN, { part: PART_2, by: 'bob' });
    inParts(PART, PART_2);
    list('bob');
    inParts(PART_2);
    list();
    expect([decisions.status(PLAN, EDIT), decisions.hasReviewers]).toEqual([PENDING, false]);
  });
});

describe('a decision', () => {
  type Ground = ReturnType<typeof reviewing>;
  const nowhere = { seq: 7, sha256: 'a'.repeat(64) };

  it.each<{ why: string; forge: (ground: Ground) => void }>([
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
      forge: ({ say, record }) => {
        const no = say('reject', OTHER);
        record('approve', PLAN, { ...no, decision: { ...no?.decision, decision: 'approve', preview: PLAN } });
      },
    },
    {
      why: 'that ann made, and gave up, and that somebody records again',
      forge: ({ say, record }) => {
        const older = say('approve', PLAN);
        say('part', PLAN, { part: PART });
        record('approve', PLAN, older);
      },
    },
    { why: 'that is none', forge: ({ record }) => record('approve', PLAN, 'yes') },
    { why: 'that is nothing', forge: ({ record }) => record('approve', PLAN, null) },
    {
      why: 'of another trail, at the same place',
      forge: ({ record }) => {
        const another = reviewing();
        record('approve', PLAN, another.say('approve', PLAN, { key: another.ann }));
      },
    },
  ])('$why is none, and those before it and of others do not count either [APR-5]', ({ forge }) => {
    const ground = reviewing();
    const { decisions, say, events, list } = ground;
    say('approve', PLAN);
    say('approve', PLAN, { by: 'bob' });
    expect(decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    forge(ground);
    expect(decisions.status(PLAN, EDIT)).toEqual(PENDING);
    expect(events('warn')).toEqual(['decision_not_genuine']);
    expect(decisions.of(PLAN).map(({ reviewer }) => reviewer)).toEqual(['bob']);
    // It does not count for whoever is not on the list, nor against anybody.
    list('bob');
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'bob' });
    list('ann', 'bob');
    say('approve', PLAN);
    expect(decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
  });

  it('without a signature changes nothing but by a no', () => {
    const { decisions, say, events } = reviewing();
    say('approve', PLAN, { isSigned: false });
    expect(decisions.status(PLAN, EDIT)).toEqual(PENDING);
    say('approve', PLAN);
    say('part', PLAN, { part: PART, isSigned: false });
    expect(decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    expect(events('warn')).toEqual([]);
  });

  it('counts behind a checkpoint, and as the first record of a file, as it did before', () => {
    const { decisions, decisionsIn, say, again, dir } = reviewing();
    const trail = again(1);
    say('approve', PLAN, { trail });
    say('approve', OTHER, { trail });
    say('part', PART, { trail, part: PART_2, by: 'bob' });
    expect(decisions.status(OTHER, EDIT)).toEqual(BY_ANN);
    for (const number of [1, 2]) rmSync(join(dir, `audit/audit-00000${number}.jsonl`));
    const start = decisionsIn(again());
    for (const preview of [PLAN, OTHER]) expect(start.status(preview, EDIT)).toEqual(BY_ANN);
    expect(start.status(PART, EDIT)).toEqual({ state: 'part', parts: [PART_2] });
    expect(start.of(PLAN)).toEqual(decisions.of(PLAN));
  });

  it('does not count in a trail that was put back and went on without it [APR-5]', () => {
    const { decisions, decisionsIn, say, record, trail, again, dir } = reviewing();
    trail.append(() => [{ action: 'propose' }]);
    const files = ['audit-000001.jsonl', 'head.json'].map((name) => join(dir, 'audit', name));
    const older = files.map((file) => readFileSync(file));
    const yes = say('approve', PLAN);
    expect(decisions.status(PLAN, EDIT)).toEqual(BY_ANN);
    for (const [index, file] of files.entries()) writeFileSync(file, older[index] ?? '');
    // Whoever has read more misses it.
    for (const ask of [() => decisions.of(PLAN), () => decisions.status(PLAN, EDIT)])
      expect(toldBy(ask)).toEqual(NOT_WHOLE);
    const putBack = again();
    putBack.append(() => [{ action: 'propose' }]);
    record('approve', PLAN, yes, putBack);
    expect(decisionsIn(putBack).status(PLAN, EDIT)).toEqual(PENDING);
  });
});

describe('a part', () => {
  it('is open until it is rejected or applied', () => {
    const { decisions, say, trail } = reviewing();
    expect(decisions.isOpenPart(PART)).toBe(true);
    say('approve', PART);
    expect(decisions.isOpenPart(PART)).toBe(true);
    say('reject', PART, { by: 'bob' });
    expect(decisions.isOpenPart(PART)).toBe(false);
    say('reject', PART_2, { isSigned: false });
    expect(decisions.isOpenPart(PART_2)).toBe(false);
    trail.append(() => [{ action: 'commit', outcome: 'applied', preview: OTHER, change_id: PLAN }]);
    expect(decisions.isOpenPart(OTHER)).toBe(false);
  });
});
