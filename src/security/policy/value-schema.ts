// Tests a value against the keywords of JSON Schema that say something about one value. It is stricter in one point: a keyword
// about numbers (`maximum`) fails for what is no number, because `"100"` in quotes would pass any maximum; likewise for texts
// and lists. It is interpreted: no code is made, and no pattern can run long.

import { holdsPlaceholder } from '../text/placeholders.ts';
import { isAlike } from './alike.ts';
import type { Json, ValueSchema } from './change-policy.ts';
import { compilePattern } from './engines.ts';
import { isQuantityWithin } from './quantity.ts';

export const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] as const;

/** The kind of value that each keyword takes. */
export type KeywordKind =
  | 'any'
  | 'list'
  | 'number'
  | 'count'
  | 'pattern'
  | 'types'
  | 'schema'
  | 'schemas'
  | 'named'
  | 'texts'
  | 'boolean'
  | 'quantity';

/** All keywords that may be used. `of` is the only type that a keyword says something about. */
export const KEYWORDS: Readonly<
  Record<string, { readonly kind: KeywordKind; readonly of?: (typeof TYPES)[number] }>
> = {
  type: { kind: 'types' },
  enum: { kind: 'list' },
  const: { kind: 'any' },
  minimum: { kind: 'number', of: 'number' },
  maximum: { kind: 'number', of: 'number' },
  exclusiveMinimum: { kind: 'number', of: 'number' },
  exclusiveMaximum: { kind: 'number', of: 'number' },
  multipleOf: { kind: 'number', of: 'number' },
  minLength: { kind: 'count', of: 'string' },
  maxLength: { kind: 'count', of: 'string' },
  pattern: { kind: 'pattern', of: 'string' },
  minItems: { kind: 'count', of: 'array' },
  maxItems: { kind: 'count', of: 'array' },
  items: { kind: 'schema', of: 'array' },
  required: { kind: 'texts', of: 'object' },
  properties: { kind: 'named', of: 'object' },
  additionalProperties: { kind: 'boolean', of: 'object' },
  /** Not of JSON Schema: sizes as Kubernetes writes them. */
  quantity: { kind: 'quantity' },
  not: { kind: 'schema' },
  anyOf: { kind: 'schemas' },
  allOf: { kind: 'schemas' },
};

type Test = (value: Json, isNegated: boolean) => boolean;

/**
 * Compiles a schema that read-value-schema.ts has read; throws an Error for a malformed pattern. `isOfDanger` means that the
 * schema describes dangerous values, so a value of another type counts as matching (`"100"` is 100 to some readers). The test
 * returns undefined if it depends on what is masked.
 */
export function compileValue(schema: ValueSchema, isOfDanger = false): (value: Json) => boolean | undefined {
  const test = testOf(schema);
  return (value) => {
    const holds = test(value, isOfDanger);
    return holdsPlaceholder(value) && test(value, !isOfDanger) !== holds ? undefined : holds;
  };
}

function testOf(schema: Json): Test {
  const asked = schemaIn(schema);
  const tests = Object.keys(asked).map((keyword) => testOfKeyword(keyword, asked));
  return (value, isNegated) => tests.every((test) => test(value, isNegated));
}

function testOfKeyword(keyword: string, schema: ValueSchema): Test {
  const wanted = schema[keyword] ?? null;
  const test = plainTest(keyword, wanted, schema);
  const { of } = KEYWORDS[keyword] ?? {};
  // For a value of another type, or a masked one, the answer is unknown; it is chosen so that the whole
  // constraint does not hold.
  const isUnknown = keyword === 'const' || keyword === 'enum' ? holdsPlaceholder : isMasked;
  return (value, isNegated) =>
    isUnknown(value) || (of !== undefined && !isOfType(value, of)) ? isNegated : test(value, isNegated);
}

function isMasked(value: Json): boolean {
  return typeof value === 'string' && holdsPlaceholder(value);
}

function plainTest(keyword: string, wanted: Json, schema: ValueSchema): Test {
  const limit = typeof wanted === 'number' ? wanted : Number.NaN;
  switch (keyword) {
    case 'type':
      return (value) => listIn(wanted).some((type) => isOfType(value, type));
    case 'enum':
      return (value, isNegated) => listIn(wanted).some((one) => isEqualValue(one, value, isNegated));
    case 'const':
      return (value, isNegated) => isEqualValue(wanted, value, isNegated);
    case 'minimum':
      return (value) => Number(value) >= limit;
    case 'maximum':
      return (value) => Number(value) <= limit;
    case 'exclusiveMinimum':
      return (value) => Number(value) > limit;
    case 'exclusiveMaximum':
      return (value) => Number(value) < limit;
    case 'multipleOf':
      return (value) => Number.isInteger(Number(value) / limit);
    case 'minLength':
      return (value) => [...String(value)].length >= limit;
    case 'maxLength':
      return (value) => [...String(value)].length <= limit;
    case 'pattern': {
      const matches = compilePattern(String(wanted));
      return (value) => matches(String(value));
    }
    case 'minItems':
      return (value) => listIn(value).length >= limit;
    case 'maxItems':
      return (value) => listIn(value).length <= limit;
    case 'items': {
      const test = testOf(wanted);
      return (value, isNegated) => listIn(value).every((item) => test(item, isNegated));
    }
    case 'required':
      return (value, isNegated) =>
        listIn(wanted).every((key) => holdsKey(schemaIn(value), String(key), isNegated));
    case 'properties': {
      const tests = Object.entries(schemaIn(wanted)).map(([key, part]) => [key, testOf(part)] as const);
      return (value, isNegated) =>
        tests.every(([key, test]) => holdsBelow(schemaIn(value), key, test, isNegated));
    }
    case 'additionalProperties': {
      const known = Object.keys(schemaIn(schema['properties'] ?? {}));
      return (value, isNegated) =>
        wanted === true ||
        Object.keys(schemaIn(value)).every((key) =>
          known.some((one) => one === key || (isNegated && isAlike(one, key))),
        );
    }
    case 'quantity':
      return (value, isNegated) => isQuantityWithin(value, schemaIn(wanted)) ?? isNegated;
    case 'not': {
      const test = testOf(wanted);
      return (value, isNegated) => !test(value, !isNegated);
    }
    case 'anyOf':
    case 'allOf': {
      const tests = listIn(wanted).map(testOf);
      return keyword === 'anyOf'
        ? (value, isNegated) => tests.some((test) => test(value, isNegated))
        : (value, isNegated) => tests.every((test) => test(value, isNegated));
    }
    default:
      throw new Error('the keyword was read and is not known');
  }
}

/** True for a mapping with this key. In a schema of dangerous values the key counts in any spelling. */
function holdsKey(members: ValueSchema, key: string, isNegated: boolean): boolean {
  return (
    Object.hasOwn(members, key) || (isNegated && Object.keys(members).some((other) => isAlike(other, key)))
  );
}

/** Tests what is below a key, in each spelling of it: readers differ in which of them they take. */
function holdsBelow(members: ValueSchema, key: string, test: Test, isNegated: boolean): boolean {
  const answers = Object.keys(members).flatMap((other) =>
    isAlike(other, key) ? [test(members[other] ?? null, isNegated)] : [],
  );
  if (!Object.hasOwn(members, key)) answers.push(true);
  return isNegated ? answers.includes(true) : !answers.includes(false);
}

/** True for an equal value. In a schema of dangerous values `"true"` and `yes` count as `true` as well, because some reader takes them for it. */
function isEqualValue(wanted: Json, value: Json, isNegated: boolean): boolean {
  return isNegated ? mayBeSame(wanted, value) : isSame(wanted, value);
}

/** True if some reader may take the one for the other, in all their parts. */
function mayBeSame(wanted: Json, value: Json): boolean {
  if (isScalar(wanted) || isScalar(value)) {
    if (isSame(wanted, value)) return true;
    const isOther = isScalar(wanted) && isScalar(value) && typeof wanted !== typeof value;
    return isOther && isAlike(String(wanted), String(value));
  }
  if (isList(wanted) || isList(value))
    return (
      isList(wanted) &&
      isList(value) &&
      wanted.length === value.length &&
      wanted.every((item, at) => mayBeSame(item, value[at] ?? null))
    );
  const [members, others] = [schemaIn(wanted), schemaIn(value)];
  return (
    Object.keys(members).every((key) => holdsKey(others, key, true)) &&
    Object.entries(others).every(([key, other]) =>
      Object.entries(members).some(([name, member]) => isAlike(name, key) && mayBeSame(member, other)),
    )
  );
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** A single value counts as a list of one. */
export function listIn(value: Json): readonly Json[] {
  return isList(value) ? value : [value];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function schemaIn(value: Json): ValueSchema {
  return typeof value === 'object' && value !== null && !isList(value) ? value : {};
}

/** True if both are equal; the order of keys does not count. */
export function isSame(a: Json, b: Json): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (isList(a) || isList(b))
    return (
      isList(a) && isList(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at] ?? null))
    );
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key] ?? null, b[key] ?? null))
  );
}
