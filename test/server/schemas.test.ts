// The schemas of all tools are such that every client and every model's API takes them: several drop a property with
// two types, refuse a list whose items are anything, or send numbers as text where they are told nothing. OpenAI's strict
// schemas know no object of any keys, and LangChain reads alternatives with an object among them as that object alone.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LISTED } from '../../src/server/listed.ts';

type Schema = Readonly<Record<string, unknown>>;

const SchemaShape = z.record(z.string(), z.unknown());
const MOST_CHARS = 12_000;
const MOST_TOOLS = 12;

test(`at most ${MOST_TOOLS} tools are listed, in at most ${MOST_CHARS} characters`, () => {
  const chars = JSON.stringify(LISTED).length;
  expect(LISTED.length).toBeLessThanOrEqual(MOST_TOOLS);
  expect(chars).toBeLessThanOrEqual(MOST_CHARS);
});

test.each(LISTED.map(({ name, inputSchema }) => [name, SchemaShape.parse(inputSchema)] as const))(
  '%s: each property has one type, or is one of several that have',
  (name, schema) => {
    expect(faultsIn(schema, name)).toEqual([]);
  },
);

test.each<{ schema: Schema; why: string }>([
  { why: 'a list of types', schema: { type: ['integer', 'object'] } },
  { why: 'no type at all', schema: { description: 'anything' } },
  { why: 'alternatives within alternatives', schema: { anyOf: [{ anyOf: [{ type: 'string' }] }] } },
  { why: 'a type beside alternatives', schema: { type: 'string', anyOf: [{ type: 'string' }] } },
  { why: 'a list of anything', schema: { type: 'array', items: {} } },
  { why: 'a list without items', schema: { type: 'array' } },
  { why: 'an object with free keys', schema: { type: 'object', additionalProperties: { type: 'string' } } },
  { why: 'any object as an alternative', schema: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
  { why: 'a keyword that strict clients refuse', schema: { type: 'string', propertyNames: {} } },
  { why: 'several types in one enum', schema: { type: 'string', enum: ['a', 1] } },
])('a schema would be refused for $why', ({ schema }) => {
  expect(
    faultsIn({ type: 'object', properties: { a: schema }, additionalProperties: false }, 'tool'),
  ).not.toEqual([]);
});

const KEYWORDS = [
  ...['type', 'description', 'default', 'enum', 'anyOf', 'properties', 'required', 'additionalProperties'],
  ...['items', 'minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength'],
];

function faultsIn(schema: Schema, at: string): readonly string[] {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.includes(keyword));
  const { type, anyOf } = schema;
  const faults = unknown.map((keyword) => `${at}: ${keyword}`);
  if (Array.isArray(anyOf)) {
    const nested = anyOf.some((option) => 'anyOf' in Object(option)) || type !== undefined;
    const options = anyOf.flatMap((option, index) =>
      faultsIn(SchemaShape.parse(option), `${at}.anyOf[${index}]`),
    );
    return [...faults, ...(nested ? [`${at}: anyOf`] : []), ...options];
  }
  switch (type) {
    case 'object':
      return [...faults, ...faultsInObject(schema, at)];
    case 'array':
      return [...faults, ...faultsIn(SchemaShape.parse(schema['items'] ?? {}), `${at}[]`)];
    case 'string': {
      const { enum: choices = [] } = schema;
      const isPlain = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
      return isPlain ? faults : [...faults, `${at}: enum`];
    }
    case 'boolean':
    case 'integer':
    case 'number':
      return faults;
    default:
      return [...faults, `${at}: type ${JSON.stringify(type)}`];
  }
}

function faultsInObject({ properties, additionalProperties }: Schema, at: string): readonly string[] {
  const isClosed = additionalProperties === false && properties !== undefined;
  const fields = Object.entries(SchemaShape.parse(properties ?? {}));
  return [
    ...(isClosed ? [] : [`${at}: free keys`]),
    ...fields.flatMap(([name, field]) => faultsIn(SchemaShape.parse(field), `${at}.${name}`)),
  ];
}
