// A batch that cannot be brought in order stays as it is, locked: whoever wants to write there is told why, in words that
// help, and so is the log. Once it can be, it is.
import fs, { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Log, Refusal } from '../../../src/security/index.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { fingerprint } from '../fixture.ts';
import { died, type Ground, locking, logIn, own, ownNamed, tidying, told } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const ONE = ['d/a.yaml', 'd/b.yaml'];
const TWO = ['d/a.yaml', 'e/b.yaml'];

const waits = (why: string) =>
  `Cannot write: a batch that was interrupted waits in this folder, and ${why}. The operator should start the server that wrote it once more.`;
const refusing = (code: string) => {
  throw Object.assign(new Error(code), { errno: -1, code });
};

const SAYS = {
  out_of_reach: 'it also concerns a folder that this server does not serve',
  not_possible: 'the system does not permit it',
  not_admitted: 'it concerns a file that the policy does not let through',
  damaged: 'its journal is damaged, or not where it should be',
} as const;
const ROWS = [
  {
    why: 'a folder of it is not to be seen',
    files: TWO,
    changes: { isFolderVisible: ([name]: readonly string[]) => name !== 'e' },
    reason: 'out_of_reach',
  },
  {
    why: 'a folder of it is gone',
    files: TWO,
    act: (here: Ground) => renameSync(join(here.root, 'e'), join(here.root, 'f')),
    reason: 'out_of_reach',
  },
  {
    why: 'a folder above one of it is not to be seen',
    files: ['d/a.yaml', 'e/f/b.yaml'],
    changes: { isFolderVisible: (path: readonly string[]) => path.join('/') !== 'e' },
    reason: 'out_of_reach',
  },
  {
    why: 'the folder of its journal is not to be seen',
    files: TWO,
    from: 'e',
    changes: { isFolderVisible: ([name]: readonly string[]) => name !== 'd' },
    reason: 'out_of_reach',
  },
  {
    why: 'the system does not let one look into a folder of it',
    files: TWO,
    during: () => {
      const real = fs.openSync;
      vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) =>
        String(path).endsWith('/e') ? refusing('EACCES') : real(path, ...rest),
      );
    },
    reason: 'not_possible',
  },
  {
    why: 'it concerns a file in another folder that no request could',
    files: TWO,
    changes: { isAdmitted: (path: readonly string[]) => path.join('/') !== 'e/b.yaml' },
    reason: 'not_admitted',
  },
  {
    why: 'its root has another name here',
    files: TWO,
    changes: { rootNamed: () => undefined },
    reason: 'out_of_reach',
  },
  {
    why: 'it concerns a file that no request could',
    files: ONE,
    changes: { isAdmitted: (path: readonly string[]) => path.join('/') !== 'd/b.yaml' },
    reason: 'not_admitted',
  },
  {
    why: 'its journal is no journal',
    files: ONE,
    act: (here: Ground) => writeFileSync(ownNamed(here, '.journal'), '{'),
    reason: 'damaged',
  },
  {
    why: 'the folder of its journal is another, and one of its files may have been written',
    files: ONE,
    act: (here: Ground) => {
      for (const end of ['.0.new', '.0.old']) rmSync(ownNamed(here, end));
      // The number of the folder in the lock is not the one of the folder.
      const lock = ownNamed(here, '.lock');
      writeFileSync(lock, readFileSync(lock, 'utf8').replace(/"ino":"\d+"/u, '"ino":"1"'));
      rmSync(ownNamed(here, '.journal'));
    },
    reason: 'damaged',
  },
  {
    why: 'the system does not let it be renamed',
    files: ONE,
    during: () => vi.spyOn(fs, 'renameSync').mockImplementation(() => refusing('EACCES')),
    reason: 'not_possible',
  },
  {
    why: 'the log takes no records',
    files: ONE,
    during: () =>
      vi.spyOn(Log.prototype, 'audit').mockImplementation(() => {
        throw new Refusal('IO_ERROR', 'the log is full');
      }),
    reason: 'not_possible',
  },
] as const;

describe('a batch that was interrupted', () => {
  it.each(ROWS)('waits where $why', ({ files, reason, ...row }) => {
    const here = died('decided', files);
    if ('act' in row) row.act(here);
    if ('during' in row) row.during();
    const before = fingerprint(here.root);
    const from = 'from' in row ? row.from : 'd';
    const { refusal, log } = locking(here, from, 'changes' in row ? row.changes : {});
    expect([refusal?.code, refusal?.message]).toEqual(['BUSY', waits(SAYS[reason])]);
    expect(log.filter(({ event }) => event !== 'audit')).toEqual([
      { level: 'error', event: 'recovery_waiting', reason, file: from },
    ]);
    expect(fingerprint(here.root)).toBe(before);
    vi.restoreAllMocks();
    expect(own(here).filter((name) => name.endsWith(LOCK_NAME))).toHaveLength(files === ONE ? 1 : 2);
  });

  it('says what the system said only to whoever looks for it', () => {
    const here = died('decided', ONE);
    vi.spyOn(fs, 'renameSync').mockImplementation(() => refusing('EACCES'));
    expect(locking(here, 'd').refusal?.cause).toMatchObject({ code: 'EACCES' });
  });

  it('hides no fault of ours', () => {
    const here = died('decided', ONE);
    const wrong = () => {
      throw new TypeError('a fault of ours');
    };
    expect(() => locking(here, 'd', { isAdmitted: wrong })).toThrow(TypeError);
    tidying(here);
    expect(own(here)).toEqual([]);
  });

  it('is told to be lost where its outcome cannot be recorded', () => {
    const here = died('decided', ONE);
    const log = logIn(here, 'recovery');
    const real = log.audit;
    let records = 0;
    vi.spyOn(Log.prototype, 'audit').mockImplementation((record) => {
      records += 1;
      if (records > 2) throw new Refusal('IO_ERROR', 'the log is full');
      real.call(log, record);
    });
    tidying(here, undefined, { log });
    expect(told(here, 'recovery').map(({ level, event }) => `${level} ${event}`)).toEqual([
      'info audit',
      'info audit',
      'warn recovered',
      'error audit_outcome_lost',
    ]);
    expect(own(here)).toEqual([]);
  });
});
