// Servers that share one state in PostgreSQL, through real clients: what one previews the other applies, once; an account of a
// server is enough; and where the database goes away, nothing is written and nothing is lost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { startToolProcess, type ToolServer } from '../harness/tool-server.ts';

/** Twelve for each of three servers. */
const KEYS = [0, 1, 2].flatMap((server) => Array.from({ length: 12 }, (_, index) => `k${server}_${index}`));

describe.runIf(hasPostgres)('servers that share a state', () => {
  let postgres: PostgresServer;
  let databases = 0;
  beforeAll(() => {
    postgres = startPostgres();
    postgres.sql('CREATE ROLE server LOGIN');
  });
  afterAll(() => postgres.remove());

  /** Two mounts of one folder would have two places: a name tells that they are one. */
  async function ground(servers: number) {
    databases += 1;
    const database = `shared${databases}`;
    postgres.sql(`CREATE DATABASE ${database}`);
    const root = tempRoot({
      'a.yaml': 'a: 0 # ours\n',
      'b.yaml': KEYS.map((key) => `${key}: none\n`).join(''),
    });
    onTestFinished(() => root.remove());
    const address = (account: string) =>
      `postgres://${account}@/${database}?host=${postgres.socket}&port=${postgres.port}`;
    const start = async (account = 'owner', flags: readonly string[] = []) => {
      const all = ['--root', `shop=${root.dir}`, '--state', address(account), ...flags];
      const server = await startToolProcess({ root: root.dir, flags: all });
      onTestFinished(() => server.close());
      return server;
    };
    const started: ToolServer[] = [];
    for (let index = 0; index < servers; index += 1) started.push(await start());
    return { start, started, disk: (file: string) => readFileSync(join(root.dir, file), 'utf8'), address };
  }

  const SET = { file: '@shop/a.yaml', path: 'a', json: 1 };

  it('apply what the other has previewed, once, and undo it', async () => {
    const { started, disk } = await ground(2);
    const [one, other] = started;
    if (one === undefined || other === undefined) throw new Error('two were started');
    const { data } = await one.ok('config_set', SET);
    const preview_id = String(data['preview_id']);
    const applied = await other.ok('config_apply', { preview_id });
    expect(disk('a.yaml')).toBe('a: 1 # ours\n');
    expect((await one.refused('config_apply', { preview_id })).code).toBe('PREVIEW_USED');
    await one.ok('config_revert', { change_id: applied.data['change_id'], dry_run: false });
    expect(disk('a.yaml')).toBe('a: 0 # ours\n');
  });

  it('lose no update where many write at once', async () => {
    const { started, disk } = await ground(3);
    await Promise.all(
      started.map(async (server, index) => {
        for (const path of KEYS.filter((key) => key.startsWith(`k${index}`))) {
          for (;;) {
            const set = { file: '@shop/b.yaml', path, json: index, dry_run: false };
            const { isError, data } = await server.callTool('config_set', set);
            if (isError !== true) break;
            expect(['BUSY', 'FILE_CHANGED'], JSON.stringify(data)).toContain(
              JSON.parse(JSON.stringify(data)).error.code,
            );
          }
        }
      }),
    );
    expect(disk('b.yaml')).toBe(KEYS.map((key) => `${key}: ${key[1]}\n`).join(''));
  });

  it('need no more than the rights of a server', async () => {
    const { start, address, disk } = await ground(0);
    const made = await runCommand(['state', 'setup', 'server', '--state', address('owner')]);
    expect(made).toMatchObject({ status: 0 });
    const again = await runCommand(['state', 'setup', 'server', '--state', address('server')]);
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('only the owner')]);
    const server = await start('server');
    await server.ok('config_set', { ...SET, dry_run: false });
    expect(disk('a.yaml')).toBe('a: 1 # ours\n');
  });

  it('write nothing while the database is away, read on, and write again when it is back', async () => {
    const { started, disk } = await ground(1);
    const [server] = started;
    if (server === undefined) throw new Error('one was started');
    await server.ok('config_set', SET);
    postgres.stop('immediate');
    try {
      for (const dry_run of [true, false]) {
        const { code } = await server.refused('config_set', { ...SET, dry_run });
        expect(['IO_ERROR', 'BUSY']).toContain(code);
      }
      expect(disk('a.yaml')).toBe('a: 0 # ours\n');
      expect((await server.ok('config_get', { file: '@shop/a.yaml' })).data['ok']).toBe(true);
    } finally {
      postgres.start();
    }
    await server.ok('config_set', { ...SET, dry_run: false });
    expect(disk('a.yaml')).toBe('a: 1 # ours\n');
  });
});
