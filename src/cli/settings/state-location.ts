// Decides by the settings where the state is: in a directory, or in a PostgreSQL database.
import type { PostgresSource, StateLocation } from '../../security/state/open-store.ts';
import { OPTIONS } from './options.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { stateDirOf } from './user-folders.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the location: that of `--state` if there is one, and else `--state-dir` or the user's folder. Undefined if nothing names one. */
export function stateLocationOf(settings: Settings, env: Env): StateLocation | undefined {
  const directory = stateDirOf(settings, env);
  const shared = settings.of(OPTIONS.state).value;
  // The journal of writes is on this machine, wherever the state is.
  if (shared !== undefined) return { ...postgresAt(shared, env), journal: directory };
  return directory === undefined ? undefined : { directory };
}

/** Returns the location, as `stateLocationOf` does. Throws UsageError if nothing names one. */
export function requireStateLocation(settings: Settings, env: Env): StateLocation {
  const location = stateLocationOf(settings, env);
  if (location === undefined)
    throw new UsageError('the environment names no home directory: give --state-dir DIR');
  return location;
}

/** Returns the name of the location for people. */
export function locationName(location: StateLocation): string {
  return 'directory' in location ? location.directory : location.postgres.address;
}

function postgresAt(address: string, env: Env): { readonly postgres: PostgresSource } {
  const environment = Object.fromEntries(
    Object.entries(env).filter(([name]) => name.startsWith('PG') || name === 'HOME'),
  );
  return { postgres: { address, environment } };
}
