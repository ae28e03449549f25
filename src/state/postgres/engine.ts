// The entry to the engine for PostgreSQL. Its modules and its package are loaded only where a state is kept there.

import type { StateStore } from '../store.ts';
import type { PostgresOptions } from './options.ts';

/** Opens a state. Throws a plain Error for bad options, and StateFault for faults of the server or the state. */
export async function openPostgresStore(options: PostgresOptions): Promise<StateStore> {
  const { open } = await import('./open.ts');
  return open(options);
}

/** Answers the statements by which the owner of a schema lets an account use it as a server does. They have to be run again after each update. */
export async function serverGrants(role: string, options?: PostgresOptions): Promise<string> {
  const { grantsOf } = await import('./grants.ts');
  if (options === undefined) return grantsOf(role);
  const { targetOf } = await import('./target.ts');
  return grantsOf(role, targetOf(options).schema);
}

/** Answers the server and database for people, without the password. Throws as `openPostgresStore` does. */
export async function postgresAddress(options: PostgresOptions): Promise<string> {
  const { addressOf, targetOf } = await import('./target.ts');
  return addressOf(targetOf(options));
}
