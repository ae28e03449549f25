// What a killed server had decided is carried through by the next one before it serves anything, in every folder that its policy knows.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog, openSandbox, recoverRoots, reopenSandbox } from '../../../src/security/index.ts';
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
  here.start();
  for (const folder of ['root', 'root/d']) {
    expect(readFileSync(join(here.base, folder, 'a.yaml'), 'utf8')).toBe('new\n');
    expect(leftovers(join(here.base, folder))).toEqual([]);
  }
});

it('puts in order what was left, in the folders that a request could reach, and a server that only reads does not', () => {
  const left = `.config-airlock-${'ab'.repeat(12)}.0.new`;
  const here = place();
  const leave = () => {
    for (const file of [left, `closed/${left}`]) here.write(`root/${file}`, '');
  };
  const there = () => ['', 'closed'].map((folder) => existsSync(join(here.root, folder, left)));
  const policy = (readOnly: boolean) => here.policy({ deny: ['closed'], readOnly });
  const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'log.jsonl') });
  leave();
  const first = openSandbox(policy(true), log);
  onTestFinished(() => first.close());
  expect(there()).toEqual([true, true]);
  recoverRoots(first);
  expect(there()).toEqual([true, true]);
  const second = reopenSandbox(policy(false), log, first.rootHandles);
  onTestFinished(() => second.close());
  expect(there()).toEqual([true, true]);
  recoverRoots(second);
  expect(there()).toEqual([false, true]);
});
