// Turns settings into the options of the airlock and its log. An option that is missing here would have no effect, which a test
// detects.

import type { LogOptions } from '../../security/audit/log.ts';
import type { AirlockOptions } from '../../server.ts';
import { QUIET, VERBOSE } from './command-options.ts';
import { requireUsablePaths } from './masked-paths.ts';
import type { Option } from './option.ts';
import { LIMIT_OPTIONS, OPTIONS } from './options.ts';
import { readPolicyFile } from './policy-file.ts';
import { readSchema } from './schemas.ts';
import type { Settings } from './settings.ts';
import { stateLocationOf } from './state-location.ts';
import { UsageError } from './usage-error.ts';

/** Files that the agent may neither read nor change, wherever they are. */
const OPERATOR_FILES = [
  ...[OPTIONS.config, OPTIONS.policy, OPTIONS.reviewers, OPTIONS.logFile],
  ...[OPTIONS.httpTokens, OPTIONS.tlsCert, OPTIONS.tlsKey],
];

export async function airlockOptions(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Omit<AirlockOptions, 'log'>> {
  const roots = settings.of(OPTIONS.root).value;
  if (roots.length === 0) throw new UsageError('no root: give --root DIR, or a --config FILE that names one');
  return { ...(await rootlessOptions(settings, env)), roots };
}

/** Returns the same options without roots, for commands that read no file of a root. */
export async function rootlessOptions(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Omit<AirlockOptions, 'log' | 'roots'>> {
  const place = stateLocationOf(settings, env);
  const get = <Value>(option: Option<Value>): Value => settings.of(option).value;
  return {
    readOnly: get(OPTIONS.readOnly),
    allow: get(OPTIONS.allow),
    deny: get(OPTIONS.deny),
    allowEnv: get(OPTIONS.allowEnv),
    formats: get(OPTIONS.fileFormat),
    schemas: await Promise.all(get(OPTIONS.schema).map(readSchema)),
    masking: await requireUsablePaths({
      isOff: get(OPTIONS.noMask),
      keys: get(OPTIONS.maskKey),
      paths: get(OPTIONS.maskPath),
      shown: { keys: get(OPTIONS.showKey), paths: get(OPTIONS.showPath) },
    }),
    approval: get(OPTIONS.approval),
    changes: await readPolicyFile(get(OPTIONS.policy)),
    reviewers: get(OPTIONS.reviewers),
    ...(place !== undefined && 'postgres' in place
      ? { postgres: place.postgres, stateDir: place.journal }
      : { stateDir: place?.directory }),
    verify: get(OPTIONS.verify),
    replies: get(OPTIONS.replies),
    allowBroadRoot: get(OPTIONS.allowBroadRoot),
    operatorFiles: [
      ...get(OPTIONS.schema).map(({ file }) => file),
      ...OPERATOR_FILES.map(get).filter((file) => file !== undefined),
    ],
    limits: Object.fromEntries(Object.entries(LIMIT_OPTIONS).map(([name, option]) => [name, get(option)])),
  };
}

export function logOptions(settings: Settings): LogOptions {
  const [isQuiet, isVerbose] = [QUIET, VERBOSE].map((option) => settings.of(option).value);
  if (isQuiet && isVerbose) throw new UsageError('--quiet and --verbose exclude each other');
  return {
    level: isQuiet ? 'error' : isVerbose ? 'debug' : settings.of(OPTIONS.logLevel).value,
    format: settings.of(OPTIONS.logFormat).value,
    file: settings.of(OPTIONS.logFile).value,
  };
}
