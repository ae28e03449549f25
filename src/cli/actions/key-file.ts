// Where a reviewer's key is, unless --key says otherwise.
import { isAbsolute, join } from 'node:path';
import { UsageError } from '../settings/usage-error.ts';
import type { CommandContext } from './context.ts';

export function keyFile({ task, env }: CommandContext): string {
  const named = task.own.get('key') ?? usualKeyFile(env, process.platform);
  if (named === undefined) throw new UsageError('the environment names no home: say --key FILE');
  return named;
}

function usualKeyFile(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  const { HOME: home, XDG_CONFIG_HOME: config, APPDATA: roaming } = env;
  const file = join('config-airlock', 'reviewer.key');
  if (platform === 'win32') return roaming === undefined ? undefined : join(roaming, file);
  // The specification has relative paths ignored.
  if (config !== undefined && isAbsolute(config)) return join(config, file);
  return home !== undefined && isAbsolute(home) ? join(home, '.config', file) : undefined;
}
