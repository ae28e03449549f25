// Which failures count as an answer: those that a place names, and no others, so that no bug is taken for one.
import { expect, it } from 'vitest';
import { doneUnlessTaken, type IgnoredCodes, ignoring } from '../../../src/security/errors/io-refusal.ts';
import { Refusal } from '../../../src/security/index.ts';

const failure = (code: string) => Object.assign(new Error(code), { code, errno: -1, syscall: 'open' });
const throwing = (error: unknown) => () => {
  throw error;
};

it.each([
  { why: 'a bug', error: new TypeError('x'), ignored: ['all'] },
  { why: 'a refusal', error: new Refusal('BUSY', 'x'), ignored: ['all', 'expected'] },
  {
    why: 'a failure that is named',
    error: failure('ENOENT'),
    ignored: ['all', 'expected', ['ENOENT'], ['EACCES', 'ENOENT']],
  },
  { why: 'a failure that is not', error: failure('ENOTDIR'), ignored: ['all', 'expected'] },
])('$why is as good as an answer where it is asked for', ({ error, ignored }) => {
  const ways: readonly IgnoredCodes[] = ['all', 'expected', [], ['ENOENT'], ['EACCES', 'ENOENT']];
  const outcome = (codes: IgnoredCodes) => {
    try {
      return ignoring(codes, throwing(error));
    } catch (thrown) {
      return thrown;
    }
  };
  for (const codes of ways)
    expect([codes, outcome(codes)]).toEqual([
      codes,
      ignored.some((one) => String(one) === String(codes)) ? undefined : error,
    ]);
  expect(ignoring([], () => 7)).toBe(7);
});

it('only a name that is taken says that it is taken', () => {
  expect(doneUnlessTaken(() => undefined)).toBe(true);
  expect(doneUnlessTaken(throwing(failure('EEXIST')))).toBe(false);
  for (const error of [failure('ENOSPC'), new TypeError('x'), new Refusal('BUSY', 'x')])
    expect(() => doneUnlessTaken(throwing(error))).toThrow(error);
});
