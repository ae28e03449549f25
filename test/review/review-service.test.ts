import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { approvalText, ReviewService } from '../../src/review/index.ts';
import {
  canonicalJson,
  commitEdits,
  shortId,
  startExpiryTimer,
  Verdict,
  VerifiedEdit,
  verifyTrail,
} from '../../src/security/index.ts';
import { contentId } from '../../src/state/index.ts';
import { person } from '../harness/previews.ts';
import { codeOfLater, refusalOfLater } from '../harness/refusals.ts';
import { trailOf, withDatabase } from '../harness/state.ts';
import { judged } from '../harness/verdict.mjs';
import { BASE, reviewFixture, swap } from './fixture.ts';

const SCALE = [swap('2', '3')];

describe('what waits', () => {
  it('is listed oldest first, with what it would change and what was decided', async () => {
    const { service, propose, keys } = await reviewFixture();
    const ids = [await propose(SCALE), await propose([swap('web:1', 'web:2'), swap('shop', 'bakery')])];
    const listed = (await service.pending()).previews.map(({ id }) => id);
    expect(listed.sort()).toEqual([...ids].sort());
    await service.approve(ids[0] ?? '', keys.ann);
    const { previews } = await service.pending();
    const [one, two] = ids.map((id) => previews.find((preview) => preview.id === id));
    expect(one).toMatchObject({
      state: 'approved',
      files: ['a.yaml'],
      change_count: 1,
      asked_by: 'an agent 1.2 (unverified name)',
    });
    expect(one?.decisions).toMatchObject([{ decision: 'approve', reviewer: 'ann' }]);
    expect(two).toMatchObject({ state: 'pending', change_count: 2, decisions: [] });
  });

  it('is listed for a while only, so that hundreds of large ones keep nobody from deciding: first what is open [APR-6]', async () => {
    const { service: usual, here, sandbox, state, propose, keys } = await reviewFixture();
    const ids: string[] = [];
    for (const count of [3, 4, 5, 6, 7, 8]) ids.push(await propose([swap('2', `${count}`)]));
    const order = (await usual.pending()).previews.map(({ id }) => id);
    expect((await usual.pending()).left).toBe(0);
    for (const id of order.slice(0, 4)) await usual.reject(id, '', keys.ann);
    // Each look at the clock takes a second of it.
    let time = Date.parse('2026-11-21T12:00:00.000Z');
    const now = () => {
      time += 1_000;
      return new Date(time);
    };
    const policy = here.policy({ approval: 'human' });
    const { previews, left } = await new ReviewService({ policy, sandbox, state, now }).pending();
    expect(previews.length).toBeLessThan(ids.length);
    expect(left).toBe(ids.length - previews.length);
    const open = previews.flatMap(({ id, state }) => (state === 'pending' ? [id] : []));
    expect(open).toEqual(order.slice(4));
  });

  it('does not keep the text of a file longer than it can be used, though the server goes on [APR-13]', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { propose, pass, state, here } = await reviewFixture();
    const kept = () =>
      withDatabase(join(here.base, 'state'), (database) =>
        database.all(
          'SELECT id, (SELECT count(*) FROM texts) AS texts FROM previews ORDER BY created_at, rowid',
        ),
      );
    startExpiryTimer(state);
    await propose(SCALE, { approval: 'preview' });
    const person = await propose(SCALE);
    pass(16);
    expect(kept()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(kept()).toMatchObject([{ id: person, texts: 1 }]);
    pass(8 * 24 * 60);
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(kept()).toEqual([]);
  });

  it('is what a person has to approve under this policy, has not expired, and is true to itself', async () => {
    const { service, propose, pass, tamper } = await reviewFixture();
    await propose(SCALE, { approval: 'preview' });
    const elsewhere = await propose(SCALE, { policy: '0'.repeat(64) });
    expect((await refusalOfLater(() => service.open(elsewhere)))?.message).toContain('which files are seen');
    const tampered = await propose(SCALE);
    tamper(tampered);
    expect((await service.pending()).previews).toEqual([]);
    expect(await codeOfLater(() => service.open(tampered))).toBe('PREVIEW_NOT_FOUND');
    const id = await propose(SCALE);
    expect((await service.pending()).previews).toHaveLength(1);
    pass(8 * 24 * 60);
    expect((await service.pending()).previews).toEqual([]);
    expect(await codeOfLater(() => service.open(id))).toBe('PREVIEW_EXPIRED');
  });
});

describe('what waits under another policy', () => {
  it('is counted until it is decided or expires, and nothing else of it is known', async () => {
    const { service, propose, state, pass } = await reviewFixture();
    const foreign = { policy: 'f'.repeat(64) };
    const [one, two] = [await propose(SCALE, foreign), await propose(SCALE, foreign)];
    await propose(SCALE, { ...foreign, approval: 'preview' });
    const here = await propose(SCALE);
    expect((await service.pending()).previews.map(({ id }) => id)).toEqual([here]);
    expect((await service.pending()).elsewhere).toBe(2);
    const asked = await Promise.all([one, two, here, 'x'].map((id) => service.isElsewhere(id)));
    expect(asked).toEqual([true, true, false, false]);
    expect(await codeOfLater(() => service.open(one))).toBe('PREVIEW_EXPIRED');
    await person('ann').decide({ state: state.location.name }, one, 'approve');
    expect((await service.pending()).elsewhere).toBe(1);
    pass(8 * 24 * 60);
    expect((await service.pending()).elsewhere).toBe(0);
  });
});

describe('a list that was read before', () => {
  it('still knows what was decided, expired or applied since, and opens nothing that was tampered with since', async () => {
    const { service, propose, pass, keys, tamper, apply } = await reviewFixture();
    const [one, two] = [await propose(SCALE), await propose(SCALE)];
    expect((await service.pending()).previews).toHaveLength(2);
    await service.reject(one, '', keys.ann);
    const states = (await service.pending()).previews.map(({ state }) => state);
    expect(states.sort()).toEqual(['pending', 'rejected']);
    await apply(one);
    expect((await service.pending()).previews.map(({ id }) => id)).toEqual([two]);
    tamper(two);
    expect(await codeOfLater(() => service.open(two))).toBe('PREVIEW_NOT_FOUND');
    expect(await codeOfLater(() => service.approve(two, keys.ann))).toBe('PREVIEW_NOT_FOUND');
    pass(8 * 24 * 60);
    expect((await service.pending()).previews).toEqual([]);
  });
});

describe('a preview', () => {
  it('shows its diff, its changes, and each edit on its own', async () => {
    const { service, propose } = await reviewFixture();
    const view = await service.open(await propose([swap('shop', 'bakery'), swap('2', '3')]));
    const [file] = view.files;
    expect(file?.diff).toContain('-name: shop # ours\n-replicas: 2\n+name: bakery # ours\n+replicas: 3\n');
    expect(file?.changes).toMatchObject([{ path: 'name' }, { path: 'replicas', from: '2', to: '3' }]);
    expect(file?.state).toBe('same');
    expect(view.parts.map(({ index }) => index)).toEqual([0, 1]);
    expect(view.parts[1]?.diff).toContain('-replicas: 2\n+replicas: 3\n');
    expect(view.parts[1]?.diff).not.toContain('+name');
  });

  it('says when its file has moved on, or is no longer there', async () => {
    const { service, propose, here } = await reviewFixture();
    const id = await propose(SCALE);
    here.write('root/a.yaml', `${BASE}more: 1\n`);
    expect((await service.open(id)).files[0]?.state).toBe('changed');
    rmSync(join(here.root, 'a.yaml'));
    expect((await service.open(id)).files[0]?.state).toBe('unreadable');
  });

  it('warns of what it finds itself, whatever the preview was stored with [TTY-2]', async () => {
    const { service, propose } = await reviewFixture();
    const { files } = await service.open(await propose([swap('2', 'no')], { warnings: ['All is well.'] }));
    expect(files[0]?.warnings.join()).toContain('no');
    expect(JSON.stringify(files)).not.toContain('All is well');
  });

  it('stacks no thousand marks on a letter, which would cover the lines around it', async () => {
    const { service, propose } = await reviewFixture();
    const { files, parts, asked_by } = await service.open(
      await propose([swap('web:1', `e${'\u0301'.repeat(999)}`)], {
        caller: { name: `e${'\u0301'.repeat(99)}`, version: '1' },
      }),
    );
    const said = [asked_by, ...files.map((file) => JSON.stringify(file)), ...parts.map(({ diff }) => diff)];
    for (const text of said) {
      expect(text).not.toMatch(/\p{M}{9}/u);
      expect(text).toContain('<U+0301>');
    }
  });

  it('shows nothing that a terminal obeys, whatever the file, the agent or the reviewer wrote', async () => {
    const { service, propose, keys } = await reviewFixture();
    const hostile = '"\\e[2J\u202e\u200b\u009b31m"';
    const id = await propose([swap('web:1', hostile)], {
      caller: { name: '\u001b[2J\r\u202e', version: '' },
    });
    await service.reject(id, 'no\u001b]52;c;aGk=\u0007\r\n', keys.bob);
    const shown = JSON.stringify([await service.open(id), (await service.pending()).previews]);
    // In JSON a control would be an escape.
    expect(shown).not.toMatch(/[\u0080-\u009f\u200b\u202e]|\\u00|\\r/u);
    expect(shown).toContain('<U+202E>');
  });
});

describe('a decision', () => {
  it('is what the server goes by, and stands in the audit trail', async () => {
    const { service, propose, keys, approval, state } = await reviewFixture();
    const [yes, no] = [await propose(SCALE), await propose(SCALE)];
    await service.approve(yes, keys.ann);
    await service.reject(no, 'not on a Friday', keys.bob);
    expect((await approval(yes)).reviewer).toBe('ann');
    const declined = await refusalOfLater(() => approval(no));
    expect(declined?.code).toBe('APPROVAL_DECLINED');
    expect(declined?.message).toContain('bob has rejected it: not on a Friday');
    expect(await verifyTrail(state.store)).toMatchObject({ isWhole: true, records: 4 });
    expect(trailOf(state.location.name).slice(2)).toMatchObject([
      { action: 'approve', preview: yes, reviewer: 'ann', files: [{ file: 'a.yaml', paths: ['replicas'] }] },
      { action: 'reject', preview: no, reviewer: 'bob' },
    ]);
  });

  it('is refused to a key that is not on the list, and about a preview that no longer waits', async () => {
    const { service, propose, keys, pass } = await reviewFixture();
    const id = await propose(SCALE);
    expect(await codeOfLater(() => service.approve(id, keys.eve))).toBe('StartError');
    expect((await service.open(id)).state).toBe('pending');
    pass(8 * 24 * 60);
    expect(await codeOfLater(() => service.approve(id, keys.ann))).toBe('PREVIEW_EXPIRED');
    expect(await codeOfLater(() => service.approve('x'.repeat(52), keys.ann))).toBe('PREVIEW_NOT_FOUND');
  });

  it('gives way to a later one of the same reviewer and to any no, and a no to nothing [APR-5]', async () => {
    const { service, propose, keys } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3')]);
    await service.approvePart(id, [0], keys.ann);
    await service.approve(id, keys.ann);
    expect((await service.open(id)).state).toBe('approved');
    await service.reject(id, 'wait', keys.bob);
    expect((await service.open(id)).state).toBe('rejected');
    // Whoever thinks otherwise by now has it proposed anew.
    for (const key of [keys.bob, keys.ann]) {
      expect(await codeOfLater(() => service.approve(id, key))).toBe('APPROVAL_DECLINED');
      expect(await codeOfLater(() => service.approvePart(id, [0], key))).toBe('APPROVAL_DECLINED');
    }
    expect((await service.open(id)).state).toBe('rejected');
  });
});

describe('what a person is told of their approval', () => {
  it('is that it can be applied only where it can: not over the part of another, after drift, or behind what nobody signed', async () => {
    const { service, propose, keys, here, state } = await reviewFixture();
    const say = async (id: string) => approvalText(await service.open(id));
    const two = () => propose([swap('shop', 'bakery'), swap('2', '3')]);
    const [plain, over, forged] = [await two(), await two(), await two()];
    await service.approve(plain, keys.ann);
    expect(await say(plain)).toEqual({
      text: 'Approved: it can be applied now, once, exactly as shown.',
      isApplicable: true,
    });
    const part = await service.approvePart(over, [0], keys.bob);
    await service.approve(over, keys.ann);
    expect(await say(over)).toMatchObject({
      isApplicable: false,
      text: expect.stringContaining(shortId('pv', part)),
    });
    await service.reject(over, '', keys.bob);
    expect(await say(over)).toMatchObject({
      isApplicable: false,
      text: expect.stringContaining('has rejected it'),
    });
    await service.approve(forged, keys.bob);
    // With a key of the same name that is not listed.
    await person('ann').decide({ state: state.location.name }, forged, 'approve');
    expect(await say(forged)).toMatchObject({
      isApplicable: false,
      text: expect.stringContaining('did not sign'),
    });
    writeFileSync(join(here.root, 'a.yaml'), BASE.replace('shop', 'bakery'));
    expect(await say(plain)).toEqual({
      text: 'Approved, but it cannot be applied as it is: a.yaml changed since, or cannot be read.',
      isApplicable: false,
    });
  });
});

describe('a change whose file has changed since', () => {
  const MOVED = `# ours\n${BASE.replace('shop', 'bakery')}`;

  it('is approved for the file as it is now, by exactly what was shown of it [APR-9]', async () => {
    const { service, here, propose, keys, approval } = await reviewFixture();
    const id = await propose(SCALE);
    writeFileSync(join(here.root, 'a.yaml'), MOVED);
    const { rebased, parts } = await service.open(id);
    if (rebased === undefined) throw new Error('it can be made there');
    expect(parts).toEqual([]);
    expect(rebased.files).toMatchObject([
      { file: 'a.yaml', state: 'same', diff: expect.stringContaining('+replicas: 3') },
    ]);
    writeFileSync(join(here.root, 'a.yaml'), `# again\n${MOVED}`);
    expect(await codeOfLater(() => service.approveRebased(id, rebased.shown, keys.ann))).toBe('FILE_CHANGED');
    writeFileSync(join(here.root, 'a.yaml'), MOVED);
    const now = await service.approveRebased(id, rebased.shown, keys.ann);
    expect((await approval(now)).preview.id).toBe(now);
    const refusal = await refusalOfLater(() => approval(id));
    expect(refusal?.clues.previewId).toBe(shortId('pv', now));
    expect(approvalText(await service.open(now)).isApplicable).toBe(true);
  });

  it.each([
    { why: 'what came since is in the way', now: BASE.replace('2', '9') },
    { why: 'it is gone', now: undefined },
    { why: 'it cannot be read', now: 'a: [\n' },
    { why: 'it says so already', now: BASE.replace('2', '3') },
  ])('is not offered for it where $why', async ({ now }) => {
    const { service, here, propose, keys } = await reviewFixture();
    const id = await propose(SCALE);
    const file = join(here.root, 'a.yaml');
    if (now === undefined) rmSync(file);
    else writeFileSync(file, now);
    const view = await service.open(id);
    expect(view.rebased).toBeUndefined();
    expect(view.parts).toEqual([]);
    expect(await codeOfLater(() => service.approveRebased(id, '', keys.ann))).toBe('FILE_CHANGED');
  });
});

describe('the history', () => {
  it('lists what was applied, newest first, says what took a change back, and shows each', async () => {
    const { service, draft, file, pass, begin, finish } = await reviewFixture();
    const made = (origin: Parameters<typeof draft>[1]) => {
      const { caller, policy, origin: from, files } = draft([file('a.yaml', BASE, SCALE)], origin);
      return begin({ caller, policy, origin: from, files, confirmed_by: 'human', reviewer: 'ann' });
    };
    const first = await made({});
    expect(await service.history()).toMatchObject([{ state: 'open' }]);
    await finish(first);
    expect(await service.history()).toMatchObject([{ state: 'applied' }]);
    pass(5);
    const second = await made({ origin: { kind: 'revert', change_id: first } });
    expect((await service.history())[1]?.undone_by).toBeUndefined();
    await finish(second);
    const history = await service.history();
    expect(history.map(({ id }) => id)).toEqual([second, first]);
    expect(history[1]).toMatchObject({
      undone_by: second,
      reviewer: 'ann',
      files: ['a.yaml'],
      state: 'applied',
    });
    expect((await service.change(first)).files[0]?.diff).toContain('+replicas: 3');
    expect(await codeOfLater(() => service.change(contentId(canonicalJson({}))))).toBe('CHANGE_NOT_FOUND');
  });
});

describe('a part', () => {
  it('is a preview of its own, and what the signature is for', async () => {
    const { service, propose, keys, approval } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3')]);
    const [file] = await service.part(id, [1]);
    expect(file?.diff).toContain('+replicas: 3');
    expect(file?.diff).not.toContain('bakery');
    const part = await service.approvePart(id, [1], keys.ann);
    expect(await service.open(id)).toMatchObject({ state: 'part', decisions: [{ decision: 'part', part }] });
    expect(await service.open(part)).toMatchObject({
      state: 'approved',
      origin: { kind: 'part', of: id, kept: [1] },
    });
    expect((await service.open(part)).files).toEqual(await service.part(id, [1]));
    expect((await approval(part)).reviewer).toBe('ann');
    expect(await refusalOfLater(() => approval(id))).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      clues: { previewId: shortId('pv', part) },
    });
  });

  it('is named with those of others, and no longer once it was rejected or used', async () => {
    const { service, propose, keys, approval, apply } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3')]);
    const refused = () => refusalOfLater(() => approval(id));
    const [one, other] = [
      await service.approvePart(id, [0], keys.ann),
      await service.approvePart(id, [1], keys.bob),
    ];
    const [first, second] = [shortId('pv', one), shortId('pv', other)];
    expect((await refused())?.message).toContain(`preview ${first}, or ${second}, each by another reviewer`);
    await service.reject(one, '', keys.bob);
    expect(await refused()).toMatchObject({
      message: expect.not.stringContaining(first),
      clues: { previewId: second },
    });
    await apply(other);
    expect(await refused()).toMatchObject({ message: expect.stringContaining('applied or rejected since') });
    expect((await refused())?.clues.previewId).toBeUndefined();
  });

  it('goes with the whole where that is rejected later, and has no parts itself [APR-5]', async () => {
    const { service, propose, keys, approval } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3'), swap('web:1', 'web:2')]);
    const part = await service.approvePart(id, [0, 1], keys.ann);
    expect(await codeOfLater(() => service.approvePart(part, [0], keys.bob))).toBe('ARGUMENT_INVALID');
    expect((await service.open(part)).state).toBe('approved');
    await service.reject(id, 'not now', keys.bob);
    expect((await service.open(part)).state).toBe('rejected');
    expect(await codeOfLater(() => approval(part))).toBe('APPROVAL_DECLINED');
    expect(await codeOfLater(() => service.approve(part, keys.ann))).toBe('APPROVAL_DECLINED');
  });

  it('is refused where it is nothing or everything, and leaves nothing behind for an unknown key', async () => {
    const { service, propose, keys } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3')]);
    for (const kept of [[], [0, 1], [2]])
      expect(await codeOfLater(() => service.approvePart(id, kept, keys.ann))).toBe('ARGUMENT_INVALID');
    expect(await codeOfLater(() => service.approvePart(id, [0], keys.eve))).toBe('StartError');
    expect((await service.pending()).previews).toHaveLength(1);
  });
});

describe('a word that is taken back', () => {
  const onDisk = (base: string) => readFileSync(join(base, 'root/a.yaml'), 'utf8');

  /** As config_apply does, up to the last moment. */
  const claimed = async () => {
    const at = await reviewFixture();
    const { propose, service, keys, approval, sandbox, state } = at;
    const id = await propose(SCALE);
    await service.approve(id, keys.ann);
    const approved = await approval(id);
    const { preview } = approved;
    const snapshot = sandbox.open(sandbox.parse('a.yaml')).read();
    const edits = [VerifiedEdit.prove(snapshot, SCALE, () => preview.record.files[0]?.changes ?? [])];
    const { caller, policy, origin, files } = preview.record;
    const draft = { ...{ caller, policy, origin, files, preview: id }, confirmed_by: 'human' as const };
    const verdict = judged(Verdict, sandbox, edits);
    const apply = () => commitEdits(sandbox, edits, { state, draft, verdict, approved });
    return { ...at, id, apply, edits, draft, verdict };
  };

  it('counts while an apply is under way: nothing is written behind a recorded no [APR-5]', async () => {
    const { here, service, keys, id, apply } = await claimed();
    await service.reject(id, 'not today', keys.bob);
    const refusal = await refusalOfLater(apply);
    expect(refusal).toMatchObject({ code: 'APPROVAL_DECLINED' });
    expect(refusal?.message).toContain('not today');
    expect(onDisk(here.base)).toBe(BASE);
  });

  it('counts where the reviewer was taken off the list meanwhile [APR-7]', async () => {
    const { here, apply } = await claimed();
    here.write('reviewers', readFileSync(join(here.base, 'reviewers'), 'utf8').split('\n')[1] ?? '', 0o600);
    expect(await codeOfLater(apply)).toBe('APPROVAL_REQUIRED');
    expect(onDisk(here.base)).toBe(BASE);
  });

  it('has room where agents have filled the trail, and what they ask for has none (finding 15.1) [APR-6]', async () => {
    const { here, apply, state, propose, sandbox, edits, draft, verdict } = await claimed();
    vi.spyOn(state.location, 'shortage').mockReturnValue('full');
    expect(await codeOfLater(() => propose(SCALE))).toBe('NO_SPACE');
    expect(await codeOfLater(() => commitEdits(sandbox, edits, { state, draft, verdict }))).toBe('NO_SPACE');
    expect(onDisk(here.base)).toBe(BASE);
    await apply();
    expect(onDisk(here.base)).toBe(BASE.replace('2', '3'));
  });

  it('comes too late once the write is recorded, and is told so', async () => {
    const { service, keys, id, decisions, begin, draft } = await claimed();
    await begin(draft);
    expect(await codeOfLater(() => service.reject(id, 'no', keys.bob))).toBe('PREVIEW_USED');
    expect(await decisions.genuineOf(id)).toHaveLength(1);
  });
});
