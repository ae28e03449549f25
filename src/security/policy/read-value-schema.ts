// The schema of the `value` of a rule: known keywords only, each of its kind, and no two that contradict each other so that no
// value could ever pass.
import { z } from 'zod';
import type { DataPath } from '../node-paths/node-path.ts';
import type { Json, ValueSchema } from './change-policy.ts';
import { compilePattern } from './engines.ts';
import { expected, faultAt, faultOf, listOf, mapping, strict } from './policy-fields.ts';
import { quantityOf } from './quantity.ts';
import { compileValue, KEYWORDS, type KeywordKind, listIn, schemaIn, TYPES } from './value-schema.ts';

/** The schema of the field `value`, for which the engines must have been loaded. */
export function valueSchema(): z.ZodType<ValueSchema> {
  const schema: z.ZodType<ValueSchema> = z.lazy(() => ofKeywords);
  const kinds: Readonly<Record<KeywordKind, z.ZodType<Json>>> = {
    any: z.custom<Json>(),
    list: z.array(z.custom<Json>(), 'expected a list of values').min(1, 'expected a list of values'),
    number: z.number('expected a number'),
    count: z.int('expected a whole number').min(0, 'expected a whole number'),
    quantity: quantity(),
    pattern: z.string('expected a pattern').refine(isPattern, {
      message: 'no pattern in the syntax of RE2 (no backreferences, no lookaround)',
      abort: true,
    }),
    types: z
      .unknown()
      .transform(listOf)
      .refine(
        (types) => types.length > 0 && types.every((type) => TYPES.some((one) => one === type)),
        `expected some of ${TYPES.join(', ')}`,
      )
      .transform((types) => TYPES.filter((type) => types.includes(type))),
    texts: z.custom<readonly string[]>(
      (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
      'expected a list of texts',
    ),
    boolean: z.boolean('expected true or false'),
    schema,
    schemas: z.array(schema, 'expected a list of such mappings').min(1, 'expected a list of such mappings'),
    named: z.record(z.string(), schema, 'expected a mapping of keys to such mappings'),
  };
  const what = 'a mapping of keywords of JSON Schema';
  const shape = Object.entries(KEYWORDS).map(
    ([name, { kind }]) => [name, kinds[kind].exactOptional()] as const,
  );
  const ofKeywords = strict(Object.fromEntries(shape), 'keyword', what).superRefine(
    (read, { issues, addIssue }) => {
      if (issues.length === 0 && Object.keys(read).length === 0) addIssue(`expected ${what}`);
    },
  );
  return schema.superRefine((read, { addIssue }) => {
    for (const fault of contradictionsIn(read, [])) addIssue(fault);
  });
}

function isPattern(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

/** The bounds of a quantity. */
function quantity() {
  const bound = z
    .custom<Json>()
    .refine((value) => quantityOf(value) !== undefined, expected('a quantity, such as 500m, 2 or 1Gi'))
    .exactOptional();
  return mapping({ min: bound, max: bound }).superRefine(({ min, max }, { addIssue }) => {
    if (min === undefined && max === undefined) addIssue('expected min, max or both');
    const [least, most] = [quantityOf(min ?? null), quantityOf(max ?? null)];
    if (least !== undefined && most !== undefined && least > most)
      addIssue(faultOf('max', 'no quantity can meet both it and min'));
  });
}

const PAIRS = [
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

type Contradiction = ReturnType<typeof faultAt>;

/** Finds keywords that no value can meet together. */
function contradictionsIn(schema: ValueSchema, at: DataPath): readonly Contradiction[] {
  const found: Contradiction[] = [];
  const add = (keyword: string, reason: string) =>
    found.push(faultAt([...at, keyword], `${keyword}: ${reason}`));
  for (const [low, high] of PAIRS) {
    const [least, most] = [schema[low], schema[high]];
    if (typeof least !== 'number' || typeof most !== 'number') continue;
    const isOpen = low.startsWith('exclusive') || high.startsWith('exclusive');
    if (least > most || (isOpen && least === most)) add(high, `no value can meet both it and ${low}`);
  }
  const types = new Map(
    Object.keys(schema).flatMap((keyword) => {
      const of = KEYWORDS[keyword]?.of;
      return of === undefined ? [] : [[of, keyword] as const];
    }),
  );
  const [first, second] = [...types];
  const type = schema['type'];
  if (first !== undefined && second !== undefined)
    add(second[1], `it asks for ${article(second[0])}, and ${first[1]} for ${article(first[0])}`);
  else if (first !== undefined && type !== undefined) {
    const isAmong = listIn(type).some(
      (one) => one === first[0] || (one === 'integer' && first[0] === 'number'),
    );
    if (!isAmong) add(first[1], `it asks for ${article(first[0])}, and type for something else`);
  }
  if (schema['multipleOf'] === 0) add('multipleOf', 'no number is a multiple of 0');
  const [keyword, values] =
    'const' in schema ? ['const', [schema['const'] ?? null]] : ['enum', listIn(schema['enum'] ?? [])];
  const holds = compileValue(schema);
  if (found.length === 0 && keyword in schema && !values.some((value) => holds(value)))
    add(keyword, 'no value that it names meets the rest');
  const below = (['allOf', 'anyOf'] as const).flatMap((name) =>
    (name in schema ? listIn(schema[name] ?? []) : []).flatMap((part, index) =>
      contradictionsIn(schemaIn(part), [...at, name, index]),
    ),
  );
  return [...found, ...below];
}

function article(type: (typeof TYPES)[number]): string {
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
