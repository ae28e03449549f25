// Finds the value in force of each option, and its source. Flags win over the environment, the environment over the config file, and
// that over the defaults. A value that cannot be parsed stops the start, even where a stronger source has another one.
import { dirname } from 'node:path';
import { closest } from '../../adapters/tree/closest.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import { quoted } from '../../security/text/visible.ts';
import { BadValue, envName, type Option } from './option.ts';
import { ALL_OPTIONS, OPTIONS } from './options.ts';
import { UsageError } from './usage-error.ts';

export type Texts = ReadonlyMap<string, readonly string[]>;

interface Source {
  readonly from: 'flag' | 'environment' | 'file';
  readonly texts: Texts;
  /** The folder for relative paths. A config file can so be moved together with the files that it names. */
  readonly folder: string;
  /** The name that the operator would look for: `--log-level`, `AIRLOCK_LOG_LEVEL`, … */
  readonly label: (option: Option<unknown>) => string;
}

export interface Setting<Value> {
  readonly value: Value;
  readonly from: Source['from'] | 'default';
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
  return settingsFrom(file === undefined ? direct : [...direct, await fileSource(file)]);
}

/** Returns the settings of a program that embeds the server: keys and values as in a config file, and nothing of the environment. */
export function settingsFromObject(given: object): Settings {
  return settingsFrom([mappingSource(given, 'the options', '.')]);
}

function settingsFrom(sources: readonly Source[]): Settings {
  for (const option of ALL_OPTIONS) {
    for (const source of sources) resolve(option, [source]);
  }
  return { of: (option) => resolve(option, sources) };
}

function resolve<Value>(option: Option<Value>, sources: readonly Source[]): Setting<Value> {
  for (const { from, texts, folder, label } of sources) {
    const given = texts.get(option.name);
    if (given === undefined) continue;
    try {
      return { value: option.parse(given, folder), from };
    } catch (error) {
      if (error instanceof BadValue) throw new UsageError(`${label(option)}: ${error.message}`);
      throw error;
    }
  }
  return { value: option.default, from: 'default' };
}

function flagSource(texts: Texts): Source {
  return { from: 'flag', texts, folder: '.', label: ({ name }) => `--${name}` };
}

function environmentSource(env: Readonly<Record<string, string | undefined>>): Source {
  const texts = new Map<string, readonly string[]>();
  for (const option of ALL_OPTIONS) {
    const text = env[envName(option)];
    // An empty variable counts as unset, because shells and compose files clear variables like this.
    if (text !== undefined && text.trim() !== '')
      texts.set(option.name, option.isRepeatable ? splitList(text) : [text]);
  }
  requireKnown(env);
  return { from: 'environment', texts, folder: '.', label: envName };
}

const PREFIX = 'AIRLOCK_';

/** Throws UsageError for an unknown variable. If AIRLOCK_READONLY was ignored, the server would be writable without anybody noticing. */
function requireKnown(env: Readonly<Record<string, string | undefined>>): void {
  const names = ALL_OPTIONS.map(envName);
  for (const [key, text = ''] of Object.entries(env)) {
    const meant = names.find((name) => lettersOf(name) === lettersOf(key));
    const isOurs = key.toUpperCase().startsWith(PREFIX) || meant !== undefined;
    if (!isOurs || names.includes(key) || text.trim() === '') continue;
    // The common prefix is left out, because it would make any two names alike.
    const words = names.map((name) => name.slice(PREFIX.length));
    const nearest = meant ?? closest(key.slice(PREFIX.length), words).map((word) => PREFIX + word)[0];
    throw new UsageError(`unknown variable ${quoted(key)}; ${hint(nearest)}`);
  }
}

function lettersOf(name: string): string {
  return name.toUpperCase().replaceAll('_', '');
}

function hint(nearest: string | undefined): string {
  return nearest === undefined ? 'config-airlock --help lists them all' : `did you mean ${nearest}?`;
}

/** Splits at commas outside braces: `*.{yaml,yml},conf/*.json` are two globs. Empty parts stay, and are refused later. */
function splitList(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    if (letter === ',' && depth <= 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${letter}`);
  }
  return parts.map((part) => part.trim());
}

async function fileSource(file: string): Promise<Source> {
  return mappingSource(await readSettings(file), quoted(file), dirname(file));
}

/** Reads a mapping of options; `place` names it in messages. */
function mappingSource(mapping: object, place: string, folder: string): Source {
  const label = ({ name }: Option<unknown>): string => `${name} in ${place}`;
  const texts = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(mapping)) {
    const option = ALL_OPTIONS.find(({ name }) => name === key && name !== OPTIONS.config.name);
    if (option === undefined) throw unknownKey(key, place);
    const values: readonly unknown[] = Array.isArray(value) && option.isRepeatable ? value : [value];
    texts.set(
      key,
      values.map((item) => textOf(item, label(option))),
    );
  }
  return { from: 'file', texts, folder, label };
}

function unknownKey(key: string, place: string): UsageError {
  if (key === OPTIONS.config.name)
    return new UsageError(`${place} has the key "config": a config file cannot name another one`);
  const [nearest] = closest(
    key,
    ALL_OPTIONS.map(({ name }) => name),
  );
  return new UsageError(`${place} has an unknown key: ${quoted(key)}; ${hint(nearest)}`);
}

async function readSettings(file: string): Promise<object> {
  // The module is loaded on demand, because most servers start without such a file.
  const { readPlainValue } = await import('../../adapters/values/to-value.ts');
  let value: unknown;
  try {
    value = readPlainValue(readOperatorFile(file));
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(`cannot read ${quoted(file)}: ${error.message}`);
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${quoted(file)} must hold one mapping of options to values`);
  }
  return value;
}

function textOf(value: unknown, label: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new UsageError(`${label}: expected a plain value`);
}
