// FILE-030: what a killed server left is removed at the next start, and nothing else ever is.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog, openSandbox, recoverRoots, reopenSandbox } from '../../../src/security/index.ts';
import { CONTAINMENTS, leftovers, place } from '../fixture.ts';

const TEMP = `.config-airlock-${'0123456789ab'.repeat(2)}.new`;
const DRAFT = `.config-airlock-${'ab'.repeat(12)}.draft`;

describe.each(CONTAINMENTS)('the sweep (%s)', (containment) => {
  it('FILE-030 removes leftovers at any depth and says how many [WRT-10]', () => {
    const here = place();
    for (const file of [TEMP, DRAFT, `a/${TEMP}`, `a/b/c/${TEMP}`]) here.write(`root/${file}`, 'half');
    here.start(containment);
    expect(here.logged().find(({ event }) => event === 'leftovers_swept')).toMatchObject({
      level: 'warn',
      count: 4,
    });
    expect(['', 'a', 'a/b/c'].flatMap((folder) => leftovers(join(here.root, folder)))).toEqual([]);
  });

  it('leaves alone what only looks similar [WRT-10]', () => {
    const here = place();
    const kept = [
      '.config-airlock-short.new',
      `x${TEMP}`,
      `${TEMP}.yaml`,
      '.config-airlock.yaml',
      'a.tmp',
      TEMP.toUpperCase(),
    ];
    for (const name of kept) here.write(`root/${name}`, 'mine');
    here.start(containment);
    expect(readdirSync(here.root).sort()).toEqual([...kept].sort());
  });

  it('leaves links, folders and files with a second name alone', () => {
    const here = place();
    symlinkSync('../outside/s.yaml', join(here.root, TEMP));
    mkdirSync(join(here.root, DRAFT));
    mkdirSync(join(here.root, 'd'));
    linkSync(join(here.outside, 's.yaml'), join(here.root, 'd', TEMP));
    here.start(containment);
    expect(readdirSync(here.root).sort()).toEqual([TEMP, DRAFT, 'd'].sort());
    expect(readFileSync(join(here.root, 'd', TEMP), 'utf8')).toBe('secret: sentinel\n');
  });

  it('does nothing in read-only mode, and does not enter denied folders', () => {
    const here = place();
    here.write(`root/${TEMP}`, 'half');
    here.write(`root/.git/${TEMP}`, 'half');
    here.start(containment, { readOnly: true });
    expect(leftovers(here.root)).toEqual([TEMP]);
    here.start(containment);
    expect([leftovers(here.root), leftovers(join(here.root, '.git'))]).toEqual([[], [TEMP]]);
  });
});

it('puts in order what was left, in the folders that a request could reach, and a server that only reads does not', () => {
  const here = place();
  const leave = () => {
    for (const file of [TEMP, `closed/${TEMP}`]) here.write(`root/${file}`, '');
  };
  const there = () => ['', 'closed'].map((folder) => existsSync(join(here.root, folder, TEMP)));
  const policy = (readOnly: boolean) => here.policy({ deny: ['closed'], readOnly });
  const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'log.jsonl') });
  leave();
  const first = openSandbox(policy(true), log);
  onTestFinished(() => first.close());
  expect(there()).toEqual([true, true]);
  recoverRoots(first, undefined);
  expect(there()).toEqual([true, true]);
  const second = reopenSandbox(policy(false), log, first.rootHandles);
  onTestFinished(() => second.close());
  expect(there()).toEqual([true, true]);
  recoverRoots(second, here.state());
  expect(there()).toEqual([false, true]);
});
