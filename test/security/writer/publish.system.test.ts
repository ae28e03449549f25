// A commit in which something goes wrong at one certain moment: what is said, to the agent and to the log, what the files
// are then, and what is left for the next start.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { committed, editing, failing } from './accident.ts';
import { changesIn, committing, type Ground, ground, ownNamed, plain, states } from './mortal.ts';

const ONE = ['d/a.yaml'];
const TWO = ['d/a.yaml', 'd/b.yaml'];

const BACK_AGAIN = (code: string) => ['intent', `rolled_back ${code}`];
const DISK = 'the file system reported an error. Try again, or ask the operator to look at the log.';
const CHANGED = 'it is no longer what the edit was made for. Read it again and repeat the edit.';
const BACK = 'What was already written has been put back.';
const NOT_BACK = 'What was already written could NOT be put back in:';
const look = (file: string) => `Look at ${file}: it may hold the new contents, or those of another program.`;
const OLD = ['old', 'old'];

describe('a commit', () => {
  it.each([
    {
      why: 'whose only rename fails',
      files: ONE,
      at: { call: 'rename .new a.yaml', act: failing('EIO') },
      says: ['IO_ERROR', `Cannot write: ${DISK}`],
      advice: undefined,
      texts: ['old'],
      records: BACK_AGAIN('IO_ERROR'),
    },
    {
      why: 'whose only rename cannot be made durable',
      files: ONE,
      at: { call: 'sync', act: failing('EIO') },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${BACK}`],
      advice: [],
      texts: ['old'],
      records: BACK_AGAIN('IO_ERROR'),
    },
    {
      why: 'whose only rename cannot be made durable, and was replaced since',
      files: ONE,
      at: {
        call: 'sync',
        act: (here: Ground) => {
          renameSync(here.write('outside/x', 'mine\n'), join(here.root, 'd/a.yaml'));
          failing('EIO')(here);
        },
      },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${NOT_BACK} d/a.yaml.`],
      advice: [look('d/a.yaml')],
      texts: ['mine'],
      records: ['intent'],
    },
    {
      why: 'whose second rename fails',
      files: TWO,
      at: { call: 'rename .new b.yaml', act: failing('EIO') },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${BACK}`],
      advice: [],
      texts: OLD,
      records: BACK_AGAIN('IO_ERROR'),
    },
    {
      why: 'whose second file was edited before its turn',
      files: TWO,
      at: { call: 'factsOf b.yaml', nth: 2, act: editing('d/b.yaml') },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED} ${BACK}`],
      advice: [],
      texts: ['old', 'mine'],
      records: BACK_AGAIN('FILE_CHANGED'),
    },
    {
      why: 'whose second file was edited before the first changed',
      files: TWO,
      at: { call: 'factsOf b.yaml', act: editing('d/b.yaml') },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED}`],
      advice: undefined,
      texts: ['old', 'mine'],
      records: BACK_AGAIN('FILE_CHANGED'),
    },
    {
      why: 'whose first file was edited after it was decided',
      files: TWO,
      at: { call: 'factsOf a.yaml', nth: 2, act: editing('d/a.yaml') },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED}`],
      advice: undefined,
      texts: ['mine', 'old'],
      records: BACK_AGAIN('FILE_CHANGED'),
    },
    {
      why: 'whose file vanished',
      files: TWO,
      at: { call: 'factsOf b.yaml', act: (here: Ground) => rmSync(join(here.root, 'd/b.yaml')) },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED}`],
      advice: undefined,
      texts: ['old', 'gone'],
      records: BACK_AGAIN('FILE_CHANGED'),
    },
    {
      why: 'whose way back fails',
      files: TWO,
      at: { call: 'rename .new b.yaml', act: failing('EIO'), after: 'createExclusive .old' },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${NOT_BACK} d/a.yaml.`],
      advice: [look('d/a.yaml')],
      texts: ['new: d/a.yaml', 'old'],
      records: ['intent'],
    },
    {
      why: 'whose way back fails for two',
      files: ['d/a.yaml', 'd/b.yaml', 'd/c.yaml'],
      at: { call: 'rename .new c.yaml', act: failing('EIO'), after: 'createExclusive .old' },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${NOT_BACK} d/b.yaml, d/a.yaml.`],
      advice: [look('d/b.yaml'), look('d/a.yaml')],
      texts: ['new: d/a.yaml', 'new: d/b.yaml', 'old'],
      records: ['intent'],
    },
    {
      why: 'whose new contents cannot be made',
      files: TWO,
      at: { call: 'createExclusive .new', nth: 2, act: failing('EACCES') },
      says: [
        'PERMISSION_DENIED',
        'Cannot write this file: the operating system does not permit it. The operator can change the permissions.',
      ],
      advice: undefined,
      texts: OLD,
      records: BACK_AGAIN('PERMISSION_DENIED'),
    },
    {
      why: 'whose lock was taken away',
      files: TWO,
      at: { call: 'factsOf b.yaml', act: (here: Ground) => rmSync(ownNamed(here, '.lock')) },
      says: ['BUSY', 'Cannot write: the lock of the folder was taken away. Try again in a moment.'],
      advice: undefined,
      texts: OLD,
      records: BACK_AGAIN('BUSY'),
    },
  ])('$why says so, and leaves nothing behind but a batch in halves', async ({ files, at, says, ...row }) => {
    const done = await committed(files, at);
    expect([done.refusal?.code, done.refusal?.message]).toEqual(says);
    expect(done.refusal?.clues.advice).toEqual(row.advice);
    expect(done.texts).toEqual(row.texts);
    expect(done.records).toEqual(row.records);
    expect(done.left).toEqual([]);
    // What could not be put back stays open, for the next start.
    expect(await changesIn(done.here)).toEqual(row.records.length === 1 ? ['open'] : []);
  });

  it.each([
    { why: 'goes back', refused: 'nothing', is: 'old', changes: [], later: 'old' },
    {
      why: 'stays open where it cannot',
      ...{ refused: 'createExclusive .old', is: 'new and old' },
      ...{ changes: ['open'], later: 'old' },
    },
  ])('that meets a fault of ours $why', async ({ refused, is, changes, later }) => {
    const here = ground(TWO);
    let isMet = false;
    const heed = (made: string, name: string) => {
      const it = `${made} ${plain(name)}`;
      if (isMet && it === refused) failing('EIO')(here);
      isMet ||= it === 'rename .new b.yaml';
      if (isMet && it === 'rename .new b.yaml') throw new TypeError('a fault');
    };
    await expect(committing(here, heed)).rejects.toThrow('a fault');
    expect([states(here), await changesIn(here)]).toEqual([is, changes]);
    await here.start();
    expect(states(here)).toBe(later);
  });
});
