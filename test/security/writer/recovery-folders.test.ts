// A batch that died in two folders is brought in order from any of them, as one; who works there meanwhile comes first.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { walk } from '../../../src/security/containment/held.ts';
import type { Intent } from '../../../src/security/locking/intent.ts';
import { lockFolder } from '../../../src/security/locking/lock.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import type { Recovery } from '../../../src/security/writer/recovery.ts';
import { sweep } from '../../../src/security/writer/sweep.ts';
import { codeOf, fingerprint, refusalOf } from '../fixture.ts';
import {
  callsOf,
  committing,
  died,
  dying,
  ground,
  locking,
  logIn,
  own,
  ownNamed,
  recovering,
  tidying,
  told,
} from './mortal.ts';

const ONE = ['d/a.yaml', 'd/b.yaml'];
const TWO = ['d/a.yaml', 'e/b.yaml'];

/** Somebody works in that folder: nothing is touched before they have gone, and all of it is finished then. */
function expectWaitFor(folder: string, here: ReturnType<typeof died>): void {
  const other = lockFolder(walk(here.directory, [folder], ''), { waitMs: 0, recover: () => true });
  const before = fingerprint(here.root);
  const { refusal, settled } = locking(here, 'd');
  expect([refusal?.code, settled]).toEqual(['BUSY', [false]]);
  expect(fingerprint(here.root)).toBe(before);
  other.release();
  expect(locking(here, 'd').settled).toEqual([true]);
  expect(own(here)).toEqual([]);
}

describe('a batch that was interrupted', () => {
  it.each(['d', 'e'])('is finished from any of its folders: %s', (folder) => {
    const here = died('decided', TWO);
    const { refusal, settled } = locking(here, folder);
    expect([refusal, settled]).toEqual([undefined, [true]]);
    expect(TWO.map((file) => readFileSync(join(here.root, file), 'utf8'))).toEqual(
      TWO.map((file) => `new: ${file}\n`),
    );
    expect(own(here)).toEqual([]);
  });

  it.each(['d', 'e'])('goes back in each of its folders alone, without a journal: %s', (folder) => {
    const here = died('undecided', TWO);
    const { refusal, settled, log } = locking(here, folder);
    expect([refusal, settled]).toEqual([undefined, [true]]);
    expect(log).toMatchObject([
      { event: 'recovered', state: 'undone', count: 1 },
      { outcome: 'rolled_back' },
    ]);
    const left = own(here).filter((name) => !name.endsWith('.draft'));
    expect(left.filter((name) => name.startsWith(folder))).toEqual([]);
    expect(left).toHaveLength(3);
  });

  it('that left nothing but its lock needs no journal to be over', () => {
    const here = died('undecided', TWO);
    for (const name of own(here).filter((each) => /(?:new|old)$/u.test(each))) rmSync(join(here.root, name));
    const hidden = { isFolderVisible: () => false };
    expect(['d', 'e'].map((folder) => locking(here, folder, hidden).settled)).toEqual([[true], [true]]);
    expect(own(here).filter((name) => !name.endsWith('.draft'))).toEqual([]);
  });

  it('is left to whoever works in one of its folders, and finished after him', () => {
    const here = died('decided', TWO);
    rmSync(join(here.root, 'e', LOCK_NAME));
    expectWaitFor('e', here);
  });

  it('waits for another that died in one of its folders, which comes first', () => {
    const here = died('decided', TWO);
    rmSync(join(here.root, 'e', LOCK_NAME));
    const next = { ...ground(['e/c.yaml', 'e/d.yaml']), root: here.root, directory: here.directory };
    for (const file of next.files) writeFileSync(join(here.root, file), 'old\n');
    dying(
      next,
      (heed) => committing(next, heed),
      (_step, call) => call === 'rename .1.new d.yaml',
    );
    expect(locking(here, 'd').settled).toEqual([true]);
    expect(readFileSync(join(here.root, 'e/d.yaml'), 'utf8')).toBe('new: e/d.yaml\n');
    expect(readFileSync(join(here.root, 'e/b.yaml'), 'utf8')).toBe('new: e/b.yaml\n');
    expect(own(here)).toEqual([]);
  });

  it('waits where another that died there first has to wait for somebody who works', () => {
    const here = died('decided', TWO);
    rmSync(join(here.root, 'e', LOCK_NAME));
    for (const file of ['e/a.yaml', 'f/b.yaml']) here.write(`root/${file}`, 'old\n');
    const next = { ...ground(['e/a.yaml', 'f/b.yaml']), root: here.root, directory: here.directory };
    dying(
      next,
      (heed) => committing(next, heed),
      (_step, call) => call === 'rename .0.new b.yaml',
    );
    rmSync(join(here.root, 'f', LOCK_NAME));
    expectWaitFor('f', here);
  });

  it('waits where its folder has nothing to do with the one that it names', () => {
    const here = died('decided', TWO);
    const at = { name: { root: undefined, path: ['z'] }, directory: walk(here.directory, ['d'], '') };
    const recover = (intent: Intent) => recovering(here).recover(at, intent);
    const refusal = refusalOf(() => lockFolder(at.directory, { waitMs: 0, recover }));
    at.directory.close();
    expect(refusal?.message).toContain('a folder that this server does not serve');
  });

  it('is brought in order once, though it is asked for again meanwhile', () => {
    const here = died('decided', ONE);
    const again: boolean[] = [];
    const recovery: Recovery = recovering(here, {
      isAdmitted: () => {
        const batch = /-(?<batch>[0-9a-f]{24})/u.exec(own(here).join())?.groups?.['batch'] ?? '';
        again.push(recovery.recoverJournal(at, batch));
        return true;
      },
    });
    const at = { name: { root: undefined, path: ['d'] }, directory: walk(here.directory, ['d'], '') };
    lockFolder(at.directory, { waitMs: 0, recover: (intent) => recovery.recover(at, intent) }).release();
    at.directory.close();
    expect(again).toEqual([false, false]);
    expect(own(here)).toEqual([]);
  });

  it('that is over in a folder goes back there, though nobody may see that folder', () => {
    const here = died('undecided', ONE);
    expect(locking(here, 'd', { isFolderVisible: () => false }).settled).toEqual([true]);
    expect(own(here).filter((name) => !name.endsWith('.draft'))).toEqual([]);
  });

  it('whose journal names somebody who lives is not ours to finish', () => {
    const here = died('decided', ONE);
    rmSync(ownNamed(here, '.lock'));
    const journal = ownNamed(here, '.journal');
    const said: object = JSON.parse(readFileSync(journal, 'utf8'));
    writeFileSync(journal, JSON.stringify({ ...said, ...thisProcess() }));
    tidying(here, undefined, { log: logIn(here, 'recovery') });
    expect(told(here, 'recovery')).toEqual([
      { level: 'error', event: 'recovery_waiting', reason: 'damaged', file: 'd' },
    ]);
    expect(own(here)).toHaveLength(5);
  });

  it('whose journal is none waits, and one that has none needs nothing', () => {
    const here = died('decided', ONE);
    const [, batch = ''] = /-([0-9a-f]{24})/u.exec(own(here).join()) ?? [];
    rmSync(ownNamed(here, '.lock'));
    const journal = ownNamed(here, '.journal');
    const log = logIn(here, 'recovery');
    const directory = walk(here.directory, ['d'], '');
    const recover = () =>
      recovering(here, { log }).recoverJournal({ name: { root: undefined, path: ['d'] }, directory }, batch);
    writeFileSync(journal, '{');
    expect(codeOf(recover)).toBe('BUSY');
    rmSync(journal);
    expect(recover()).toBe(true);
    directory.close();
    expect(told(here, 'recovery')).toMatchObject([{ event: 'recovery_waiting', reason: 'damaged' }]);
  });

  it('of a root with a name is told by that name', () => {
    const here = died('decided', ONE);
    const log = logIn(here, 'recovery');
    sweep([{ name: 'x', directory: here.directory }], () => true, {
      recovery: recovering(here, { log }),
      log,
    });
    expect(told(here, 'recovery').map(({ file }) => file)).toEqual([
      ...['@x/d/a.yaml', '@x/d/b.yaml', '@x/d', '@x/d/a.yaml', '@x/d/b.yaml'],
    ]);
  });

  it('is made durable before its journal goes, and before that its old contents go', () => {
    const changes = /^(?:rename|sync|unlink [.]\d[.]old|unlink [.]journal)/u;
    const calls = (when: 'undecided' | 'decided') => {
      const here = died(when, ONE);
      return callsOf((heed) => tidying(here, heed)).filter((call) => changes.test(call));
    };
    expect(calls('undecided')).toEqual(['unlink .0.old', 'unlink .1.old']);
    expect(calls('decided')).toEqual([
      ...['rename .0.new a.yaml', 'rename .1.new b.yaml', 'sync', 'unlink .0.old', 'unlink .1.old'],
      ...['sync', 'unlink .journal', 'sync'],
    ]);
  });
});
