// The batch that a lock names, to the last character: it is compared with what is kept, and looked for by its id.
import { expect, it } from 'vitest';
import { readBatch } from '../../../src/security/locking/batch.ts';

const BATCH = { change: 'c'.repeat(43), state: '0123456789abcdef'.repeat(2) };

it('the batch of a lock is an id of a change and one of a state directory, and nothing else', () => {
  expect(readBatch(BATCH)).toEqual(BATCH);
  for (const [field, id] of Object.entries(BATCH))
    for (const other of [`${id}0`, `0${id}`, `/${id}`, `${id}\n`, id.slice(1), ''])
      expect(() => readBatch({ ...BATCH, [field]: other }), `${field}: ${other}`).toThrow();
});
