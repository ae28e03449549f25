// A commit in which something goes wrong at one certain moment: what is said, to the agent and to the log, what the files
// are then, and what is left for the next start.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { committed, editing, failing } from './accident.ts';
import { type Ground, ownNamed } from './mortal.ts';

const ONE = ['d/a.yaml'];
const TWO = ['d/a.yaml', 'd/b.yaml'];

const withoutOld = (here: Ground) => {
  rmSync(ownNamed(here, '.0.old'));
  failing('EIO')(here);
};
const INTENTS = ['intent d/a.yaml', 'intent d/b.yaml'];
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
      at: { call: 'rename .0.new a.yaml', act: failing('EIO') },
      says: ['IO_ERROR', `Cannot write: ${DISK}`],
      advice: undefined,
      texts: ['old'],
      records: ['intent d/a.yaml', 'failed d/a.yaml IO_ERROR'],
    },
    {
      why: 'whose only rename cannot be made durable',
      files: ONE,
      at: { call: 'sync', act: failing('EIO') },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${BACK}`],
      advice: [],
      texts: ['old'],
      records: ['intent d/a.yaml', 'rolled_back d/a.yaml', 'failed d/a.yaml IO_ERROR'],
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
      records: ['intent d/a.yaml', 'failed d/a.yaml', 'failed d/a.yaml IO_ERROR'],
    },
    {
      why: 'whose decision fails',
      files: TWO,
      at: { call: 'link .draft .journal', act: failing('ENOSPC') },
      says: ['NO_SPACE', 'Cannot write: the disk is full. Free some space and try again.'],
      advice: undefined,
      texts: OLD,
      records: [...INTENTS, 'failed d/a.yaml NO_SPACE', 'failed d/b.yaml NO_SPACE'],
    },
    {
      why: 'whose second rename fails',
      files: TWO,
      at: { call: 'rename .1.new b.yaml', act: failing('EIO') },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${BACK}`],
      advice: [],
      texts: OLD,
      records: [...INTENTS, 'rolled_back d/a.yaml', 'failed d/a.yaml IO_ERROR', 'failed d/b.yaml IO_ERROR'],
    },
    {
      why: 'whose second file was edited before its turn',
      files: TWO,
      at: { call: 'look b.yaml', nth: 2, act: editing('d/b.yaml') },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED} ${BACK}`],
      advice: [],
      texts: ['old', 'mine'],
      records: [
        ...INTENTS,
        'rolled_back d/a.yaml',
        'refused d/a.yaml FILE_CHANGED',
        'refused d/b.yaml FILE_CHANGED',
      ],
    },
    {
      why: 'whose second file was edited before the first changed',
      files: TWO,
      at: { call: 'look b.yaml', act: editing('d/b.yaml') },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED}`],
      advice: undefined,
      texts: ['old', 'mine'],
      records: [...INTENTS, 'refused d/a.yaml FILE_CHANGED', 'refused d/b.yaml FILE_CHANGED'],
    },
    {
      why: 'whose first file was edited after it was decided',
      files: TWO,
      at: { call: 'look a.yaml', nth: 2, act: editing('d/a.yaml') },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED}`],
      advice: undefined,
      texts: ['mine', 'old'],
      records: [...INTENTS, 'refused d/a.yaml FILE_CHANGED', 'refused d/b.yaml FILE_CHANGED'],
    },
    {
      why: 'whose file vanished',
      files: TWO,
      at: { call: 'look b.yaml', act: (here: Ground) => rmSync(join(here.root, 'd/b.yaml')) },
      says: ['FILE_CHANGED', `Cannot write this file: ${CHANGED}`],
      advice: undefined,
      texts: ['old', 'gone'],
      records: [...INTENTS, 'refused d/a.yaml FILE_CHANGED', 'refused d/b.yaml FILE_CHANGED'],
    },
    {
      why: 'whose way back fails',
      files: TWO,
      at: {
        call: 'rename .1.new b.yaml',
        act: (here: Ground) => withoutOld(here),
      },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${NOT_BACK} d/a.yaml.`],
      advice: [look('d/a.yaml')],
      texts: ['new: d/a.yaml', 'old'],
      records: [...INTENTS, 'failed d/a.yaml', 'failed d/a.yaml IO_ERROR', 'failed d/b.yaml IO_ERROR'],
    },
    {
      why: 'whose way back fails for two',
      files: ['d/a.yaml', 'd/b.yaml', 'd/c.yaml'],
      at: {
        call: 'rename .2.new c.yaml',
        act: (here: Ground) => {
          rmSync(ownNamed(here, '.1.old'));
          withoutOld(here);
        },
      },
      says: ['IO_ERROR', `Cannot write the files: ${DISK} ${NOT_BACK} d/b.yaml, d/a.yaml.`],
      advice: [look('d/b.yaml'), look('d/a.yaml')],
      texts: ['new: d/a.yaml', 'new: d/b.yaml', 'old'],
      records: [
        ...[...INTENTS, 'intent d/c.yaml', 'failed d/b.yaml', 'failed d/a.yaml'],
        ...['failed d/a.yaml IO_ERROR', 'failed d/b.yaml IO_ERROR', 'failed d/c.yaml IO_ERROR'],
      ],
    },
    {
      why: 'whose new contents cannot be made',
      files: TWO,
      at: { call: 'createExclusive .1.new', act: failing('EACCES') },
      says: [
        'PERMISSION_DENIED',
        'Cannot write this file: the operating system does not permit it. The operator can change the permissions.',
      ],
      advice: undefined,
      texts: OLD,
      records: ['failed d/a.yaml PERMISSION_DENIED', 'failed d/b.yaml PERMISSION_DENIED'],
    },
    {
      why: 'whose old contents cannot be kept',
      files: TWO,
      at: { call: 'createExclusive .1.old', act: failing('ENOSPC') },
      says: ['NO_SPACE', 'Cannot write this file: the disk is full. Free some space and try again.'],
      advice: undefined,
      texts: OLD,
      records: ['failed d/a.yaml NO_SPACE', 'failed d/b.yaml NO_SPACE'],
    },
    {
      why: 'whose lock was taken away',
      files: TWO,
      at: { call: 'look b.yaml', act: (here: Ground) => rmSync(ownNamed(here, '.lock')) },
      says: ['BUSY', 'Cannot write: the lock of the folder was taken away. Try again in a moment.'],
      advice: undefined,
      texts: OLD,
      records: [...INTENTS, 'failed d/a.yaml BUSY', 'failed d/b.yaml BUSY'],
    },
  ])('$why says so, and leaves nothing behind', ({ files, at, says, advice, texts, records }) => {
    const done = committed(files, at);
    expect([done.refusal?.code, done.refusal?.message]).toEqual(says);
    expect(done.refusal?.clues.advice).toEqual(advice);
    expect(done.texts).toEqual(texts);
    expect(done.records).toEqual(records);
    expect(done.left).toEqual([]);
  });
});
