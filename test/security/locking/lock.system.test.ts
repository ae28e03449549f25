// A lock of a dead process is broken; a lock of a living one never, however many try at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { lockFolder } from '../../../src/security/locking/lock.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { CONTAINMENTS, codeOfLater, leftovers, place, started } from '../fixture.ts';

describe.each(CONTAINMENTS)('the lock of a folder (%s)', (containment) => {
  const prepared = () => {
    const here = place();
    const directory = pinRoot(containment, here.root);
    return { ...here, directory, file: join(here.root, LOCK_NAME) };
  };

  it('is had by one at a time, and gone afterwards', async () => {
    const { root, directory } = prepared();
    const lock = await lockFolder(directory, 0);
    expect(lock.isHeld()).toBe(true);
    expect(await codeOfLater(() => lockFolder(directory, 20))).toBe('BUSY');
    lock.release();
    lock.release();
    expect(leftovers(root)).toEqual([]);
    (await lockFolder(directory, 0)).release();
  });
});

it('many processes that find a dead lock at once break it, and one at a time gets in', async () => {
  const here = place();
  const script = `
    import { lockFolder } from '${new URL('../../../dist/security/locking/lock.js', import.meta.url)}';
    import { pinRoot } from '${new URL('../../../dist/security/containment/choose.js', import.meta.url)}';
    import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
    const directory = pinRoot('fd-walk', ${JSON.stringify(here.root)});
    const inside = ${JSON.stringify(join(here.base, 'inside'))};
    process.stdout.write('ready');
    process.stdin.once('data', async () => {
      for (let i = 0; i < 60; i += 1) {
        const lock = await lockFolder(directory, 600_000);
        writeFileSync(inside, '', { flag: 'wx' });
        unlinkSync(inside);
        // Every other time this process "dies": its lock stays, with an owner that is certainly dead.
        if (i % 2 === 0) lock.release();
        else {
          const file = ${JSON.stringify(join(here.root, LOCK_NAME))};
          const owner = JSON.parse(readFileSync(file, 'utf8'));
          writeFileSync(file, JSON.stringify({ ...owner, started: '1' }));
        }
      }
      process.exit(0);
    });`;
  const children = [1, 2, 3, 4].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
  await Promise.all(children.map(started));
  const ends = children.map((child) => once(child, 'exit'));
  for (const child of children) child.stdin.write('go');
  const codes = (await Promise.all(ends)).map(([code]: unknown[]) => code);
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(readdirSync(here.root).filter((name) => name !== LOCK_NAME)).toEqual([]);
});
