// Quantities of Kubernetes: what is one, and which of two is larger, to the last digit.
import { expect, it } from 'vitest';
import { isQuantityWithin, quantityOf } from '../../../src/security/policy/quantity.ts';

it.each([
  ['1Gi', '1024Mi', 0],
  ['1Gi', '1G', 1],
  ['500m', '0.5', 0],
  ['501m', 0.5, 1],
  ['1e3', '1k', 0],
  ['1E3', 1000, 0],
  ['1E', '1e18', 0],
  ['1n', '0', 1],
  ['-1', '1m', -1],
  ['0.1', '100m', 0],
  ['9007199254740993', '9007199254740992', 1],
  ['1Ei', '1024Pi', 0],
  ['1u', '1000n', 0],
])('%s is to %s as %d to 0', (one, other, order) => {
  const [a = 0n, b = 0n] = [quantityOf(one), quantityOf(other)];
  expect(a > b ? 1 : a < b ? -1 : 0).toBe(order);
});

it.each([
  '',
  ' 1',
  '1 Gi',
  '1gi',
  '1GiB',
  'Gi',
  '1.',
  '.5',
  '1e',
  '1e100',
  '0x10',
  '1_000',
  '1'.repeat(31),
  true,
  null,
  [1],
  { a: 1 },
])('%j is none', (value) => {
  expect(quantityOf(value)).toBeUndefined();
  expect(isQuantityWithin(value, { max: '1Gi' })).toBeUndefined();
});

it('has bounds on either side', () => {
  const bounds = { min: '16Mi', max: '1Gi' };
  expect(['15Mi', '16Mi', '1Gi', '1025Mi'].map((one) => isQuantityWithin(one, bounds))).toEqual([
    ...[false, true, true, false],
  ]);
});
