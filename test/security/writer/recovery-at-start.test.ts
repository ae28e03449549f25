// What a killed server had decided is carried through by the next one before it serves anything, in every folder that its policy knows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { sha256 } from '../../harness/sha256.ts';
import { leftovers, place } from '../fixture.ts';

it('finishes a batch over two folders in both of them', () => {
  const here = place();
  const batch = 'ab'.repeat(12);
  const dead = { ...thisProcess(), pid: 4_194_304 };
  const files = [{ name: 'a.yaml', base: sha256('old\n'), result: sha256('new\n') }];
  const root = { path: [] };
  const folders = [root, { path: ['d'] }].map((folder) => ({ folder, files }));
  for (const { folder } of folders) {
    const under = ['root', ...folder.path].join('/');
    here.write(`${under}/a.yaml`, 'old\n');
    here.write(`${under}/.config-airlock-${batch}.0.new`, 'new\n');
    const intent = { folder, files, batch, journal: { folder: root, ino: '1' } };
    here.write(`${under}/.config-airlock.lock`, JSON.stringify({ ...dead, intent }));
  }
  here.write(`root/.config-airlock-${batch}.journal`, JSON.stringify({ ...dead, batch, folders }));
  here.open();
  for (const folder of ['root', 'root/d']) {
    expect(readFileSync(join(here.base, folder, 'a.yaml'), 'utf8')).toBe('new\n');
    expect(leftovers(join(here.base, folder))).toEqual([]);
  }
});
