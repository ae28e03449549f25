// What counts as the approval of a reviewer, and what does not.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../src/security/audit/record.ts';
import {
  AuditIndex,
  approvedByReviewer,
  canonicalJson,
  makeReviewerKey,
  reviewerOf,
  signDecision,
} from '../../../src/security/index.ts';
import { codeOf } from '../fixture.ts';
import { AT, CHANGE_ID, idOf, look, opened } from '../store/ground.ts';

describe('an approval by a reviewer', () => {
  // WORK-011, WORK-015.
  it('is a signature over this very preview', () => {
    const { previews, decisions, decide, ann, reviewers } = opened();
    const preview = previews().load(idOf(previews()), look);
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    expect(reviewerOf(ann, reviewers)?.name).toBe('ann');
    decide(signDecision({ v: 1, preview: preview.id, decision: 'approve', reviewer: 'ann', at: AT }, ann));
    const approved = approvedByReviewer(preview, decisions);
    expect([approved.confirmedBy, approved.reviewer]).toEqual(['human', 'ann']);
  });

  it('does not come from a key that is not listed, another preview, another name or a changed word', () => {
    const { previews, decisions, ann, dir } = opened();
    const [one, two] = [idOf(previews()), idOf(previews())];
    const preview = previews().load(one, look);
    const eve = makeReviewerKey('eve').key;
    const yes = (id: string, reviewer = 'ann') =>
      ({ v: 1, preview: id, decision: 'approve', reviewer, at: AT }) as const;
    const put = (key: string, signed: unknown) =>
      writeFileSync(join(dir, 'decisions', `${one}.${key}.json`), canonicalJson(signed), { mode: 0o600 });
    put(eve.id, signDecision(yes(one), eve));
    put(ann.id, { ...signDecision(yes(one), eve), key: ann.id });
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    put(ann.id, signDecision(yes(two), ann));
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    put(ann.id, signDecision(yes(one, 'bob'), ann));
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    const no = signDecision({ ...yes(one), decision: 'reject' }, ann);
    put(ann.id, { ...no, decision: { ...no.decision, decision: 'approve' } });
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    expect(() => decisions.save(signDecision(yes(one), eve))).toThrow(TypeError);
  });

  it('is not an older one that was put back, not even with a record that somebody added to the trail [APR-5]', () => {
    const { previews, decide, decisions, trail, ann, pass, dir } = opened();
    const [id, part] = [idOf(previews()), idOf(previews())];
    const preview = previews().load(id, look);
    const by = { v: 1, preview: id, reviewer: 'ann' } as const;
    const older = signDecision({ ...by, decision: 'approve', at: AT }, ann);
    decide(older);
    expect(approvedByReviewer(preview, decisions).reviewer).toBe('ann');
    pass(5);
    decide(signDecision({ ...by, decision: 'part', part, at: '2026-11-21T12:05:00.000Z' }, ann));
    decisions.save(older);
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    trail.append({ action: 'approve', outcome: 'kept', preview: id, reviewer: 'ann' });
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    // Not even with one that makes the later word look older.
    const { seq, sha256 } = trail.append({ action: 'undo' })[0] ?? { seq: 0, sha256: '' };
    const forged = lineOf({ seq: seq + 1, prev: sha256 }, '1970-01-01T00:00:00.000Z', {
      ...{ action: 'part', outcome: 'kept', preview: id, reviewer: 'ann' },
    });
    appendFileSync(join(dir, 'audit/audit-000001.jsonl'), `${forged.line}\n`);
    trail.append({ action: 'approve', outcome: 'kept', preview: id, reviewer: 'ann' });
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    // Nor does a record undo a use or a no.
    trail.append({ action: 'commit', outcome: 'applied', preview: part, change_id: CHANGE_ID });
    for (const outcome of ['rolled_back', 'refused', 'failed'])
      trail.append({ action: 'recover', outcome, preview: part, change_id: CHANGE_ID, code: 'BUSY' });
    expect(codeOf(() => previews().load(part, look))).toBe('PREVIEW_USED');
    trail.append({ action: 'reject', outcome: 'kept', preview: id, reviewer: 'eve' });
    trail.append({ action: 'approve', outcome: 'kept', preview: id, reviewer: 'eve' });
    decide(signDecision({ ...by, decision: 'approve', at: '2026-11-21T12:06:00.000Z' }, ann));
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_DECLINED');
  });

  it('is not forgotten, nor a no or a use, behind however many records of others [APR-5]', () => {
    const { state, trail } = opened();
    const few = new AuditIndex(state.audit, 3);
    const say = (action: string, preview: string, more: object = {}) =>
      trail.append({ action, outcome: 'kept', preview, reviewer: 'ann', ...more });
    say('reject', 'no');
    say('commit', 'used', { outcome: 'applied', change_id: 'c' });
    const flood = () => {
      for (let n = 0; n < 5; n += 1) say('commit', `other ${n}`, { outcome: 'applied', change_id: `o${n}` });
    };
    flood();
    expect(few.statusOf('no').rejectedBy).toBe('ann');
    flood();
    expect(few.statusOf('used').changeId).toBe('c');
    flood();
    for (const preview of ['no', 'used']) say('approve', preview, { reviewer: 'bob' });
    expect(few.statusOf('no').rejectedBy).toBe('ann');
    expect(few.statusOf('used').changeId).toBe('c');
    expect(few.statusOf('nobody').latest.size).toBe(0);
  });
});
