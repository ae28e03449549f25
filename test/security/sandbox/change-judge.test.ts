// What a change needs is known without looking at it where no rule can say anything else.
import { expect, it } from 'vitest';
import { type FileFacts, SafePath } from '../../../src/security/index.ts';
import { ChangeJudge } from '../../../src/security/sandbox/change-judge.ts';
import { factsOf } from '../policy/json-facts.ts';

const PATH = SafePath.parse('a.yaml', [undefined]);
const EDIT = { base_sha256: 'base', result_sha256: 'result' };

it('the facts of a change are asked for where there are rules, or when somebody asks what was found', () => {
  let asked = 0;
  const facts = (): FileFacts => {
    asked += 1;
    return factsOf({ a: 1 }, { a: 2 });
  };
  const rules = [{ id: 'all', level: 'preview', otherwise: 'preview' }] as const;
  const verdictOf = (changes: ConstructorParameters<typeof ChangeJudge>[0]['changes']) =>
    new ChangeJudge({ approval: 'client', changes }, [() => 'yes']).verdictOn(PATH, EDIT, facts, undefined);
  const one = verdictOf({ default: 'human', rules: [] });
  expect([one.level, one.needs, one.isAbout([{ ...EDIT, file: 'a.yaml' }]), asked]).toEqual([
    'human',
    [],
    true,
    0,
  ]);
  expect(one.findings).toMatchObject([{ file: 'a.yaml', level: 'human', change: { path: ['a'] } }]);
  expect([one.findings.length, asked]).toEqual([1, 1]);
  expect([verdictOf({ default: 'direct', rules }).level, asked]).toEqual(['client', 2]);
});
