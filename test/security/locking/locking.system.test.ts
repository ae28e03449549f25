// What docs/locking.md says of the lock: time decides nothing, a death is seen at once, and of any number who
// find a dead lock one gets in, wherever the others were interrupted. Needs `npm run build` and Linux.
import { spawn } from 'node:child_process';
import { unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import type { HeldDirectory } from '../../../src/security/containment/held.ts';
import { type Lock, lockFolder } from '../../../src/security/locking/lock.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { end } from '../../harness/end.ts';
import { codeOfLater, leftovers, place, started } from '../fixture.ts';
import { counted } from '../writer/counted.ts';

const NOBODY = 4_194_304; // above the largest pid that Linux gives out
const YEAR_MS = 366 * 24 * 3_600_000;
const DIST = new URL('../../../dist/security/', import.meta.url);

const locked = (directory: HeldDirectory, waitMs = 0) => lockFolder(directory, waitMs);

describe.skipIf(process.platform !== 'linux')('the lock', () => {
  afterEach(() => vi.restoreAllMocks());

  const prepared = () => {
    const here = place();
    const directory = pinRoot('fd-walk', here.root);
    onTestFinished(() => directory.close());
    return { ...here, directory, file: join(here.root, LOCK_NAME) };
  };
  const holding = (root: string) => `
    import { lockFolder } from '${new URL('locking/lock.js', DIST)}';
    import { pinRoot } from '${new URL('containment/choose.js', DIST)}';
    await lockFolder(pinRoot('fd-walk', ${JSON.stringify(root)}), 0);`;
  const holder = async (root: string) => {
    const script = `${holding(root)} process.stdout.write('held'); setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    onTestFinished(() => end(child));
    await started(child);
    return child;
  };
  const setClock = (byMs: number) => {
    const real = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
  };

  it('of a stopped process is left alone, however much time has passed [WRT-5]', async () => {
    const { root, directory, file } = prepared();
    const child = await holder(root);
    child.kill('SIGSTOP');
    setClock(YEAR_MS);
    utimesSync(file, 1, 1);
    expect(await codeOfLater(() => locked(directory, 20))).toBe('BUSY');
    expect(leftovers(root)).toEqual([LOCK_NAME]);
  });

  it('of a killed process is broken at once', async () => {
    const { root, directory } = prepared();
    const child = await holder(root);
    await end(child);
    (await locked(directory)).release();
    expect(leftovers(root)).toEqual([]);
  });

  it.each([
    { clock: 'set forward by a year', byMs: YEAR_MS },
    { clock: 'set back by a year', byMs: -YEAR_MS },
  ])('does not depend on the clock: $clock [WRT-5]', async ({ byMs }) => {
    const { root, directory, file } = prepared();
    const own = await locked(directory);
    setClock(byMs);
    expect(await codeOfLater(() => locked(directory, 20))).toBe('BUSY');
    expect(own.isHeld()).toBe(true);
    own.release();
    writeFileSync(file, JSON.stringify({ ...thisProcess(), pid: NOBODY }));
    (await locked(directory)).release();
    expect(leftovers(root)).toEqual([]);
  });

  it('that was deleted by hand is known to be gone, and its release leaves the next one alone', async () => {
    const { directory, file } = prepared();
    const first = await locked(directory);
    unlinkSync(file);
    expect(first.isHeld()).toBe(false);
    const second = await locked(directory);
    first.release();
    expect(second.isHeld()).toBe(true);
    second.release();
  });

  it('of an earlier run of the machine is broken', async () => {
    const { directory, file } = prepared();
    writeFileSync(file, JSON.stringify({ ...thisProcess(), boot: 'the last one' }));
    // As if the machine had been started a second ago from now on.
    setClock(process.uptime() * 1_000 + YEAR_MS);
    (await locked(directory)).release();
  });

  it('of the dead goes to one alone, wherever another who wants it was interrupted [WRT-5]', async () => {
    const outcomes = new Set<string>();
    for (let step = 1; step <= 40; step += 1) {
      const { root, directory, file } = prepared();
      writeFileSync(file, JSON.stringify({ ...thisProcess(), pid: NOBODY }));
      let other: Promise<Lock | undefined> | undefined;
      let calls = 0;
      const slow = counted(directory, () => {
        calls += 1;
        if (calls === step) other = got(() => locked(directory));
      });
      const [own, second] = [await got(() => locked(slow)), await other];
      outcomes.add(`${own?.isHeld() ?? false} ${second?.isHeld() ?? false}`);
      for (const lock of [own, second]) lock?.release();
      expect(leftovers(root).filter((name) => name !== LOCK_NAME)).toEqual([]);
    }
    expect(outcomes).toEqual(new Set(['true false', 'false true']));
  });
});

async function got(lock: () => Promise<Lock>): Promise<Lock | undefined> {
  try {
    return await lock();
  } catch {
    return undefined;
  }
}
