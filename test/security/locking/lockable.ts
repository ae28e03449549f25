// A folder to be locked, and locks of the dead in it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { lockFolder } from '../../../src/security/locking/lock.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { leftovers, place } from '../fixture.ts';
import { counted, type Heed } from '../writer/counted.ts';

const NOBODY = 4_194_304; // above the largest pid that Linux gives out

export const dead = (more: object = {}) => ({ ...thisProcess(), pid: NOBODY, ...more });

export function prepared() {
  const here = place();
  const directory = pinRoot('fd-walk', here.root);
  onTestFinished(() => directory.close());
  const file = join(here.root, LOCK_NAME);
  const lock = (heed: Heed = () => {}, waitMs = 0) => lockFolder(counted(directory, heed), waitMs);
  const stands = (text: string | object) =>
    writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text));
  return { ...here, directory, file, lock, stands, names: () => leftovers(here.root) };
}
