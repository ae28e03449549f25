// Which previews wait, in which order, and what goes with one that has expired.
import fs, { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isLinux } from './disk.ts';
import { CHANGE_ID, idOf, opened } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const AGENTS = { approval: 'preview' } as const;

describe('the previews that wait', () => {
  it.skipIf(!isLinux)('are named, the oldest first: no used ones, and nothing that is no preview', () => {
    const { previews, dir, trail } = opened();
    const store = previews();
    const file = (name: string) => join(dir, 'previews', name);
    const ids = Array.from({ length: 5 }, () => idOf(store, AGENTS));
    // Neither in the order of their names nor against it.
    const order = [2, 0, 4, 1, 3].map((n) => ids.toSorted()[n] ?? '');
    for (const [index, id] of order.entries()) utimesSync(file(`${id}.json`), 1_000 + index, 1_000 + index);
    writeFileSync(file('note.json'), '{}');
    expect([store.waiting(), store.waitingCount]).toEqual([order, 5]);
    const [first = '', second = '', ...rest] = order;
    trail.append(() => [{ action: 'commit', outcome: 'intent', preview: first, change_id: CHANGE_ID }]);
    expect([store.waiting(), store.waitingCount]).toEqual([[second, ...rest], 4]);
    expect([
      previews(undefined, '1'.repeat(64)).waitingCount,
      previews(undefined, '1'.repeat(64)).waiting().length,
    ]).toEqual([0, 4]);
    // One that goes while they are looked at comes first, and is no reason to fail.
    const real = fs.lstatSync;
    vi.spyOn(fs, 'lstatSync').mockImplementation((...args: unknown[]) =>
      String(args[0]).endsWith(`${rest[0]}.json`) ? undefined : Reflect.apply(real, fs, args),
    );
    expect(store.waiting()).toEqual([rest[0], second, ...rest.slice(1)]);
  });

  it('are all seen, however much else the folder holds (finding 15.5) [APR-6]', () => {
    const { previews, dir } = opened();
    const store = previews();
    const ids = Array.from({ length: 6 }, () => idOf(store));
    for (let n = 0; n < 60_000; n += 1) writeFileSync(join(dir, 'previews', `n${n}.gone`), '');
    expect([store.waiting().toSorted(), store.waitingCount]).toEqual([ids.toSorted(), 6]);
  });

  it('are bounded at each save, and leave nothing behind (finding 15.5) [APR-6]', () => {
    const { previews, dir } = opened();
    const store = previews({ previews: 10, previewBytes: 1e5, totalBytes: 1e6 });
    const waiting = idOf(store);
    for (let n = 0; n < 100; n += 1) {
      idOf(store, AGENTS);
      expect(readdirSync(join(dir, 'previews')).length).toBeLessThanOrEqual(11);
    }
    expect(readdirSync(join(dir, 'texts'))).toHaveLength(1);
    expect(store.waiting()).toContain(waiting);
  });
});
