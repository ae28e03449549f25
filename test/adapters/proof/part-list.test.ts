// A list that reads its parts on demand does what an array of all of them does.
import { expect, test } from 'vitest';
import { PartList } from '../../../src/adapters/proof/part-list.ts';
import { randomFrom } from '../../harness/random.ts';

const ROUNDS = 300;
const STEPS = 20;

test('does what an array does, in any order of reading and changing', () => {
  for (let seed = 0; seed < ROUNDS; seed++) {
    const random = randomFrom(seed);
    const model = Array.from({ length: random.below(8) }, (_, i) => `source ${i}`);
    const list = PartList.unread(model.length, (index) => `source ${index}`);
    for (let step = 0; step < STEPS; step++) {
      const index = random.below(model.length + 1);
      const isThere = index < model.length;
      switch (random.below(7)) {
        case 0:
          expect(list.at(index)).toBe(model[index]);
          break;
        case 1:
          list.set(index, `set ${step}`);
          if (isThere) model[index] = `set ${step}`;
          break;
        case 2:
          list.insert(index, `new ${step}`);
          model.splice(index, 0, `new ${step}`);
          break;
        case 3:
          list.remove(index);
          if (isThere) model.splice(index, 1);
          break;
        case 4:
          list.push(`last ${step}`);
          model.push(`last ${step}`);
          break;
        case 5: {
          const to = index + random.below(model.length - index + 1);
          expect(list.readRun(index, to)).toEqual(model.slice(index, to));
          break;
        }
        default:
          list.readSource(index);
      }
      expect(list.length).toBe(model.length);
    }
    expect([...list], `seed ${seed}`).toEqual(model);
  }
});

test('reads what was asked for, and nothing beside it', () => {
  const read: number[] = [];
  const list = PartList.unread(1_000, (index) => read.push(index));
  list.at(500);
  list.remove(3);
  list.insert(900, 0);
  list.readSource(500);
  expect(read).toEqual([500, 3]);
  expect(list.pieces.length).toBeLessThan(8);
});

test('keeps a run that was read in one go in one piece', () => {
  const list = PartList.unread(10_000, (index) => index);
  list.at(300);
  list.insert(700, -1);
  expect(list.readRun(10, 9_000)).toHaveLength(8_990);
  expect(list.pieces.map((piece) => 'parts' in piece)).toEqual([false, true, false]);
});

test.each([
  { why: 'a part was asked for', ask: (list: PartList<number>) => list.at(2) },
  { why: 'the first has gone', ask: (list: PartList<number>) => list.remove(0) },
  { why: 'the last has gone', ask: (list: PartList<number>) => list.remove(4) },
  { why: 'one has come', ask: (list: PartList<number>) => list.push(9) },
  { why: 'all were read', ask: (list: PartList<number>) => [...list] },
])('is no longer untouched where $why', ({ ask }) => {
  const list = PartList.unread(5, (index) => index);
  expect(list.isUntouched).toBe(true);
  ask(list);
  expect(list.isUntouched).toBe(false);
});
