// What only happens to a state that others can get at, whichever engine keeps it.
import { expect, it } from 'vitest';
import { event, refused } from './events.mjs';
import { applyDirect, begin, beginDirect, type Ground, isFault, keep, requireWhole } from './ground.ts';

const edited = (seq: number) =>
  `UPDATE trail SET body = replace(body, 'READ_ONLY', 'READ-ONLY') WHERE seq = ${seq}`;

export function faultCases(ground: () => Ground): void {
  const twentyEvents = async () => {
    const store = await ground().open();
    for (let n = 0; n < 20; n += 1) await store.append([refused(n)], false);
    return store;
  };

  it.each([
    {
      what: 'its last row has another hash',
      sql: `UPDATE trail SET sha256 = '${'f'.repeat(64)}' WHERE seq = 20`,
    },
    { what: 'its last row says something else', sql: edited(20) },
    { what: 'its last row is gone', sql: 'DELETE FROM trail WHERE seq = 20' },
    { what: 'it was cut', sql: 'DELETE FROM trail WHERE seq > 10' },
    { what: 'it is empty', sql: 'DELETE FROM trail' },
  ])('notices when it writes that $what', async ({ sql }) => {
    const store = await twentyEvents();
    await ground().tamper?.(sql);
    for (const call of [
      ...[
        () => store.append([refused()], true),
        () => keep(store),
        () => beginDirect(store),
        () => store.dropExpired(''),
      ],
    ])
      await expect(call()).rejects.toMatchObject(isFault('replaced'));
  });

  it.each([
    { what: 'an event says something else', sql: edited(15) },
    { what: 'an event is gone', sql: 'DELETE FROM trail WHERE seq = 15' },
    { what: 'a hash is another one', sql: 'UPDATE trail SET prev = sha256 WHERE seq = 15' },
    {
      what: 'an event is found by something else',
      sql: `UPDATE trail SET about = '${'0'.repeat(52)}' WHERE seq = 15`,
    },
    { what: 'a write has no beginning', sql: "DELETE FROM trail WHERE type IN ('begun', 'applied')" },
    { what: 'a write that has ended is open', sql: "UPDATE previews SET state = 'open'" },
    { what: 'its identity is gone', sql: "DELETE FROM identity WHERE name = 'id'" },
  ])('notices at the next start that $what', async ({ sql }) => {
    const store = await twentyEvents();
    await applyDirect(store);
    expect(await store.unrecorded()).toEqual([]);
    await store.close();
    await ground().tamper?.(sql);
    await expect(ground().open()).rejects.toMatchObject(isFault('damaged'));
  });

  it('finds by reading the trail what was changed long ago', async () => {
    const store = await ground().open();
    await store.append(
      Array.from({ length: 300 }, (_, n) => refused(n)),
      false,
    );
    await store.close();
    for (const sql of [edited(100), "UPDATE trail SET about = 'x' WHERE seq = 50"]) {
      await ground().tamper?.(sql);
      await expect(requireWhole(await ground().open())).rejects.toThrow(sql.includes('50') ? '50' : '100');
    }
  });

  it('gives out no preview whose body or text is another one', async () => {
    const store = await ground().open();
    const { id, preview } = await keep(store, { approval: 'human', texts: ['preview: 1\n', 'b: 1\n'] });
    const swap = (from: string, to: string) => `UPDATE previews SET body = replace(body, '${from}', '${to}')`;
    for (const [change, back] of [
      [swap('f0.yaml', 'f9.yaml'), swap('f9.yaml', 'f0.yaml')],
      [swap('"v":1', '"v": 1'), swap('"v": 1', '"v":1')],
      [
        "UPDATE texts SET bases = replace(bases, '1', '2')",
        "UPDATE texts SET bases = replace(bases, '2', '1')",
      ],
      ['UPDATE texts SET bases = substr(bases, 2)', "UPDATE texts SET bases = '[' || bases"],
      ['UPDATE texts SET bases = \'["preview: 1\\n"]\'', undefined],
      ['DELETE FROM texts', undefined],
    ]) {
      await ground().tamper?.(change ?? '');
      expect([change, (await store.find(id))?.preview]).toEqual([change, undefined]);
      expect(await store.find(id)).toMatchObject({ id, isKept: true });
      await ground().tamper?.(back ?? 'SELECT 1');
      if (back) expect((await store.find(id))?.preview).toEqual(preview);
    }
  });

  it('applies nothing twice, whatever the rows beside the trail say', async () => {
    const store = await ground().open();
    const { id } = await keep(store);
    await begin(store, id);
    await store.end(event('applied', id));
    await ground().tamper?.("UPDATE previews SET state = 'waiting', begun = NULL");
    expect(await begin(store, id)).toEqual({ state: 'used' });
    expect((await keep(store, {}, { joins: id })).answer).toBe('gone');
  });

  it('keeps the newest writes that have ended, and every one that has not', async () => {
    const store = await ground().open();
    const open = [await beginDirect(store), await beginDirect(store)].map(({ id }) => id);
    const ended = [await applyDirect(store), await applyDirect(store), await applyDirect(store)];
    await ground().tamper?.('UPDATE previews SET size = 50000000');
    open.push((await beginDirect(store)).id);
    const isKept = async (id: string) => (await store.find(id))?.isKept;
    expect(await Promise.all(ended.map(isKept))).toEqual([false, true, true]);
    expect((await store.open()).map(({ id }) => id)).toEqual(open);
  });

  it('notices that a table is missing', async () => {
    const store = await ground().open();
    await keep(store);
    await ground().tamper?.('ALTER TABLE previews RENAME TO elsewhere');
    await expect(store.waiting()).rejects.toMatchObject(isFault('replaced'));
  });

  it('is not opened once a later version has changed it', async () => {
    await (await ground().open()).close();
    await ground().tamper?.("UPDATE identity SET value = '99' WHERE name = 'version'");
    await expect(ground().open()).rejects.toMatchObject(isFault('newer'));
  });

  it('is busy where another one writes for long, is read all the same, and then goes on', async () => {
    const store = await ground().open();
    const { id } = await keep(store);
    const release = await ground().holdLock();
    await expect(keep(store)).rejects.toMatchObject(isFault('busy'));
    expect(await store.find(id)).toMatchObject({ isKept: true });
    expect(await store.head()).toMatchObject({ seq: 1 });
    await release();
    expect((await keep(store)).answer).toBe('kept');
    expect(await requireWhole(store)).toMatchObject({ seq: 2 });
  });
}
