// A state is copied into another one, of this engine and from it.
import { expect, it } from 'vitest';
import { copyState, openSqliteStore, type StateStore } from '../../src/state/index.ts';
import { begin, type Ground, keep } from './ground.ts';
import { decided, ROOTS, refused } from './records.mjs';
import { requireWhole } from './trail.ts';

export function copyCases(ground: () => Ground): void {
  it('is the same state where it arrives, and goes on there', async () => {
    const [source, target] = [openSqliteStore({ file: ':memory:' }), await ground().openAsOwner()];
    const ids = await fill(source);
    const copied = await copyState(source, target);
    expect(copied).toEqual({ head: await source.head(), records: 1_506, previews: 2, changes: 2 });
    const [there, back] = [await ground().open(), openSqliteStore({ file: ':memory:' })];
    expect([there.id, there.maskingKey]).toEqual([source.id, source.maskingKey]);
    expect(await there.findPreview(ids.preview)).toEqual(await source.findPreview(ids.preview));
    expect(await there.findPreview(ids.used)).toEqual(await source.findPreview(ids.used));
    expect(await there.findChange(ids.change)).toEqual(await source.findChange(ids.change));
    expect(await there.exactFilesOf(ids.change)).toEqual(await source.exactFilesOf(ids.change));
    expect(await there.openChanges()).toEqual(await source.openChanges());
    expect(await there.waitingPreviews()).toEqual(await source.waitingPreviews());
    expect((await there.listChanges({ roots: ROOTS, most: 9 })).map(({ id }) => id)).toEqual([
      ids.open,
      ids.change,
    ]);
    expect(await copyState(there, back)).toEqual(copied);
    expect((await keep(there)).answer).toBe('kept');
    expect(await requireWhole(there)).toMatchObject({ seq: 1_507 });
    for (const store of [source, back]) await store.close();
  });

  it('is not copied into one that holds something, nor where it is written to meanwhile', async () => {
    const [source, target] = [openSqliteStore({ file: ':memory:' }), await ground().openAsOwner()];
    await fill(source);
    const rows = source.rows.bind(source);
    source.rows = async function* () {
      for await (const piece of rows()) {
        yield piece;
        await source.append([refused()], false);
      }
    };
    await expect(copyState(source, target)).rejects.toMatchObject({ name: 'StateFault', kind: 'busy' });
    source.rows = rows;
    await expect(copyState(source, target)).rejects.toThrow('not empty');
    await source.close();
  });

  it.each([
    {
      what: 'a record of the trail',
      sql: "UPDATE trail SET record = replace(record, 'READ_ONLY', 'x') WHERE seq = 9",
    },
    { what: 'a record that is gone', sql: 'DELETE FROM trail WHERE seq = 9' },
    { what: 'a preview', sql: "UPDATE previews SET record = replace(record, 'f0', 'f9')" },
    { what: 'a change', sql: "UPDATE changes SET record = replace(record, 'f0', 'f9')" },
    { what: 'a text', sql: 'UPDATE texts SET bytes = substr(bytes, 2)' },
  ])(
    'finds before it arrives that somebody has changed $what, and nobody can open half of a copy',
    async ({ sql }) => {
      const [source, target] = [await ground().open(), openSqliteStore({ file: ':memory:' })];
      await fill(source);
      await ground().tamper?.(sql);
      await expect(copyState(source, target)).rejects.toMatchObject({ name: 'StateFault', kind: 'damaged' });
      await target.close();
    },
  );

  it('cannot be opened where only a part has arrived', async () => {
    const [source, target] = [openSqliteStore({ file: ':memory:' }), await ground().openAsOwner()];
    await fill(source);
    const rows = source.rows.bind(source);
    source.rows = async function* () {
      for await (const piece of rows()) {
        yield piece;
        throw new Error('the line is cut');
      }
    };
    await expect(copyState(source, target)).rejects.toThrow('the line is cut');
    await expect(ground().open()).rejects.toMatchObject({ name: 'StateFault', kind: 'damaged' });
    await source.close();
  });
}

async function fill(store: StateStore): Promise<Record<'preview' | 'used' | 'change' | 'open', string>> {
  await store.append(
    Array.from({ length: 1_500 }, (_, n) => refused(n, { reason: 'a\u0000\ud800"\\' })),
    false,
  );
  const texts = ['a\u0000: "1"\n', 'b: \\2\n'];
  const [preview, used] = [await keep(store, { texts }), await keep(store, { texts, time: 1 })];
  await store.recordDecision(preview.id, decided(preview.id, 'approve'));
  const exact = [
    {
      ...{ file: 'f0.yaml', base_sha256: 'd'.repeat(64), result_sha256: 'e'.repeat(64), undo: [] },
      removed: [{ shown: 'x', exact: 'a\u0000\ud800"\\' }],
    },
  ];
  const applied = await begin(store, used.id, { texts, exact });
  await applied.end('applied');
  const open = await begin(store);
  return { preview: preview.id, used: used.id, change: applied.change.id, open: open.change.id };
}
