// Checks whether a JSON Schema can be used at all. One with a mistake would allow everything or nothing, and the operator would
// learn that only from the first edit.
import { dereference, type InstanceType, type Schema, Validator } from '@cfworker/json-schema';

/** Returns the fault in one clause; undefined if there is none. */
export function faultOf(schema: Schema): string | undefined {
  const parts = partsOf(schema);
  if (parts === undefined) return 'it is malformed';
  for (const part of Object.values(parts)) {
    if (typeof part !== 'object') continue;
    const { $ref, $dynamicRef, pattern, patternProperties } = part;
    if ($dynamicRef !== undefined) return 'it uses $dynamicRef, which is not known here';
    if ($ref !== undefined && targetOf(part, parts) === undefined)
      return 'it refers to something that it does not contain';
    if (isCircular(part, parts)) return 'it leads back into itself';
    const patterns = [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties ?? {})];
    if (!patterns.every(isPattern)) return 'it holds a pattern that is no regular expression';
  }
  return undefined;
}

type Parts = Readonly<Record<string, Schema | boolean>>;

function targetOf({ __absolute_ref__: address, $ref }: Schema, parts: Parts): Schema | boolean | undefined {
  return $ref === undefined ? undefined : parts[address ?? $ref];
}

/** True if references lead only to each other in a circle; others end with the value that is tested. */
function isCircular(part: Schema, parts: Parts): boolean {
  const passed = new Set<Schema>();
  let next: Schema | boolean | undefined = part;
  while (typeof next === 'object') {
    if (passed.has(next)) return true;
    passed.add(next);
    next = targetOf(next, parts);
  }
  return false;
}

/** The schema and all schemas within it, by their addresses; undefined if it has not the shape of one. */
function partsOf(schema: Schema): Parts | undefined {
  try {
    return new Validator(SHAPE, '2020-12').validate(schema).valid ? dereference(schema) : undefined;
  } catch {
    return undefined;
  }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

const TYPES: InstanceType[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
const TEXT: Schema = { type: 'string' };
const NUMBER: Schema = { type: 'number' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const TEXTS: Schema = { type: 'array', items: TEXT };
const PART: Schema = { $ref: '#' };
const PARTS: Schema = { type: 'array', minItems: 1, items: PART };
const NAMED_PARTS: Schema = { type: 'object', additionalProperties: PART };

/** The shape of each keyword that asks for something: drafts 04 to 2020-12 together. */
const SHAPE: Schema = {
  type: ['object', 'boolean'],
  properties: {
    ...each('$ref $id $schema $anchor pattern format', TEXT),
    type: { anyOf: [{ enum: TYPES }, { type: 'array', minItems: 1, items: { enum: TYPES } }] },
    enum: { type: 'array' },
    required: TEXTS,
    dependentRequired: { type: 'object', additionalProperties: TEXTS },
    dependencies: { type: 'object', additionalProperties: { anyOf: [TEXTS, PART] } },
    items: { anyOf: [PART, { type: 'array', items: PART }] },
    ...each('allOf anyOf oneOf prefixItems', PARTS),
    ...each('properties patternProperties dependentSchemas $defs definitions', NAMED_PARTS),
    ...each('not if then else contains propertyNames', PART),
    ...each('additionalProperties unevaluatedProperties additionalItems unevaluatedItems', PART),
    ...each('minimum maximum multipleOf', NUMBER),
    ...each('exclusiveMinimum exclusiveMaximum', { type: ['number', 'boolean'] }),
    ...each('minLength maxLength minItems maxItems minContains maxContains', COUNT),
    ...each('minProperties maxProperties', COUNT),
    uniqueItems: { type: 'boolean' },
  },
};

function each(keywords: string, shape: Schema): Record<string, Schema> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, shape]));
}
