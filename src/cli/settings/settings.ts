// The value in force of each option, and where it came from: flag over environment over config file
// over default. A value that cannot be read stops the start, even where a stronger one hides it.
import { BadValue, type Option } from './option.ts';
import { ALL_OPTIONS, OPTIONS } from './options.ts';
import { environmentSource, fileSource, flagSource, type Source, type Texts } from './sources.ts';
import { UsageError } from './usage-error.ts';

export interface Setting<Value> {
  readonly value: Value;
  readonly from: Source['from'];
  /** As it was given; empty for a default. */
  readonly texts: readonly string[];
}

export interface Settings {
  readonly of: <Value>(option: Option<Value>) => Setting<Value>;
}

export async function resolveSettings(
  flags: Texts,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Settings> {
  const direct = [flagSource(flags), environmentSource(env)];
  const file = resolve(OPTIONS.config, direct).value;
  const sources = file === undefined ? direct : [...direct, await fileSource(file)];
  for (const option of ALL_OPTIONS) {
    for (const source of sources) resolve(option, [source]);
  }
  return { of: (option) => resolve(option, sources) };
}

function resolve<Value>(option: Option<Value>, sources: readonly Source[]): Setting<Value> {
  for (const { from, texts, label } of sources) {
    const given = texts.get(option.name);
    if (given === undefined) continue;
    try {
      return { value: option.parse(given), from, texts: given };
    } catch (error) {
      if (error instanceof BadValue) throw new UsageError(`${label(option)}: ${error.message}`);
      throw error;
    }
  }
  return { value: option.default, from: 'default', texts: [] };
}
