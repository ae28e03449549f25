// What several reviewers' words come to, and that a word counts only where the folder and the trail agree on it.
import fs, { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../../src/security/index.ts';
import { refusalOf } from '../fixture.ts';
import { AT, CHANGE_ID as PLAN } from '../store/ground.ts';
import { reviewing } from './reviewing.ts';

const [OTHER, PART, PART_2] = ['B'.repeat(43), 'C'.repeat(43), 'D'.repeat(43)];
const EDIT = { kind: 'edit' } as const;
const LATER = '2026-11-21T12:05:00.000Z';

afterEach(() => vi.restoreAllMocks());

describe('all that was said comes to', () => {
  it('nothing yet', () => {
    const { decisions, say, events } = reviewing();
    say('approve', OTHER);
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'pending' });
    expect(events('error')).toEqual([]);
  });

  it('a yes, whoever else has said nothing', () => {
    const { decisions, say, events } = reviewing();
    say('approve', PLAN, { by: 'bob' });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'bob' });
    say('approve', PLAN);
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'ann' });
    expect([...events('error'), ...events('warn')]).toEqual([]);
  });

  it('a no, whoever says yes before or after it', () => {
    const { decisions, say } = reviewing();
    say('approve', PLAN);
    say('reject', PLAN, { by: 'bob', note: 'why' });
    const no = { state: 'rejected', reviewer: 'bob', note: 'why' };
    expect(decisions.status(PLAN, EDIT)).toEqual(no);
    say('part', PLAN, { part: PART });
    expect(decisions.status(PLAN, EDIT)).toEqual(no);
  });

  it('a no that the trail has, or the folder, alone', () => {
    const { decisions, say } = reviewing();
    say('reject', PLAN, { isKept: false });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'rejected', reviewer: 'ann' });
    say('reject', OTHER, { isRecorded: false, note: 'x' });
    expect(decisions.status(OTHER, EDIT)).toEqual({ state: 'rejected', reviewer: 'ann', note: 'x' });
  });

  it('a no to the parts of what was rejected, and to those only', () => {
    const { decisions, say } = reviewing();
    const origin = { kind: 'part', of: PLAN, kept: [0] } as const;
    say('approve', PART);
    say('part', PLAN, { part: PART });
    expect(decisions.status(PART, origin)).toEqual({ state: 'approved', reviewer: 'ann' });
    say('reject', PLAN, { by: 'bob', note: 'no' });
    expect(decisions.status(PART, origin)).toEqual({ state: 'rejected', reviewer: 'bob', note: 'no' });
    expect(decisions.status(PART, EDIT)).toEqual({ state: 'approved', reviewer: 'ann' });
    expect(decisions.status(PART, { kind: 'revert', change_id: PLAN }).state).toBe('approved');
  });

  it('the parts that each kept, once, though somebody approved the whole', () => {
    const { decisions, say, list } = reviewing();
    say('part', PLAN, { part: PART });
    say('approve', PLAN, { by: 'bob' });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'part', parts: [PART] });
    say('part', PLAN, { part: PART, by: 'bob' });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'part', parts: [PART] });
    say('part', PLAN, { part: PART_2, by: 'bob' });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'part', parts: [PART, PART_2] });
    list('bob');
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'part', parts: [PART_2] });
    list();
    expect([decisions.status(PLAN, EDIT), decisions.hasReviewers]).toEqual([{ state: 'pending' }, false]);
  });
});

describe('a word', () => {
  const MISSED = ['decision_not_as_recorded'];

  it('that nobody recorded does not count, and the log says so', () => {
    const { decisions, say, events } = reviewing();
    say('approve', PLAN, { isRecorded: false });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'pending' });
    expect(events('error')).toEqual(MISSED);
  });

  it('for a part that somebody took away stops all others, and the log says so', () => {
    const { decisions, say, events, dir, ann } = reviewing();
    say('approve', PLAN, { by: 'bob' });
    say('part', PLAN, { part: PART });
    rmSync(join(dir, 'decisions', `${PLAN}.${ann.id}.json`));
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'pending' });
    expect(events('error')).toEqual(MISSED);
  });

  it('for the whole that somebody took away is only missed by whoever said it', () => {
    const { decisions, say, events, dir, ann } = reviewing();
    for (const by of ['ann', 'bob'] as const) say('approve', PLAN, { by });
    rmSync(join(dir, 'decisions', `${PLAN}.${ann.id}.json`));
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'bob' });
    expect(events('error')).toEqual([]);
  });

  it('is the last that was recorded: an older one that was put back is none', () => {
    const { decisions, say, events } = reviewing();
    say('approve', PLAN);
    say('part', PLAN, { part: PART, at: LATER, isKept: false });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'pending' });
    expect(events('error')).toEqual(MISSED);
  });

  // A record can be forged by whoever can write the trail, the time in a signature cannot.
  it('was signed no earlier than anything else that its reviewer said', () => {
    const { decisions, say, pass } = reviewing();
    say('part', PLAN, { part: PART });
    say('approve', PLAN, { at: AT });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'ann' });
    pass(1);
    say('approve', PLAN, { at: AT });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'ann' });
    say('part', PLAN, { part: PART, at: LATER });
    say('approve', PLAN, { at: AT });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'pending' });
    say('approve', PLAN, { at: LATER });
    expect(decisions.status(PLAN, EDIT)).toEqual({ state: 'approved', reviewer: 'ann' });
  });
});

describe('the folder of decisions', () => {
  it('keeps the last word of each under the preview and the key, for the owner alone', () => {
    const { decisions, say, dir, ann, bob, signed } = reviewing();
    say('approve', PLAN);
    say('approve', PLAN, { by: 'bob' });
    say('part', PLAN, { part: PART });
    const names = [ann, bob].map(({ id }) => `${PLAN}.${id}.json`);
    expect(readdirSync(join(dir, 'decisions'))).toEqual([...names].sort());
    for (const name of names) expect(statSync(join(dir, 'decisions', name)).mode & 0o777).toBe(0o600);
    const words = [
      signed({ v: 1, preview: PLAN, decision: 'part', part: PART, reviewer: 'ann', at: AT }),
      signed({ v: 1, preview: PLAN, decision: 'approve', reviewer: 'bob', at: AT }),
    ];
    expect(decisions.of(PLAN)).toEqual(words);
    expect(decisions.of(OTHER)).toEqual([]);
  });

  it('forgets one preview and no other', () => {
    const { decisions, say, dir, ann } = reviewing();
    for (const preview of [PLAN, OTHER]) say('approve', preview);
    for (const name of [`x${PLAN}.`, `${PLAN}`]) writeFileSync(join(dir, 'decisions', name), '');
    decisions.forget(PLAN);
    expect(readdirSync(join(dir, 'decisions')).sort()).toEqual(
      [PLAN, `${OTHER}.${ann.id}.json`, `x${PLAN}.`].sort(),
    );
  });

  it('keeps nothing that is not signed by a reviewer of the list', () => {
    const { decisions, signed, list, dir } = reviewing();
    const word = signed({ v: 1, preview: PLAN, decision: 'approve', reviewer: 'bob', at: AT });
    list('ann');
    expect(() => decisions.save(word)).toThrow(
      new TypeError('the decision is not signed by a reviewer of the list'),
    );
    expect(readdirSync(join(dir, 'decisions'))).toEqual([]);
  });

  it('is asked for nothing but an id', () => {
    const { decisions, here } = reviewing();
    for (const id of ['', '../previews/x', 'a/b', '\0', `${PLAN}x`]) expect(decisions.of(id)).toEqual([]);
    expect(existsSync(join(here.base, 'log.jsonl')) ? here.logged() : []).toEqual([]);
  });

  it('has what is not genuine, or of nobody on the list, in the log', () => {
    const { decisions, say, signed, list, dir, ann, here } = reviewing();
    const put = (key: string, text: string) =>
      writeFileSync(join(dir, 'decisions', `${PLAN}.${key}.json`), text, { mode: 0o600 });
    const lines = () =>
      here
        .logged()
        .splice(0)
        .map(({ level, event, count }) => ({ level, event, count }));
    say('approve', PLAN, { by: 'bob' });
    say('approve', OTHER, { by: 'bob' });
    // About another preview, copied here; and of another key.
    for (const [preview, reviewer] of [
      [OTHER, 'ann'],
      [PLAN, 'bob'],
    ] as const) {
      put(ann.id, canonicalJson(signed({ v: 1, preview, decision: 'approve', reviewer, at: AT })));
      expect(decisions.of(PLAN).map(({ decision }) => decision.reviewer)).toEqual(['bob']);
    }
    const strange = { level: 'warn', event: 'decision_not_genuine', count: undefined };
    expect(lines()).toEqual([strange, strange]);
    put(ann.id, canonicalJson(signed({ v: 1, preview: PLAN, decision: 'approve', reviewer: 'ann', at: AT })));
    put('stranger', '');
    list('bob');
    decisions.of(PLAN);
    decisions.of(OTHER);
    expect(lines().slice(2)).toEqual([{ level: 'warn', event: 'decision_by_unknown_key', count: 2 }]);
  });

  it('that the disk does not give or take is told in the words of the contract', () => {
    const { decisions, say, signed } = reviewing();
    say('approve', PLAN);
    const failing = () => {
      throw Object.assign(new Error('EIO'), { errno: -5, code: 'EIO' });
    };
    vi.spyOn(fs, 'readSync').mockImplementation(failing);
    vi.spyOn(fs, 'writeSync').mockImplementation(failing);
    const reason = 'the file system reported an error. Try again, or ask the operator to look at the log.';
    expect(refusalOf(() => decisions.of(PLAN))).toMatchObject({
      code: 'IO_ERROR',
      message: `Cannot read the decision: ${reason}`,
    });
    const word = signed({ v: 1, preview: OTHER, decision: 'approve', reviewer: 'ann', at: AT });
    expect(refusalOf(() => decisions.save(word))).toMatchObject({
      code: 'IO_ERROR',
      message: `Cannot keep the decision: ${reason}`,
    });
  });
});

describe('a part', () => {
  it('is open until it is rejected or applied', () => {
    const { decisions, say, trail } = reviewing();
    expect(decisions.isOpenPart(PART)).toBe(true);
    say('approve', PART);
    expect(decisions.isOpenPart(PART)).toBe(true);
    say('reject', PART, { by: 'bob', isRecorded: false });
    expect(decisions.isOpenPart(PART)).toBe(false);
    say('reject', PART_2, { isKept: false });
    expect(decisions.isOpenPart(PART_2)).toBe(false);
    trail.append({ action: 'commit', outcome: 'applied', preview: OTHER, change_id: PLAN });
    expect(decisions.isOpenPart(OTHER)).toBe(false);
  });
});
