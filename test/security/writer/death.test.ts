// A commit that dies at any of its calls to the disk, and those who bring it in order and die themselves: afterwards all
// files are old or all are new, as it was decided, and nothing else is left. kill.test.ts has the same with processes.
import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callsOf, committing, dying, ground, states, tidying } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const LOCK = ['createExclusive .draft', 'link .draft .lock', 'unlink .draft'];
const DURABLE_LOCK = [
  'createExclusive .draft',
  'fsync',
  'link .draft .lock',
  'unlink .draft',
  'sync',
  'fsync',
];
const JOURNAL = ['createExclusive .draft', 'fsync', 'link .draft .journal', 'unlink .draft', 'sync', 'fsync'];
const SYNC = ['sync', 'fsync'];
const fsyncs = (count: number) => Array.from({ length: count }, () => 'fsync');
/** What is made of each file, by its index in its folder. */
const kept = (...indexes: readonly number[]) =>
  indexes.flatMap((index) => [`createExclusive .${index}.new`, `createExclusive .${index}.old`]);

const BATCHES = [
  {
    why: 'one file',
    files: ['a.yaml'],
    decision: 'rename .0.new a.yaml',
    steps: 20,
    calls: [
      ...LOCK,
      ...['createExclusive .0.new', 'createExclusive .0.old', 'fsync', 'rename .0.new a.yaml', ...SYNC],
      ...['unlink .0.old', 'unlink .lock'],
    ],
  },
  {
    why: 'two files of one folder',
    files: ['d/a.yaml', 'd/b.yaml'],
    decision: 'link .draft .journal',
    steps: 60,
    calls: [
      ...[...DURABLE_LOCK, ...kept(0, 1), ...fsyncs(4), ...SYNC, ...JOURNAL],
      ...['rename .0.new a.yaml', 'rename .1.new b.yaml', ...SYNC],
      ...['unlink .0.old', 'unlink .1.old', ...SYNC, 'unlink .journal', ...SYNC, 'unlink .lock'],
    ],
  },
  {
    why: 'three files of two folders',
    files: ['a.yaml', 'd/b.yaml', 'd/c.yaml'],
    decision: 'link .draft .journal',
    steps: 96,
    calls: [
      ...[...DURABLE_LOCK, ...DURABLE_LOCK, ...kept(0, 0, 1), ...fsyncs(6), ...SYNC, ...SYNC, ...JOURNAL],
      ...['rename .0.new a.yaml', 'rename .0.new b.yaml', 'rename .1.new c.yaml'],
      ...[...SYNC, ...SYNC, 'unlink .0.old', 'unlink .0.old', 'unlink .1.old', ...SYNC, ...SYNC],
      ...['unlink .journal', ...SYNC, 'unlink .lock', 'unlink .lock'],
    ],
  },
] as const;
/** Deaths of one test: few enough that it is quick. */
const FEW = 10;
/** More than any recovery here makes. */
const RECOVERY_STEPS = 100;

function startsOf(steps: number): readonly number[] {
  return Array.from({ length: Math.ceil((steps + 1) / FEW) }, (_none, index) => 1 + index * FEW);
}

describe.each(BATCHES)('a commit of $why', ({ files, decision, calls, steps }) => {
  it('asks the disk for these changes, in this order', () => {
    const here = ground(files);
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
    expect(states(here)).toBe('new');
    expect(made.filter((call) => call !== 'fsync').length).toBeLessThanOrEqual(steps);
  });

  it.each(startsOf(steps))('is what was decided when it died, from call %d on', (from) => {
    for (let step = from; step < from + FEW; step += 1) {
      const here = ground(files);
      let isDecided = false;
      const isOver = dying(
        here,
        (heed) => committing(here, heed),
        (at, call) => {
          if (at < step) isDecided ||= call === decision;
          return at === step;
        },
      );
      tidying(here);
      expect([step, states(here)]).toEqual([step, isDecided ? 'new' : 'old']);
      if (isOver) expect([step, isDecided]).toEqual([step, true]);
    }
  });
});

describe.each([
  { last: 'link .draft .journal', state: 'old' },
  { last: 'rename .0.new a.yaml', state: 'new' },
  { last: 'rename .1.new b.yaml', state: 'new' },
  { last: 'unlink .1.old', state: 'new' },
])('a batch that dies before "$last"', ({ last, state }) => {
  const files = ['d/a.yaml', 'd/b.yaml', 'e/c.yaml'];
  const died = () => {
    const here = ground(files);
    dying(
      here,
      (heed) => committing(here, heed),
      (_step, call) => call === last,
    );
    return here;
  };

  it.each(startsOf(RECOVERY_STEPS))(
    'is all the same where its recovery dies too, from call %d on',
    (from) => {
      for (let step = from; step < from + FEW; step += 1) {
        const here = died();
        const isOver = dying(
          here,
          (heed) => tidying(here, heed),
          (at) => at === step,
        );
        if (isOver) expect([step, states(here)]).toEqual([step, state]);
        tidying(here);
        expect([step, states(here)]).toEqual([step, state]);
        if (isOver) return;
      }
      expect(from + FEW).toBeLessThan(RECOVERY_STEPS);
    },
  );
});
