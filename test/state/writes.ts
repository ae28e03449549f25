// Writes and decisions, whichever engine keeps them.
import { expect, it } from 'vitest';
import { sha256Hex, shortId } from '../../src/state/canonical.ts';
import { at, event, ROOTS } from './events.mjs';
import { applyDirect, begin, beginDirect, type Ground, keep } from './ground.ts';

const ROUNDS = 50;

export function writeCases(ground: () => Ground): void {
  it('lets exactly one of ten have a preview', async () => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => ground().open()));
    const [first] = stores;
    if (first === undefined) throw new Error('ten were opened');
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await keep(first);
      const answers = await Promise.all(stores.map((store) => begin(store, id)));
      const won = answers.flatMap((one) => (one.state === 'begun' ? [one.end] : []));
      expect(answers.filter(({ state }) => state === 'used')).toHaveLength(9);
      expect(await first.holds(won[0] ?? { seq: 0, sha256: '' })).toBe(true);
      expect((await first.open()).map((one) => one.id)).toEqual([id]);
      await first.end(event('applied', id));
    }
    expect(await first.trailAfter(0, 9_999)).toHaveLength(3 * ROUNDS);
  });

  it('lets either a decision or a write be first', async () => {
    const [left, right] = [await ground().open(), await ground().open()];
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await keep(left);
      const early = round % 2 === 0 ? begin(left, id) : undefined;
      const deciding = right.decide(id, [event('rejected', id, { reviewer: 'lin' })]);
      const [{ state }, point] = await Promise.all([early ?? begin(left, id), deciding]);
      const { decisions, decidedAt } = await left.statusOf(id);
      const isFirst = state === 'begun';
      expect({ state, decidedAt }).toEqual({
        state: isFirst ? 'begun' : 'decided',
        decidedAt: point?.seq ?? 0,
      });
      expect(decisions.map(({ reviewer }) => reviewer)).toEqual(isFirst ? [] : ['lin']);
      if (isFirst) await left.end(event('applied', id));
      seen.add(state);
    }
    expect(seen.size).toBe(2);
  });

  it('begins nothing about which somebody has decided since, or about the whole of it', async () => {
    const store = await ground().open();
    const [whole, part] = [await keep(store), await keep(store)];
    const point = await store.decide(part.id, [event('approved', part.id)]);
    const decidedAt = point?.seq ?? 0;
    expect(await begin(store, part.id)).toEqual({ state: 'decided' });
    await store.decide(whole.id, [event('split', whole.id, { by: part.id })]);
    expect(await store.statusOf(whole.id)).toMatchObject({ parts: [part.id], decisions: [] });
    expect(await begin(store, part.id, { decidedAt, whole: whole.id })).toMatchObject({ state: 'begun' });
    await store.end(event('rolled_back', part.id));
    await store.decide(whole.id, [event('rejected', whole.id)]);
    expect(await begin(store, part.id, { decidedAt, whole: whole.id })).toEqual({ state: 'decided' });
    expect(await begin(store, part.id, { decidedAt })).toMatchObject({ state: 'begun' });
  });

  it('begins a preview again after it was rolled back, and never after another end', async () => {
    const store = await ground().open();
    for (const type of ['applied', 'unknown'] as const) {
      const { id } = await keep(store);
      expect(await begin(store, id)).toMatchObject({ state: 'begun' });
      expect(await store.statusOf(id)).toMatchObject({ write: 'open' });
      expect(await store.waiting()).toEqual([]);
      expect(await store.decide(id, [event('approved', id)])).toBeUndefined();
      await store.end(event('rolled_back', id));
      const found = await store.find(id);
      expect([found?.isKept, found?.status.write, found?.status.begun]).toEqual([true, undefined, undefined]);
      expect((await store.waiting()).map((one) => one.id)).toEqual([id]);
      expect(await store.list({ roots: undefined, most: 9 })).toMatchObject(type === 'applied' ? [] : [{}]);
      expect(await begin(store, id)).toMatchObject({ state: 'begun' });
      await store.end(event(type, id));
      expect(await store.find(shortId('ch', id))).toMatchObject({ isKept: true, status: { write: type } });
      expect(await begin(store, id)).toEqual({ state: 'used' });
      await store.drop(id);
      expect(await store.find(id)).toMatchObject({ isKept: true });
    }
    expect(await store.open()).toEqual([]);
  });

  it('keeps nothing but events of a direct write that was rolled back, and all of one that was not', async () => {
    const store = await ground().open();
    const [back, forth] = [await beginDirect(store), await beginDirect(store)];
    await store.end(event('rolled_back', back.id));
    await store.end(event('applied', forth.id));
    expect(await store.find(back.id)).toMatchObject({ isKept: false, preview: undefined });
    expect(await store.find(forth.id)).toMatchObject({ isKept: true, preview: forth.preview });
    expect(await store.waiting()).toEqual([]);
    expect(await begin(store, back.id)).toEqual({ state: 'gone' });
  });

  it('ends a write once, however often it is asked to, and nothing that was not begun', async () => {
    const store = await ground().open();
    const { id } = await keep(store);
    await store.end(event('applied', id));
    expect(await store.statusOf(id)).toMatchObject({ begun: undefined });
    await begin(store, id);
    const end = await store.end(event('applied', id));
    for (const type of ['applied', 'rolled_back', 'unknown'] as const)
      expect(await store.end(event(type, id))).toEqual(end);
    expect(await store.find(id)).toMatchObject({ isKept: true, status: { write: 'applied' } });
    expect(await store.head()).toEqual(end);
  });

  it('lists writes of the same roots, newest first, in pages', async () => {
    const store = await ground().open();
    const ids: string[] = [];
    for (let time = 0; time < 5; time += 1) {
      ids.unshift(await applyDirect(store, { time, texts: [`a: ${time}\n`] }));
      await keep(store);
    }
    const other = await applyDirect(store, { roots: 'c'.repeat(64) });
    const page = await store.list({ roots: ROOTS, most: 2 });
    expect(page).toMatchObject(
      ids.slice(0, 2).map((id) => ({ id, state: 'applied', confirmed_by: 'preview', at: at(0) })),
    );
    expect(page[0]?.files).toEqual([{ file: 'f0.yaml' }]);
    const rest = await store.list({ roots: ROOTS, before: page[1]?.order ?? 0, most: 9 });
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));
    expect((await store.list({ roots: undefined, most: 1 })).map(({ id }) => id)).toEqual([other]);
  });

  it('says of a write which later one has undone it, or a part of it, once that one has ended', async () => {
    const store = await ground().open();
    const change_id = await applyDirect(store);
    const undoing = async (end: 'applied' | 'rolled_back' | 'unknown', part = false) => {
      const origin = { kind: 'revert', change_id, ...(part ? { part } : {}) } as const;
      const { id } = await beginDirect(store, { origin });
      const before = (await store.trailAfter(0, 99)).length;
      await store.end(event(end, id));
      const { undoneBy, isUndoneInPart } = await store.statusOf(change_id);
      const listed = (await store.list({ roots: ROOTS, most: 9 })).find((one) => one.id === change_id);
      expect(listed).toMatchObject({ isUndoneInPart });
      expect(listed?.undoneBy).toBe(undoneBy);
      const added = (await store.trailAfter(0, 99)).length - before;
      return { is: undoneBy === id ? 'undone' : undoneBy, isUndoneInPart, added };
    };
    expect(await undoing('rolled_back')).toEqual({ is: undefined, isUndoneInPart: false, added: 1 });
    expect(await undoing('unknown')).toEqual({ is: undefined, isUndoneInPart: false, added: 1 });
    expect(await undoing('applied', true)).toEqual({ is: undefined, isUndoneInPart: true, added: 2 });
    expect(await undoing('applied')).toEqual({ is: 'undone', isUndoneInPart: false, added: 2 });
  });

  it('names the open writes with their files, on any machine', async () => {
    const store = await ground().open();
    const { id } = await beginDirect(store, { texts: ['a\n', 'b\n'] });
    await applyDirect(store);
    const elsewhere = await ground().open();
    expect(await elsewhere.open()).toEqual([
      { id, roots: ROOTS, since: at(0), files: ['f0.yaml', 'f1.yaml'] },
    ]);
  });

  it('records several events of one decision, or none of them', async () => {
    const store = await ground().open();
    const { id } = await keep(store);
    const part = await keep(store);
    const events = [event('split', id, { by: part.id }), event('approved', part.id)];
    expect(await store.decide(id, events)).toEqual(await store.head());
    expect(await store.statusOf(part.id)).toMatchObject({ decisions: [{ type: 'approved' }], decidedAt: 4 });
    await begin(store, id, { decidedAt: 3 });
    expect(await store.decide(id, events)).toBeUndefined();
    expect(await store.head()).toMatchObject({ seq: 5 });
  });

  it('erases what ended or waits from before a time, and leaves no byte of it', async () => {
    const store = await ground().openAsOwner();
    // Longer than a page, and nothing that could be compressed.
    const filler = Array.from({ length: 400 }, (_, n) => sha256Hex(`${n}`)).join('');
    const old = await applyDirect(store, { texts: [`${filler}old-text-1\n`], reason: 'old-reason-1' });
    const waiting = await keep(store, { texts: [`${filler}waiting-text-1\n`] });
    const open = await beginDirect(store, { texts: ['open-text-1\n'] });
    const recent = await applyDirect(store, { time: 99, texts: ['new-text-1\n'] });
    const dropped = await keep(store, { time: 99, texts: [`${filler}dropped-text-1\n`] });
    await store.drop(dropped.id);
    const erased = event('erased', undefined, { time: 100 });
    expect(await store.erase(at(50), erased)).toBe(2);
    for (const gone of ['old-text-1', 'old-reason-1', 'waiting-text-1', 'dropped-text-1'])
      expect([gone, await ground().filesHold?.(gone)]).not.toEqual([gone, true]);
    for (const kept of ['open-text-1', 'new-text-1'])
      expect([kept, await ground().filesHold?.(kept)]).not.toEqual([kept, false]);
    for (const [id, isKept] of [
      ...([
        [old, false],
        [waiting.id, false],
        [open.id, true],
        [recent, true],
      ] as const),
    ])
      expect(await store.find(id)).toMatchObject({ isKept });
    const last = (await store.trailAfter(0, 100)).at(-1);
    expect(JSON.parse(last?.body ?? '')).toEqual({ ...erased, count: 2 });
  });
}
