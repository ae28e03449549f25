// Previews, whichever engine keeps them.
import { expect, it } from 'vitest';
import { shortId } from '../../src/state/index.ts';
import { BOUNDS, begin, type Ground, keep } from './ground.ts';
import { at, decided, proposed } from './records.mjs';

export function previewCases(ground: () => Ground): void {
  it('finds a preview by its full and its short id, and by no other name', async () => {
    const store = await ground().open();
    const { id } = await keep(store, { texts: ['a: 1\n', 'b: 2\n'] });
    const full = await store.findPreview(id);
    expect(full).toMatchObject({
      id,
      isKept: true,
      status: { decisions: [], decidedAt: 0, changeId: undefined },
    });
    expect(full?.preview?.files.map(({ base }) => base)).toEqual(['a: 1\n', 'b: 2\n']);
    expect(await store.findPreview(shortId('pv', id))).toEqual(full);
    for (const name of [
      '',
      'pv_',
      id.slice(0, 10),
      shortId('ch', id),
      `${id}0`,
      "' OR 1=1 --",
      'pv_%%%%%%%%%%',
    ])
      expect(await store.findPreview(name)).toBeUndefined();
  });

  it('keeps a preview once, however often it is asked to', async () => {
    const store = await ground().open();
    const preview = await keep(store);
    const again = { ...preview, bounds: BOUNDS, now: at(0) };
    expect(await store.keepPreview(again, proposed(preview.id))).toBe('kept');
    expect(await store.head()).toMatchObject({ seq: 1 });
    expect(await store.waitingPreviews()).toHaveLength(1);
  });

  it('replaces a preview by another one, and knows from then on that it did', async () => {
    const store = await ground().open();
    const old = await keep(store);
    const part = await keep(store, { origin: { kind: 'part', of: old.id, kept: [0] } });
    await store.recordDecision(old.id, decided(old.id, 'approve', 1));
    const next = await keep(store, { texts: ['b: 1\n'] }, { replaces: old.id });
    expect(next.answer).toBe('kept');
    expect(await store.findPreview(old.id)).toMatchObject({
      preview: undefined,
      isKept: false,
      status: { decisions: [{ action: 'approve' }], replacedBy: next.id },
    });
    expect((await store.waitingPreviews()).map(({ id }) => id)).toEqual([part.id, next.id]);
    // Nothing can be decided about it any more, and no part of it be applied.
    expect(await store.recordDecision(old.id, decided(old.id, 'approve', 2))).toBeUndefined();
    expect((await begin(store, part.id, { claim: { whole: old.id } })).begun).toEqual({ state: 'decided' });
    expect((await begin(store, next.id)).begun.state).toBe('begun');
  });

  it('replaces no preview twice, none that is being applied, and none that is not there', async () => {
    const store = await ground().open();
    const [old, used] = [await keep(store), await keep(store)];
    await begin(store, used.id);
    expect((await keep(store, {}, { replaces: old.id })).answer).toBe('kept');
    const before = await store.head();
    for (const replaces of [old.id, used.id, 'e'.repeat(64)])
      expect((await keep(store, {}, { replaces })).answer).toBe('gone');
    expect(await store.head()).toEqual(before);
    expect(await store.findPreview(used.id)).toMatchObject({ isKept: true });
  });

  it('keeps the preview that was to be replaced where there is no room for the other', async () => {
    const store = await ground().open();
    const old = await keep(store, { approval: 'human' });
    const bounds = { ...BOUNDS, previews: 1, totalBytes: 1 };
    expect((await keep(store, { approval: 'human' }, { bounds, replaces: old.id })).answer).toBe('no room');
    expect(await store.findPreview(old.id)).toMatchObject({
      isKept: true,
      status: { replacedBy: undefined },
    });
  });

  it('lists what waits in the order of its time, then of its arrival', async () => {
    const store = await ground().open();
    const late = await keep(store, { time: 9 });
    const first = await keep(store, { time: 1 });
    const second = await keep(store, { time: 1, approval: 'human' });
    const used = await keep(store, { time: 2 });
    await store.recordDecision(second.id, decided(second.id, 'approve'));
    await begin(store, used.id);
    const waiting = await store.waitingPreviews();
    expect(waiting.map(({ id, isDecided }) => ({ id, isDecided }))).toEqual([
      { id: first.id, isDecided: false },
      { id: second.id, isDecided: true },
      { id: late.id, isDecided: false },
    ]);
    expect(waiting[1]).toMatchObject({ approval: 'human', createdAt: at(1), expiresAt: at(3_601) });
  });

  it('drops the oldest that an agent could apply where there are too many, and none of other roots', async () => {
    const store = await ground().open();
    const other = await keep(store, { roots: 'c'.repeat(64) });
    const bounds = { ...BOUNDS, previews: 20 };
    const ids: string[] = [];
    for (let time = 0; time < 50; time += 1) {
      const { id, answer } = await keep(store, { time }, { bounds });
      expect(answer).toBe('kept');
      ids.push(id);
      const kept = (await store.waitingPreviews()).map((one) => one.id);
      expect(kept).toContain(other.id);
      expect(kept.length).toBeLessThanOrEqual(bounds.previews + 1);
      expect(kept.filter((one) => one !== other.id)).toEqual(ids.slice(-(kept.length - 1)));
    }
  });

  it('drops what was applied, rejected or has expired before it drops what can still be applied', async () => {
    const store = await ground().open();
    const bounds = { ...BOUNDS, previews: 5 };
    const oldest = await keep(store, { time: 0 });
    const applied = await keep(store, { time: 1 });
    const rejected = await keep(store, { time: 2 });
    const expired = await keep(store, { time: 3, lasts: 1 });
    const open = await keep(store, { time: 4 });
    await (await begin(store, applied.id)).end('applied');
    await begin(store, open.id);
    await store.recordDecision(rejected.id, decided(rejected.id, 'reject'));
    const last = await keep(store, { time: 5 }, { bounds, now: 5 });
    const isKept = async (id: string) => (await store.findPreview(id))?.isKept;
    expect(await Promise.all([oldest, open, last].map(({ id }) => isKept(id)))).toEqual([true, true, true]);
    expect(await Promise.all([applied, rejected, expired].map(({ id }) => isKept(id)))).toEqual([
      false,
      false,
      false,
    ]);
    expect(await store.findPreview(rejected.id)).toMatchObject({
      preview: undefined,
      status: { decidedAt: 9 },
    });
  });

  it('takes no more than so many for a person, and drops none for one more; a part has room of its own', async () => {
    const store = await ground().open();
    const bounds = { ...BOUNDS, previews: 6 };
    const human = { approval: 'human' } as const;
    const ids: string[] = [];
    for (let time = 0; time < 6; time += 1) ids.push((await keep(store, { ...human, time }, { bounds })).id);
    const before = await store.head();
    const refused = await keep(store, human, { bounds });
    expect(refused.answer).toBe('no room');
    expect(await store.head()).toEqual(before);
    expect(await store.findPreview(refused.id)).toBeUndefined();
    expect((await store.waitingPreviews()).map(({ id }) => id)).toEqual(ids);
    expect((await keep(store, {}, { bounds })).answer).toBe('kept');

    const origin = { kind: 'part', of: ids[0] ?? '', kept: [0] } as const;
    const double = { ...bounds, previews: 12 };
    const part = await keep(store, { ...human, origin }, { bounds: double });
    expect(part.answer).toBe('kept');
    await store.recordDecision(ids[0] ?? '', decided(ids[0] ?? '', 'reject'));
    await store.recordDecision(ids[1] ?? '', decided(ids[1] ?? '', 'reject'));
    expect((await keep(store, human, { bounds })).answer).toBe('kept');
  });

  it('counts each text once among the bytes of all previews of a kind', async () => {
    const store = await ground().open();
    const bounds = { ...BOUNDS, totalBytes: 1_000_000 };
    const human = { approval: 'human' } as const;
    const text = 'é'.repeat(200_000);
    for (let n = 0; n < 10; n += 1)
      expect((await keep(store, { ...human, texts: [text] }, { bounds })).answer).toBe('kept');
    expect((await keep(store, { ...human, texts: [`${text}1`] }, { bounds })).answer).toBe('kept');
    expect((await keep(store, { ...human, texts: [`${text}2`] }, { bounds })).answer).toBe('no room');
    expect((await keep(store, { texts: [`${text}2`] }, { bounds })).answer).toBe('kept');
    expect((await keep(store, { texts: [`${text}3`, `${text}4`, `${text}5`] }, { bounds })).answer).toBe(
      'no room',
    );
  });

  it('keeps a text as long as a preview or a change needs it', async () => {
    const store = await ground().open();
    const texts = ['shared: between several\n'];
    const [first, second] = [await keep(store, { texts }), await keep(store, { texts })];
    const { change, end } = await begin(store, undefined, { texts });
    await store.dropPreview(first.id);
    expect((await store.findPreview(second.id))?.preview?.files[0]?.base).toBe(texts[0]);
    await store.dropPreview(second.id);
    expect((await store.findChange(change.id))?.files[0]?.base).toBe(texts[0]);
    await end('rolled_back');
    expect(await store.findChange(change.id)).toBeUndefined();
    const third = await keep(store, { texts });
    expect((await store.findPreview(third.id))?.preview?.files[0]?.base).toBe(texts[0]);
  });

  it('drops what has expired and nothing else, and the trail still knows it', async () => {
    const store = await ground().open();
    const [short, long] = [await keep(store, { lasts: 10 }), await keep(store, { lasts: 11 })];
    await store.dropExpired(at(9));
    expect(await store.waitingPreviews()).toHaveLength(2);
    await store.dropExpired(at(10));
    expect((await store.waitingPreviews()).map(({ id }) => id)).toEqual([long.id]);
    expect(await store.findPreview(shortId('pv', short.id))).toMatchObject({ id: short.id, isKept: false });
  });
}
