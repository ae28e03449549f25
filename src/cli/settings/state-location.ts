// Decides by the settings where the state is: in a directory, or in a PostgreSQL database.
import type { StateSource } from '../../security/index.ts';
import { OPTIONS } from './options.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { stateDirOf } from './user-folders.ts';

type Env = Readonly<Record<string, string | undefined>>;
type StateLocation = StateSource['location'];

/** The sources of a setting, from the strongest to the weakest. */
const SOURCES = ['flag', 'environment', 'file', 'default'];

/**
 * Answers the location: a flag wins over a variable, and a variable over the config file. Undefined where nothing names one. Throws
 * UsageError where two settings of the same source name different locations.
 */
export function stateLocationOf(settings: Settings, env: Env): StateLocation | undefined {
  const [shared, own] = [settings.of(OPTIONS.state), settings.of(OPTIONS.stateDir)];
  const [rank, ownRank] = [shared, own].map(({ from }) => SOURCES.indexOf(from));
  if (shared.value !== undefined && own.value !== undefined && rank === ownRank)
    throw new UsageError('--state and --state-dir both name a place for the state: give one of them');
  if (shared.value !== undefined && (own.value === undefined || Number(rank) < Number(ownRank)))
    return postgresAt(shared.value, env);
  const directory = stateDirOf(settings, env);
  return directory === undefined ? undefined : { directory };
}

/** Answers the location, as `stateLocationOf` does. Throws UsageError where nothing names one. */
export function requireStateLocation(settings: Settings, env: Env): StateLocation {
  const location = stateLocationOf(settings, env);
  if (location === undefined)
    throw new UsageError('the environment names no home directory: give --state-dir DIR');
  return location;
}

/** Answers the name of the location for people. */
export function locationName(location: StateLocation): string {
  return 'directory' in location ? location.directory : location.postgres.address;
}

function postgresAt(address: string, env: Env): StateLocation {
  const environment = Object.fromEntries(
    Object.entries(env).filter(([name]) => name.startsWith('PG') || name === 'HOME'),
  );
  return { postgres: { address, environment } };
}
