// `--verify full`: the result of an edit is read again by `yaml`, which shares no code with the scan that planned it.
import { expect, test } from 'vitest';
import { splice } from '../../../../../src/security/edits/edit.ts';
import type { Verify } from '../../../../../src/security/policy/policy.ts';
import { orRefusal } from '../../../../harness/refusals.ts';
import { type Faults, type Operation, parse, planned } from '../../../editing/attempt.ts';
import { placesIn } from '../../../editing/places.ts';
import { NATIVE, REAL } from './texts.ts';

/** The text afterwards, or the refusal. */
function outcome(text: string, operation: Operation, verify: Verify, faults: Faults = {}) {
  return orRefusal(() => {
    const { edits, check } = planned(text, operation, 'yaml', { ...faults, verify });
    const after = splice(text, edits);
    return { after, changes: check(after) };
  });
}

test('a set and a delete at the nodes of real files come out the same, whoever proves them', () => {
  let done = 0;
  for (const { text } of [...REAL, ...NATIVE]) {
    const places = [...placesIn(parse(text))];
    for (const { doc, path } of places.filter((_, i) => i % Math.ceil(places.length / 6) === 0)) {
      for (const operation of [
        { op: 'set', doc, path, json: 'x: y', create: false },
        { op: 'delete', doc, path },
      ] as const) {
        expect(outcome(text, operation, 'full')).toEqual(outcome(text, operation, 'fast'));
        done += 1;
      }
    }
  }
  expect(done).toBeGreaterThan(300);
});

test('what only one of the two reads is refused where both are asked', () => {
  const operation = { op: 'set', path: 'b', value: '2', create: false } as const;
  const answer = outcome("a: ['\nx']\nb: 1\n", operation, 'full');
  expect(answer).toMatchObject({ message: expect.stringContaining('the second reader of --verify full') });
});

test('a fault of the reader that plans and proves is seen by the other one [EDT-3]', () => {
  // It takes the last item of every list at the top for no part of the file.
  const faulty: Faults['parse'] = (text, limits) =>
    parse(text.replace(/^- lost\n/m, '######\n'), 'yaml', limits);
  const operation = { op: 'set', path: '[0]', value: 'b', create: false } as const;
  const text = '- a\n- lost\n';
  expect(outcome(text, operation, 'fast', { parse: faulty })).toHaveProperty('after');
  expect(outcome(text, operation, 'full', { parse: faulty })).toHaveProperty('code', 'VERIFICATION_FAILED');
});
