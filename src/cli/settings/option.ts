// What an option of the command line is: its names, how its texts are read, how its value is shown.
// Descriptions only: nothing here looks at argv, the environment or a file.
import { resolve } from 'node:path';
import { quoted } from '../../security/index.ts';

export interface Option<Value> {
  /** Without its dashes, and the key in a config file: `max-file-size`. */
  readonly name: string;
  /** What stands for the value in help: `DIR`; undefined for a switch. */
  readonly argument: string | undefined;
  readonly isRepeatable: boolean;
  readonly help: string;
  readonly default: Value;
  /** One text or, where it is repeatable, several. Throws BadValue. */
  readonly parse: (texts: readonly string[]) => Value;
  /** The same text with its relative path resolved against a folder; any other text as it is. */
  readonly inFolder: (text: string, folder: string) => string;
  // Method syntax on purpose: an Option<Special> is usable where an Option<unknown> is expected.
  show(value: Value): string;
}

/** `max-file-size` → `AIRLOCK_MAX_FILE_SIZE` */
export function envName({ name }: Pick<Option<unknown>, 'name'>): string {
  return `AIRLOCK_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The message says what a good value is; who gave the bad one is known where it is caught. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

export function bad(text: string, expected: string): BadValue {
  return new BadValue(`${expected}, got ${quoted(text)}`);
}

export function toggle(name: string, help: string): Option<boolean> {
  return single({ name, help, argument: undefined, default: false, read: readBoolean, show: String });
}

export function oneOf<Value extends string>(
  name: string,
  help: string,
  values: readonly Value[],
  initial: Value,
): Option<Value> {
  const read = (text: string): Value => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw bad(text, `expected ${values.join(' or ')}`);
    return found;
  };
  return single({ name, help, argument: values.join('|'), default: initial, read, show: String });
}

/** `shownDefault` is for people: whoever uses the value decides what the default is on this machine. */
export function path(
  name: string,
  argument: 'FILE' | 'DIR',
  help: string,
  shownDefault = 'none',
): Option<string | undefined> {
  return { ...optional(name, argument, help, (text) => text, shownDefault), inFolder: pathIn };
}

/** A value that is not there unless it is given. */
export function optional<Value>(
  name: string,
  argument: string,
  help: string,
  read: (text: string) => Value,
  shownDefault: string,
): Option<Value | undefined> {
  const show = (value: Value | undefined): string => (value === undefined ? shownDefault : String(value));
  return single<Value | undefined>({ name, help, argument, default: undefined, read, show });
}

export function globs(name: string, help: string, initial: readonly string[]): Option<readonly string[]> {
  const show = (value: readonly string[]): string => value.join(', ') || 'none';
  return list({ name, help, argument: 'GLOB', default: initial, parse: (texts) => texts, show });
}

/** An option that may be given several times. */
export function list<Value>(described: Omit<Option<Value>, 'isRepeatable' | 'inFolder'>): Option<Value> {
  return { ...described, isRepeatable: true, inFolder: asItIs };
}

export function sizeInBytes(name: string, help: string, initial: number): Option<number> {
  const show = (bytes: number): string => `${bytes} bytes`;
  return single({ name, help, argument: 'SIZE', default: initial, read: readSize, show });
}

export function count(name: string, help: string, initial: number, most: number): Option<number> {
  const read = (text: string): number => wholeNumber(text, 1, most);
  return single({ name, help, argument: 'N', default: initial, read, show: String });
}

export function wholeNumber(text: string, least: number, most: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number < least || number > most) throw bad(text, `expected a whole number from ${least} to ${most}`);
  return number;
}

/** An empty text stays what it is: it is no path, and is refused as that. */
export function pathIn(text: string, folder: string): string {
  return text.trim() === '' ? text : resolve(folder, text);
}

function single<Value>({
  read,
  ...described
}: Pick<Option<Value>, 'name' | 'argument' | 'help' | 'default' | 'show'> & {
  readonly read: (text: string) => Value;
}): Option<Value> {
  const parse = ([text, another]: readonly string[]): Value => {
    if (text === undefined || another !== undefined) throw new BadValue('expected one value');
    return read(text);
  };
  return { ...described, isRepeatable: false, parse, inFolder: asItIs };
}

function asItIs(text: string): string {
  return text;
}

function readBoolean(text: string): boolean {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw bad(text, 'expected true or false');
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
]);
/** Beyond it a file no longer fits into one string of the engine. */
const MOST_BYTES = 500e6;

function readSize(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?([a-z]{0,3})$/i.exec(text) ?? [];
  const bytes = Number(amount) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN);
  if (bytes >= 1 && bytes <= MOST_BYTES && Number.isInteger(bytes)) return bytes;
  throw bad(text, 'expected a size such as 65536, 500kb, 10mb or 1MiB, at most 500mb');
}
