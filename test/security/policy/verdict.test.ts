// A verdict is about exactly the edits that were judged, is as strict as the strictest of them, and is made by nobody else.
import { expect, it } from 'vitest';
import { judge, type Level, Verdict } from '../../../src/security/index.ts';
import { verdictOn } from '../../../src/security/policy/verdict.ts';
import { factsOf } from './json-facts.ts';

const EDIT = { file: 'a.yaml', base_sha256: 'base', result_sha256: 'result' };

function verdict(edit: typeof EDIT & { readonly file_op?: string }, level: Level): Verdict {
  const judgement = judge(factsOf({ a: 1 }, { a: 2 }), { default: level, all: [] }, [], 'direct');
  return verdictOn(edit, judgement);
}

it('is about the edits that were judged, and about no others', () => {
  const other = { ...EDIT, file: 'b.yaml', file_op: 'create' };
  const one = verdict(EDIT, 'client');
  const both = Verdict.all([one, verdict(other, 'preview')]);
  expect([one.isAbout([EDIT]), one.isAbout([]), one.isAbout([{ ...EDIT }, EDIT])]).toEqual([
    true,
    true,
    true,
  ]);
  expect([both.isAbout([EDIT, other]), both.isAbout([other]), both.isAbout([EDIT])]).toEqual([
    true,
    true,
    true,
  ]);
  const changes = [{ file: 'b.yaml' }, { base_sha256: 'x' }, { result_sha256: 'x' }, { file_op: 'create' }];
  for (const change of changes) {
    expect([change, one.isAbout([{ ...EDIT, ...change }])]).toEqual([change, false]);
    expect([change, both.isAbout([EDIT, { ...EDIT, ...change }])]).toEqual([change, false]);
  }
  expect(one.isAbout([EDIT, other])).toBe(false);
});

it('is as strict as the strictest, with what was found of each', () => {
  const one = verdict(EDIT, 'client');
  expect(one.level).toBe('client');
  expect(one.findings).toMatchObject([{ file: 'a.yaml', level: 'client', change: { path: ['a'] } }]);
  const other = verdict({ ...EDIT, file: 'b.yaml' }, 'human');
  for (const all of [Verdict.all([one, other]), Verdict.all([other, one])]) {
    expect(all.level).toBe('human');
    expect(all.findings.map(({ file, level }) => `${file} ${level}`).sort()).toEqual([
      'a.yaml client',
      'b.yaml human',
    ]);
    expect(Object.isFrozen(all)).toBe(true);
  }
});

it('is made by the judge, and by nobody who looks like it', () => {
  const one = verdict(EDIT, 'direct');
  expect(Verdict.isGenuine(one)).toBe(true);
  const { level, findings } = one;
  for (const other of [
    undefined,
    null,
    'Verdict',
    {},
    { level, findings },
    Object.create(one),
    Object.create(Verdict.prototype),
  ])
    expect(Verdict.isGenuine(other)).toBe(false);
  expect(() => Reflect.construct(Verdict, [Symbol('Verdict'), [EDIT], 'direct', []])).toThrow(
    'a Verdict is made by the judge only',
  );
  expect(() => Verdict.all([])).toThrow('there is nothing to judge');
});
