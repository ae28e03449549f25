// What an option of the command line is: its names, how its texts are read, how its value is shown.
// Descriptions only: nothing here looks at argv, the environment or a file.
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

export function toggle(name: string, help: string): Option<boolean> {
  return single(name, undefined, help, false, readBoolean, String);
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
  return single(name, values.join('|'), help, initial, read, String);
}

export function fileName(name: string, help: string): Option<string | undefined> {
  return single<string | undefined>(
    name,
    'FILE',
    help,
    undefined,
    (text) => text,
    (value) => value ?? 'none',
  );
}

/** `initial` is for people: whoever uses the value decides what the default is on this machine. */
export function directory(name: string, help: string, initial: string): Option<string | undefined> {
  return single<string | undefined>(
    name,
    'DIR',
    help,
    undefined,
    (text) => text,
    (value) => value ?? initial,
  );
}

export function globs(name: string, help: string, initial: readonly string[]): Option<readonly string[]> {
  return {
    ...single(
      name,
      'GLOB',
      help,
      initial,
      (text) => [text],
      (value) => value.join(', ') || 'none',
    ),
    isRepeatable: true,
    parse: (texts) => texts,
  };
}

export function sizeInBytes(name: string, help: string, initial: number): Option<number> {
  return single(name, 'SIZE', help, initial, readSize, (bytes) => `${bytes} bytes`);
}

export function count(name: string, help: string, initial: number, most: number): Option<number> {
  const read = (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > most) throw bad(text, `expected a whole number from 1 to ${most}`);
    return number;
  };
  return single(name, 'N', help, initial, read, String);
}

export function bad(text: string, expected: string): BadValue {
  return new BadValue(`${expected}, got ${quoted(text)}`);
}

function single<Value>(
  name: string,
  argument: string | undefined,
  help: string,
  initial: Value,
  read: (text: string) => Value,
  show: (value: Value) => string,
): Option<Value> {
  const parse = (texts: readonly string[]): Value => {
    const [text, another] = texts;
    if (text === undefined || another !== undefined) throw new BadValue('expected one value');
    return read(text);
  };
  return { name, argument, isRepeatable: false, help, default: initial, parse, show };
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
