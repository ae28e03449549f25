// The place of the state by the settings: a directory, or a PostgreSQL database.
import type { StateSource } from '../../security/index.ts';
import { OPTIONS } from './options.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { stateDirOf } from './user-folders.ts';

type Env = Readonly<Record<string, string | undefined>>;
type StatePlace = StateSource['place'];

/** The sources of a setting, from the strongest to the weakest. */
const SOURCES = ['flag', 'environment', 'file', 'default'];

/**
 * Answers the place: a flag wins over a variable, and that over the config file. Throws UsageError where one kind names both
 * places. Undefined where neither the operator nor the environment names one.
 */
export function statePlaceOf(settings: Settings, env: Env): StatePlace | undefined {
  const [shared, own] = [settings.of(OPTIONS.state), settings.of(OPTIONS.stateDir)];
  const [rank, ownRank] = [shared, own].map(({ from }) => SOURCES.indexOf(from));
  if (shared.value !== undefined && own.value !== undefined && rank === ownRank)
    throw new UsageError('--state and --state-dir both name a place for the state: give one of them');
  if (shared.value !== undefined && (own.value === undefined || Number(rank) < Number(ownRank)))
    return postgresAt(shared.value, env);
  const directory = stateDirOf(settings, env);
  return directory === undefined ? undefined : { directory };
}

/** Reads a place that an operator has typed: a directory, or an address as for `--state`. Throws BadValue. */
export function placeNamed(text: string, env: Env): StatePlace {
  if (!text.includes('://')) return { directory: text };
  return postgresAt(OPTIONS.state.parse([text], '') ?? text, env);
}

/** The name of the place for people. */
export function nameOf(place: StatePlace): string {
  return 'directory' in place ? place.directory : place.postgres.address;
}

function postgresAt(address: string, env: Env): StatePlace {
  const environment = Object.fromEntries(
    Object.entries(env).filter(([name]) => name.startsWith('PG') || name === 'HOME'),
  );
  return { postgres: { address, environment } };
}
