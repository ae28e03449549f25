// Describes an option of the command line: its name, and how its value is parsed from texts and written as texts. Nothing here reads
// argv, the environment or a file.
import { resolve } from 'node:path';
import { quoted } from '../../security/text/visible.ts';

/** The part of JSON Schema that one value of an option needs. */
export interface ValueSchema {
  readonly type?: 'string' | 'boolean' | 'integer';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly ValueSchema[];
}

export interface Option<Value> {
  /** The name without dashes, which is also the key in a config file: `max-file-size`. */
  readonly name: string;
  /** The word for the value in the help, such as `DIR`; undefined for a switch. */
  readonly argument: string | undefined;
  readonly isRepeatable: boolean;
  readonly help: string;
  readonly default: Value;
  /** The text for people where there is no value. */
  readonly unset: string;
  /** JSON Schema of one value in a config file. */
  readonly schema: ValueSchema;
  /** Parses one text, or several where it is repeatable; relative paths start at the folder. Throws BadValue. */
  readonly parse: (texts: readonly string[], folder: string) => Value;
  // This has method syntax, so that an Option of a special value can be used where an Option<unknown> is expected.
  /** Returns the texts that parse to this value, from any folder. */
  write(value: Value): readonly string[];
}

/** The common description of both kinds of options; `read` and `write` are for one text. */
interface OptionSpec<Item, Value> extends Pick<Option<Value>, 'name' | 'argument' | 'help' | 'default'> {
  readonly unset?: string;
  /** The schema; a text by default. */
  readonly schema?: ValueSchema;
  readonly read: (text: string, folder: string) => Item;
  readonly write?: (item: Item) => string;
}

/** The variable of an option: `max-file-size` gives `AIRLOCK_MAX_FILE_SIZE`. */
export function envName({ name }: Pick<Option<unknown>, 'name'>): string {
  return `AIRLOCK_${name.toUpperCase().replaceAll('-', '_')}`;
}

const MAX_SHOWN_DEFAULT = 40;

/** Returns the default for a line of help. Only the first item of a list and the beginning of a long text are shown; docs/options.md has all. */
export function shownDefault<Value>(option: Option<Value>): string {
  const [first = option.unset, ...rest] = option.write(option.default);
  const shown = first.length > MAX_SHOWN_DEFAULT ? `${first.slice(0, MAX_SHOWN_DEFAULT)}…` : first;
  return rest.length === 0 ? shown : `${shown}, and ${rest.length} more`;
}

/** An error whose message says what a good value is. Whoever catches it adds where the bad value came from. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

export function badValue(text: string, expected: string): BadValue {
  return new BadValue(`${expected}, got ${quoted(text)}`);
}

export function toggle(name: string, help: string): Option<boolean> {
  const schema: ValueSchema = { type: 'boolean' };
  return single({ name, help, argument: undefined, default: false, schema, read: readBoolean });
}

export function oneOf<Value extends string>(
  name: string,
  help: string,
  values: readonly Value[],
  initial: Value,
): Option<Value> {
  const read = (text: string): Value => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw badValue(text, `expected ${values.join(' or ')}`);
    return found;
  };
  return single({ name, help, argument: values.join('|'), default: initial, schema: { enum: values }, read });
}

/** Makes an option for one text, which may be left out. `unset` is shown where there is none; the user of the value decides about a default. */
export function text(
  name: string,
  argument: string,
  help: string,
  unset = 'none',
  read: (given: string, folder: string) => string = String,
): Option<string | undefined> {
  return single<string | undefined>({ name, help, argument, default: undefined, unset, read });
}

export function path(
  name: string,
  argument: 'FILE' | 'DIR',
  help: string,
  unset?: string,
): Option<string | undefined> {
  return text(name, argument, help, unset, pathIn);
}

export function texts(
  name: string,
  argument: 'GLOB' | 'PATTERN',
  help: string,
  initial: readonly string[] = [],
): Option<readonly string[]> {
  return list({ name, help, argument, default: initial, read: String });
}

export function sizeInBytes(name: string, help: string, initial: number): Option<number> {
  const write = (bytes: number): string => `${bytes} bytes`;
  return single({ name, help, argument: 'SIZE', default: initial, schema: SIZE, read: readSize, write });
}

export function count(name: string, help: string, initial: number, most: number): Option<number> {
  const read = (text: string): number => wholeNumber(text, 1, most);
  const schema: ValueSchema = { type: 'integer', minimum: 1, maximum: most };
  return single({ name, help, argument: 'N', default: initial, schema, read });
}

export function wholeNumber(text: string, least: number, most: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number < least || number > most)
    throw badValue(text, `expected a whole number from ${least} to ${most}`);
  return number;
}

/** Resolves a path. An empty text stays empty, and is refused later as no path. */
export function pathIn(text: string, folder: string): string {
  return text.trim() === '' ? text : resolve(folder, text);
}

/** Makes an option with one value; without `default` it has none until it is given. */
export function single<Value>({
  read,
  write = String,
  ...described
}: OptionSpec<Value, Value>): Option<Value> {
  return {
    unset: 'none',
    schema: { type: 'string' },
    ...described,
    isRepeatable: false,
    parse: ([text, another], folder) => {
      if (text === undefined || another !== undefined) throw new BadValue('expected one value');
      return read(text, folder);
    },
    write: (value) => (value === undefined ? [] : [write(value)]),
  };
}

/** Makes an option that may be given several times. */
export function list<Item>({
  read,
  write = String,
  ...described
}: OptionSpec<Item, readonly Item[]>): Option<readonly Item[]> {
  return {
    unset: 'none',
    schema: { type: 'string' },
    ...described,
    isRepeatable: true,
    parse: (texts, folder) => texts.map((text) => read(text, folder)),
    write: (items) => items.map(write),
  };
}

function readBoolean(text: string): boolean {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw badValue(text, 'expected true or false');
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['bytes', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
]);
/** The largest size: a larger file does not fit into one string of the engine. */
const MAX_BYTES = 500e6;
const SIZE: ValueSchema = {
  anyOf: [
    { type: 'integer', minimum: 1, maximum: MAX_BYTES },
    {
      type: 'string',
      pattern: '^\\d{1,9}(\\.\\d{1,3})? ?([kK][iI]?[bB]|[mM][iI]?[bB]|[bB]|[bB][yY][tT][eE][sS])?$',
    },
  ],
};

function readSize(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?([a-z]{0,5})$/i.exec(text) ?? [];
  const bytes = Number(amount) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN);
  if (bytes >= 1 && bytes <= MAX_BYTES && Number.isInteger(bytes)) return bytes;
  throw badValue(text, 'expected a size such as 65536, 500kb, 10mb or 1MiB, at most 500mb');
}
