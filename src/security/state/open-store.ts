// Opens the store of a state: in a directory of this machine with its own database, or in a PostgreSQL database that several machines
// share. A damaged or newer state still lets files be read; each operation on it says what is wrong.
import { userInfo } from 'node:os';
import { StateFault } from '../../state/driver.ts';
import type { PostgresDriver } from '../../state/postgres.ts';
import { NoEngine, openSqlite } from '../../state/sqlite.ts';
import { openStore as openStoreOn, type Store, unusableStore } from '../../state/store.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientLstat, ambientRealpath } from '../fs/ambient-fs.ts';
import { readOperatorFile } from '../policy/operator-file.ts';
import type { Policy } from '../policy/policy.ts';
import { openStateDir, type StateDir } from './state-dir.ts';

export interface PostgresSource {
  /** `postgres://user@host:port/database`, without a password. */
  readonly address: string;
  /** The PG… variables of the environment, and HOME. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `journal` is the local directory for the journal of writes, which a server needs that can write: others could write to a database. */
export type StateLocation =
  | { readonly directory: string }
  | { readonly postgres: PostgresSource; readonly journal: string | undefined };

export interface OpenedStore {
  readonly store: Store;
  /** The directory of this machine: of the journals of writes, and of the database if it is not shared. */
  readonly dir: StateDir | undefined;
  /** The directory or the address, for people. */
  readonly place: string;
  /** True if other machines may share it. */
  readonly isShared: boolean;
}

/** Opens the store; its failures are StateFaults. `evenDamaged` also opens one with a damaged trail. Throws StartError. */
export async function openStore(
  location: StateLocation,
  roots: Policy['roots'],
  evenDamaged = false,
): Promise<OpenedStore> {
  const isShared = 'postgres' in location;
  const folder = isShared ? location.journal : location.directory;
  const dir =
    folder === undefined || (isShared && roots.length === 0) ? undefined : openStateDir(folder, roots);
  const place = isShared ? location.postgres.address : (dir?.realPath ?? '');
  try {
    const store = isShared
      ? await postgresStore(location.postgres, evenDamaged)
      : await storeIn(dir, evenDamaged);
    return { store, dir, place, isShared };
  } catch (error) {
    dir?.close();
    throw error;
  }
}

export async function closeStore({ store, dir }: Pick<OpenedStore, 'store' | 'dir'>): Promise<void> {
  await store.close();
  dir?.close();
}

/**
 * Calls `work` with the store alone, for a command of the operator, who may know what a database server says about connections and
 * rights. Throws StartError and Refusal.
 */
export async function withStore<Result>(
  location: StateLocation,
  roots: Policy['roots'],
  work: (store: Store) => Promise<Result>,
  evenDamaged = false,
): Promise<Result> {
  const alone = 'postgres' in location ? { ...location, journal: undefined } : location;
  const opened = await openStore(alone, roots, evenDamaged);
  try {
    return await work(opened.store);
  } catch (error) {
    const isSaid =
      error instanceof StateFault && error.kind === 'unreachable' && error.cause instanceof Error;
    throw isSaid ? new StartError(`${Object(error.cause).message}`) : stateRefusal(error);
  } finally {
    await closeStore(opened);
  }
}

async function storeIn(dir: StateDir | undefined, evenDamaged: boolean): Promise<Store> {
  if (dir === undefined) throw new Error('a state in a directory has one');
  try {
    return await openStoreOn(
      openSqlite({ file: dir.database(), check: () => dir.requireSame() }),
      evenDamaged,
    );
  } catch (error) {
    if (error instanceof StateFault) return unusableStore(error);
    throw error instanceof NoEngine ? new StartError(error.message) : error;
  }
}

async function postgresStore(source: PostgresSource, evenDamaged: boolean): Promise<Store> {
  const driver = await postgresDriver(source);
  try {
    return await openStoreOn(driver, evenDamaged);
  } catch (error) {
    if (!(error instanceof StateFault)) throw error;
    if (error.kind !== 'unreachable' && error.kind !== 'busy') return unusableStore(error);
    throw cannotUse(source, error.cause ?? 'the server does not answer');
  }
}

/** Makes the tables if there are none, and lets an account use them as a server does. Throws StartError. */
export async function setUpPostgres(source: PostgresSource, account: string): Promise<void> {
  const driver = await postgresDriver(source);
  try {
    await openStoreOn(driver, true);
    await driver.grantTo(account);
  } catch (error) {
    throw error instanceof StateFault ? cannotUse(source, error.cause ?? error) : error;
  } finally {
    await driver.close();
  }
}

async function postgresDriver(source: PostgresSource): Promise<PostgresDriver> {
  // The module is loaded only where a state is kept there.
  const { openPostgres } = await import('../../state/postgres.ts');
  const { address: url, environment } = source;
  const { username, homedir } = userInfo();
  const account = { name: username, home: environment['HOME'] ?? homedir };
  try {
    return await openPostgres({ url, environment, account, readFile });
  } catch (error) {
    throw cannotUse(source, error);
  }
}

function readFile(path: string): { readonly text: string; readonly isPrivate: boolean } | undefined {
  const facts = ignoring('all', () => ambientLstat(ambientRealpath(path)));
  return facts && { text: readOperatorFile(path), isPrivate: (facts.mode & 0o077) === 0 };
}

function cannotUse({ address }: PostgresSource, why: unknown): StartError {
  const reason = why instanceof Error ? why.message : `${why}`;
  return new StartError(`cannot use the state at ${address}: ${reason}`);
}
