// The script of docs/hardening.md by which reviewers use the server's account, as it stands there: it lets them
// review, and lets them choose nothing else. Who may call it is sudo's matter, which is not run here.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { HOME, recipe, saved } from './recipes.ts';

const ground = tempRoot({ 'config/web.yaml': 'replicas: 2\n' });
afterAll(() => ground.remove());
mkdirSync(join(ground.dir, 'keys'), { mode: 0o700 });
writeFileSync(join(ground.dir, 'reviewers'), `${makeReviewerKey('ann').line}\n`, {
  mode: 0o600,
});
writeFileSync(
  join(ground.dir, 'airlock.yaml'),
  ['root: config', 'state-dir: state', 'approval: human', 'reviewers: reviewers', ''].join('\n'),
);
const script = saved(
  recipe('reviewers')
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll('/opt/config-airlock', HOME)
    .replaceAll('/etc/airlock', ground.dir)
    .replaceAll('/var/lib/config-airlock-keys', join(ground.dir, 'keys')),
  ground.dir,
  'config-airlock-review',
);
const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', SUDO_USER: 'ann' };

function run(args: readonly string[], more: Readonly<Record<string, string>> = env) {
  const { status, stdout, stderr } = spawnSync(script, args, { encoding: 'utf8', env: more, input: '' });
  return { status, said: stdout + stderr };
}

describe.skipIf(process.platform === 'win32')('the script for reviewers', () => {
  it.each([
    { args: [], why: 'nothing' },
    { args: ['serve'], why: 'a server' },
    { args: ['apply', 'x'], why: 'a command that asks nobody' },
    { args: ['--root', '/', 'review'], why: 'an option before the command' },
    { args: ['review', '--root', '/'], why: 'another root' },
    { args: ['history', '--config=x.yaml'], why: 'other options' },
    { args: ['review', '--key', '/x'], why: 'another key' },
  ])('does not start $why', ({ args }) => {
    expect(run(args)).toMatchObject({
      status: 2,
      said: expect.stringMatching(/one of: review|not allowed here/),
    });
  });

  it('starts what a reviewer needs, under the options of the server, and not without sudo', () => {
    expect(run(['history'])).toEqual({ status: 0, said: 'No change has been applied yet.\n' });
    expect(run(['review'])).toMatchObject({
      status: 2,
      said: expect.stringContaining('needs a person at a terminal'),
    });
    const { SUDO_USER: _, ...plain } = env;
    expect(run(['history'], plain)).toMatchObject({
      status: 2,
      said: expect.stringContaining('start it with sudo'),
    });
  });
});
