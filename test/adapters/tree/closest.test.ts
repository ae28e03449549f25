// "Did you mean": what resembles, in which order, and that hostile names cost little.
import { expect, test } from 'vitest';
import { closest } from '../../../src/adapters/index.ts';

const LONG = 'services/payments/environments/production/europe-west/cluster-one/configuration';

test.each([
  { wanted: 'replica', among: ['replicas', 'revision', 'name'], found: ['replicas'], why: 'one letter less' },
  { wanted: 'hots', among: ['host', 'ports'], found: ['host'], why: 'two letters swapped' },
  { wanted: 'READ-ONLY', among: ['read_only', 'write'], found: ['read_only'], why: 'case and separators' },
  { wanted: 'imagePullPolicy', among: ['image', 'pull'], found: ['image'], why: 'the beginning of it' },
  { wanted: 'x', among: ['a', 'b', 'xy'], found: ['xy'], why: 'one letter resembles nothing else' },
  { wanted: 'zzz', among: ['abc', 'name'], found: [], why: 'nothing in common' },
  { wanted: '', among: ['', 'a'], found: [''], why: 'nothing resembles nothing only' },
  { wanted: 'port', among: ['sport', 'ports', 'port'], found: ['port'], why: 'best first' },
  {
    wanted: `${LONG}/web.yml`,
    among: [`${LONG}/aaa-other-thing-entirely.yaml`, `${LONG}/web.yaml`, `${LONG}/worker.yaml`],
    found: [`${LONG}/web.yaml`],
    why: 'the ends of long paths count',
  },
])('$wanted: $why', ({ wanted, among, found }) => {
  expect(closest(wanted, among).slice(0, Math.max(found.length, 1))).toEqual(found);
});

test('gives three at most unless asked for more', () => {
  const among = ['port1', 'port2', 'port3', 'port4'];
  expect(closest('port', among)).toHaveLength(3);
  expect(closest('port', among, 9)).toHaveLength(4);
});

test('compares two thousand long names without a noticeable pause', () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `${'x'.repeat(5_000)}${i}`);
  // Bounded in work: the five thousand characters are compared once each, not with each other.
  expect(closest(`${'y'.repeat(5_000)}1`, names)).toEqual([]);
});
