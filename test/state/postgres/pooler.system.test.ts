// A pooler that hands each transaction to another connection stands between the stores and their server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/state/store.ts';
import { end } from '../../harness/end.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { type TempRoot, tempRoot } from '../../harness/temp-root.ts';
import { eventually } from '../../harness/wait.ts';
import { event, refused } from '../events.mjs';
import { begin, keep } from '../ground.ts';
import { requireSound } from '../soundness.ts';
import { makeState, openOn } from './open.ts';

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
    await makeState(server, 'state', 'server');
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
      ...server.options('state', 'server'),
      url: `postgres://server@/state?host=${root.dir}&port=6432`,
    };
    const first = await eventually(() => openOn(options));
    const stores = [first, ...(await Promise.all([1, 2, 3].map(() => openOn(options))))];
    for (let round = 0; round < 25; round += 1) {
      const { id } = await keep(first, { time: round });
      const all = await Promise.all(stores.map((store) => begin(store, id)));
      expect(all.map(({ state }) => state).sort()).toEqual(['begun', 'used', 'used', 'used']);
      await first.end(event('applied', id));
    }
    await Promise.all(stores.flatMap((store) => rounds(store)));
    await requireSound(first, []);
    expect(await first.head()).toMatchObject({ seq: 75 + 80 });
    for (const store of stores) await store.close();
  });
});

function rounds(store: Store): readonly Promise<unknown>[] {
  return Array.from({ length: 10 }, () => store.append([refused(), refused()], true));
}
