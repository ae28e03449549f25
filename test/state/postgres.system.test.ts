// The suite on a PostgreSQL server.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore, type StateStore, serverGrants } from '../../src/state/index.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { stateSuite } from './suite.ts';

describe.runIf(hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = startPostgres();
    server.sql('CREATE ROLE server LOGIN');
    server.sql('CREATE DATABASE empty');
    await (await openPostgresStore(server.options('empty'))).close();
    server.sql(await serverGrants('server'), 'empty');
  });
  afterAll(() => server.remove());

  stateSuite('as a server', true, async () => {
    databases += 1;
    const database = `state${databases}`;
    server.sql(`CREATE DATABASE ${database} TEMPLATE empty`);
    const opened: StateStore[] = [];
    const tamper = async (sql: string) => {
      // No reference and no constraint keeps the owner from tampering.
      server.sql(
        `SET search_path = config_airlock; SET session_replication_role = replica;
         ALTER TABLE texts DROP CONSTRAINT IF EXISTS texts_have_their_hash; ${sql};`,
        database,
      );
    };
    const open = async (account: string) => {
      const store = await openPostgresStore(server.options(database, account));
      opened.push(store);
      return store;
    };
    return {
      open: () => open('server'),
      openAsOwner: () => open('owner'),
      tamper,
      makeNewer: () => tamper("UPDATE identity SET value = '99' WHERE name = 'version'"),
      holdLock: async () => {
        const { default: postgres } = await import('postgres');
        const sql = postgres({ host: server.socket, port: server.port, user: 'owner', database, max: 1 });
        await sql.unsafe('BEGIN');
        await sql.unsafe('SELECT FROM config_airlock.head FOR UPDATE');
        return async () => {
          await sql.unsafe('ROLLBACK');
          await sql.end();
        };
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
