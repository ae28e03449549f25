// How much of the disk is left to people, what the directory is told apart by, and what stands in the way of it.
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog, openState } from '../../../src/security/index.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { checkedStatePlace } from '../../../src/security/store/state-dir.ts';
import { codeOf } from '../fixture.ts';
import { messageOf, dirToOpen as opened, PRIVATE } from './disk.ts';

afterEach(() => vi.restoreAllMocks());

function disk(free: number, of: number): void {
  const real = fs.statfsSync('/');
  const now = { ...real, bsize: 1_000, blocks: of / 1_000, bfree: of / 1_000, bavail: free / 1_000 };
  vi.spyOn(fs, 'statfsSync').mockReturnValue(now);
}

describe('a state directory', () => {
  it.each([
    { of: 1e9, free: 50e6, is: false },
    { of: 1e9, free: 49.999e6, is: true },
    { of: 1e12, free: 100e6, is: false },
    { of: 1e12, free: 99.999e6, is: true },
  ])('on a disk of $of bytes with $free free ones is low on room: $is', ({ of, free, is }) => {
    const { dir, open, here } = opened();
    const own = open();
    const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'log.jsonl') });
    const state = openState({ dir }, here.policy(), log);
    disk(free, of);
    expect(own.isDiskLow).toBe(is);
    expect(codeOf(() => state.trail.requireRoom())).toBe(is ? 'NO_SPACE' : 'no error');
    state.dir.close();
  });

  it('whose disk says nothing is not low on room', () => {
    const state = opened().open();
    vi.spyOn(fs, 'statfsSync').mockImplementation(() => {
      throw new Error('ENOSYS');
    });
    expect(state.isDiskLow).toBe(false);
  });

  it('is told apart by a number that stays, and is made anew only where a power cut tore it', () => {
    const { dir, open } = opened();
    const { id } = open();
    expect(id).toMatch(/^[0-9a-f]{32}$/u);
    expect([open().id, readFileSync(join(dir, 'id'), 'utf8')]).toEqual([id, id]);
    for (const torn of ['', id.slice(1), `${id}0`, '\0'.repeat(32)]) {
      writeFileSync(join(dir, 'id'), torn);
      const anew = open().id;
      expect(anew).toMatch(/^[0-9a-f]{32}$/u);
      expect([anew === id, readFileSync(join(dir, 'id'), 'utf8')]).toEqual([false, anew]);
    }
  });

  it('is not used where something else has the name of its number', () => {
    const { dir, open, here } = opened();
    open();
    rmSync(join(dir, 'id'));
    symlinkSync(join(here.outside, 's.yaml'), join(dir, 'id'));
    expect(messageOf(open)).toBe(
      `cannot use the state directory "${dir}": what stands at "id" in it is no file of this program`,
    );
  });

  it('is not used where it cannot be made, nor where others look into it: asked before anything is made', () => {
    const { dir, open } = opened();
    vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    });
    expect(messageOf(open)).toBe(
      `cannot use the state directory "${dir}": it cannot be made; name another with --state-dir`,
    );
    vi.restoreAllMocks();
    mkdirSync(dir, PRIVATE);
    expect(checkedStatePlace(dir, [])).toBe(fs.realpathSync(dir));
    chmodSync(dir, 0o750);
    expect(messageOf(() => checkedStatePlace(dir, []))).toContain('others can look into it');
  });

  it('is unlocked whatever a dead process has left half done in it', () => {
    const { dir, open } = opened();
    const state = open();
    const batch = { change: 'c'.repeat(43), state: state.id };
    writeFileSync(join(dir, LOCK_NAME), JSON.stringify({ ...thisProcess(), pid: 4_194_304, batch }));
    state.lock(0).release();
    expect(existsSync(join(dir, LOCK_NAME))).toBe(false);
  });
});
