// What is asked of a policy as a whole: its fingerprint, which levels a change can come to, and what no change does without.
import { expect, it } from 'vitest';
import {
  type ChangeRule,
  canCome,
  DEFAULT_MASKING,
  LEVELS,
  type Level,
  leastLevel,
  NO_RULES,
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

it('a fingerprint is another for each part of a policy that says what may be done, and for no other', () => {
  const policy = place().policy({ schemas: [{ pattern: '*', name: 's', schema: { a: 1 } }] });
  const of = (changes: Partial<Policy> = {}) => policyFingerprint({ ...policy, ...changes });
  const schema = { pattern: '*', name: 's', schema: { a: 1 } };
  const different = [
    of({ readOnly: true }),
    of({ allow: ['x'] }),
    of({ deny: ['x'] }),
    of({ approval: 'human' }),
    of({ verify: 'full' }),
    of({ limits: { ...policy.limits, depth: 7 } }),
    of({ changes: { default: 'human', rules: [] } }),
    of({ changes: { default: 'direct', rules: [rule('deny')] } }),
    of({ schemas: [] }),
    of({ schemas: [{ ...schema, pattern: 'x' }] }),
    of({ schemas: [{ ...schema, name: 'x' }] }),
    of({ schemas: [{ ...schema, schema: { a: 2 } }] }),
    of({ masking: { ...DEFAULT_MASKING, isOff: true } }),
    of({ masking: { ...DEFAULT_MASKING, keys: ['x'] } }),
    of({ masking: { ...DEFAULT_MASKING, shown: { keys: ['x'], paths: [] } } }),
  ];
  expect(new Set([of(), ...different]).size).toBe(different.length + 1);
  expect(of()).toMatch(/^[0-9a-f]{64}$/u);
  expect([of({ operatorFiles: ['/x'] }), of({ roots: [{ name: 'x', dir: '/elsewhere' }] })]).toEqual([
    of(),
    of(),
  ]);
  expect(of({ schemas: [{ ...schema, schema: { a: 1.5 } }] })).not.toBe(of());
});

it('without a word of the operator secrets are masked, and --approval alone decides', () => {
  expect(DEFAULT_MASKING).toEqual({
    ...{ isOff: false, keys: [], paths: [] },
    shown: { keys: [], paths: [] },
  });
  expect(NO_RULES).toEqual({ default: 'direct', rules: [] });
});
