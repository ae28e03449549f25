// The trail, and what is found to be wrong with a state, whichever engine keeps it.
import { expect, it } from 'vitest';
import {
  decodeTrailRecord,
  GENESIS,
  isNextRow,
  type StateStore,
  type TrailPoint,
} from '../../src/state/index.ts';
import { begin, type Ground, keep } from './ground.ts';
import { refused } from './records.mjs';

export function trailCases(ground: () => Ground): void {
  it('chains each record to the one before it', async () => {
    const store = await ground().open();
    expect(await store.head()).toEqual(GENESIS);
    expect(await store.holds(GENESIS)).toBe(true);
    const records = [refused(1), refused(2, { reason: 'é\u0000\ud800"\\u0000' }), refused(3)];
    const end = await store.append(records, true);
    expect(end.seq).toBe(3);
    expect(await store.head()).toEqual(end);
    const rows = [...(await store.trailAfter(0, 2)), ...(await store.trailAfter(2, 2))];
    expect(rows.map(({ record }) => decodeTrailRecord(record))).toEqual(records);
    await requireWhole(store);
    expect(await store.holds(end)).toBe(true);
    expect(await store.holds({ ...end, seq: 2 })).toBe(false);
    expect(await store.holds({ ...end, sha256: 'f'.repeat(64) })).toBe(false);
    expect(await store.holds({ ...end, seq: 4 })).toBe(false);
    expect(await store.append([], true)).toEqual(end);
  });

  it('is one chain however many write', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => ground().open()));
    const work = stores.flatMap((store, writer) =>
      Array.from({ length: 25 }, (_, n) => store.append([refused(writer), refused(n)], n % 2 === 0)),
    );
    const ends = await Promise.all(work);
    const [first] = stores;
    expect(new Set(ends.map(({ seq }) => seq)).size).toBe(100);
    expect(first && (await requireWhole(first))).toMatchObject({ seq: 200 });
  });

  it('claims each notice once, however many ask [SRV-17]', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => ground().open()));
    const claim = (store: StateStore, notice: string, n: number) =>
      store.claimNotice({ ...refused(n), action: 'notify', outcome: 'intent', notice, request_id: `${n}` });
    const names = ['applied a', 'applied b', 'pending a'];
    const won = await Promise.all(names.flatMap((name) => stores.map((store, n) => claim(store, name, n))));
    expect(won.filter(Boolean)).toHaveLength(3);
    const [first] = stores;
    if (first === undefined) throw new Error('three were opened');
    expect(await requireWhole(first)).toMatchObject({ seq: 3 });
    // A record of its end is no claim.
    await first.append(
      [{ ...refused(9), action: 'notify', outcome: 'applied', notice: 'applied a ended' }],
      false,
    );
    expect(await claim(first, 'applied a', 7)).toBe(false);
    expect(await claim(first, 'applied c', 8)).toBe(true);
  });

  it('tells one state from another, and is the same for all who open it', async () => {
    const [one, other] = await Promise.all([ground().open(), ground().open()]);
    expect(one?.id).toMatch(/^[0-9a-f]{32}$/u);
    expect(one?.maskingKey).toMatch(/^[0-9a-f]{64}$/u);
    expect([other?.id, other?.maskingKey]).toEqual([one?.id, one?.maskingKey]);
  });
}

/** What only happens to a state that others can get at. */
export function faultCases(ground: () => Ground): void {
  it.each([
    { what: 'its last record is another one', sql: 'UPDATE trail SET sha256 = repeat_f WHERE seq = 20' },
    { what: 'its last record says something else', sql: EDIT('20') },
    { what: 'its last record is gone', sql: 'DELETE FROM trail WHERE seq = 20' },
    { what: 'it was cut', sql: 'DELETE FROM trail WHERE seq > 10' },
    { what: 'it is empty', sql: 'DELETE FROM trail' },
  ])('notices while it is open that $what', async ({ sql }) => {
    const store = await ground().open();
    for (let n = 0; n < 20; n += 1) await store.append([refused(n)], false);
    await ground().tamper?.(sql.replace('repeat_f', `'${'f'.repeat(64)}'`));
    const calls = [
      () => store.append([refused()], true),
      () => store.head(),
      () => store.waitingPreviews(),
      () => keep(store),
      () => begin(store),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({ name: 'StateFault', kind: 'replaced' });
  });

  it.each([
    { what: 'a record says something else', sql: EDIT('15') },
    { what: 'a record is gone', sql: 'DELETE FROM trail WHERE seq = 15' },
    { what: 'a hash is another one', sql: 'UPDATE trail SET prev = sha256 WHERE seq = 15' },
  ])('notices at the next start that $what', async ({ sql }) => {
    const store = await ground().open();
    for (let n = 0; n < 20; n += 1) await store.append([refused(n)], false);
    await store.close();
    await ground().tamper?.(sql);
    await expect(ground().open()).rejects.toMatchObject({ name: 'StateFault', kind: 'damaged' });
  });

  it.each([
    { what: 'is open again', sql: 'UPDATE changes SET ended = NULL' },
    { what: 'ended otherwise', sql: 'UPDATE changes SET ended = 1' },
    { what: 'has no beginning', sql: "DELETE FROM trail WHERE outcome = 'intent'" },
  ])('notices at the next start that a change which the trail knows $what', async ({ sql }) => {
    const store = await ground().open();
    await (await begin(store)).end('applied');
    expect(await store.unrecordedChanges()).toEqual([]);
    await store.close();
    await ground().tamper?.(sql);
    await expect(ground().open()).rejects.toMatchObject({ name: 'StateFault', kind: 'damaged' });
  });

  it('notices that a table is missing', async () => {
    const store = await ground().open();
    const { id } = await keep(store);
    await ground().tamper?.('ALTER TABLE previews RENAME TO elsewhere');
    await expect(store.findPreview(id)).rejects.toMatchObject({ name: 'StateFault', kind: 'replaced' });
  });

  it('finds by reading the trail what was changed long ago', async () => {
    const store = await ground().open();
    await store.append(
      Array.from({ length: 300 }, (_, n) => refused(n)),
      false,
    );
    await store.close();
    await ground().tamper?.(EDIT('100'));
    const again = await ground().open();
    await expect(requireWhole(again)).rejects.toThrow('100');
  });

  it('gives out no preview and no change whose record or text is another one', async () => {
    const store = await ground().open();
    const { id } = await keep(store, { texts: ['preview: 1\n'] });
    const { change } = await begin(store, undefined, { texts: ['change: 1\n'] });
    await ground().tamper?.("UPDATE previews SET record = replace(record, 'f0.yaml', 'f9.yaml')");
    await ground().tamper?.("UPDATE changes SET record = replace(record, 'f0.yaml', 'f9.yaml')");
    expect(await store.findPreview(id)).toMatchObject({ id, preview: undefined, isKept: true });
    expect(await store.findChange(change.id)).toBeUndefined();
    await ground().tamper?.("UPDATE previews SET record = replace(record, 'f9.yaml', 'f0.yaml')");
    await ground().tamper?.("UPDATE changes SET record = replace(record, 'f9.yaml', 'f0.yaml')");
    expect((await store.findPreview(id))?.preview).toBeDefined();
    expect(await store.findChange(change.id)).toBeDefined();
    await ground().tamper?.('UPDATE texts SET bytes = substr(bytes, 2)');
    expect(await store.findPreview(id)).toMatchObject({ id, preview: undefined, isKept: true });
    expect(await store.findChange(change.id)).toBeUndefined();
  });

  it('is not used any more once a later version has changed its schema', async () => {
    const store = await ground().open();
    await keep(store);
    await ground().makeNewer();
    for (const call of [
      () => keep(store),
      () => begin(store),
      () => store.head(),
      () => store.append([], true),
    ])
      await expect(call()).rejects.toMatchObject({ name: 'StateFault', kind: 'newer' });
    await expect(ground().open()).rejects.toMatchObject({ name: 'StateFault', kind: 'newer' });
  });

  it('is busy where another one writes for long, and then goes on', async () => {
    const store = await ground().open();
    await keep(store);
    const release = await ground().holdLock();
    await expect(keep(store)).rejects.toMatchObject({ name: 'StateFault', kind: 'busy' });
    expect(await store.head()).toMatchObject({ seq: 1 });
    await release();
    expect((await keep(store)).answer).toBe('kept');
    await requireWhole(store);
  });
}

const EDIT = (seq: string) =>
  `UPDATE trail SET record = replace(record, 'READ_ONLY', 'READ-ONLY') WHERE seq = ${seq}`;

/** Reads all of the trail; throws with the number of the first record that does not follow. */
export async function requireWhole(store: StateStore): Promise<TrailPoint> {
  let last: TrailPoint = GENESIS;
  for (;;) {
    const rows = await store.trailAfter(last.seq, 1_000);
    for (const row of rows) {
      if (!isNextRow(row, last)) throw new Error(`record ${row.seq} does not follow record ${last.seq}`);
      last = row;
    }
    if (rows.length === 0) return { seq: last.seq, sha256: last.sha256 };
  }
}
