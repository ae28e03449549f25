// A folder of the state directory that holds more names than are looked at: a part is not taken for all.
import { expect, it } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { StateFolder } from '../../../src/security/records/state-folder.ts';
import { place, refusalOf } from '../fixture.ts';

it('a folder with too many names says so, and who can mend it', () => {
  const directory = pinRoot('fd-walk', place().root);
  const entries = [{ name: 'a.json', kind: 'file' }];
  const folder = new StateFolder(
    Object.assign(Object.create(directory), { entries: () => ({ entries, complete: false }) }),
  );
  const refusal = refusalOf(() => folder.names());
  expect([refusal?.code, refusal?.message, refusal?.where, refusal?.clues]).toEqual([
    'IO_ERROR',
    'Cannot go on: a folder of the state directory holds more than 500,000 files. The operator should look at it.',
    {},
    { advice: ['Tell the operator: no call can mend this'] },
  ]);
  directory.close();
});
