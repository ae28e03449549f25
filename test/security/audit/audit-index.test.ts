// What the audit index makes of the records: which changes were made or may have been, and who said what of a preview.
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOT_WHOLE, toldBy, trailGround } from './ground.ts';

const NOTHING = { latest: new Map(), rejectedBy: undefined, changeId: undefined };
const change = (outcome: unknown, more = {}) => ({
  ...{ action: 'commit', preview: 'p', change_id: 'c' },
  ...{ outcome, ...more },
});
const OPEN = { has: true, isOpen: true, changeId: 'c' };
const DONE = { has: true, isOpen: false, changeId: 'c' };
const NONE = { has: false, isOpen: false, changeId: undefined };

describe('a change', () => {
  it.each<{ why: string; records: Readonly<Record<string, unknown>>[]; is: object }>([
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
    { why: 'failed, and could not be put back', records: [change('intent'), change('failed')], is: DONE },
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
  ])('$why', ({ records, is }) => {
    const { trail, auditIndex } = trailGround();
    trail.append(...records);
    const read = auditIndex();
    expect({
      has: read.hasChange('c'),
      isOpen: read.isOpen('c'),
      changeId: read.statusOf('p').changeId,
    }).toEqual(is);
    // The same of a preview that is read for anew.
    expect(auditIndex(0).statusOf('p')).toEqual(read.statusOf('p'));
    expect([read.hasChange('other'), read.isOpen('other')]).toEqual([false, false]);
  });

  it('is found as soon as another process has recorded it, and is known from then on', () => {
    const { trail, auditIndex, file } = trailGround(1);
    const read = auditIndex();
    expect(read.hasChange('c')).toBe(false);
    trail.append(change('intent'));
    expect(read.isOpen('c')).toBe(false);
    expect(read.hasChange('c')).toBe(true);
    expect(read.isOpen('c')).toBe(true);
    rmSync(file());
    expect(read.hasChange('c')).toBe(true);
    expect(toldBy(() => read.hasChange('other'))).toEqual(NOT_WHOLE);
  });

  const of = (change_id: string, outcome: string, more = {}) => change(outcome, { change_id, ...more });

  it.each([
    {
      why: 'is the one that was made, whatever is begun later',
      records: [of('c', 'applied'), of('d', 'intent')],
    },
    { why: 'is the last that was begun', records: [of('d', 'intent'), of('c', 'intent')] },
    {
      why: 'stays when an earlier one is rolled back',
      records: [of('d', 'intent'), of('c', 'intent'), of('d', 'rolled_back')],
    },
    {
      why: 'stays when that of another preview is rolled back',
      records: [
        of('c', 'intent'),
        of('d', 'intent', { preview: 'q' }),
        of('d', 'rolled_back', { preview: 'q' }),
      ],
    },
  ])('of a preview $why', ({ records }) => {
    const { trail, auditIndex } = trailGround();
    trail.append(...records);
    expect(auditIndex().statusOf('p').changeId).toBe('c');
    expect(auditIndex(0).statusOf('p').changeId).toBe('c');
  });

  it('that is rolled back takes nothing with it of what was said of its preview', () => {
    const { trail, auditIndex } = trailGround();
    trail.append(
      { action: 'approve', preview: 'p', reviewer: 'ann' },
      change('intent'),
      change('rolled_back'),
    );
    const at = { approve: '2026-01-01T00:00:00.000Z' };
    expect(auditIndex().statusOf('p')).toEqual({
      ...NOTHING,
      latest: new Map([['ann', { last: 'approve', at }]]),
    });
  });
});

describe('what was said of a preview', () => {
  const said = (action: string, reviewer = 'ann') => ({ action, reviewer, preview: 'p' });
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

  it('is the last word of each reviewer, the time of each, and every "no"', () => {
    const { trail, auditIndex } = trailGround();
    const words = [
      said('approve'),
      said('reject', 'bob'),
      said('part'),
      said('approve', 'bob'),
      said('part'),
    ];
    for (const word of words) trail.append(word);
    const read = auditIndex();
    expect(read.statusOf('p')).toEqual({
      latest: new Map([
        ['bob', { last: 'approve', at: { reject: at(1), approve: at(3) } }],
        ['ann', { last: 'part', at: { approve: at(0), part: at(4) } }],
      ]),
      rejectedBy: 'bob',
      changeId: undefined,
    });
    expect(read.statusOf('q')).toEqual(NOTHING);
  });

  it.each([
    { why: 'comes from nobody', record: { ...said('approve'), reviewer: undefined } },
    { why: 'comes from what is no name', record: { ...said('approve'), reviewer: 7 } },
    { why: 'is of no preview', record: { ...said('approve'), preview: undefined } },
    { why: 'is of what is no preview', record: { ...said('reject'), preview: ['p'] } },
    { why: 'is neither yes nor no', record: said('propose') },
    { why: 'is a commit of no change', record: { ...said('commit'), outcome: 'applied' } },
  ])('is nothing where it $why, and drives nothing out', ({ record }) => {
    const { trail, auditIndex, file } = trailGround();
    trail.append(said('part', 'bob'), change('applied', { preview: undefined }), record);
    const only = { ...NOTHING, latest: new Map([['bob', { last: 'part', at: { part: at(0) } }]]) };
    const read = auditIndex(1);
    read.readOn();
    expect(auditIndex(0).statusOf('p')).toEqual(only);
    rmSync(file());
    expect([read.statusSoFar('p'), read.hasChange('c')]).toEqual([only, true]);
  });

  it.each([
    { why: 'an earlier one', time: '2025-01-01T00:00:00.000Z' },
    { why: 'one without a time', time: undefined },
    { why: 'one whose time is none', time: 7 },
  ])('is not made older by $why that somebody adds', ({ time }) => {
    const { forge, auditIndex } = trailGround();
    forge({ ...said('approve'), time }, { ...said('approve'), time: at(5) }, { ...said('approve'), time });
    expect(auditIndex().statusOf('p').latest.get('ann')?.at).toEqual({ approve: at(5) });
  });

  it('has the time that stands there, and none where none does', () => {
    const { forge, auditIndex } = trailGround();
    forge({ ...said('approve'), time: undefined }, { ...said('part'), time: at(5) });
    expect(auditIndex().statusOf('p').latest.get('ann')?.at).toEqual({ approve: '', part: at(5) });
  });
});

describe('an audit index that may keep little in memory', () => {
  const reject = (preview: string) => ({ action: 'reject', reviewer: 'ann', preview });

  it('forgets the oldest only, and reads the trail again for it', () => {
    const { trail, auditIndex, file } = trailGround();
    trail.append(reject('a'), reject('b'), reject('c'), reject('b'));
    const read = auditIndex(2);
    expect(read.statusOf('b').rejectedBy).toBe('ann');
    expect(read.statusSoFar('a').rejectedBy).toBe('ann');
    // That one is known now, in the place of the oldest.
    rmSync(file());
    for (const preview of ['a', 'b']) expect(read.statusSoFar(preview).rejectedBy).toBe('ann');
    for (const preview of ['c', 'never']) expect(toldBy(() => read.statusSoFar(preview))).toEqual(NOT_WHOLE);
  });

  it('forgets nothing where there is room for all', () => {
    const { trail, auditIndex, file } = trailGround();
    trail.append(reject('a'), reject('b'), reject('a'));
    const read = auditIndex(2);
    read.readOn();
    rmSync(file());
    expect(read.statusSoFar('a').rejectedBy).toBe('ann');
    expect(read.statusSoFar('never')).toEqual(NOTHING);
  });

  it('makes nothing of the later records of a preview that it has forgotten', () => {
    const { trail, auditIndex } = trailGround();
    trail.append(reject('a'), reject('b'));
    const read = auditIndex(1);
    read.readOn();
    trail.append({ action: 'approve', reviewer: 'bob', preview: 'a' }, change('intent', { preview: 'a' }));
    expect(read.statusOf('a')).toMatchObject({ rejectedBy: 'ann', changeId: 'c' });
    expect([...read.statusOf('a').latest.keys()]).toEqual(['ann', 'bob']);
  });
});
