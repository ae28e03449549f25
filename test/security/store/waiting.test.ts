// Which previews wait, in which order, and what goes with one that has expired.
import fs, { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { approvedByPreview, approvedByReviewer, signDecision } from '../../../src/security/index.ts';
import { isLinux } from './disk.ts';
import { AT, CHANGE_ID, idOf, look, opened } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const AGENTS = { approval: 'preview' } as const;

describe('the previews that wait', () => {
  it.skipIf(!isLinux)('are named, the oldest first: no used ones, and nothing that is no preview', () => {
    const { previews, dir } = opened();
    const store = previews();
    const file = (name: string) => join(dir, 'previews', name);
    const ids = Array.from({ length: 5 }, () => idOf(store, AGENTS));
    // Neither in the order of their names nor against it.
    const order = [2, 0, 4, 1, 3].map((n) => ids.toSorted()[n] ?? '');
    for (const [index, id] of order.entries()) utimesSync(file(`${id}.json`), 1_000 + index, 1_000 + index);
    writeFileSync(file('note.json'), '{}');
    expect([store.waiting(), store.waitingCount]).toEqual([order, 5]);
    const [first = '', second = '', ...rest] = order;
    store.claim(approvedByPreview(store.load(first, look), 'preview'), CHANGE_ID);
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

  it('leave bounded notes behind at each save, and not only as a server starts (finding 15.5) [APR-6]', () => {
    const { previews, dir } = opened();
    const store = previews({ previews: 10, previewBytes: 1e5, totalBytes: 1e6 });
    const waiting = idOf(store);
    for (let n = 0; n < 3_000; n += 1) writeFileSync(join(dir, 'previews', `n${n}.gone`), '');
    for (let n = 0; n < 12; n += 1) idOf(store, AGENTS);
    const names = readdirSync(join(dir, 'previews'));
    expect(names.filter((name) => name.endsWith('.json')).length).toBeLessThanOrEqual(11);
    expect(names.filter((name) => name.endsWith('.gone'))).toHaveLength(2_000);
    expect(store.waiting()).toContain(waiting);
  });

  it('lose what was decided about them as they expire', () => {
    const { previews, pass, decide, ann, dir, decisions } = opened();
    const store = previews();
    const [id, other] = [idOf(store), idOf(store)];
    for (const preview of [id, other])
      decide(signDecision({ v: 1, preview, decision: 'approve', reviewer: 'ann', at: AT }, ann));
    expect(approvedByReviewer(store.load(id, look), decisions).reviewer).toBe('ann');
    store.tidy();
    expect(readdirSync(join(dir, 'decisions'))).toHaveLength(2);
    pass(7 * 24 * 60);
    store.tidy();
    expect([store.waiting(), readdirSync(join(dir, 'decisions'))]).toEqual([[], []]);
  });

  it('lose it as they are pushed out, too', () => {
    const { previews, decide, ann, dir } = opened();
    const store = previews({ previews: 1, previewBytes: 1e5, totalBytes: 1e5 });
    const id = idOf(store);
    decide(signDecision({ v: 1, preview: id, decision: 'reject', reviewer: 'ann', at: AT }, ann));
    idOf(store);
    expect(readdirSync(join(dir, 'decisions'))).toEqual([]);
  });
});
