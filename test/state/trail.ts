// The trail, whichever engine keeps it.
import { expect, it } from 'vitest';
import type { Store } from '../../src/state/store.ts';
import { GENESIS, trailPages } from '../../src/state/trail.ts';
import { event, refused } from './events.mjs';
import { type Ground, requireWhole } from './ground.ts';

export function trailCases(ground: () => Ground): void {
  it('chains each event to the one before it', async () => {
    const store = await ground().open();
    expect(await store.head()).toEqual(GENESIS);
    expect(await store.holds(GENESIS)).toBe(true);
    const events = [refused(1), { ...refused(2), reason: 'é\u0000\ud800"\\u0000' }, refused(3)];
    const end = await store.append(events, true);
    expect(end.seq).toBe(3);
    expect(await store.head()).toEqual(end);
    const rows = [...(await store.trailAfter(0, 2)), ...(await store.trailAfter(2, 2))];
    expect(rows.map((row) => row.event)).toEqual(events);
    await requireWhole(store);
    expect(await store.holds(end)).toBe(true);
    for (const other of [{ seq: 2 }, { seq: 4 }, { seq: 0 }, { sha256: 'f'.repeat(64) }])
      expect(await store.holds({ ...end, ...other })).toBe(false);
    expect(await store.append([], true)).toEqual(end);
  });

  it('is one chain however many write and read', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => ground().open()));
    const work = stores.flatMap((store, writer) =>
      Array.from({ length: 25 }, async (_, n) => {
        const end = await store.append([refused(writer), refused(n)], n % 2 === 0);
        expect(await store.holds(end)).toBe(true);
        return end;
      }),
    );
    const ends = await Promise.all(work);
    expect(new Set(ends.map(({ seq }) => seq)).size).toBe(100);
    for (const store of stores) expect(await requireWhole(store)).toMatchObject({ seq: 200 });
  });

  it('has each notice once, however many ask [SRV-17]', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => ground().open()));
    const notify = (store: Store, notice: string) =>
      store.notify(event('notified', undefined, { notice, outcome: 'begun' }));
    const names = ['applied a', 'applied b', 'pending a'];
    const won = await Promise.all(names.flatMap((name) => stores.map((store) => notify(store, name))));
    expect(won.filter(Boolean)).toHaveLength(3);
    const [first] = stores;
    if (first === undefined) throw new Error('three were opened');
    expect(await requireWhole(first)).toMatchObject({ seq: 3 });
    expect(await notify(first, 'applied a')).toBe(false);
    expect(await notify(first, 'applied c')).toBe(true);
  });

  it('is read in pages', async () => {
    const store = await ground().open();
    await store.append(
      Array.from({ length: 2_000 }, () => refused()),
      false,
    );
    const sizes: number[] = [];
    for await (const rows of trailPages(store, 1)) sizes.push(rows.length);
    expect(sizes).toEqual([1_000, 999]);
  });

  it('tells one state from another, and is the same for all who open it', async () => {
    const [one, other] = await Promise.all([ground().open(), ground().open()]);
    expect(one?.id).toMatch(/^[0-9a-f]{32}$/u);
    expect(one?.maskingKey).toMatch(/^[0-9a-f]{64}$/u);
    expect([other?.id, other?.maskingKey]).toEqual([one?.id, one?.maskingKey]);
  });

  it('goes on after a close, and closes twice', async () => {
    const store = await ground().open();
    const appended = store.append([refused()], true);
    await store.close();
    expect((await appended).seq).toBe(1);
    await store.close();
    await expect(store.head()).rejects.toThrow();
  });
}
