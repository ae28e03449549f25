// A pooler that hands each transaction to another connection stands between the stores and their server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore, type StateStore, serverGrants } from '../../../src/state/index.ts';
import { end } from '../../harness/end.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { type TempRoot, tempRoot } from '../../harness/temp-root.ts';
import { eventually } from '../../harness/wait.ts';
import { begin, keep } from '../ground.ts';
import { refused } from '../records.mjs';
import { requireSound } from '../soundness.ts';

const PROGRAM = ['/usr/sbin/pgbouncer', 'pgbouncer'].find(
  (one) => spawnSync(one, ['--version']).status === 0,
);
if (PROGRAM === undefined) process.stderr.write('no PgBouncer is installed: its test is skipped\n');

describe.runIf(hasPostgres && PROGRAM !== undefined)('behind PgBouncer', () => {
  let server: PostgresServer;
  let root: TempRoot;
  let pooler: ChildProcess;
  beforeAll(async () => {
    server = startPostgres();
    server.sql('CREATE ROLE server LOGIN');
    await (await openPostgresStore(server.options('postgres'))).close();
    server.sql(await serverGrants('server'));
    root = tempRoot();
    const { uid, gid } = statSync(server.data);
    chownSync(root.dir, uid, gid);
    const ini = join(root.dir, 'pgbouncer.ini');
    writeFileSync(join(root.dir, 'users.txt'), '"server" ""\n');
    writeFileSync(
      ini,
      `[databases]\n* = host=${server.socket}\n[pgbouncer]\npool_mode = transaction\ndefault_pool_size = 2\n` +
        `auth_type = trust\nauth_file = ${root.dir}/users.txt\nunix_socket_dir = ${root.dir}\n`,
    );
    pooler = spawn(PROGRAM ?? '', [ini], {
      stdio: 'ignore',
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    });
  });
  afterAll(async () => {
    await end(pooler);
    server.remove();
    root.remove();
  });

  it('several stores work on one state', async () => {
    const options = {
      ...server.options('postgres', 'server'),
      url: `postgres://server@/postgres?host=${root.dir}&port=6432`,
    };
    const first = await eventually(() => openPostgresStore(options));
    const stores = [first, ...(await Promise.all([1, 2, 3].map(() => openPostgresStore(options))))];
    for (let round = 0; round < 25; round += 1) {
      const { id } = await keep(first, { time: round });
      const all = await Promise.all(stores.map((store) => begin(store, id, { time: round })));
      expect(all.map(({ begun }) => begun.state).sort()).toEqual(['begun', 'used', 'used', 'used']);
      await all.find(({ begun }) => begun.state === 'begun')?.end('applied');
    }
    await Promise.all(stores.flatMap((store) => rounds(store)));
    await requireSound(first, []);
    expect(await first.head()).toMatchObject({ seq: 75 + 80 });
    for (const store of stores) await store.close();
  });
});

function rounds(store: StateStore): readonly Promise<unknown>[] {
  return Array.from({ length: 10 }, () => store.append([refused(), refused()], true));
}
