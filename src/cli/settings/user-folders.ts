// Finds the folders for this user's files: those of the XDG specification, or those of Windows. No root may hold them.
import { isAbsolute, join } from 'node:path';
import { OPTIONS } from './options.ts';
import type { Settings } from './settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the state directory in force; undefined if neither the operator nor the environment names one. */
export function stateDirOf(settings: Settings, env: Env): string | undefined {
  const defaultFolder = userFolder(env, 'XDG_STATE_HOME', ['.local', 'state'], 'LOCALAPPDATA');
  return settings.of(OPTIONS.stateDir).value ?? defaultFolder;
}

/** Returns the path of the reviewer's key unless --key names another; undefined if the environment names no home directory. */
export function defaultKeyFile(env: Env): string | undefined {
  const folder = userFolder(env, 'XDG_CONFIG_HOME', ['.config'], 'APPDATA');
  return folder === undefined ? undefined : join(folder, 'reviewer.key');
}

function userFolder(
  env: Env,
  variable: string,
  belowHome: readonly string[],
  windowsVariable: string,
): string | undefined {
  const { HOME: home, [variable]: folder, [windowsVariable]: windowsFolder } = env;
  const name = 'config-airlock';
  if (process.platform === 'win32')
    return windowsFolder === undefined ? undefined : join(windowsFolder, name);
  // The specification says that relative paths are ignored.
  if (folder !== undefined && isAbsolute(folder)) return join(folder, name);
  return home !== undefined && isAbsolute(home) ? join(home, ...belowHome, name) : undefined;
}
