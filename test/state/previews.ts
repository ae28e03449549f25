// Previews, whichever engine keeps them.
import { expect, it } from 'vitest';
import { shortId } from '../../src/state/canonical.ts';
import { at, event } from './events.mjs';
import { begin, beginDirect, type Ground, keep } from './ground.ts';

const HUMAN = { approval: 'human' } as const;

export function previewCases(ground: () => Ground): void {
  it('finds a preview by its full and its short id, and by no other name', async () => {
    const store = await ground().open();
    const { id, preview } = await keep(store, { texts: ['a: 1\n', 'b: 2\n'] });
    const found = await store.find(id);
    expect(found).toMatchObject({ id, preview, isKept: true, status: { decisions: [], decidedAt: 0 } });
    expect(found?.status.write).toBeUndefined();
    for (const name of [shortId('pv', id), shortId('ch', id)]) expect(await store.find(name)).toEqual(found);
    const other = id.slice(0, 51) + (id.endsWith('0') ? '1' : '0');
    const hostile = ["' OR 1=1 --", 'pv_%%%%%%%%%%', 'pv___________', `pv_${id}`, `${id}\u0000`, `PV_${id}`];
    for (const name of ['', 'pv_', id.slice(0, 10), `${id}0`, `${shortId('pv', id)}0`, other, ...hostile])
      expect([name, await store.find(name)]).toEqual([name, undefined]);
  });

  it('joins a preview into one that takes its place, and the trail knows it', async () => {
    const store = await ground().open();
    const old = await keep(store);
    const part = await keep(store, { origin: { kind: 'part', of: old.id, kept: [0] } });
    await store.decide(old.id, [event('approved', old.id)]);
    const next = await keep(store, { texts: ['b: 1\n'] }, { joins: old.id });
    expect(next.answer).toBe('kept');
    expect(await store.find(shortId('pv', old.id))).toMatchObject({
      ...{ id: old.id, preview: undefined, isKept: false },
      status: { decisions: [{ type: 'approved' }], joinedInto: next.id },
    });
    expect((await store.waiting()).map(({ id }) => id).sort()).toEqual([part.id, next.id].sort());
    // Nothing can be decided about it any more, and neither it nor a part of it be applied.
    expect(await store.decide(old.id, [event('approved', old.id)])).toBeUndefined();
    expect(await begin(store, old.id)).toEqual({ state: 'decided' });
    expect(await begin(store, part.id, { whole: old.id })).toEqual({ state: 'decided' });
    expect(await begin(store, next.id)).toMatchObject({ state: 'begun' });
  });

  it('joins no preview that was joined, rejected, used, is being applied, or is not there', async () => {
    const store = await ground().open();
    const [joined, rejected, used, open] = [
      ...[await keep(store), await keep(store), await keep(store), await keep(store)],
    ].map(({ id }) => id);
    await keep(store, {}, { joins: joined ?? '' });
    await store.decide(rejected ?? '', [event('rejected', rejected)]);
    for (const id of [used, open]) await begin(store, id ?? '');
    await store.end(event('applied', used));
    const before = await store.head();
    for (const joins of [joined, rejected, used, open, '0'.repeat(52), '']) {
      const late = await keep(store, {}, { joins: joins ?? '' });
      expect(late.answer).toBe('gone');
      expect(await store.find(late.id)).toBeUndefined();
    }
    expect(await store.head()).toEqual(before);
    expect(await store.find(open ?? '')).toMatchObject({ isKept: true });
  });

  it('keeps the preview that was to be joined where there is no room for the other', async () => {
    const store = await ground().open();
    const old = await keep(store, HUMAN);
    const bounds = { previews: 1, totalBytes: 1 };
    expect((await keep(store, HUMAN, { bounds, joins: old.id })).answer).toBe('no room');
    const found = await store.find(old.id);
    expect(found).toMatchObject({ isKept: true });
    expect(found?.status.joinedInto).toBeUndefined();
  });

  it('lists what waits in the order of its time', async () => {
    const store = await ground().open();
    const late = await keep(store, { time: 9 });
    const first = await keep(store, { time: 1 });
    const second = await keep(store, { ...HUMAN, time: 2 });
    const used = await keep(store, { time: 3 });
    await store.decide(second.id, [event('approved', second.id)]);
    await begin(store, used.id);
    const { roots, policy } = second.preview;
    const waiting = await store.waiting();
    expect(waiting.map(({ id, isDecided }) => [id, isDecided])).toEqual([
      ...[
        [first.id, false],
        [second.id, true],
        [late.id, false],
      ],
    ]);
    expect(waiting[1]).toMatchObject({ ...HUMAN, roots, policy, createdAt: at(2), expiresAt: at(3_602) });
  });

  it('drops the oldest that an agent could apply where there are too many, and none of other roots', async () => {
    const store = await ground().open();
    const other = await keep(store, { roots: 'c'.repeat(64) });
    const ids: string[] = [];
    for (let time = 0; time < 50; time += 1) {
      const { id, answer } = await keep(store, { time }, { bounds: { previews: 20, totalBytes: 64e6 } });
      expect(answer).toBe('kept');
      ids.push(id);
      const kept = (await store.waiting()).map((one) => one.id);
      expect(kept).toContain(other.id);
      expect(kept.length).toBeLessThanOrEqual(21);
      expect(kept.filter((one) => one !== other.id)).toEqual(ids.slice(-(kept.length - 1)));
    }
  });

  it('drops what was rejected or has expired before what can still be applied, and nothing that is being applied', async () => {
    const store = await ground().open();
    const keptAt = async (time: number, lasts = 3_600) => (await keep(store, { time, lasts })).id;
    const oldest = await keptAt(0);
    const rejected = await keptAt(1);
    const expired = await keptAt(2, 1);
    const open = await keptAt(3);
    await begin(store, open);
    await store.decide(rejected, [event('rejected', rejected)]);
    const last = await keep(store, { time: 5 }, { bounds: { previews: 3, totalBytes: 64e6 }, now: 5 });
    const isKept = async (id: string) => (await store.find(id))?.isKept;
    expect(await Promise.all([oldest, open, last.id].map(isKept))).toEqual([true, true, true]);
    expect(await Promise.all([rejected, expired].map(isKept))).toEqual([false, false]);
    expect(await store.find(rejected)).toMatchObject({ status: { decisions: [{ type: 'rejected' }] } });
  });

  it('takes no more than so many for a person, and drops none of them for one more', async () => {
    const store = await ground().open();
    const bounds = { previews: 6, totalBytes: 64e6 };
    const ids: string[] = [];
    for (let time = 0; time < 6; time += 1) ids.push((await keep(store, { ...HUMAN, time }, { bounds })).id);
    const before = await store.head();
    const refused = await keep(store, HUMAN, { bounds });
    expect(refused.answer).toBe('no room');
    expect(await store.head()).toEqual(before);
    expect(await store.find(refused.id)).toBeUndefined();
    expect((await store.waiting()).map(({ id }) => id)).toEqual(ids);
    expect((await keep(store, {}, { bounds })).answer).toBe('kept');
    await store.decide(ids[0] ?? '', [event('rejected', ids[0])]);
    expect((await keep(store, HUMAN, { bounds })).answer).toBe('kept');
    expect((await keep(store, HUMAN, { bounds, now: 9_999 })).answer).toBe('kept');
  });

  it('counts the bytes of all previews of a kind', async () => {
    const store = await ground().open();
    const bounds = { previews: 500, totalBytes: 1_000_000 };
    const texts = ['é'.repeat(200_000)];
    for (const [approval, answer] of [
      ...([
        ['human', 'kept'],
        ['human', 'kept'],
        ['human', 'no room'],
        ['client', 'kept'],
      ] as const),
      ...([
        ['preview', 'kept'],
        ['direct', 'kept'],
      ] as const),
    ])
      expect((await keep(store, { approval, texts }, { bounds })).answer).toBe(answer);
    // The oldest was dropped, which is the one at the client.
    expect((await store.waiting()).map(({ approval }) => approval)).toHaveLength(4);
    expect((await keep(store, { texts: [...texts, ...texts, ...texts] }, { bounds })).answer).toBe('no room');
  });

  it('drops what is named, and what has expired, unless it is being applied; the trail still knows it', async () => {
    const store = await ground().open();
    const [short, long] = [await keep(store, { lasts: 10 }), await keep(store, { lasts: 11 })];
    const [named, open] = [await keep(store), await keep(store, { lasts: 10 })];
    const direct = await beginDirect(store, { lasts: 10 });
    await begin(store, open.id);
    await store.drop(named.id);
    await store.dropExpired(at(9));
    expect((await store.waiting()).map(({ id }) => id).sort()).toEqual([short.id, long.id].sort());
    await store.dropExpired(at(10));
    for (const id of [open.id, direct.id]) await store.drop(id);
    expect((await store.waiting()).map(({ id }) => id)).toEqual([long.id]);
    for (const { id, isKept } of [
      ...[
        { ...short, isKept: false },
        { ...named, isKept: false },
      ],
      ...[
        { ...open, isKept: true },
        { ...direct, isKept: true },
      ],
    ])
      expect(await store.find(shortId('pv', id))).toMatchObject({ id, isKept });
    expect(await begin(store, short.id)).toEqual({ state: 'gone' });
  });
}
