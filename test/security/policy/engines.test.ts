// What some constraints need is loaded where a policy asks for it, however deep, and never else.
import { expect, it } from 'vitest';

/** Of its own: other tests of this process have loaded theirs. */
const ALONE = '../../../src/security/policy/engines.ts?alone';
const NO_PATTERNS = 'the engine of patterns was not loaded';
const NO_VERSIONS = 'the comparison of versions was not loaded';

it('nothing is loaded that no policy asks for, and what one asks for is', async () => {
  const engines: typeof import('../../../src/security/policy/engines.ts') = await import(ALONE);
  const { compilePattern, loadEngines, semver } = engines;
  for (const nothing of [
    undefined,
    null,
    'pattern',
    1,
    {},
    { rules: [{ id: 'pattern', say: 'semver' }, null] },
  ]) {
    await loadEngines(nothing);
    expect(() => compilePattern('a')).toThrow(NO_PATTERNS);
    expect(() => semver()).toThrow(NO_VERSIONS);
  }
  await loadEngines({ rules: [{ change: { semver: 'minor' } }] });
  expect(semver().valid('1.2.3')).toBe('1.2.3');
  expect(() => compilePattern('a')).toThrow(NO_PATTERNS);
  await loadEngines({ rules: [{ value: { not: { pattern: 'a' } } }] });
  expect(['xax', 'b', ''].map(compilePattern('a'))).toEqual([true, false, false]);
  expect(() => compilePattern('(a)\\1')).toThrow();
});

it('one policy is looked at once', async () => {
  const engines: typeof import('../../../src/security/policy/engines.ts') = await import(ALONE);
  let asked = 0;
  const policy = {
    get rules() {
      asked += 1;
      return [];
    },
  };
  await engines.loadEngines(policy);
  await engines.loadEngines(policy);
  expect(asked).toBe(1);
});
