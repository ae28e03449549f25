// What the records come to: which changes were made or may have been, and who decided what about a preview; read from the
// start or from a checkpoint.

import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TrailFacts } from '../../../src/security/audit/facts.ts';
import { KEEPS_ALL } from '../store/ground.ts';
import { NOT_WHOLE, toldBy, trailGround } from './ground.ts';

const NOTHING = { decisions: new Map(), rejectedBy: undefined, changeId: undefined };
const change = (outcome: unknown, more = {}) => ({
  ...{ action: 'commit', preview: 'p', change_id: 'c' },
  ...{ outcome, ...more },
});
const of = (change_id: string, outcome: string, preview = 'p') => change(outcome, { change_id, preview });
const OPEN = { has: true, isOpen: true, changeId: 'c' };
const DONE = { has: true, isOpen: false, changeId: 'c' };
const NONE = { has: false, isOpen: false, changeId: undefined };

function readOf(...records: readonly object[]) {
  const { append, fromBoth } = trailGround();
  append(...records.map((record) => ({ ...record })));
  return fromBoth();
}

describe('a change', () => {
  it.each<{ why: string; records: object[]; is: object }>([
    { why: 'may have been made once it was begun', records: [change('intent')], is: OPEN },
    { why: 'was made', records: [change('intent'), change('applied')], is: DONE },
    { why: 'was made, whatever code that has', records: [change('applied', { code: 'X' })], is: DONE },
    { why: 'was begun again', records: [change('intent'), change('intent')], is: OPEN },
    { why: 'was made, and begun again', records: [change('applied'), change('intent')], is: DONE },
    { why: 'was rolled back', records: [change('intent'), change('rolled_back')], is: NONE },
    { why: 'was refused', records: [change('intent'), change('refused')], is: NONE },
    {
      why: 'failed, and everything is as it was',
      records: [change('intent'), change('failed', { code: 'NO_SPACE' })],
      is: NONE,
    },
    { why: 'ended nobody knows how', records: [change('intent'), change('unknown')], is: DONE },
    { why: 'was made: nothing undoes that', records: [change('applied'), change('rolled_back')], is: DONE },
    { why: 'was rolled back before it was begun', records: [change('rolled_back')], is: NONE },
    { why: 'was found after a crash', records: [change('applied', { action: 'recover' })], is: DONE },
    { why: 'is not made by its preview', records: [change('kept', { action: 'propose' })], is: NONE },
    { why: 'has no id', records: [change('applied', { change_id: undefined })], is: NONE },
    { why: 'has an id that is none', records: [change('applied', { change_id: ['c'] })], is: NONE },
    { why: 'has no outcome', records: [change(undefined)], is: NONE },
    { why: 'has an outcome that is none', records: [change(7)], is: NONE },
    {
      why: 'has no preview',
      records: [change('applied', { preview: undefined })],
      is: { ...DONE, changeId: undefined },
    },
    {
      why: 'has no preview, and was rolled back',
      records: [change('intent', { preview: undefined }), change('rolled_back', { preview: undefined })],
      is: NONE,
    },
    {
      why: 'has a preview, whatever is said of it later',
      records: [change('applied'), change('intent', { preview: undefined })],
      is: DONE,
    },
    { why: 'was made, whatever else is begun', records: [of('c', 'applied'), of('d', 'intent')], is: DONE },
    { why: 'was begun last', records: [of('d', 'intent'), of('c', 'intent')], is: OPEN },
    {
      why: 'was begun, and an earlier one rolled back',
      records: [of('d', 'intent'), of('c', 'intent'), of('d', 'rolled_back')],
      is: OPEN,
    },
    {
      why: 'was begun, and that of another preview rolled back',
      records: [of('c', 'intent'), of('d', 'intent', 'q'), of('d', 'rolled_back', 'q')],
      is: OPEN,
    },
  ])('$why', ({ records, is }) => {
    for (const trail of readOf(...records)) {
      const { changeId } = trail.statusOf('p');
      expect({ has: trail.hasChange('c'), isOpen: trail.isOpen('c'), changeId }).toEqual(is);
      expect([trail.hasChange('other'), trail.isOpen('other')]).toEqual([false, false]);
    }
  });

  it('is found as soon as another process has recorded it, and is known from then on', () => {
    const { append, again, file } = trailGround(1);
    const trail = again();
    expect(trail.hasChange('c')).toBe(false);
    append(change('intent'));
    expect(trail.isOpen('c')).toBe(false);
    expect(trail.hasChange('c')).toBe(true);
    expect(trail.isOpen('c')).toBe(true);
    rmSync(file());
    expect(trail.hasChange('c')).toBe(true);
    expect(toldBy(() => trail.hasChange('other'))).toEqual(NOT_WHOLE);
  });
});

describe('what was decided about a preview', () => {
  const by = (action: string, reviewer = 'ann', more = {}) => ({ action, reviewer, preview: 'p', ...more });
  const signed = (action: string, reviewer: string, text: string) =>
    by(action, reviewer, { signed: { text } });

  it('is the last decision of each reviewer, where it stands, and every "no"', () => {
    const { append, fromBoth } = trailGround();
    const ends = append(
      signed('approve', 'ann', '1'),
      signed('reject', 'bob', '2'),
      signed('part', 'ann', '3'),
      signed('approve', 'bob', '4'),
      // One for each file of it: the first has the signature.
      ...[signed('part', 'ann', '5'), by('part'), by('part')],
    );
    const behind = (index: number) => ({ seq: ends[index]?.seq, sha256: ends[index]?.sha256 });
    const [bob, ann] = [
      { action: 'approve', reviewer: 'bob', signed: { text: '4' }, after: behind(2) },
      { action: 'part', reviewer: 'ann', signed: { text: '5' }, after: behind(3) },
    ];
    for (const trail of fromBoth()) {
      const { decisions, ...rest } = trail.statusOf('p');
      expect([...decisions]).toEqual([
        ['bob', bob],
        ['ann', ann],
      ]);
      expect(rest).toEqual({ rejectedBy: 'bob', changeId: undefined });
      expect(trail.statusOf('q')).toEqual(NOTHING);
    }
  });

  it.each([
    { why: 'comes from nobody', record: by('approve', undefined, { reviewer: undefined }) },
    { why: 'comes from what is no name', record: by('reject', undefined, { reviewer: 7 }) },
    { why: 'is of no preview', record: by('approve', undefined, { preview: undefined }) },
    { why: 'is of what is no preview', record: by('reject', undefined, { preview: ['p'] }) },
    { why: 'is neither yes nor no', record: by('propose') },
    { why: 'is a yes without a signature', record: { ...by('approve'), signed: undefined } },
    { why: 'is a commit of no change', record: by('commit', undefined, { outcome: 'applied' }) },
  ])('is nothing where it $why', ({ record }) => {
    for (const trail of readOf({ signed: {}, ...record })) expect(trail.statusOf('p')).toEqual(NOTHING);
  });

  it('is a "no" whoever signed it, or nobody, and stays that', () => {
    for (const trail of readOf(by('reject', 'eve'), signed('approve', 'eve', 'x')))
      expect(trail.statusOf('p')).toMatchObject({ rejectedBy: 'eve' });
  });

  it('is kept where a change of it is rolled back', () => {
    for (const trail of readOf(signed('approve', 'ann', 'x'), change('intent'), change('rolled_back'))) {
      expect(trail.statusOf('p')).toMatchObject({ changeId: undefined });
      expect([...trail.statusOf('p').decisions.keys()]).toEqual(['ann']);
    }
  });
});

it('a checkpoint comes to the same as the records before it, and so does what follows', () => {
  const preview = fc.constantFrom('p', 'q');
  const decision = fc.record({
    ...{ preview, action: fc.constantFrom('approve', 'reject', 'part') },
    reviewer: fc.constantFrom('ann', 'bob'),
    signed: fc.constantFrom(undefined, '1', '2'),
  });
  const outcome = fc.constantFrom('intent', 'applied', 'rolled_back', 'failed', 'unknown');
  const commit = fc
    .record({ preview, outcome, action: fc.constantFrom('commit', 'recover'), isNamed: fc.boolean() })
    .map(({ preview: of, isNamed, ...rest }) => ({
      ...rest,
      change_id: `change of ${of}`,
      ...(isNamed ? { preview: of } : {}),
    }));
  const records = fc.array(fc.oneof(decision, commit), { maxLength: 12 });
  const comesTo = (facts: TrailFacts) =>
    ['p', 'q'].map((id) => {
      const { decisions, ...rest } = facts.ofPreview(id);
      return { decisions: [...decisions], ...rest, change: facts.ofChange(`change of ${id}`) };
    });
  fc.assert(
    fc.property(records, records, (before, after) => {
      const [all, short] = [new TrailFacts(), new TrailFacts()];
      for (const [seq, record] of before.entries()) all.note({ ...record, seq, prev: `before ${seq}` });
      for (const record of all.records(KEEPS_ALL.kept())) short.note(JSON.parse(JSON.stringify(record)));
      expect(comesTo(short)).toEqual(comesTo(all));
      for (const [seq, record] of after.entries())
        for (const facts of [all, short]) facts.note({ ...record, seq, prev: `after ${seq}` });
      expect(comesTo(short)).toEqual(comesTo(all));
    }),
    { numRuns: 2_000 },
  );
});
