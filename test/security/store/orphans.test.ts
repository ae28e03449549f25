// Which changes nobody will bring to their end any more: their process is certainly dead, or a power cut took the word
// of it. And how far each came by the trail.
import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { changing } from './changing.ts';

afterEach(() => vi.restoreAllMocks());

const OTHERS = '1'.repeat(64);
/** Above the largest pid that Linux gives out. */
const DEAD = JSON.stringify({ ...thisProcess(), pid: 4_194_304 });

describe('a change whose process', () => {
  it('lives is nobody else’s to settle', () => {
    const { changes, begun } = changing();
    begun();
    expect(changes.orphans()).toEqual([]);
  });

  it('died is an orphan of the servers of its roots', () => {
    const { changes, store, put, write } = changing();
    const [id, others] = [put(), put(undefined, OTHERS)];
    for (const each of [id, others]) write(`${each}.open`, DEAD);
    expect([changes.orphans(), store(OTHERS).orphans()]).toEqual([[id], [others]]);
  });

  it('died before the record of it was whole is an orphan of everybody', () => {
    const { changes, store, put, write } = changing();
    const ids = [put('{}'), 'A'.repeat(43)].sort();
    for (const id of ids) write(`${id}.open`, DEAD);
    expect([changes.orphans(), store(OTHERS).orphans()]).toEqual([ids, ids]);
  });

  it('did not say who it was is an orphan if it was begun before the last start of the machine', () => {
    const { changes, put, write } = changing();
    const id = put();
    write(`${id}.open`, '');
    expect(changes.orphans()).toEqual([]);
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 1e12);
    expect(changes.orphans()).toEqual([id]);
  });

  it('has just brought it to its end is none', () => {
    const { changes, put, write } = changing();
    write(`${put()}.open`, DEAD);
    const { lstatSync } = fs;
    vi.spyOn(fs, 'lstatSync').mockImplementation((...args: unknown[]) =>
      String(args[0]).endsWith('.open') ? undefined : Reflect.apply(lstatSync, fs, args),
    );
    expect(changes.orphans()).toEqual([]);
  });
});

describe('a change that is finished', () => {
  it('is an orphan as long as the trail knows of the intent only', () => {
    const { changes, store, put, record, write } = changing();
    const [untold, told, unknown, others, torn, open] = [
      ...[put(), put(), put(), put(undefined, OTHERS), put('{}'), put()],
    ];
    write(`${open}.open`, JSON.stringify(thisProcess()));
    for (const id of [untold, told, others, torn, open]) record(id ?? '', 'intent');
    record(told ?? '', 'applied');
    expect(changes.orphans()).toEqual([untold]);
    expect(store(OTHERS).orphans()).toEqual([others]);
    expect(changes.recordedState(unknown ?? '')).toBe('never begun');
    expect(changes.recordedState(untold ?? '')).toBe('begun');
    expect(changes.recordedState(told ?? '')).toBe('ended');
    record(untold ?? '', 'applied');
    expect(changes.orphans()).toEqual([]);
  });
});

describe('the time of a change', () => {
  it('is that of its mark, and 0 without one', () => {
    const { changes, begun, aged } = changing();
    const id = begun();
    aged(`${id}.open`, 1_700_000_000.5);
    expect(changes.openedAtMs(id)).toBe(1_700_000_000_500);
    changes.finish(id);
    expect(changes.openedAtMs(id)).toBe(0);
  });
});
