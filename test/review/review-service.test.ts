import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { approvalText } from '../../src/review/approval-text.ts';
import { ReviewService } from '../../src/review/review-service.ts';
import { startExpiryTimer } from '../../src/security/state/state.ts';
import { shortId } from '../../src/state/canonical.ts';
import { person } from '../harness/previews.ts';
import { codeOfLater, refusalOfLater } from '../harness/refusals.ts';
import { withDatabase } from '../harness/state.ts';
import { rewritten } from '../security/fixture.ts';
import { BASE, reviewFixture, swap } from './fixture.ts';

const SCALE = [swap('2', '3')];

describe('what waits', () => {
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
});

describe('a preview', () => {
  it('warns of what it finds itself, whatever the preview was stored with [TTY-2]', async () => {
    const { service, propose } = await reviewFixture();
    const { files } = await service.open(await propose([swap('2', 'no')], { warnings: ['All is well.'] }));
    expect(files[0]?.warnings.join()).toContain('no');
    expect(JSON.stringify(files)).not.toContain('All is well');
  });
});

describe('a decision', () => {
  it('of a part gives way to one of the whole, both to any no, and a no to nothing [APR-5]', async () => {
    const { service, propose, keys } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3')]);
    await service.approvePart(id, [0], keys.ann);
    expect((await service.open(id)).state).toBe('part');
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
  it('is that it can be applied only where it can: not behind a no, after drift, or behind what nobody signed', async () => {
    const { service, propose, keys, here, state } = await reviewFixture();
    const say = async (id: string) => approvalText(await service.open(id));
    const two = () => propose([swap('shop', 'bakery'), swap('2', '3')]);
    const [plain, over, forged] = [await two(), await two(), await two()];
    await service.approve(plain, keys.ann);
    expect(await say(plain)).toEqual({
      text: 'Approved: it can be applied now, once, exactly as shown.',
      isApplicable: true,
    });
    await service.approvePart(over, [0], keys.bob);
    expect(await say(over)).toMatchObject({ isApplicable: false });
    await service.approve(over, keys.ann);
    expect(await say(over)).toMatchObject({ isApplicable: true });
    await service.reject(over, '', keys.bob);
    expect(await say(over)).toMatchObject({
      isApplicable: false,
      text: expect.stringContaining('has rejected it'),
    });
    await service.approve(forged, keys.bob);
    // With a key of the same name that is not listed.
    await person('ann').decide({ state: state.place }, forged, 'approve');
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

describe('a part', () => {
  it('is named with those of others', async () => {
    const { service, propose, keys, askToApply } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3')]);
    const parts = [
      await service.approvePart(id, [0], keys.ann),
      await service.approvePart(id, [1], keys.bob),
    ].map((part) => shortId('pv', part));
    const refused = await refusalOfLater(() => askToApply(id));
    expect(refused?.message).toContain(`as preview ${parts.join(', or ')}.`);
    expect(refused?.clues.previewId).toBe(parts[0]);
  });

  it('goes with the whole where that is rejected later, and has no parts itself [APR-5]', async () => {
    const { service, propose, keys, askToApply } = await reviewFixture();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3'), swap('web:1', 'web:2')]);
    const part = await service.approvePart(id, [0, 1], keys.ann);
    expect(await codeOfLater(() => service.approvePart(part, [0], keys.bob))).toBe('ARGUMENT_INVALID');
    expect((await service.open(part)).state).toBe('approved');
    await service.reject(id, 'not now', keys.bob);
    expect((await service.open(part)).state).toBe('rejected');
    expect(await codeOfLater(() => askToApply(part))).toBe('APPROVAL_DECLINED');
    expect(await codeOfLater(() => service.approve(part, keys.ann))).toBe('APPROVAL_DECLINED');
  });
});

describe('a word that is taken back', () => {
  const onDisk = (base: string) => readFileSync(join(base, 'root/a.yaml'), 'utf8');

  /** An approved preview; `then` happens once an apply has seen the approval, and before it writes. */
  const claimed = async () => {
    const at = await reviewFixture();
    const { propose, service, keys, state, askToApply } = at;
    const id = await propose(SCALE);
    await service.approve(id, keys.ann);
    const apply = (then: () => unknown) => {
      // Whether the trail holds what was signed is asked last.
      const holds = state.store.holds.bind(state.store);
      vi.spyOn(state.store, 'holds').mockImplementationOnce(async (...asked) => {
        const seen = await holds(...asked);
        await then();
        return seen;
      });
      return askToApply(id);
    };
    return { ...at, id, apply };
  };

  it('counts while an apply is under way: nothing is written behind a recorded no [APR-5]', async () => {
    const { here, service, keys, id, apply } = await claimed();
    const refusal = await refusalOfLater(() => apply(() => service.reject(id, 'not today', keys.bob)));
    expect(refusal).toMatchObject({ code: 'APPROVAL_DECLINED' });
    expect(refusal?.message).toContain('not today');
    expect(onDisk(here.base)).toBe(BASE);
  });

  it('counts where the reviewer was taken off the list meanwhile [APR-7]', async () => {
    const { here, apply } = await claimed();
    const others = readFileSync(join(here.base, 'reviewers'), 'utf8').split('\n')[1] ?? '';
    const refused = await codeOfLater(() => apply(() => here.write('reviewers', others, 0o600)));
    expect(refused).toBe('APPROVAL_REQUIRED');
    expect(onDisk(here.base)).toBe(BASE);
  });

  it('has room where agents have filled the trail, and what they ask for has none (finding 15.1) [APR-6]', async () => {
    const { here, apply, state, propose, sandbox } = await claimed();
    const { dir } = state;
    if (dir === undefined) throw new Error('it has one');
    vi.spyOn(dir, 'shortage', 'get').mockReturnValue('full');
    expect(await codeOfLater(() => propose(SCALE))).toBe('NO_SPACE');
    expect(
      await codeOfLater(() => here.commit(sandbox, [rewritten(sandbox, 'a.yaml', 'b: 1\n')], '', state)),
    ).toBe('NO_SPACE');
    expect(onDisk(here.base)).toBe(BASE);
    await apply(() => undefined);
    expect(onDisk(here.base)).toBe(BASE.replace('2', '3'));
  });
});
