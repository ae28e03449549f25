// Changes and decisions, whichever engine keeps them.
import { expect, it } from 'vitest';
import { type ExactFile, encodeRecord, sha256Hex, shortId } from '../../src/state/index.ts';
import { begin, type Ground, keep } from './ground.ts';
import { at, changeDraft, committed, decided, ROOTS, refused } from './records.mjs';

const ROUNDS = 30;

export function changeCases(ground: () => Ground): void {
  it('lets one of two writers have a preview', async () => {
    const [left, right] = [await ground().open(), await ground().open()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await keep(left, { time: round });
      const all = await Promise.all([left, right].map((store) => begin(store, id)));
      const winner = all.find(({ begun }) => begun.state === 'begun');
      expect(all.map(({ begun }) => begun.state).sort()).toEqual(['begun', 'used']);
      expect(all.find(({ begun }) => begun.state === 'used')?.begun).toMatchObject({
        changeId: winner?.change.id,
      });
      expect((await right.openChanges()).map((one) => one.id)).toEqual([winner?.change.id]);
      await winner?.end('applied');
      expect(await right.statusOf(id)).toMatchObject({ changeId: winner?.change.id });
    }
  });

  it('lets either a decision or a change be first', async () => {
    const [left, right] = [await ground().open(), await ground().open()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await keep(left, { time: round });
      const [{ begun, end }, point] = await Promise.all([
        begin(left, id),
        right.recordDecision(id, decided(id, 'reject')),
      ]);
      const { decisions, decidedAt } = await left.statusOf(id);
      if (begun.state === 'begun') {
        expect({ point, decisions, decidedAt }).toEqual({ point: undefined, decisions: [], decidedAt: 0 });
        await end('applied');
      } else {
        expect(begun).toEqual({ state: 'decided' });
        expect(decidedAt).toBe(point?.seq);
        expect(decisions.map(({ action, reviewer }) => ({ action, reviewer }))).toEqual([
          { action: 'reject', reviewer: 'lin' },
        ]);
      }
    }
  });

  it('refuses a claim where somebody has decided since, about the preview or about the whole of a part', async () => {
    const store = await ground().open();
    const [whole, part] = [await keep(store), await keep(store)];
    const point = await store.recordDecision(part.id, decided(part.id, 'approve'));
    const decidedAt = point?.seq ?? 0;
    expect((await begin(store, part.id)).begun).toEqual({ state: 'decided' });
    await store.recordDecision(whole.id, decided(whole.id, 'part'));
    const claimed = await begin(store, part.id, { claim: { decidedAt, whole: whole.id } });
    expect(claimed.begun.state).toBe('begun');
    await claimed.end('rolled_back');
    await store.recordDecision(whole.id, decided(whole.id, 'reject'));
    expect((await begin(store, part.id, { claim: { decidedAt, whole: whole.id } })).begun).toEqual({
      state: 'decided',
    });
    expect((await begin(store, part.id, { claim: { decidedAt } })).begun.state).toBe('begun');
  });

  it('frees the preview of a change that was rolled back, and keeps nothing of that change but the trail', async () => {
    const store = await ground().open();
    const { id } = await keep(store);
    const first = await begin(store, id);
    expect(await store.statusOf(id)).toMatchObject({ changeId: first.change.id });
    expect(await store.waitingPreviews()).toEqual([]);
    await first.end('rolled_back');
    expect(await store.statusOf(id)).toMatchObject({ changeId: undefined });
    expect((await store.waitingPreviews()).map((one) => one.id)).toEqual([id]);
    expect(await store.findChange(first.change.id)).toBeUndefined();
    expect(await store.openChanges()).toEqual([]);
    const second = await begin(store, id);
    await second.end('unknown');
    expect(await store.statusOf(id)).toMatchObject({ changeId: second.change.id });
    expect(await store.findChange(second.change.id)).toMatchObject({ state: 'unknown' });
    expect((await begin(store, id)).begun).toEqual({ state: 'used', changeId: second.change.id });
  });

  it('does nothing twice, however often it is asked to', async () => {
    const store = await ground().open();
    const { id } = await keep(store);
    const approval = decided(id, 'approve');
    const first = await store.recordDecision(id, approval);
    expect(await store.recordDecision(id, approval)).toEqual(first);
    const change = encodeRecord(changeDraft({ preview: id }));
    const claim = { preview: id, whole: undefined, decidedAt: first?.seq ?? 0 };
    const start = () =>
      store.beginChange({ ...change, exact: [] }, committed(change.id, 'intent', id), claim);
    const begun = await start();
    expect(begun.state).toBe('begun');
    expect(await start()).toEqual(begun);
    expect(await store.recordDecision(id, approval)).toEqual(first);
    expect(await store.recordDecision(id, decided(id, 'reject'))).toBeUndefined();
    const end = () => store.endChange(change.id, committed(change.id, 'applied', id));
    const ended = await end();
    await store.append([refused()], true);
    expect(await end()).toEqual(ended);
    expect(await start()).toEqual(begun);
    expect(await store.trailAfter(0, 100)).toHaveLength(5);
    expect(await store.endChange(encodeRecord(changeDraft()).id, committed(id, 'applied'))).toEqual(
      await store.head(),
    );
  });

  it('lists changes of the same roots, newest first, and which change has undone which', async () => {
    const store = await ground().open();
    const ids: string[] = [];
    for (let time = 0; time < 5; time += 1) {
      const { change, end } = await begin(store, undefined, { time, texts: [`a: ${time}\n`] });
      await end('applied');
      ids.unshift(change.id);
    }
    await begin(store, undefined, { roots: 'c'.repeat(64) });
    const page = await store.listChanges({ roots: ROOTS, most: 2 });
    expect(page.map(({ id, state, undoneBy }) => ({ id, state, undoneBy }))).toEqual(
      ids.slice(0, 2).map((id) => ({ id, state: 'applied', undoneBy: undefined })),
    );
    expect(page[0]?.files[0]).not.toHaveProperty('base');
    const rest = await store.listChanges({ roots: ROOTS, before: page[1]?.order ?? 0, most: 9 });
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));

    const undoing = { origin: { kind: 'revert', change_id: ids[0] ?? '' } } as const;
    await (await begin(store, undefined, undoing)).end('rolled_back');
    const open = await begin(store, undefined, undoing);
    const found = async () => store.findChange(shortId('ch', ids[0] ?? ''));
    expect(await found()).toMatchObject({ state: 'applied', undoneBy: undefined });
    expect(await store.listChanges({ roots: ROOTS, most: 1 })).toMatchObject([
      { id: open.change.id, state: 'open' },
    ]);
    await open.end('applied');
    expect(await found()).toMatchObject({ undoneBy: open.change.id, files: [{ base: 'a: 4\n' }] });
  });

  it('names the open changes with their files', async () => {
    const store = await ground().open();
    const { change } = await begin(store, undefined, { texts: ['a\n', 'b\n'] });
    await (await begin(store)).end('applied');
    expect(await store.openChanges()).toEqual([
      { id: change.id, roots: ROOTS, files: ['f0.yaml', 'f1.yaml'] },
    ]);
  });

  it('keeps what is done to the bytes of a masked file beside the change', async () => {
    const store = await ground().open();
    const exact: readonly ExactFile[] = [
      {
        ...{ file: 'f0.yaml', base_sha256: 'd'.repeat(64), result_sha256: 'e'.repeat(64) },
        undo: [{ start: 1, end: 2, insert: '\u0000\ud800 "hunter2"\u{1f511}' }],
        removed: [{ shown: '<secret:ab12cd>', exact: 'hunter2\u0000' }],
      },
    ];
    const [with_, without] = [await begin(store, undefined, { exact }), await begin(store)];
    expect(await store.exactFilesOf(with_.change.id)).toEqual(exact);
    expect(await store.exactFilesOf(without.change.id)).toEqual([]);
    expect(await store.exactFilesOf('0'.repeat(52))).toEqual([]);
  });

  it('erases the texts and secrets of changes that ended before a time, and leaves no byte of them', async () => {
    const store = await ground().openAsOwner();
    const exact = (secret: string): readonly ExactFile[] => [
      {
        ...{ file: 'f0.yaml', base_sha256: 'd'.repeat(64), result_sha256: 'e'.repeat(64) },
        ...{ undo: [], removed: [{ shown: 'x', exact: secret }] },
      },
    ];
    // Longer than a page, and nothing that could be compressed.
    const filler = Array.from({ length: 400 }, (_, n) => sha256Hex(`${n}`)).join('');
    const old = await begin(store, undefined, {
      texts: [`${filler}old-text-1\n`],
      exact: exact('old-secret-1'),
    });
    await old.end('applied');
    const open = await begin(store, undefined, { texts: ['open-text-1\n'], exact: exact('open-secret-1') });
    const recent = await begin(store, undefined, {
      time: 99,
      texts: ['new-text-1\n'],
      exact: exact('new-secret-1'),
    });
    await recent.end('applied');
    const dropped = await keep(store, { texts: [`${filler}dropped-text-1\n`] });
    await store.dropPreview(dropped.id);
    const record = { time: at(100), action: 'erase', outcome: 'applied', files: [] } as const;
    expect(await store.erase(at(50), record)).toBe(1);
    for (const gone of ['old-text-1', 'old-secret-1', 'dropped-text-1'])
      expect([gone, await ground().filesHold?.(gone)]).not.toEqual([gone, true]);
    for (const kept of ['open-text-1', 'open-secret-1', 'new-text-1', 'new-secret-1'])
      expect([kept, await ground().filesHold?.(kept)]).not.toEqual([kept, false]);
    expect(await store.findChange(old.change.id)).toBeUndefined();
    expect(await store.findChange(open.change.id)).toMatchObject({ state: 'open' });
    const last = (await store.trailAfter(0, 100)).at(-1);
    expect(JSON.parse(last?.record ?? '')).toEqual({ ...record, count: 1 });
  });
}
