// The entry to the driver for PostgreSQL. Its modules and its package are loaded only where a state is kept there.
import type { PostgresDriver } from './postgres/driver.ts';
import type { PostgresOptions } from './postgres/options.ts';

/** Prepares a database without connecting. Throws a plain Error for bad options. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDriver> {
  const driver = await import('./postgres/driver.ts');
  return driver.openPostgres(options);
}

/** Returns the server and database for people, without the password. Throws as `openPostgres` does. */
export async function postgresAddress(options: PostgresOptions): Promise<string> {
  const { addressOf, targetOf } = await import('./postgres/target.ts');
  return addressOf(targetOf(options));
}
