// What an operator does with the state: the commands `state …` and `audit export`, as they are run.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/security/locking/lock-owner.ts';
import { stage } from '../harness/previews.ts';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { atTerminal, HAS_TERMINAL } from '../harness/terminal.ts';

const SECRET = 'c4nary-OLD-value';

const run = (...args: readonly string[]) => runCommand(args, { env: { HOME: '/nonexistent' } });

/** One change is applied, which has removed a text, and one preview waits. */
async function used() {
  const at = stage({ 'a.yaml': `a: ${SECRET}\nb: 2\n` });
  const server = await at.start();
  await server.ok('config_set', { file: 'a.yaml', path: 'a', json: 'new', dry_run: false });
  await server.ok('config_set', { file: 'a.yaml', path: 'b', json: 3 });
  const undo = async () => {
    const { data } = await server.ok('config_history', {});
    return JSON.stringify(data);
  };
  return { at, server, undo };
}

function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((one) => (one.isFile() ? readFileSync(join(one.parentPath, one.name), 'latin1') : []))
    .join('');
}

describe('audit export', () => {
  it('prints each record with a hash that anybody can compute again [AUD-5]', async () => {
    const { at, server } = await used();
    await server.close();
    const { status, stdout } = await run('audit', 'export', '--state-dir', at.state);
    expect(status).toBe(0);
    let before = '0'.repeat(64);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(2);
    for (const [index, line] of lines.entries()) {
      const { seq, prev, sha256, event } = JSON.parse(line);
      expect([seq, prev, typeof event.type]).toEqual([index + 1, before, 'string']);
      const text = line.slice(line.indexOf('"event":') + '"event":'.length, -1);
      expect(createHash('sha256').update(`${seq}\n${prev}\n${text}`).digest('hex')).toBe(sha256);
      before = sha256;
    }
    expect((await run('audit', 'verify', '--state-dir', at.state)).stdout).toContain(before);
  });

  it('says which directory is none', async () => {
    const empty = tempRoot();
    const { status, stdout, stderr } = await run('audit', 'export', '--state-dir', empty.dir);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('is no state directory')]);
    empty.remove();
  });
});

describe('state erase', () => {
  it('leaves no byte of a removed text, keeps the trail, and the next change works [AUD-7]', async () => {
    const { at, server } = await used();
    await server.close();
    expect(bytesIn(at.state)).toContain(SECRET);
    expect(await run('state', 'erase', '--state-dir', at.state)).toMatchObject({
      ...{ status: 0, stdout: expect.stringContaining('Erased 2 previews and changes.') },
    });
    expect(bytesIn(at.state)).not.toContain(SECRET);
    const records = (await run('audit', 'export', '--state-dir', at.state)).stdout
      .trimEnd()
      .split('\n').length;
    const verdict = await run('audit', 'verify', '--state-dir', at.state, '--json');
    expect(JSON.parse(verdict.stdout)).toMatchObject({ ok: true, records });
    expect(records).toBe(4);
    const next = await at.start();
    await next.ok('config_set', { file: 'a.yaml', path: 'a', json: 'newer', dry_run: false });
  });

  it('erases only what is older, where it is told to; and refuses a time that it cannot read', async () => {
    const { at, server } = await used();
    await server.close();
    const old = await run('state', 'erase', '--state-dir', at.state, '--before', '2001-01-01', '--json');
    expect(JSON.parse(old.stdout)).toEqual({ erased: 0, open: 0 });
    for (const time of ['yesterday', '2026', '2026-13-01', ''])
      expect(await run('state', 'erase', '--state-dir', at.state, `--before=${time}`)).toMatchObject({
        ...{ status: 2, stderr: expect.stringContaining('expected a day or a time in UTC') },
      });
  });
});

describe.skipIf(!HAS_TERMINAL)('state unlock', async () => {
  const OWNER = {
    ...{ pid: 77, started: '1', thread: '77', threadStarted: '1', boot: 'of-that-machine' },
    ...{ namespace: 'pid:[1]', host: 'elsewhere', nonce: '0'.repeat(32) },
  };

  function locked(owner: object) {
    const at = stage();
    const lock = join(at.root, '.config-airlock.lock');
    writeFileSync(lock, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    return { at, args: ['state', 'unlock', 'a.yaml', '--root', at.root, '--state-dir', at.state] };
  }

  it('shows whose lock it is, asks, and takes it away; then the write goes on [WRT-5]', async () => {
    const { at, args } = locked(OWNER);
    const server = await at.start();
    const set = { file: 'a.yaml', path: 'a', json: 7, dry_run: false };
    expect((await server.refused('config_set', set)).code).toBe('BUSY');
    const no = atTerminal(args);
    await no.sees('Process 77 on the machine elsewhere');
    await no.sees('Type yes to take the lock away:');
    no.types('no\r');
    expect((await no.ends()).status).toBe(1);
    expect((await server.refused('config_set', set)).code).toBe('BUSY');
    const yes = atTerminal(args);
    await yes.sees('Type yes to take the lock away:');
    yes.types('yes\r');
    await yes.sees('The lock is gone.');
    expect((await yes.ends()).status).toBe(0);
    await server.ok('config_set', set);
  });

  it('leaves the lock of a process of this machine that may live', async () => {
    const { args } = locked(thisProcess());
    const screen = atTerminal(args);
    await screen.sees('on this machine holds the lock');
    expect((await screen.ends()).status).toBe(1);
  });

  it('says where there is none', async () => {
    const at = stage();
    const screen = atTerminal(['state', 'unlock', 'a.yaml', '--root', at.root, '--state-dir', at.state]);
    await screen.sees('No lock of config-airlock stands in the folder');
    expect((await screen.ends()).status).toBe(0);
  });
});
