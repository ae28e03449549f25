// What a commit asks of the disk and of its callers where one file is written and where several are, and what it tells the
// operator where a file could not be put back.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TempFile } from '../../../src/security/writer/temp-file.ts';
import { committed, editing, failing } from './accident.ts';
import { callsOf, committing, type Ground, ground, told } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const ONE = ['d/a.yaml'];
const TWO = ['d/a.yaml', 'd/b.yaml'];
const gone = (here: Ground) => rmSync(join(here.root, 'd/a.yaml'));

describe('a commit', () => {
  it.each([
    { files: ONE, flushes: 0, looks: 1 },
    { files: TWO, flushes: 2, looks: 4 },
  ])('has several files flushed together, and looks at each before its turn: $files', (row) => {
    const here = ground(row.files);
    const begun = vi.spyOn(TempFile.prototype, 'beginSync');
    const calls = callsOf((heed) => committing(here, heed));
    expect(begun).toHaveBeenCalledTimes(row.flushes);
    expect(calls.filter((call) => /^look [ab]\.yaml$/u.test(call))).toHaveLength(row.looks);
  });

  it('of a file that goes meanwhile is refused as of one that changed', () => {
    const { refusal, left, texts } = committed(ONE, { call: 'look a.yaml', act: gone });
    expect([refusal?.code, refusal?.where, left, texts]).toEqual([
      'FILE_CHANGED',
      { file: 'd/a.yaml' },
      [],
      ['gone'],
    ]);
  });

  it('that cannot be put back says so to the operator, with the file', () => {
    const act = (here: Ground) => {
      rmSync(join(here.root, 'd/a.yaml'));
      editing('d/a.yaml')(here);
      failing('EIO')(here);
    };
    const { here, texts, records } = committed(TWO, { call: 'rename .new b.yaml', act });
    expect(texts).toEqual(['mine', 'old']);
    expect(told(here, 'commit').filter(({ event }) => event !== 'audit')).toEqual([
      {
        ...{ level: 'error', event: 'recovery_waiting', reason: 'not_put_back' },
        ...{ count: 1, file: 'd/a.yaml' },
      },
    ]);
    expect(records.filter((record) => record.startsWith('rolled_back'))).toEqual([]);
  });
});
