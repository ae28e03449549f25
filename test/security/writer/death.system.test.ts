// A commit that dies at any of its calls to the disk and to the state, and those who settle it and die themselves: afterwards all
// files are old or all are new, and the state says which. kill.system.test.ts has the same with processes.
import { describe, expect, it } from 'vitest';
import { recoverRoots } from '../../../src/security/writer/commit.ts';
import { timesOf } from '../../harness/runs.ts';
import { codeOfLater } from '../fixture.ts';
import { callsOf, changesIn, committing, died, dying, type Ground, ground, states } from './mortal.ts';

const LOCK = ['createExclusive .draft', 'link .draft .lock', 'unlink .draft'];

const BATCHES = [
  {
    why: 'one file',
    files: ['a.yaml'],
    calls: [
      ...[...LOCK, 'open', 'createExclusive .new', 'begin', 'rename .new a.yaml', 'sync'],
      ...['end', 'unlink .lock'],
    ],
  },
  {
    why: 'three files of two folders',
    files: ['a.yaml', 'd/b.yaml', 'd/c.yaml'],
    calls: [
      ...[...LOCK, ...LOCK, 'open', 'createExclusive .new', 'begin', 'createExclusive .new'],
      ...['createExclusive .new', 'rename .new a.yaml', 'rename .new b.yaml', 'rename .new c.yaml'],
      ...['sync', 'sync', 'end', 'unlink .lock', 'unlink .lock'],
    ],
  },
] as const;

/** What a start makes of it, and what the state says then. */
async function restarted(here: Ground): Promise<readonly unknown[]> {
  (await here.start()).close();
  return [states(here), ...(await changesIn(here))];
}

describe.each(BATCHES)('a commit of $why', ({ files, calls }) => {
  it('asks the disk and the state for these changes, in this order', async () => {
    const here = await ground(files);
    const made = await callsOf((heed) => committing(here, heed));
    const changes = /^(?:createExclusive|link|rename|unlink|sync|begin|end)/u;
    expect(made.filter((call) => changes.test(call) || call === 'open')).toEqual(calls);
    expect([states(here), ...(await changesIn(here))]).toEqual(['new', 'applied']);
  });

  it('is all old before its last rename, and all new after it, at whatever call it dies [WRT-6]', async () => {
    for (let step = 1, isOver = false; !isOver; step += 1) {
      const here = await ground(files);
      let renamed = 0;
      isOver = await dying(
        here,
        (state) => committing(here, () => {}, state),
        (at, call) => {
          if (at < step && call.startsWith('rename .new ')) renamed += 1;
          return at === step;
        },
      );
      const isNew = renamed === files.length;
      expect([step, ...(await restarted(here))]).toEqual([step, ...(isNew ? ['new', 'applied'] : ['old'])]);
      if (isOver) expect([step, isNew]).toEqual([step, true]);
      // Nothing that the dead have left holds up whoever writes next.
      if (!isNew)
        expect([step, await codeOfLater(() => committing(here, () => {}))]).toEqual([step, 'no error']);
    }
  });
});

describe.each([
  { when: 'before its record', state: 'old' },
  { when: 'before its first file', state: 'old' },
  { when: 'between its files', state: 'old' },
  { when: 'after its last file', state: 'new' },
] as const)('a batch that dies $when', ({ when, state }) => {
  it('is all the same where its recovery dies too, at whatever call [WRT-6]', async () => {
    for (let step = 1, isOver = false; !isOver; step += timesOf(2, 1)) {
      const here = await died(when, ['d/a.yaml', 'd/b.yaml', 'e/c.yaml']);
      const sandbox = here.open();
      isOver = await dying(
        here,
        (kept) => recoverRoots(sandbox, kept),
        (at) => at === step,
      );
      sandbox.close();
      expect([step, ...(await restarted(here))]).toEqual([
        step,
        state,
        ...(state === 'new' ? ['applied'] : []),
      ]);
    }
  });
});
