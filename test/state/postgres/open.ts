// Opens states on a server of the tests' own.

import { openPostgres } from '../../../src/state/postgres.ts';
import type { PostgresOptions } from '../../../src/state/postgres-target.ts';
import { openStore, type Store } from '../../../src/state/store.ts';
import type { PostgresServer } from '../../harness/postgres.ts';

export async function openOn(options: PostgresOptions): Promise<Store> {
  return openStore(await openPostgres(options));
}

/** Makes a database with a state of the owner's, which this account can use as a server does. */
export async function makeState(server: PostgresServer, database: string, account: string): Promise<void> {
  server.sql(`CREATE DATABASE ${database}`);
  const driver = await openPostgres(server.options(database));
  await openStore(driver);
  await driver.grantTo(account);
  await driver.close();
}
