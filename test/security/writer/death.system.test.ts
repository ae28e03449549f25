// A commit that dies at any of its calls that change a disk, and those who bring it to its end and die themselves:
// afterwards all files are old or all are new, and the state directory says which. kill.test.ts has the same with processes.
import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callsOf, changesIn, committing, died, dying, type Ground, ground, states } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const LOCK = ['createExclusive .draft', 'link .draft .lock', 'unlink .draft'];
const DURABLE_LOCK = [
  ...['createExclusive .draft', 'fsync', 'link .draft .lock', 'unlink .draft', 'sync', 'fsync'],
];
const SYNC = ['sync', 'fsync'];
const RECORD = 'fsync';

const BATCHES = [
  {
    why: 'one file',
    files: ['a.yaml'],
    calls: [
      ...[...LOCK, 'createExclusive .new', RECORD, 'fsync', 'rename .new a.yaml', ...SYNC, 'unlink .lock'],
    ],
  },
  {
    why: 'two files of one folder',
    files: ['d/a.yaml', 'd/b.yaml'],
    calls: [
      ...[...DURABLE_LOCK, 'createExclusive .new', 'createExclusive .new', RECORD, 'fsync', 'fsync'],
      ...['rename .new a.yaml', 'rename .new b.yaml', ...SYNC, 'unlink .lock'],
    ],
  },
  {
    why: 'three files of two folders',
    files: ['a.yaml', 'd/b.yaml', 'd/c.yaml'],
    calls: [
      ...[...DURABLE_LOCK, ...DURABLE_LOCK],
      ...['createExclusive .new', 'createExclusive .new', 'createExclusive .new', RECORD],
      ...['fsync', 'fsync', 'fsync', 'rename .new a.yaml', 'rename .new b.yaml', 'rename .new c.yaml'],
      ...[...SYNC, ...SYNC, 'unlink .lock', 'unlink .lock'],
    ],
  },
] as const;

/** What a start makes of it, and what the record of the change says then. */
function restarted(here: Ground): readonly unknown[] {
  here.start().close();
  return [states(here), ...changesIn(here)];
}

describe.each(BATCHES)('a commit of $why', ({ files, calls }) => {
  it('asks the disk for these changes, in this order', () => {
    const here = ground(files);
    here.state().log.audit({ action: 'propose', outcome: 'kept', file: 'a.yaml' });
    const made = callsOf((heed) => {
      const real = fs.fsyncSync;
      vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
        heed('fsync', '');
        real(fd);
      });
      committing(here, heed);
    });
    const changes = /^(?:createExclusive|link|rename|unlink|sync|fsync)/u;
    expect(made.filter((call) => changes.test(call))).toEqual(calls);
    expect([states(here), ...changesIn(here)]).toEqual(['new', '.json']);
  });

  it('is all old before its first rename, and all new after it, at whatever call it dies [WRT-6]', () => {
    for (let step = 1, isOver = false; !isOver; step += 1) {
      const here = ground(files);
      let isBegun = false;
      isOver = dying(
        here,
        () => committing(here, () => {}),
        (at, call) => {
          if (at < step) isBegun ||= call.startsWith('rename .new ');
          return at === step;
        },
      );
      // A torn record goes when it is old; nothing reads it before.
      const expected = isBegun ? ['new', '.json'] : ['old'];
      expect([step, ...restarted(here)].slice(0, expected.length + 1)).toEqual([step, ...expected]);
      expect(here.state().changes.find(here.record.id)?.isOpen, String(step)).toBe(
        isBegun ? false : undefined,
      );
      if (isOver) expect([step, isBegun]).toEqual([step, true]);
    }
  });
});

describe.each([
  { when: 'before its record', state: 'old' },
  { when: 'before its first file', state: 'old' },
  { when: 'between its files', state: 'new' },
  { when: 'after its last file', state: 'new' },
] as const)('a batch that dies $when', ({ when, state }) => {
  it('is all the same where its recovery dies too, at whatever call [WRT-6]', () => {
    for (let step = 1, isOver = false; !isOver; step += 1) {
      const here = died(when, ['d/a.yaml', 'd/b.yaml', 'e/c.yaml']);
      isOver = dying(
        here,
        () => here.start().close(),
        (at) => at === step,
      );
      if (isOver) expect([step, states(here)]).toEqual([step, state]);
      expect([step, ...restarted(here)]).toEqual([step, state, ...(state === 'new' ? ['.json'] : [])]);
    }
  });
});
