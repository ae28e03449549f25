// Writes settings as command line flags.
import { ALL_OPTIONS } from './options.ts';
import type { Setting, Settings } from './settings.ts';

/** Returns the flags for the settings that come from one of these sources. */
export function asFlags(
  settings: Settings,
  ...sources: readonly Setting<unknown>['from'][]
): readonly string[] {
  return ALL_OPTIONS.flatMap((option) => {
    const { value, from } = settings.of(option);
    if (!sources.includes(from)) return [];
    if (option.argument === undefined) return value === true ? [`--${option.name}`] : [];
    return option.write(value).flatMap((given) => [`--${option.name}`, given]);
  });
}
