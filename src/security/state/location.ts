// The location of a state: a directory of this machine with its own database, or a PostgreSQL database that several machines
// share. The location is opened once, and the store is opened from it.
import { userInfo } from 'node:os';
import { StateFault } from '../../state/driver.ts';
import type { PostgresDriver } from '../../state/postgres.ts';
import type { PostgresOptions } from '../../state/postgres-target.ts';
import { NoEngine, openSqlite } from '../../state/sqlite.ts';
import { openStore, type Store, unusableStore } from '../../state/store.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientLstat, ambientRealpath } from '../fs/ambient-fs.ts';
import { readOperatorFile } from '../policy/operator-file.ts';
import type { StateDir } from './state-dir.ts';

export interface PostgresSource {
  /** `postgres://user@host:port/database`, without a password. */
  readonly address: string;
  /** The PG… variables of the environment, and HOME. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface StateLocation {
  /** The directory or the address, for people. */
  readonly name: string;
  /** False if other machines may share it. */
  readonly isLocal: boolean;
  /** Returns why agents may not add to the state; undefined if they may. */
  shortage(): 'full' | 'disk' | undefined;
  /** The folder of the journals of this machine; opened once. */
  journalFolder(): HeldDirectory;
  close(): void;
}

export function directoryLocation(dir: StateDir): StateLocation {
  return {
    name: dir.realPath,
    isLocal: true,
    shortage: () => dir.shortage,
    journalFolder: () => dir.journalFolder(),
    close: () => dir.close(),
  };
}

/** `dir` is for the journal, which is never in a database: others could write to it. */
export function postgresLocation(source: PostgresSource, dir: StateDir | undefined): StateLocation {
  return {
    name: source.address,
    isLocal: false,
    // The people who run the database server watch its disk.
    shortage: () => undefined,
    journalFolder: () => {
      if (dir === undefined) throw new Error('a state without a local directory cannot write');
      return dir.journalFolder();
    },
    close: () => dir?.close(),
  };
}

/**
 * Opens the store in a directory. A damaged or newer state still lets files be read; each operation on it says what is wrong.
 * `evenDamaged` also opens one with a damaged trail. Throws StartError if there is no SQLite engine.
 */
export async function directoryStore(dir: StateDir, evenDamaged = false): Promise<Store> {
  try {
    const driver = openSqlite({ file: dir.database(), check: () => dir.requireSame() });
    return await openStore(driver, evenDamaged);
  } catch (error) {
    if (error instanceof StateFault) return unusableStore(error);
    if (error instanceof NoEngine) throw new StartError(error.message);
    throw error;
  }
}

/** Opens the store in PostgreSQL, as `directoryStore` does. Throws StartError also if the server cannot be reached. */
export async function postgresStore(source: PostgresSource, evenDamaged = false): Promise<Store> {
  const driver = await postgresDriver(source);
  try {
    return await openStore(driver, evenDamaged);
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
    await openStore(driver, true);
    await driver.grantTo(account);
  } catch (error) {
    if (!(error instanceof StateFault)) throw error;
    throw cannotUse(source, error.cause ?? error);
  } finally {
    await driver.close();
  }
}

async function postgresDriver(source: PostgresSource): Promise<PostgresDriver> {
  // The module is loaded only where a state is kept there.
  const { openPostgres } = await import('../../state/postgres.ts');
  try {
    return await openPostgres(optionsOf(source));
  } catch (error) {
    throw cannotUse(source, error);
  }
}

function cannotUse({ address }: PostgresSource, why: unknown): StartError {
  const reason = why instanceof Error ? why.message : `${why}`;
  return new StartError(`cannot use the state at ${address}: ${reason}`);
}

function optionsOf({ address, environment }: PostgresSource): PostgresOptions {
  const { username, homedir } = userInfo();
  return {
    url: address,
    environment,
    account: { name: username, home: environment['HOME'] ?? homedir },
    readFile: (path) => {
      const facts = ignoring('all', () => ambientLstat(ambientRealpath(path)));
      return facts && { text: readOperatorFile(path), isPrivate: (facts.mode & 0o077) === 0 };
    },
  };
}
