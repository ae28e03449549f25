// What is asked of a policy as a whole: its fingerprint, which levels a change can come to, and what no change does without.
import { expect, it } from 'vitest';
import {
  type ChangeRule,
  canCome,
  DEFAULT_MASKING,
  LEVELS,
  type Level,
  leastLevel,
  type Policy,
  policyFingerprint,
} from '../../../src/security/index.ts';
import { place } from '../fixture.ts';

const rule = (level: Level, otherwise: Level = 'deny'): ChangeRule => ({ id: 'r', level, otherwise });

const ROWS: readonly {
  readonly approval: Policy['approval'];
  readonly usual: Level;
  readonly rules: readonly ChangeRule[];
  readonly least: Level;
  readonly can: readonly Level[];
}[] = [
  { approval: 'direct', usual: 'direct', rules: [], least: 'direct', can: ['direct'] },
  { approval: 'client', usual: 'direct', rules: [], least: 'client', can: ['client'] },
  { approval: 'direct', usual: 'human', rules: [], least: 'human', can: ['human'] },
  {
    approval: 'direct',
    usual: 'human',
    rules: [rule('preview', 'client')],
    least: 'preview',
    can: ['preview', 'client', 'human'],
  },
  {
    approval: 'direct',
    usual: 'human',
    rules: [rule('deny', 'client')],
    least: 'client',
    can: ['client', 'human', 'deny'],
  },
  {
    approval: 'client',
    usual: 'human',
    rules: [rule('direct', 'deny')],
    least: 'client',
    can: ['client', 'human', 'deny'],
  },
  {
    approval: 'direct',
    usual: 'deny',
    rules: [rule('deny'), rule('client')],
    least: 'client',
    can: ['client', 'deny'],
  },
];

it.each(ROWS)(
  'with $approval, $usual and $rules a change comes to $can',
  ({ approval, usual, rules, least, can }) => {
    const policy = { approval, changes: { default: usual, rules } };
    expect(LEVELS.filter((level) => canCome(policy, level))).toEqual(can);
    expect(leastLevel(policy)).toBe(least);
  },
);

it('a fingerprint is another for what is seen and masked, and not for what is asked anew at every apply', () => {
  const { policy } = place();
  const of = (changes: Partial<Policy> = {}) => policyFingerprint({ ...policy(), ...changes });
  const different = [
    of({ allow: ['x'] }),
    of({ deny: ['x'] }),
    of({ masking: { ...DEFAULT_MASKING, isOff: true } }),
    of({ masking: { ...DEFAULT_MASKING, keys: ['x'] } }),
    of({ masking: { ...DEFAULT_MASKING, shown: { keys: ['x'], paths: [] } } }),
  ];
  expect(new Set([of(), ...different]).size).toBe(different.length + 1);
  expect(of()).toMatch(/^[0-9a-f]{64}$/u);
  const same = [
    ...[
      of({ operatorFiles: ['/x'] }),
      of({ roots: [{ name: 'x', dir: '/elsewhere' }] }),
      of({ approval: 'human' }),
    ],
    ...[of({ changes: { default: 'direct', rules: [rule('deny')] } }), of({ schemas: [] })],
  ];
  expect(new Set([of(), ...same]).size).toBe(1);
});
