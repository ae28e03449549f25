// Converts arguments as models send them to what the schemas want, where they can mean only one thing. Models send "true" for a
// boolean, a number for a text, a list as JSON text, "./" before a file, or null for a missing field. It does not guess or check: what does
// not fit stays as it came.
import { z } from 'zod';
import { readNestedJson } from '../protocol/read-nested-json.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Fields in which a number or a boolean becomes the text that spells it. */
const SPELT_FIELDS: readonly string[] = [
  'value',
  'key',
  'new_key',
  'before',
  'after',
  'from',
  'where',
  'text',
];
const FILE_FIELDS: readonly string[] = ['file', 'to_file', 'schema'];

export function leniently(schema: z.ZodObject, args: Arguments): Arguments {
  const fields = Object.entries(args).flatMap(([name, given]) => {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (!(field instanceof z.ZodType)) return [[name, given] as const];
    if (given === null && isAbsent(name, field, args)) return [];
    return [[name, fitting(name, unwrapped(field), given)] as const];
  });
  return Object.fromEntries(fields);
}

/** True for null in place of an optional field: some clients' schemas know no optional fields. For `json` null is a value, unless `value` is given. */
function isAbsent(name: string, field: z.ZodType, { value }: Arguments): boolean {
  if (name === 'json') return typeof value === 'string' && value !== '';
  return !field.safeParse(null).success && field.safeParse(undefined).success;
}

function fitting(name: string, field: unknown, given: unknown): unknown {
  if (field instanceof z.ZodBoolean) return booleanIn(name, given);
  if (field instanceof z.ZodNumber) return isWholeNumber(given) ? Number(given) : given;
  if (field instanceof z.ZodString) return textIn(name, given);
  if (field instanceof z.ZodObject) {
    const object = isObject(given) ? given : nested(given);
    return isObject(object) ? leniently(field, object) : given;
  }
  if (field instanceof z.ZodArray) return listIn(name, unwrapped(field.element), given);
  if (field instanceof z.ZodUnion) {
    const list = field.options.map(unwrapped).find((option) => option instanceof z.ZodArray);
    return list === undefined || typeof given === 'string' ? given : fitting(name, list, given);
  }
  return given;
}

/** Converts a boolean. The text "false" for `dry_run` stays refused, because it would write at once and may be a slip of the model. */
function booleanIn(name: string, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const word = given.toLowerCase();
  if (word === 'false' && name === 'dry_run') return given;
  return word === 'true' || word === 'false' ? word === 'true' : given;
}

function isWholeNumber(given: unknown): boolean {
  return typeof given === 'string' && /^-?\d{1,15}$/u.test(given);
}

function textIn(name: string, given: unknown): unknown {
  if (typeof given === 'string')
    return FILE_FIELDS.includes(name) ? given.replace(/^(?:\.\/)+(?=[^/])/u, '') : given;
  const isExact = typeof given === 'boolean' || (typeof given === 'number' && !isRounded(given));
  return isExact && SPELT_FIELDS.includes(name) ? String(given) : given;
}

/** True for an integer that has lost digits before it came here. */
function isRounded(number: number): boolean {
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}

function listIn(name: string, element: unknown, given: unknown): unknown {
  const list = Array.isArray(given)
    ? given
    : Array.isArray(nested(given))
      ? nested(given)
      : itemsIn(name, given);
  return Array.isArray(list) ? list.map((item: unknown) => fitting(name, element, item)) : given;
}

/** Makes a list of something that is none: of a single edit, or of hashes by their files. */
function itemsIn(name: string, given: unknown): unknown {
  if (!isObject(given)) return given;
  const isByFile = name === 'expected_sha256' && !('sha256' in given);
  return isByFile ? Object.entries(given).map(([file, sha256]) => ({ file, sha256 })) : [given];
}

function nested(given: unknown): unknown {
  return typeof given === 'string' ? readNestedJson(given) : undefined;
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unwrapped(field: unknown): unknown {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? unwrapped(field.unwrap()) : field;
}
