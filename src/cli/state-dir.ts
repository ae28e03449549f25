// Where this user's programs keep what must outlive a restart. Nobody else's business: no root may hold it.
import { isAbsolute, join } from 'node:path';

/** Undefined where the environment does not say; then the operator has to. */
export function usualStateDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  const { HOME: home, XDG_STATE_HOME: state, LOCALAPPDATA: local } = env;
  const name = 'config-airlock';
  if (platform === 'win32') return local === undefined ? undefined : join(local, name);
  // The specification has relative paths ignored.
  if (state !== undefined && isAbsolute(state)) return join(state, name);
  return home !== undefined && isAbsolute(home) ? join(home, '.local', 'state', name) : undefined;
}
