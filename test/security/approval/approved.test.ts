// By whose word a preview may be applied, and what an agent is told while nobody's counts: the words are the contract.

import { describe, expect, it } from 'vitest';
import {
  type Approval,
  Approved,
  approvalDeclined,
  approvedAtTerminal,
  approvedByClient,
  approvedByPreview,
  approvedByReviewer,
  Decisions,
  StoredPreview,
  shortId,
} from '../../../src/security/index.ts';
import { codeOfLater, refusalOfLater } from '../fixture.ts';
import { CHANGE_ID, idOf } from './ground.ts';
import { reviewing } from './reviewing.ts';

async function ground(approval: Approval = 'human') {
  const all = reviewing();
  const { previews } = all;
  return { ...all, preview: await previews().load(await idOf(previews(), { approval })) };
}

const previewAt = async (approval: Approval) => (await ground(approval)).preview;

const refused = (code: string, message: string, clues: object) => ({ code, message, where: {}, clues });

describe('an approval', () => {
  it('says by whose word', async () => {
    const preview = await previewAt('direct');
    expect(approvedByPreview(preview)).toMatchObject({ preview, confirmedBy: 'direct', reviewer: undefined });
    expect(approvedByPreview(await previewAt('preview')).confirmedBy).toBe('preview');
    expect(approvedByClient(await previewAt('client')).confirmedBy).toBe('client');
    for (const approval of ['direct', 'preview', 'client'] as const)
      expect(approvedAtTerminal(await previewAt(approval)).confirmedBy).toBe('terminal');
  });

  // WORK-011, WORK-015.
  it('by a reviewer is a signature over this very preview, which nothing makes up for [APR-5]', async () => {
    const { preview, previews, decisions, say, record, append } = await ground();
    const other = await idOf(previews());
    await record('approve', preview.id, await say('approve', other));
    expect(await codeOfLater(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_REQUIRED');
    await say('approve', preview.id);
    const approved = await approvedByReviewer(preview, decisions);
    expect([approved.confirmedBy, approved.reviewer]).toEqual(['human', 'ann']);
    // Nor does a record undo a use or a no, whatever it says of a change that is over.
    for (const outcome of ['intent', 'applied', 'refused', 'failed'] as const)
      await append({ action: 'commit', outcome, preview: other, change_id: CHANGE_ID, code: 'BUSY' });
    expect(await codeOfLater(() => previews().load(other))).toBe('PREVIEW_USED');
    await record('reject', preview.id, undefined);
    await say('approve', preview.id);
    expect(await codeOfLater(() => approvedByReviewer(preview, decisions))).toBe('APPROVAL_DECLINED');
  });

  it('is not made of a preview that asks for another', async () => {
    for (const approval of ['client', 'human'] as const) {
      const preview = await previewAt(approval);
      expect(() => approvedByPreview(preview)).toThrow(new TypeError('this preview needs a person'));
    }
    for (const approval of ['direct', 'preview', 'human'] as const) {
      const preview = await previewAt(approval);
      expect(() => approvedByClient(preview)).toThrow(new TypeError('this preview does not need the client'));
    }
    const preview = await previewAt('human');
    expect(() => approvedAtTerminal(preview)).toThrow(new TypeError('this preview needs a signature'));
  });

  it('is made by an approval only, of a preview that was loaded, and told from a look-alike', async () => {
    const preview = await previewAt('direct');
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
  it('that it has to wait, and for what', async () => {
    const { preview, decisions } = await ground();
    expect(await refusalOfLater(() => approvedByReviewer(preview, decisions))).toMatchObject(
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

  it('that nobody could sign it', async () => {
    const { preview, store, log } = await ground();
    const nobody = new Decisions({ store, reviewers: () => [], log });
    expect(await refusalOfLater(() => approvedByReviewer(preview, nobody))).toMatchObject(
      refused(
        'APPROVAL_REQUIRED',
        'Cannot apply this preview yet: it is pending, and this server knows no reviewer who could sign it. Its operator names them with --reviewers.',
        { advice: ['Tell the operator to look at the reviewers file that the server was started with'] },
      ),
    );
  });

  it('which part was approved instead, or which parts, as long as they are open', async () => {
    const { preview, previews, decisions, say } = await ground();
    const [one, two, three] = [await idOf(previews()), await idOf(previews()), await idOf(previews())];
    const inPart = async (is: string, clues: object) =>
      expect(await refusalOfLater(() => approvedByReviewer(preview, decisions))).toMatchObject(
        refused(
          'APPROVAL_REQUIRED',
          `Cannot apply this preview: it was approved in part. What was approved is preview ${is}.`,
          clues,
        ),
      );
    await say('part', preview.id, { part: one });
    await inPart(shortId('pv', one), {
      previewId: shortId('pv', one),
      advice: ['Apply that preview instead'],
    });
    await say('part', preview.id, { part: two, by: 'bob' });
    await inPart(`${shortId('pv', one)}, or ${shortId('pv', two)}, each by another reviewer`, {
      previewId: shortId('pv', one),
      advice: ['Ask the person which of those previews to apply: each is approved by itself'],
    });
    await say('reject', one);
    await inPart(shortId('pv', two), {
      previewId: shortId('pv', two),
      advice: ['Apply that preview instead'],
    });
    await say('reject', two);
    await inPart(`${shortId('pv', one)}, and ${shortId('pv', two)}, which was applied or rejected since`, {
      advice: ['Read the file, and preview what is still missing'],
    });
    await say('part', preview.id, { part: three });
    await inPart(shortId('pv', three), { previewId: shortId('pv', three) });
  });

  it('that a reviewer has said no, and why', async () => {
    const { preview, decisions, say } = await ground();
    await say('reject', preview.id, { note: 'not \u001b[2J today' });
    expect(await refusalOfLater(() => approvedByReviewer(preview, decisions))).toMatchObject(
      refused('APPROVAL_DECLINED', 'Cannot apply this preview: ann has rejected it: not <U+001B>[2J today', {
        advice: ['Change what the note asks for, and preview that', 'Do not repeat the same change'],
      }),
    );
  });

  it.each([
    { note: undefined, what: undefined, says: 'Cannot apply this preview: ann has rejected it' },
    { note: '', what: 'apply', says: 'Cannot apply this preview: ann has rejected it' },
    { note: 'no', what: 'read', says: 'Cannot read this preview: ann has rejected it: no' },
  ])('of a no with the note $note', async ({ note, what, says }) => {
    expect(approvalDeclined({ state: 'rejected', reviewer: 'ann', note }, what).message).toBe(says);
  });
});
