// The command `watch`: what it starts, once, with what it tells, and how; and the programs of examples/hooks with real Git.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { end } from '../harness/end.ts';
import { person } from '../harness/previews.ts';
import { runCommand } from '../harness/run-command.ts';
import { CLI } from '../harness/start-process.ts';
import { eventually } from '../harness/wait.ts';
import { type Shop, shop, swap } from './shop.ts';

const HOOKS = fileURLToPath(new URL('../../examples/hooks/', import.meta.url));
const SCALE = [swap('2', '3')];

function envOf({ env }: Shop, more: Readonly<Record<string, string>> = {}) {
  const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'w', GIT_AUTHOR_EMAIL: 'w@x' };
  const committer = { GIT_COMMITTER_NAME: 'w', GIT_COMMITTER_EMAIL: 'w@x' };
  return { ...env, ...git, ...committer, PATH: process.env['PATH'] ?? '', ...more };
}

const run = (here: Shop, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runCommand([...args, ...here.flags], { env: envOf(here, more) });

const placeOf = ({ root }: Shop): string => join(root, '..');

/** A program that keeps what it is told, line by line. */
function keeper(
  here: Shop,
  rest = '',
): { readonly file: string; told(): readonly Record<string, unknown>[] } {
  const kept = join(placeOf(here), 'told');
  const file = join(placeOf(here), 'keeper.sh');
  writeFileSync(file, `#!/bin/sh\ncat >> ${kept}\n${rest}\n`, { mode: 0o755 });
  const told = () =>
    existsSync(kept)
      ? readFileSync(kept, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  return { file, told };
}

const apply = async (here: Shop, id: string): Promise<string> =>
  JSON.parse((await run(here, ['apply', id, '--json'])).stdout).change_id;

describe('watch', () => {
  it('tells of each event once, and of none before its first start [SRV-17]', async () => {
    const here = shop('preview');
    const { file, told } = keeper(here);
    await apply(here, await here.propose([swap('web:1', 'web:0')]));
    const watch = ['watch', '--once', '--on-applied', file];
    expect(await run(here, watch)).toMatchObject({ status: 0, stdout: '' });
    const base = readFileSync(join(here.root, 'a.yaml'), 'utf8');
    const change = await apply(here, await here.propose([swap('2', '3', base)], 'an agent', base));
    const first = await run(here, watch);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(/applied \w{52}: exit 0\n$/u);
    expect(await run(here, watch)).toMatchObject({ status: 0, stdout: '' });
    expect(told()).toMatchObject([
      {
        event: 'applied',
        change_id: change,
        confirmed_by: 'preview',
        files: [{ file: 'a.yaml', paths: ['replicas'] }],
      },
    ]);
    // No contents of files unless they are asked for.
    expect(JSON.stringify(told())).not.toMatch(/web:|diff/u);
    expect(await run(here, ['watch', '--list'])).toMatchObject({ status: 0 });
    expect(await run(here, ['audit', 'verify'])).toMatchObject({ status: 0 });
  });

  it('tells of what waits, and what was rejected with its note, with the diff where that is asked for', async () => {
    const here = shop();
    const { file, told } = keeper(here);
    const watch = ['watch', '--once', '--with-diff', '--on-pending', file, '--on-rejected', file];
    expect(await run(here, watch)).toMatchObject({ status: 0 });
    const id = await here.propose(SCALE);
    expect(await run(here, watch)).toMatchObject({ status: 0 });
    const bob = person('bob');
    writeFileSync(join(placeOf(here), 'reviewers'), `${bob.line}\n`, { mode: 0o600 });
    await bob.decide({ state: here.stateDir }, id, 'reject', { note: 'too many' });
    expect(await run(here, watch)).toMatchObject({ status: 0 });
    expect(told()).toMatchObject([
      { event: 'pending', caller: { name: 'an agent' }, diff: expect.stringContaining('+replicas: 3') },
      { event: 'rejected', reviewer: 'bob', note: 'too many', diff: expect.stringContaining('+replicas: 3') },
    ]);
  });

  it('says what failed, what took too long, and what did not end', async () => {
    const here = shop('preview');
    const { file } = keeper(here, 'exit 3');
    const watch = (more: string) => ['watch', '--once', '--time-limit', '1', '--on-applied', more];
    await run(here, watch(file));
    const change = await here.propose(SCALE);
    await apply(here, change);
    expect(await run(here, watch(file))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(': exit 3\n'),
    });
    const base = readFileSync(join(here.root, 'a.yaml'), 'utf8');
    await apply(here, await here.propose([swap('web:1', 'web:2', base)], 'an agent', base));
    const slow = join(placeOf(here), 'slow.sh');
    const left = join(placeOf(here), 'left');
    writeFileSync(slow, `#!/bin/sh\n(sleep 3; touch ${left}) &\nsleep 60\n`, { mode: 0o755 });
    expect(await run(here, watch(slow))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(': out of time\n'),
    });
    expect(await run(here, ['watch', '--list'])).toMatchObject({ status: 0 });
  });

  it('starts nothing again that was claimed before it was killed, and lists it [SRV-17]', async () => {
    const here = shop('preview');
    const go = join(placeOf(here), 'go');
    const { file, told } = keeper(here, `while [ -d ${here.root} ] && [ ! -e ${go} ]; do sleep 0.1; done`);
    await run(here, ['watch', '--once', '--on-applied', file]);
    await apply(here, await here.propose(SCALE));
    const watching = spawn(process.execPath, [CLI, 'watch', '--on-applied', file, ...here.flags], {
      env: envOf(here),
      stdio: 'ignore',
    });
    await eventually(() => expect(told()).toHaveLength(1));
    await end(watching);
    expect(await run(here, ['watch', '--once', '--on-applied', file])).toMatchObject({
      status: 0,
      stdout: '',
    });
    const listed = await run(here, ['watch', '--list']);
    expect(listed.status).toBe(1);
    expect(listed.stdout).toMatch(/applied \w{52}: started, and has not ended\n$/u);
    // The program outlives its watch, and ends once it is told to.
    writeFileSync(go, '');
  });

  it.each([
    { why: 'a relative path', name: 'keeper.sh', mode: 0o755, says: 'give its absolute path' },
    { why: 'a file that is not there', name: '/nowhere/x', mode: 0o755, says: 'it does not exist' },
    { why: 'a file that cannot be executed', name: '', mode: 0o644, says: 'it may not be executed' },
    { why: 'a file that others may write to', name: '', mode: 0o777, says: 'others may write to it' },
    { why: 'a file below a root', name: 'root', mode: 0o755, says: 'it is inside a root' },
  ])('does not start $why', async ({ name, mode, says }) => {
    const here = shop('preview');
    const inRoot = name === 'root';
    const file = inRoot ? join(here.root, 'x.sh') : join(placeOf(here), 'x.sh');
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, mode);
    const refused = await run(here, ['watch', '--once', '--on-applied', name === '' || inRoot ? file : name]);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain(says);
  });
});

describe('the programs of examples/hooks', () => {
  const git = (here: Shop, ...args: readonly string[]) =>
    execFileSync('git', ['-C', here.root, ...args], { encoding: 'utf8', env: envOf(here) });

  function repository(here: Shop): void {
    git(here, 'init', '--quiet', '-b', 'main');
    git(here, 'add', '.');
    git(here, 'commit', '--quiet', '-m', 'begin');
  }

  it('git-commit commits exactly the files of the change, with trailers', async () => {
    const here = shop('preview');
    repository(here);
    writeFileSync(join(here.root, 'other.yaml'), 'a: 1\n');
    const watch = ['watch', '--once', '--on-applied', join(HOOKS, 'git-commit.mjs')];
    const env = { REPOSITORY: here.root };
    await run(here, watch, env);
    const change = await apply(here, await here.propose(SCALE));
    expect(await run(here, watch, env)).toMatchObject({ status: 0 });
    expect(git(here, 'log', '-1', '--format=%B')).toBe(
      `config: a.yaml\n\nAirlock-Change: ${change}\nAirlock-Requested-By: an agent\nAirlock-Approved-By: preview\n\n`,
    );
    expect(git(here, 'log', '-1', '--format=%(trailers:key=Airlock-Change,valueonly)').trim()).toBe(change);
    expect(git(here, 'show', '--name-only', '--format=', 'HEAD').trim()).toBe('a.yaml');
    expect(git(here, 'status', '--short').trim()).toBe('?? other.yaml');
  });

  it('pull-request pushes a branch and asks the forge, and leaves the checkout as it is', async () => {
    const here = shop('preview');
    repository(here);
    const remote = join(placeOf(here), 'remote.git');
    execFileSync('git', ['clone', '--quiet', '--bare', here.root, remote], { env: envOf(here) });
    git(here, 'remote', 'add', 'origin', remote);
    const bin = join(placeOf(here), 'bin');
    mkdirSync(bin);
    const asked = join(placeOf(here), 'asked');
    writeFileSync(join(bin, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${asked}\n`, { mode: 0o755 });
    const watch = ['watch', '--once', '--on-applied', join(HOOKS, 'pull-request.mjs')];
    const env = { REPOSITORY: here.root, PATH: `${bin}:${process.env['PATH']}` };
    await run(here, watch, env);
    const change = await apply(here, await here.propose(SCALE));
    expect(await run(here, watch, env)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(asked, 'utf8')).toContain(`--head\nairlock/${change}\n--title\nconfig: a.yaml\n`);
    const branch = execFileSync('git', ['-C', remote, 'show', `airlock/${change}:a.yaml`], {
      encoding: 'utf8',
    });
    expect(branch).toContain('replicas: 3');
    expect(git(here, 'rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('main');
    expect(git(here, 'status', '--short').trim()).toBe('M a.yaml');
    expect(git(here, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('chat tells a webhook, whose address stands in no argument', async () => {
    const here = shop();
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        bodies.push(body);
        response.end('ok');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port }: AddressInfo = Object(server.address());
    const file = join(placeOf(here), 'webhook');
    writeFileSync(file, `http://127.0.0.1:${port}/hook\n`, { mode: 0o600 });
    const watch = () =>
      run(here, ['watch', '--once', '--on-pending', join(HOOKS, 'chat.mjs')], { WEBHOOK_FILE: file });
    expect(await watch()).toMatchObject({ status: 0 });
    await here.propose(SCALE, 'a "quoted" agent');
    expect(await watch()).toMatchObject({ status: 0 });
    server.close();
    expect(bodies.map((body) => JSON.parse(body).text)).toEqual([
      expect.stringMatching(
        /^A change of a\.yaml by a "quoted" agent \(unverified name\) waits for a reviewer/u,
      ),
    ]);
  });

  it('history --format mbox is taken by git am, and a change with masked values is refused', async () => {
    const here = shop('preview');
    repository(here);
    const copy = join(placeOf(here), 'copy');
    execFileSync('git', ['clone', '--quiet', here.root, copy], { env: envOf(here) });
    const change = await apply(here, await here.propose(SCALE));
    const mails = await run(here, ['history', '--format', 'mbox']);
    expect(mails).toMatchObject({ status: 0, stderr: '' });
    const box = join(placeOf(here), 'box');
    writeFileSync(box, mails.stdout);
    execFileSync('git', ['-C', copy, 'am', '--quiet', box], { env: envOf(here) });
    expect(readFileSync(join(copy, 'a.yaml'), 'utf8')).toBe(readFileSync(join(here.root, 'a.yaml'), 'utf8'));
    const said = execFileSync('git', ['-C', copy, 'log', '-1', '--format=%s%n%b%ad'], { encoding: 'utf8' });
    expect(said).toContain(`config: a.yaml\nAirlock-Change: ${change}\n`);
    writeFileSync(join(here.root, 's.yaml'), 'user: a\npassword: hunter2-hunter2\n');
    const preview = await run(here, ['preview', 's.yaml', 'user', 'b', '--json']);
    await apply(here, JSON.parse(preview.stdout).preview_id);
    const refused = await run(here, ['history', '--format', 'mbox']);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('has masked values');
  });
});
