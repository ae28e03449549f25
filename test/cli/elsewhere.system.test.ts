// A reviewer on a machine of their own: the commands with the shared state, and without the folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeReviewerKey, sealReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import { hasPostgres, startPostgres } from '../harness/postgres.ts';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { atTerminal, ENTER, HAS_TERMINAL } from '../harness/terminal.ts';

const PASSPHRASE = 'correct horse battery';

it.runIf(hasPostgres && HAS_TERMINAL)(
  'approves from the shared state without a root, and the machine with the files applies it [TTY-2]',
  async () => {
    const server = startPostgres();
    onTestFinished(() => server.remove());
    server.sql('CREATE DATABASE state');
    const temp = tempRoot({ 'root/web.yaml': 'replicas: 2\n' });
    onTestFinished(() => temp.remove());
    const { key, line } = makeReviewerKey('ann');
    const [home, reviewers] = [join(temp.dir, 'home'), join(temp.dir, 'reviewers')];
    mkdirSync(join(home, '.config/config-airlock'), { recursive: true });
    const sealed = sealReviewerKey(key, PASSPHRASE);
    writeFileSync(join(home, '.config/config-airlock/reviewer.key'), sealed, { mode: 0o600 });
    writeFileSync(reviewers, `${line}\n`, { mode: 0o600 });
    const address = `postgres://owner@/state?host=${server.socket}&port=${server.port}`;
    const shared = ['--state', address, '--approval', 'human', '--reviewers', reviewers];
    const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
    const run = (...args: readonly string[]) => runCommand(args, { env });
    const root = ['--root', `config=${join(temp.dir, 'root')}`];
    const made = await run('preview', '@config/web.yaml', 'replicas', '3', '--json', ...root, ...shared);
    const id: string = JSON.parse(made.stdout).preview_id;
    const screen = atTerminal(['approve', id, ...shared], { env, rows: 60 });
    await screen.sees('The file is on another');
    await screen.sees('+replicas: 3');
    await screen.sees('Type yes');
    screen.types(`yes${ENTER}`);
    await screen.sees('Passphrase');
    screen.types(`${PASSPHRASE}${ENTER}`);
    await screen.sees('Approved: it can be applied once');
    expect(await screen.ends()).toMatchObject({ status: 0 });
    const applied = await run('apply', id, '--json', ...root, ...shared);
    expect(JSON.parse(applied.stdout)).toMatchObject({ ok: true, reviewer: 'ann' });
    expect(readFileSync(join(temp.dir, 'root/web.yaml'), 'utf8')).toBe('replicas: 3\n');
    const change: string = JSON.parse(applied.stdout).change_id;
    expect((await run('history', ...shared)).stdout).toContain('@config/web.yaml');
    expect((await run('history', change, ...shared)).stdout).toContain('+replicas: 3');
    const record = join(temp.dir, 'record');
    writeFileSync(record, (await run('record', change, ...shared)).stdout);
    expect(await run('verify-record', record, '--reviewers', reviewers, ...root)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('@config/web.yaml: as approved'),
    });
    expect(await run('audit', 'verify', ...shared)).toMatchObject({ status: 0 });
  },
);
