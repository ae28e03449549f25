// By whose word a preview may be applied, and what an agent is told while nobody's counts: the words are the contract.

import { describe, expect, it } from 'vitest';
import {
  type Approval,
  Approved,
  approvedAtTerminal,
  approvedByClient,
  approvedByPreview,
  approvedByReviewer,
  Decisions,
  declined,
  StoredPreview,
  shortId,
} from '../../../src/security/index.ts';
import { codeOf, refusalOf } from '../fixture.ts';
import { CHANGE_ID, idOf, look } from '../store/ground.ts';
import { reviewing } from './reviewing.ts';

function ground(approval: Approval = 'human') {
  const all = reviewing();
  const { previews } = all;
  return { ...all, preview: previews().load(idOf(previews(), { approval }), look) };
}

const previewAt = (approval: Approval) => ground(approval).preview;

const refused = (code: string, message: string, clues: object) => ({ code, message, where: {}, clues });

describe('an approval', () => {
  it('says by whose word', () => {
    const preview = previewAt('direct');
    expect(approvedByPreview(preview)).toMatchObject({ preview, confirmedBy: 'direct', reviewer: undefined });
    expect(approvedByPreview(previewAt('preview')).confirmedBy).toBe('preview');
    expect(approvedByClient(previewAt('client')).confirmedBy).toBe('client');
    for (const approval of ['direct', 'preview', 'client'] as const)
      expect(approvedAtTerminal(previewAt(approval)).confirmedBy).toBe('terminal');
  });

  // WORK-011, WORK-015.
  it('by a reviewer is a signature over this very preview, which nothing makes up for [APR-5]', () => {
    const { preview, previews, decisions, say, record, trail } = ground();
    const other = idOf(previews());
    record('approve', preview.id, say('approve', other));
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    say('approve', preview.id);
    const approved = approvedByReviewer(preview, decisions);
    expect([approved.confirmedBy, approved.reviewer]).toEqual(['human', 'ann']);
    // Nor does a record undo a use or a no.
    for (const outcome of ['applied', 'rolled_back', 'refused', 'failed', 'intent'])
      trail.append(() => [
        { action: 'commit', outcome, preview: other, change_id: CHANGE_ID, code: 'BUSY' },
        { action: 'commit', outcome, change_id: CHANGE_ID, code: 'BUSY' },
      ]);
    expect(codeOf(() => previews().load(other, look))).toBe('PREVIEW_USED');
    record('reject', preview.id, undefined);
    say('approve', preview.id);
    expect(codeOf(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_DECLINED');
  });

  it('is not made of a preview that asks for another', () => {
    for (const approval of ['client', 'human'] as const)
      expect(() => approvedByPreview(previewAt(approval))).toThrow(
        new TypeError('this preview needs a person'),
      );
    for (const approval of ['direct', 'preview', 'human'] as const)
      expect(() => approvedByClient(previewAt(approval))).toThrow(
        new TypeError('this preview does not need the client'),
      );
    expect(() => approvedAtTerminal(previewAt('human'))).toThrow(
      new TypeError('this preview needs a signature'),
    );
  });

  it('is made by an approval only, of a preview that was loaded, and told from a look-alike', () => {
    const preview = previewAt('direct');
    expect(() => Reflect.construct(Approved, [Symbol('Approved'), preview, 'human'])).toThrow(
      new TypeError('an Approved is made by an approval only'),
    );
    const standIn = Object.assign(Object.create(StoredPreview.prototype), { record: preview.record });
    expect(() => approvedByPreview(standIn)).toThrow(
      new TypeError('only a preview that was loaded can be approved'),
    );
    const approved = approvedByPreview(preview);
    expect([Approved.isGenuine(approved), Object.isFrozen(approved)]).toEqual([true, true]);
    for (const other of [
      Object.create(Approved.prototype),
      { ...approved },
      null,
      undefined,
      'text',
      () => 1,
    ])
      expect(Approved.isGenuine(other)).toBe(false);
  });
});

describe('an agent is told', () => {
  it('that it has to wait, and for what', () => {
    const { preview, decisions } = ground();
    expect(refusalOf(() => approvedByReviewer(preview, decisions))).toMatchObject(
      refused(
        'APPROVAL_REQUIRED',
        `Cannot apply this preview yet: it is pending. A person has to run "config-airlock approve ${shortId('pv', preview.id)}" in a terminal, with the options that this server was started with (the same --config, or --root, --state-dir and --reviewers).`,
        {
          advice: [
            'Tell the person what the change is for, and that "config-airlock review", with the same options, shows all that waits',
            'Ask again with the same call once they have decided',
          ],
        },
      ),
    );
  });

  it('that nobody could sign it', () => {
    const { preview, trail, log } = ground();
    const nobody = new Decisions({ trail, reviewers: () => [], log });
    expect(refusalOf(() => approvedByReviewer(preview, nobody))).toMatchObject(
      refused(
        'APPROVAL_REQUIRED',
        'Cannot apply this preview yet: it is pending, and this server knows no reviewer who could sign it. Its operator names them with --reviewers.',
        { advice: ['Tell the operator to look at the reviewers file that the server was started with'] },
      ),
    );
  });

  it('which part was approved instead, or which parts, as long as they are open', () => {
    const { preview, previews, decisions, say } = ground();
    const [one, two, three] = [idOf(previews()), idOf(previews()), idOf(previews())];
    const inPart = (is: string, clues: object) =>
      expect(refusalOf(() => approvedByReviewer(preview, decisions))).toMatchObject(
        refused(
          'APPROVAL_REQUIRED',
          `Cannot apply this preview: it was approved in part. What was approved is preview ${is}.`,
          clues,
        ),
      );
    say('part', preview.id, { part: one });
    inPart(shortId('pv', one), { previewId: shortId('pv', one), advice: ['Apply that preview instead'] });
    say('part', preview.id, { part: two, by: 'bob' });
    inPart(`${shortId('pv', one)}, or ${shortId('pv', two)}, each by another reviewer`, {
      previewId: shortId('pv', one),
      advice: ['Ask the person which of those previews to apply: each is approved by itself'],
    });
    say('reject', one);
    inPart(shortId('pv', two), { previewId: shortId('pv', two), advice: ['Apply that preview instead'] });
    say('reject', two);
    inPart(`${shortId('pv', one)}, and ${shortId('pv', two)}, which was applied or rejected since`, {
      advice: ['Read the file, and preview what is still missing'],
    });
    say('part', preview.id, { part: three });
    inPart(shortId('pv', three), { previewId: shortId('pv', three) });
  });

  it('that a reviewer has said no, and why', () => {
    const { preview, decisions, say } = ground();
    say('reject', preview.id, { note: 'not \u001b[2J today' });
    expect(refusalOf(() => approvedByReviewer(preview, decisions))).toMatchObject(
      refused('APPROVAL_DECLINED', 'Cannot apply this preview: ann has rejected it: not <U+001B>[2J today', {
        advice: ['Change what the note asks for, and preview that', 'Do not repeat the same change'],
      }),
    );
  });

  it.each([
    { note: undefined, what: undefined, says: 'Cannot apply this preview: ann has rejected it' },
    { note: '', what: 'apply', says: 'Cannot apply this preview: ann has rejected it' },
    { note: 'no', what: 'read', says: 'Cannot read this preview: ann has rejected it: no' },
  ])('of a no with the note $note', ({ note, what, says }) => {
    expect(declined({ state: 'rejected', reviewer: 'ann', note }, what).message).toBe(says);
  });
});
