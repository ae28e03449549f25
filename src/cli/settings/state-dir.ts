// Where this user's programs keep what must outlive a restart. Nobody else's business: no root may hold it.
import { isAbsolute, join } from 'node:path';
import { OPTIONS } from './options.ts';
import type { Settings } from './settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The one in force: what the operator named, or the usual one. */
export function stateDirOf(settings: Settings, env: Env): string | undefined {
  return settings.of(OPTIONS.stateDir).value ?? usualStateDir(env, process.platform);
}

/** Undefined where the environment does not say; then the operator has to. */
function usualStateDir(env: Env, platform: string): string | undefined {
  const { HOME: home, XDG_STATE_HOME: state, LOCALAPPDATA: local } = env;
  const name = 'config-airlock';
  if (platform === 'win32') return local === undefined ? undefined : join(local, name);
  // The specification has relative paths ignored.
  if (state !== undefined && isAbsolute(state)) return join(state, name);
  return home !== undefined && isAbsolute(home) ? join(home, '.local', 'state', name) : undefined;
}
