// The state directory that the server has opened: what is held, and by whom.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasStateDir, openStateDir, StateDir } from '../../../src/security/index.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { adoptStateDir } from '../../../src/security/store/state-dir.ts';
import { codeOf } from '../fixture.ts';
import { isLinux, messageOf, openDescriptors, dirToOpen as opened, PRIVATE } from './disk.ts';

afterEach(() => vi.restoreAllMocks());

describe('the state directory', () => {
  it('is looked for without being made', () => {
    const { dir, open, here } = opened();
    expect([hasStateDir(dir), existsSync(dir)]).toEqual([false, false]);
    open();
    expect(hasStateDir(dir)).toBe(true);
    rmSync(join(dir, 'audit'), { recursive: true });
    expect(hasStateDir(dir)).toBe(false);
    writeFileSync(join(dir, 'audit'), '');
    expect(hasStateDir(dir)).toBe(false);
    symlinkSync(here.outside, join(here.base, 'link'));
    for (const wrong of ['', join(here.base, 'link')])
      expect(codeOf(() => hasStateDir(wrong))).toBe('StartError');
  });

  it.skipIf(!isLinux)('holds six folders, and no more once it is closed', () => {
    const { here, dir, roots } = opened();
    for (let twice = 0; twice < 2; twice += 1) {
      const before = openDescriptors(here.base);
      const state = openStateDir(dir, roots);
      expect([openDescriptors(here.base) - before, state.place]).toEqual([6, realpathSync(dir)]);
      state.close();
      expect(openDescriptors(here.base)).toBe(before);
    }
  });

  it('holds nothing but its lock while it is locked, and nothing of it afterwards', () => {
    const { dir, open } = opened();
    const state = open();
    const own = () => readdirSync(dir).filter((name) => name.startsWith('.config-airlock'));
    const lock = state.lock(0);
    expect(codeOf(() => state.lock(0))).toBe('BUSY');
    expect(own()).toEqual([LOCK_NAME]);
    lock.release();
    expect(own()).toEqual([]);
  });

  it('loses the drafts of processes that died, in each of its folders', () => {
    const { dir, open } = opened();
    const state = open();
    const drafts = ['previews', 'texts', 'changes', 'audit', '.'].map((folder) =>
      join(dir, folder, `.config-airlock-${'0'.repeat(24)}.draft`),
    );
    for (const draft of drafts) {
      writeFileSync(draft, '');
      utimesSync(draft, 1_000, 1_000);
    }
    expect(drafts.filter(existsSync)).toEqual(drafts);
    state.sweep();
    expect(drafts.filter(existsSync)).toEqual([]);
  });

  it('is made by opening it, and in no other way', () => {
    expect(() => Reflect.construct(StateDir, [Symbol('StateDir'), {}, '', {}])).toThrow(
      'a StateDir is made by openStateDir only',
    );
  });

  it.skipIf(!isLinux)(
    'is the same for another thread, wherever it stands by now, and never another one',
    () => {
      const { here, dir, open } = opened();
      const state = open();
      const { dev, ino } = statSync(dir, { bigint: true });
      expect(state.handle).toMatchObject({ place: state.place, dev, ino });
      renameSync(dir, `${dir}-moved`);
      mkdirSync(dir, PRIVATE);
      const again = adoptStateDir(state.handle);
      again.previews.put('here', '');
      expect(readdirSync(`${dir}-moved/previews`)).toEqual(['here']);
      again.close();
      const before = openDescriptors(here.base);
      expect(messageOf(() => adoptStateDir({ ...state.handle, ino: ino + 1n }))).toBe(
        'the state directory is not the folder that it was when the server started',
      );
      expect(openDescriptors(here.base)).toBe(before);
      expect(state.isRemoved).toBe(false);
      rmSync(`${dir}-moved`, { recursive: true });
      expect(state.isRemoved).toBe(true);
    },
  );

  it('is locked by one at a time; whoever waits, waits as long as asked to', () => {
    const state = opened().open();
    const lock = state.lock();
    let seconds = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      seconds += 1;
      return 1_000 * seconds;
    });
    const rounds = (waitMs?: number) => {
      const before = seconds;
      expect(codeOf(() => state.lock(waitMs))).toBe('BUSY');
      return seconds - before;
    };
    expect([rounds(0), rounds(5_000), rounds()]).toEqual([2, 6, 3]);
    lock.release();
    expect(state.lock(0).isHeld()).toBe(true);
  });

  it.skipIf(!isLinux)('takes the lock of the dead, whatever that says it was about', () => {
    const { dir, open } = opened();
    const state = open();
    const intent = {
      batch: '0'.repeat(24),
      folder: { root: undefined, path: [] },
      files: [{ name: 'a.yaml', base: '0'.repeat(64), result: '1'.repeat(64) }],
    };
    // Above the largest pid that Linux gives out.
    const dead = JSON.stringify({ ...thisProcess(), pid: 4_194_304, intent });
    writeFileSync(join(dir, '.config-airlock.lock'), dead, { mode: 0o600 });
    const lock = state.lock(0);
    expect(lock.isHeld()).toBe(true);
    lock.release();
    expect(existsSync(join(dir, '.config-airlock.lock'))).toBe(false);
  });
});
