// What a killed server had decided is carried through by the next one before it serves anything, in every folder that its policy knows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog, openSandbox, recoverRoots, reopenSandbox } from '../../../src/security/index.ts';
import { place } from '../fixture.ts';

it('puts in order what was left, in the folders that a request could reach, and a server that only reads does not', () => {
  const left = `.config-airlock-${'ab'.repeat(12)}.0.new`;
  const here = place();
  const leave = () => {
    for (const file of [left, `closed/${left}`]) here.write(`root/${file}`, '');
  };
  const there = () => ['', 'closed'].map((folder) => existsSync(join(here.root, folder, left)));
  const policy = (readOnly: boolean) => here.policy({ deny: ['closed'], readOnly });
  const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'log.jsonl') });
  leave();
  const first = openSandbox(policy(true), log);
  onTestFinished(() => first.close());
  expect(there()).toEqual([true, true]);
  recoverRoots(first);
  expect(there()).toEqual([true, true]);
  const second = reopenSandbox(policy(false), log, first.rootHandles);
  onTestFinished(() => second.close());
  expect(there()).toEqual([true, true]);
  recoverRoots(second);
  expect(there()).toEqual([false, true]);
});
