// The location of a state: a directory of this machine with its own database, or a PostgreSQL database that several machines
// share. The location is opened once, and the store is opened from it.
import { userInfo } from 'node:os';
import {
  NoEngine,
  openPostgresStore,
  openSqliteStore,
  postgresAddress,
  StateFault,
  type StateStore,
  serverGrants,
  unusableStore,
} from '../../state/index.ts';
import type { DirectoryHandle } from '../containment/roots.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientLstat, ambientRealpath } from '../fs/ambient-fs.ts';
import { readOperatorFile } from '../policy/operator-file.ts';
import type { StateDir } from './state-dir.ts';

/** The connection as plain data, so that it can be sent to a thread. */
export interface PostgresSource {
  /** `postgres://user@host:port/database`, without a password. */
  readonly address: string;
  /** The PG… variables of the environment, and HOME. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Plain data by which another thread opens the same location. */
export type LocationHandle = { readonly directory: DirectoryHandle } | { readonly postgres: PostgresSource };

export interface StateLocation {
  /** The directory or the address, for people. */
  readonly name: string;
  readonly handle: LocationHandle;
  /** Answers why agents may not add to the state; undefined where they may. */
  shortage(): 'full' | 'disk' | undefined;
  close(): void;
}

export function directoryLocation(dir: StateDir): StateLocation {
  return {
    name: dir.realPath,
    handle: { directory: dir.handle },
    shortage: () => dir.shortage,
    close: () => dir.close(),
  };
}

export function postgresLocation(source: PostgresSource): StateLocation {
  return {
    name: source.address,
    handle: { postgres: source },
    // The people who run the database server watch its disk.
    shortage: () => undefined,
    close: () => undefined,
  };
}

/**
 * Opens the store in a directory. A damaged or newer state still lets files be read; each operation on it says what is wrong.
 * `evenDamaged` also opens one with a damaged trail. Throws StartError where there is no SQLite engine.
 */
export function directoryStore(dir: StateDir, evenDamaged = false): StateStore {
  try {
    return openSqliteStore({ file: dir.database(), check: () => dir.requireSame(), evenDamaged });
  } catch (error) {
    if (error instanceof StateFault) return unusableStore(error);
    if (error instanceof NoEngine) throw new StartError(error.message);
    throw error;
  }
}

/** Opens the store in PostgreSQL, as `directoryStore` does. Throws StartError also where the server cannot be reached. */
export async function postgresStore(source: PostgresSource, evenDamaged = false): Promise<StateStore> {
  const options = { ...optionsOf(source), evenDamaged };
  try {
    await postgresAddress(options);
  } catch (error) {
    throw cannotUse(source, error instanceof Error ? error.message : 'its address cannot be read');
  }
  try {
    return await openPostgresStore(options);
  } catch (error) {
    if (!(error instanceof StateFault)) throw error;
    if (error.kind !== 'unreachable' && error.kind !== 'busy') return unusableStore(error);
    const { cause } = error;
    throw cannotUse(source, cause instanceof Error ? cause.message : 'the server does not answer');
  }
}

/** Answers the statements by which the owner of the tables lets an account use them as a server does. Throws StartError for a bad address. */
export async function grantsAt(source: PostgresSource, account: string): Promise<string> {
  try {
    return await serverGrants(account, optionsOf(source));
  } catch (error) {
    throw cannotUse(source, error instanceof Error ? error.message : 'its address cannot be read');
  }
}

function cannotUse({ address }: PostgresSource, why: string): StartError {
  return new StartError(`cannot use the state at ${address}: ${why}`);
}

function optionsOf({ address, environment }: PostgresSource): Parameters<typeof openPostgresStore>[0] {
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
