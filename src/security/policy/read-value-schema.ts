// Reads the `value` of a rule strictly: known keywords only, each of its kind, and no two that contradict each other so that no
// value could ever pass.
import { quoted } from '../text/visible.ts';
import type { Json, ValueSchema } from './change-policy.ts';
import { compilePattern } from './engines.ts';
import type { DataPath } from './facts.ts';
import { PolicyFault } from './policy-fault.ts';
import { PolicyFields } from './policy-fields.ts';
import { quantityOf } from './quantity.ts';
import { compileValue, KEYWORDS, type KeywordKind, listIn, schemaIn, TYPES } from './value-schema.ts';

/** Reads the schema, whose engines must have been loaded. Throws PolicyFault. */
export function readValueSchema(value: unknown, at: DataPath): ValueSchema {
  const schema = readSchema(value, at);
  requirePossible(schema, at);
  return schema;
}

function readSchema(value: unknown, at: DataPath): ValueSchema {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    throw new PolicyFault(at, 'expected a mapping of keywords of JSON Schema');
  return Object.fromEntries(
    Object.entries(value).map(([keyword, asked]) => {
      const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      const place = [...at, keyword];
      if (known === undefined)
        throw new PolicyFault(
          place,
          `unknown keyword ${quoted(keyword)}; known are ${Object.keys(KEYWORDS).join(', ')}`,
        );
      return [keyword, READERS[known.kind](asked, place)];
    }),
  );
}

/** Reads the bounds of a quantity. */
function quantityIn(value: unknown, at: DataPath): Json {
  const fields = new PolicyFields(value, at, ['min', 'max']);
  const bounds = ['min', 'max'].flatMap((name) => {
    if (!fields.has(name)) return [];
    const bound = jsonIn(fields.raw(name), [...at, name]);
    const size = quantityOf(bound);
    if (size === undefined) throw fields.fault(name, 'expected a quantity, such as 500m, 2 or 1Gi');
    return [{ name, bound, size }];
  });
  const [least, most] = bounds;
  if (least === undefined) throw new PolicyFault(at, 'expected min, max or both');
  if (most !== undefined && least.size > most.size)
    throw fields.fault('max', 'no quantity can meet both it and min');
  return Object.fromEntries(bounds.map(({ name, bound }) => [name, bound]));
}

type Reader = (value: unknown, at: DataPath) => Json;

const READERS: Readonly<Record<KeywordKind, Reader>> = {
  any: jsonIn,
  list: (value, at) => {
    if (!Array.isArray(value) || value.length === 0) throw new PolicyFault(at, 'expected a list of values');
    return value.map((item, index) => jsonIn(item, [...at, index]));
  },
  number: (value, at) =>
    wanted(at, 'a number', typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  count: (value, at) =>
    wanted(
      at,
      'a whole number',
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined,
    ),
  quantity: quantityIn,
  pattern: (value, at) => {
    const pattern = wanted(at, 'a pattern', typeof value === 'string' ? value : undefined);
    try {
      compilePattern(String(pattern));
    } catch {
      throw new PolicyFault(at, 'no pattern in the syntax of RE2 (no backreferences, no lookaround)');
    }
    return pattern;
  },
  types: (value, at) => {
    const types: readonly unknown[] = Array.isArray(value) ? value : [value];
    const known = TYPES.filter((type) => types.includes(type));
    if (types.length === 0 || !types.every((type) => TYPES.some((one) => one === type)))
      throw new PolicyFault(at, `expected some of ${TYPES.join(', ')}`);
    return known;
  },
  texts: (value, at) => {
    if (!Array.isArray(value)) throw new PolicyFault(at, 'expected a list of texts');
    return value.map((item) => wanted(at, 'a list of texts', typeof item === 'string' ? item : undefined));
  },
  boolean: (value, at) => wanted(at, 'true or false', typeof value === 'boolean' ? value : undefined),
  schema: readSchema,
  schemas: (value, at) => {
    if (!Array.isArray(value) || value.length === 0)
      throw new PolicyFault(at, 'expected a list of such mappings');
    return value.map((item, index) => readSchema(item, [...at, index]));
  },
  named: (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new PolicyFault(at, 'expected a mapping of keys to such mappings');
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, readSchema(part, [...at, key])]),
    );
  },
};

function wanted<Value extends Json>(at: DataPath, what: string, value: Value | undefined): Value {
  if (value === undefined) throw new PolicyFault(at, `expected ${what}`);
  return value;
}

/** Narrows a value to JSON, which is all that a reader of YAML or JSON makes. */
function jsonIn(value: unknown, at: DataPath): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (Array.isArray(value)) return value.map((item, index) => jsonIn(item, [...at, index]));
  if (typeof value !== 'object') throw new PolicyFault(at, 'expected a value');
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, jsonIn(part, [...at, key])]));
}

const PAIRS = [
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

function requirePossible(schema: ValueSchema, at: DataPath): void {
  const no = (keyword: string, reason: string) => new PolicyFault([...at, keyword], `${keyword}: ${reason}`);
  for (const [low, high] of PAIRS) {
    const [least, most] = [schema[low], schema[high]];
    if (typeof least !== 'number' || typeof most !== 'number') continue;
    const isOpen = low.startsWith('exclusive') || high.startsWith('exclusive');
    if (least > most || (isOpen && least === most)) throw no(high, `no value can meet both it and ${low}`);
  }
  const types = new Map(
    Object.keys(schema).flatMap((keyword) => {
      const of = KEYWORDS[keyword]?.of;
      return of === undefined ? [] : [[of, keyword] as const];
    }),
  );
  const [first, second] = [...types];
  if (first !== undefined && second !== undefined)
    throw no(second[1], `it asks for ${article(second[0])}, and ${first[1]} for ${article(first[0])}`);
  const type = schema['type'];
  if (first !== undefined && type !== undefined) {
    const isAmong = listIn(type).some(
      (one) => one === first[0] || (one === 'integer' && first[0] === 'number'),
    );
    if (!isAmong) throw no(first[1], `it asks for ${article(first[0])}, and type for something else`);
  }
  if (schema['multipleOf'] === 0) throw no('multipleOf', 'no number is a multiple of 0');
  const [keyword, values] =
    'const' in schema ? ['const', [schema['const'] ?? null]] : ['enum', listIn(schema['enum'] ?? [])];
  const holds = compileValue(schema);
  if (keyword in schema && !values.some((value) => holds(value)))
    throw no(keyword, 'no value that it names meets the rest');
  for (const below of ['allOf', 'anyOf'] as const)
    for (const [index, part] of (below in schema ? listIn(schema[below] ?? []) : []).entries())
      requirePossible(schemaIn(part), [...at, below, index]);
}

function article(type: (typeof TYPES)[number]): string {
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
