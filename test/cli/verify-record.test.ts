// Attacks on a record of approvals, as `verify-record` reads it: one dishonest reviewer must not get the approval of another counted.
import { expect, it } from 'vitest';
import { runCommand } from '../harness/run-command.ts';
import { reviewFixture, swap } from '../review/fixture.ts';

const needs = [{ rule: 'two', count: 2 }];

it('a record of two approvals holds only if both are about the same change [APR-16]', async () => {
  const { here, apply, finish, keys, propose, service } = await reviewFixture();
  const verify = async (lines: readonly (string | undefined)[]) => {
    const file = here.write('record.jsonl', lines.join(''));
    const ended = await runCommand(['verify-record', file, '--reviewers', `${here.base}/reviewers`]);
    return [ended.status, ended.stdout.split('\n')[0]];
  };
  const recordOf = async (from: string, to: string) => {
    const id = await propose([swap(from, to)], { needs });
    for (const key of [keys.ann, keys.bob]) await service.approve(id, key);
    const change = await apply(id, { confirmed_by: 'human', reviewer: 'ann, bob' });
    await finish(change);
    return (await service.record(change)).map((line) => `${line}\n`);
  };
  const [seen, unseen] = [await recordOf('2', '3'), await recordOf('web:1', 'evil:1')];
  expect(await verify(seen)).toEqual([0, 'The record holds.']);
  for (const lines of [[seen[0], unseen[1]], [unseen[0], seen[1]], [...seen, unseen[0]], [unseen[0]]])
    expect(await verify(lines)).toEqual([1, 'The record does not hold:']);
});
