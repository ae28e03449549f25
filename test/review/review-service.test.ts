import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { approvalText, ReviewService } from '../../src/review/index.ts';
import {
  approvedByReviewer,
  canonicalJson,
  commitEdits,
  contentId,
  Refusal,
  shortId,
  startExpiryTimer,
  Verdict,
  VerifiedEdit,
  verifyTrail,
} from '../../src/security/index.ts';
import { judged } from '../harness/verdict.mjs';
import { codeOf, refusalOf } from '../security/fixture.ts';
import { decideIn } from '../security/store/ground.ts';
import { BASE, reviewFixture, swap } from './fixture.ts';

const SCALE = [swap('2', '3')];

describe('what waits', () => {
  it('is listed oldest first, with what it would change and what was decided', () => {
    const { service, propose, keys } = reviewFixture();
    const ids = [propose(SCALE), propose([swap('web:1', 'web:2'), swap('shop', 'bakery')])];
    expect(
      service
        .pending()
        .previews.map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());
    service.approve(ids[0] ?? '', keys.ann);
    const [one, two] = ids.map((id) => service.pending().previews.find((preview) => preview.id === id));
    expect(one).toMatchObject({
      state: 'approved',
      files: ['a.yaml'],
      change_count: 1,
      asked_by: 'an agent 1.2',
    });
    expect(one?.decisions).toMatchObject([{ decision: 'approve', reviewer: 'ann' }]);
    expect(two).toMatchObject({ state: 'pending', change_count: 2, decisions: [] });
  });

  it('is listed for a while only, so that hundreds of large ones keep nobody from deciding: first what is open [APR-6]', () => {
    const { service: usual, here, sandbox, state, propose, keys } = reviewFixture();
    const ids = [3, 4, 5, 6, 7, 8].map((count) => propose([swap('2', `${count}`)]));
    const order = usual.pending().previews.map(({ id }) => id);
    expect(usual.pending().left).toBe(0);
    for (const id of order.slice(0, 4)) usual.reject(id, '', keys.ann);
    // Each look at the clock takes a second of it.
    let time = Date.parse('2026-11-21T12:00:00.000Z');
    const now = () => {
      time += 1_000;
      return new Date(time);
    };
    const policy = here.policy({ approval: 'human' });
    const { previews, left } = new ReviewService({ policy, sandbox, state, now }).pending();
    expect(previews.length).toBeLessThan(ids.length);
    expect(left).toBe(ids.length - previews.length);
    const open = previews.flatMap(({ id, state }) => (state === 'pending' ? [id] : []));
    expect(open).toEqual(order.slice(4));
  });

  it('does not keep the text of a file longer than it can be used, though the server goes on [APR-13]', () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { propose, pass, state, here } = reviewFixture();
    const kept = () =>
      readdirSync(join(here.base, 'state/previews')).filter((name) => name.endsWith('.json'));
    startExpiryTimer(state);
    propose(SCALE, { approval: 'preview' });
    const person = propose(SCALE);
    pass(16);
    expect(kept()).toHaveLength(2);
    vi.advanceTimersByTime(5 * 60_000);
    expect(kept()).toEqual([`${person}.json`]);
    pass(8 * 24 * 60);
    vi.advanceTimersByTime(5 * 60_000);
    expect(kept()).toEqual([]);
  });

  it('is what a person has to approve under this policy, has not expired, and is true to itself', () => {
    const { service, propose, pass, here } = reviewFixture();
    propose(SCALE, { approval: 'preview' });
    const elsewhere = propose(SCALE, { policy: '0'.repeat(64) });
    expect(refusalOf(() => service.open(elsewhere))?.message).toContain('policy');
    const tampered = propose(SCALE);
    const file = join(here.base, 'state/previews', `${tampered}.json`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('config_set', 'config_get'));
    expect(service.pending().previews).toEqual([]);
    expect(codeOf(() => service.open(tampered))).toBe('PREVIEW_NOT_FOUND');
    const id = propose(SCALE);
    expect(service.pending().previews).toHaveLength(1);
    pass(8 * 24 * 60);
    expect(service.pending().previews).toEqual([]);
    expect(codeOf(() => service.open(id))).toBe('PREVIEW_EXPIRED');
  });
});

describe('what waits under another policy', () => {
  it('is counted until it is decided or expires, and nothing else of it is known', () => {
    const { service, propose, state, keys, now, pass } = reviewFixture();
    const foreign = { policy: 'f'.repeat(64) };
    const [one, two] = [propose(SCALE, foreign), propose(SCALE, foreign)];
    propose(SCALE, { ...foreign, approval: 'preview' });
    const here = propose(SCALE);
    expect(service.pending().previews.map(({ id }) => id)).toEqual([here]);
    expect(service.pending().elsewhere).toBe(2);
    expect([one, two, here, 'x'].map((id) => service.isElsewhere(id))).toEqual([true, true, false, false]);
    expect(codeOf(() => service.open(one))).toBe('PREVIEW_EXPIRED');
    decideIn(state.trail, { preview: one, decision: 'approve', at: now().toISOString() }, keys.ann);
    expect(service.pending().elsewhere).toBe(1);
    pass(8 * 24 * 60);
    expect(service.pending().elsewhere).toBe(0);
  });
});

describe('a list that was read before', () => {
  it('still knows what was decided, expired or applied since, and opens nothing that was tampered with since', () => {
    const { service, propose, pass, here, keys, state } = reviewFixture();
    const [one, two] = [propose(SCALE), propose(SCALE)];
    expect(service.pending().previews).toHaveLength(2);
    service.reject(one, '', keys.ann);
    expect(
      service
        .pending()
        .previews.map(({ state: said }) => said)
        .sort(),
    ).toEqual(['pending', 'rejected']);
    const change_id = 'C'.repeat(43);
    state.trail.append(() => [{ action: 'commit', outcome: 'intent', preview: one, change_id }]);
    expect(service.pending().previews.map(({ id }) => id)).toEqual([two]);
    const file = join(here.base, 'state/previews', `${two}.json`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('config_set', 'config_get'));
    expect(codeOf(() => service.open(two))).toBe('PREVIEW_NOT_FOUND');
    expect(codeOf(() => service.approve(two, keys.ann))).toBe('PREVIEW_NOT_FOUND');
    pass(8 * 24 * 60);
    expect(service.pending().previews).toEqual([]);
  });
});

describe('a preview', () => {
  it('shows its diff, its changes, and each edit on its own', () => {
    const { service, propose } = reviewFixture();
    const view = service.open(propose([swap('shop', 'bakery'), swap('2', '3')]));
    const [file] = view.files;
    expect(file?.diff).toContain('-name: shop # ours\n-replicas: 2\n+name: bakery # ours\n+replicas: 3\n');
    expect(file?.changes).toMatchObject([{ path: 'name' }, { path: 'replicas', from: '2', to: '3' }]);
    expect(file?.state).toBe('same');
    expect(view.parts.map(({ index }) => index)).toEqual([0, 1]);
    expect(view.parts[1]?.diff).toContain('-replicas: 2\n+replicas: 3\n');
    expect(view.parts[1]?.diff).not.toContain('+name');
  });

  it('says when its file has moved on, or is no longer there', () => {
    const { service, propose, here } = reviewFixture();
    const id = propose(SCALE);
    here.write('root/a.yaml', `${BASE}more: 1\n`);
    expect(service.open(id).files[0]?.state).toBe('changed');
    rmSync(join(here.root, 'a.yaml'));
    expect(service.open(id).files[0]?.state).toBe('unreadable');
  });

  it('warns of what it finds itself, whatever the preview was stored with [TTY-2]', () => {
    const { service, propose } = reviewFixture();
    const { files } = service.open(propose([swap('2', 'no')], { warnings: ['All is well.'] }));
    expect(files[0]?.warnings.join()).toContain('no');
    expect(JSON.stringify(files)).not.toContain('All is well');
  });

  it('stacks no thousand marks on a letter, which would cover the lines around it', () => {
    const { service, propose } = reviewFixture();
    const { files, parts, asked_by } = service.open(
      propose([swap('web:1', `e${'\u0301'.repeat(999)}`)], {
        caller: { name: `e${'\u0301'.repeat(99)}`, version: '1' },
      }),
    );
    const said = [asked_by, ...files.map((file) => JSON.stringify(file)), ...parts.map(({ diff }) => diff)];
    for (const text of said) {
      expect(text).not.toMatch(/\p{M}{9}/u);
      expect(text).toContain('<U+0301>');
    }
  });

  it('shows nothing that a terminal obeys, whatever the file, the agent or the reviewer wrote', () => {
    const { service, propose, keys } = reviewFixture();
    const hostile = '"\\e[2J\u202e\u200b\u009b31m"';
    const id = propose([swap('web:1', hostile)], { caller: { name: '\u001b[2J\r\u202e', version: '' } });
    service.reject(id, 'no\u001b]52;c;aGk=\u0007\r\n', keys.bob);
    const shown = JSON.stringify([service.open(id), service.pending().previews]);
    // In JSON a control would be an escape.
    expect(shown).not.toMatch(/[\u0080-\u009f\u200b\u202e]|\\u00|\\r/u);
    expect(shown).toContain('<U+202E>');
  });
});

describe('a decision', () => {
  it('is what the server goes by, and stands in the audit trail', () => {
    const { service, propose, keys, previews, decisions, look, state, here } = reviewFixture();
    const [yes, no] = [propose(SCALE), propose(SCALE)];
    service.approve(yes, keys.ann);
    service.reject(no, 'not on a Friday', keys.bob);
    expect(approvedByReviewer(previews.load(yes, look), decisions).reviewer).toBe('ann');
    const declined = refusalOf(() => approvedByReviewer(previews.load(no, look), decisions));
    expect(declined?.code).toBe('APPROVAL_DECLINED');
    expect(declined?.message).toContain('bob has rejected it: not on a Friday');
    expect(verifyTrail(state.dir.audit)).toMatchObject({ isWhole: true, records: 2 });
    const trail = readFileSync(join(here.base, 'state/audit/audit-000001.jsonl'), 'utf8');
    expect(trail).toContain('"action":"approve"');
    expect(trail).toContain(`"preview":"${no}"`);
  });

  it('is refused to a key that is not on the list, and about a preview that no longer waits', () => {
    const { service, propose, keys, pass } = reviewFixture();
    const id = propose(SCALE);
    expect(codeOf(() => service.approve(id, keys.eve))).toBe('StartError');
    expect(service.open(id).state).toBe('pending');
    pass(8 * 24 * 60);
    expect(codeOf(() => service.approve(id, keys.ann))).toBe('PREVIEW_EXPIRED');
    expect(codeOf(() => service.approve('x'.repeat(43), keys.ann))).toBe('PREVIEW_NOT_FOUND');
  });

  it('gives way to a later one of the same reviewer and to any no, and a no to nothing [APR-5]', () => {
    const { service, propose, keys } = reviewFixture();
    const id = propose([swap('shop', 'bakery'), swap('2', '3')]);
    service.approvePart(id, [0], keys.ann);
    service.approve(id, keys.ann);
    expect(service.open(id).state).toBe('approved');
    service.reject(id, 'wait', keys.bob);
    expect(service.open(id).state).toBe('rejected');
    // Whoever thinks otherwise by now has it proposed anew.
    for (const key of [keys.bob, keys.ann]) {
      expect(codeOf(() => service.approve(id, key))).toBe('APPROVAL_DECLINED');
      expect(codeOf(() => service.approvePart(id, [0], key))).toBe('APPROVAL_DECLINED');
    }
    expect(service.open(id).state).toBe('rejected');
  });
});

describe('what a person is told of their approval', () => {
  it('is that it can be applied only where it can: not over the part of another, after drift, or behind what nobody signed', () => {
    const { service, propose, keys, here, state } = reviewFixture();
    const say = (id: string) => approvalText(service.open(id));
    const two = () => propose([swap('shop', 'bakery'), swap('2', '3')]);
    const [plain, over, forged] = [two(), two(), two()];
    service.approve(plain, keys.ann);
    expect(say(plain)).toEqual({
      text: 'Approved: it can be applied now, once, exactly as shown.',
      isApplicable: true,
    });
    const part = service.approvePart(over, [0], keys.bob);
    service.approve(over, keys.ann);
    expect(say(over)).toMatchObject({
      isApplicable: false,
      text: expect.stringContaining(shortId('pv', part)),
    });
    service.reject(over, '', keys.bob);
    expect(say(over)).toMatchObject({
      isApplicable: false,
      text: expect.stringContaining('has rejected it'),
    });
    service.approve(forged, keys.bob);
    state.trail.append(() => [{ action: 'approve', preview: forged, reviewer: 'ann', signed: {} }]);
    expect(say(forged)).toMatchObject({ isApplicable: false, text: expect.stringContaining('did not sign') });
    writeFileSync(join(here.root, 'a.yaml'), BASE.replace('shop', 'bakery'));
    expect(say(plain)).toEqual({
      text: 'Approved, but it cannot be applied as it is: a.yaml changed since, or cannot be read.',
      isApplicable: false,
    });
  });
});

describe('the history', () => {
  it('lists what was applied, newest first, says what took a change back, and shows each', () => {
    const { service, changes, draft, file, pass, state } = reviewFixture();
    const made = (origin: Parameters<typeof draft>[1]) => {
      const { caller, policy, origin: from, files } = draft([file('a.yaml', BASE, SCALE)], origin);
      const change = changes.draft({
        caller,
        policy,
        origin: from,
        files,
        confirmed_by: 'human',
        reviewer: 'ann',
      });
      changes.keep(change);
      changes.finish(change.id);
      return change.id;
    };
    const first = made({});
    expect(service.history()).toMatchObject([{ is_open: false, is_recorded: false }]);
    state.trail.append(() => [{ action: 'commit', outcome: 'applied', change_id: first }]);
    expect(service.history()).toMatchObject([{ is_recorded: true }]);
    pass(5);
    const second = made({ origin: { kind: 'revert', change_id: first } });
    expect(service.history()[1]?.undone_by).toBeUndefined();
    state.trail.append(() => [{ action: 'commit', outcome: 'applied', change_id: second }]);
    const history = service.history();
    expect(history.map(({ id }) => id)).toEqual([second, first]);
    expect(history[1]).toMatchObject({
      undone_by: second,
      reviewer: 'ann',
      files: ['a.yaml'],
      is_open: false,
    });
    expect(service.change(first).files[0]?.diff).toContain('+replicas: 3');
    expect(codeOf(() => service.change(contentId(canonicalJson({}))))).toBe('CHANGE_NOT_FOUND');
  });
});

describe('a part', () => {
  it('is a preview of its own, and what the signature is for', () => {
    const { service, propose, keys, previews, decisions, look } = reviewFixture();
    const id = propose([swap('shop', 'bakery'), swap('2', '3')]);
    const [file] = service.part(id, [1]);
    expect(file?.diff).toContain('+replicas: 3');
    expect(file?.diff).not.toContain('bakery');
    const part = service.approvePart(id, [1], keys.ann);
    expect(service.open(id)).toMatchObject({ state: 'part', decisions: [{ decision: 'part', part }] });
    expect(service.open(part)).toMatchObject({
      state: 'approved',
      origin: { kind: 'part', of: id, kept: [1] },
    });
    expect(service.open(part).files).toEqual(service.part(id, [1]));
    expect(approvedByReviewer(previews.load(part, look), decisions).reviewer).toBe('ann');
    expect(refusalOf(() => approvedByReviewer(previews.load(id, look), decisions))).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      clues: { previewId: shortId('pv', part) },
    });
  });

  it('is named with those of others, and no longer once it was rejected or used', () => {
    const { service, propose, keys, previews, decisions, look, state } = reviewFixture();
    const id = propose([swap('shop', 'bakery'), swap('2', '3')]);
    const refused = () => refusalOf(() => approvedByReviewer(previews.load(id, look), decisions));
    const [one, other] = [service.approvePart(id, [0], keys.ann), service.approvePart(id, [1], keys.bob)];
    const [first, second] = [shortId('pv', one), shortId('pv', other)];
    expect(refused()?.message).toContain(`preview ${first}, or ${second}, each by another reviewer`);
    service.reject(one, '', keys.bob);
    expect(refused()).toMatchObject({
      message: expect.not.stringContaining(first),
      clues: { previewId: second },
    });
    state.log.audit({
      ...{ action: 'commit', outcome: 'applied', file: 'a.yaml' },
      ...{ preview: other, change_id: 'c'.repeat(43) },
    });
    expect(refused()).toMatchObject({ message: expect.stringContaining('applied or rejected since') });
    expect(refused()?.clues.previewId).toBeUndefined();
  });

  it('goes with the whole where that is rejected later, and has no parts itself [APR-5]', () => {
    const { service, propose, keys, previews, decisions, look } = reviewFixture();
    const id = propose([swap('shop', 'bakery'), swap('2', '3'), swap('web:1', 'web:2')]);
    const part = service.approvePart(id, [0, 1], keys.ann);
    expect(codeOf(() => service.approvePart(part, [0], keys.bob))).toBe('ARGUMENT_INVALID');
    expect(service.open(part).state).toBe('approved');
    service.reject(id, 'not now', keys.bob);
    expect(service.open(part).state).toBe('rejected');
    expect(codeOf(() => approvedByReviewer(previews.load(part, look), decisions))).toBe('APPROVAL_DECLINED');
    expect(codeOf(() => service.approve(part, keys.ann))).toBe('APPROVAL_DECLINED');
  });

  it('is refused where it is nothing or everything, and leaves nothing behind for an unknown key', () => {
    const { service, propose, keys } = reviewFixture();
    const id = propose([swap('shop', 'bakery'), swap('2', '3')]);
    for (const kept of [[], [0, 1], [2]])
      expect(codeOf(() => service.approvePart(id, kept, keys.ann))).toBe('ARGUMENT_INVALID');
    expect(codeOf(() => service.approvePart(id, [0], keys.eve))).toBe('StartError');
    expect(service.pending().previews).toHaveLength(1);
  });
});

describe('a word that is taken back', () => {
  const onDisk = (base: string) => readFileSync(join(base, 'root/a.yaml'), 'utf8');

  /** As config_apply does, up to the last moment. */
  const claimed = () => {
    const at = reviewFixture();
    const { propose, service, keys, previews, decisions, look, sandbox, state } = at;
    const id = propose(SCALE);
    service.approve(id, keys.ann);
    const preview = previews.load(id, look);
    const approved = approvedByReviewer(preview, decisions);
    const snapshot = sandbox.open(sandbox.parse('a.yaml')).read();
    const edits = [VerifiedEdit.prove(snapshot, SCALE, () => preview.record.files[0]?.changes ?? [])];
    const { caller, policy, origin, files } = preview.record;
    const draft = { ...{ caller, policy, origin, files, preview: id }, confirmed_by: 'human' as const };
    const verdict = judged(Verdict, sandbox, edits);
    const apply = () => commitEdits(sandbox, edits, { state, draft, verdict, approved });
    return { ...at, id, apply, edits, draft, verdict };
  };

  it('counts while an apply is under way: nothing is written behind a recorded no [APR-5]', () => {
    const { here, service, keys, id, apply } = claimed();
    service.reject(id, 'not today', keys.bob);
    const refusal = refusalOf(apply);
    expect(refusal).toMatchObject({ code: 'APPROVAL_DECLINED' });
    expect(refusal?.message).toContain('not today');
    expect(onDisk(here.base)).toBe(BASE);
  });

  it('counts where the reviewer was taken off the list meanwhile [APR-7]', () => {
    const { here, apply } = claimed();
    here.write('reviewers', readFileSync(join(here.base, 'reviewers'), 'utf8').split('\n')[1] ?? '', 0o600);
    expect(codeOf(apply)).toBe('APPROVAL_REQUIRED');
    expect(onDisk(here.base)).toBe(BASE);
  });

  it('has room where agents have filled the trail, and what they ask for has none (finding 15.1) [APR-6]', () => {
    const { here, apply, state, propose, sandbox, edits, draft, verdict } = claimed();
    vi.spyOn(state.trail, 'requireRoom').mockImplementation(() => {
      throw new Refusal('NO_SPACE', 'Cannot record more changes: it is full.');
    });
    expect(codeOf(() => propose(SCALE))).toBe('NO_SPACE');
    expect(codeOf(() => commitEdits(sandbox, edits, { state, draft, verdict }))).toBe('NO_SPACE');
    expect(onDisk(here.base)).toBe(BASE);
    apply();
    expect(onDisk(here.base)).toBe(BASE.replace('2', '3'));
  });

  it('comes too late once the write is recorded, and is told so', () => {
    const { state, service, keys, id, decisions } = claimed();
    state.trail.append(() => [
      { action: 'commit', outcome: 'intent', preview: id, change_id: 'c'.repeat(43) },
    ]);
    expect(codeOf(() => service.reject(id, 'no', keys.bob))).toBe('PREVIEW_USED');
    expect(decisions.of(id)).toHaveLength(1);
  });
});
