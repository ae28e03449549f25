// The suite on a PostgreSQL server.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/state/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { makeState, openOn } from './postgres/open.ts';
import { stateSuite } from './suite.ts';

describe.runIf(hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = startPostgres({ settings: ['max_connections = 90'] });
    server.sql('CREATE ROLE server LOGIN');
    await makeState(server, 'empty', 'server');
  });
  afterAll(() => server.remove());

  stateSuite('as a server', true, async () => {
    databases += 1;
    const database = `state${databases}`;
    server.sql(`CREATE DATABASE ${database} TEMPLATE empty`);
    const opened: Store[] = [];
    const open = async (account: string) => {
      const store = await openOn(server.options(database, account));
      opened.push(store);
      return store;
    };
    return {
      open: () => open('server'),
      openAsOwner: () => open('owner'),
      // No reference keeps the owner from tampering.
      tamper: async (sql) => {
        server.sql(
          `SET search_path = config_airlock; SET session_replication_role = replica; ${sql};`,
          database,
        );
      },
      holdLock: async () => {
        const { default: postgres } = await import('postgres');
        const sql = postgres({ host: server.socket, port: server.port, user: 'owner', database, max: 1 });
        await sql.unsafe(`SELECT pg_advisory_lock(hashtext('config-airlock "config_airlock"'))`);
        return () => sql.end();
      },
      filesHold: async (text) => {
        server.sql('CHECKPOINT', database);
        const oid = server.sql(`SELECT oid FROM pg_database WHERE datname = '${database}'`);
        const folder = join(server.data, 'base', oid);
        return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
      },
      end: async () => {
        for (const store of opened) await store.close();
        server.sql(`DROP DATABASE ${database} WITH (FORCE)`);
      },
    };
  });
});
