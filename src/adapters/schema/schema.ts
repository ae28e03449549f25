// JSON Schema (draft 2020-12, 2019-09 and draft-07) against a document. The validator interprets: no code
// is generated, nothing is fetched. A schema that refers to another file is refused.
import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { Refusal } from '../../security/index.ts';
import type { Json } from '../edit/json-text.ts';

export interface Violation {
  /** JSON pointer tokens of the value in the document. */
  readonly at: readonly string[];
  /** The keyword that is broken; `false` where no value at all is allowed. */
  readonly keyword: string;
  /** What the keyword asks for, as the schema has it. */
  readonly expected: string;
}

export class CompiledSchema {
  readonly #validator: Validator;
  readonly #schema: Json;

  /** Throws ARGUMENT_INVALID for what is no usable schema. */
  constructor(schema: unknown) {
    if (!isSchema(schema)) throw unusable('it is no JSON object');
    this.#schema = schema;
    try {
      this.#validator = new Validator(schema, draftOf(schema), false);
    } catch (cause) {
      throw unusable('it is malformed', cause);
    }
  }

  /** All violations, without those that only repeat what lies deeper. */
  validate(value: Json): Violation[] {
    const { errors } = this.#run(value);
    const choices = errors
      .filter(({ keyword }) => CHOICES.has(keyword))
      .map(({ keywordLocation }) => `${keywordLocation}/`);
    const own = errors.filter(({ keyword, keywordLocation }) => {
      return !WRAPPERS.has(keyword) && !choices.some((choice) => keywordLocation.startsWith(choice));
    });
    const unique = new Map(
      own.map((error) => [`${error.instanceLocation} ${error.keyword} ${error.keywordLocation}`, error]),
    );
    return [...unique.values()].map((error) => ({
      at: tokensOf(error.instanceLocation),
      keyword: error.keyword,
      expected: this.#expected(error, value),
    }));
  }

  #run(value: Json) {
    try {
      return this.#validator.validate(value);
    } catch (cause) {
      throw unusable(
        'it refers to something that it does not contain, or holds a pattern that is no regular expression',
        cause,
      );
    }
  }

  #expected({ keyword, keywordLocation, instanceLocation }: OutputUnit, document: Json): string {
    if (keyword === 'false') return 'no such key';
    const wanted = this.#valueAt(tokensOf(keywordLocation)) ?? null;
    const named = keyword === 'required' ? missingOf(wanted, document, tokensOf(instanceLocation)) : wanted;
    const text = typeof named === 'string' ? named : JSON.stringify(named);
    return text.length <= MAX_EXPECTED ? text : `${text.slice(0, MAX_EXPECTED).toWellFormed()}…`;
  }

  /** Follows `$ref` within the schema, as the validator does. */
  #valueAt(tokens: readonly string[]): Json | undefined {
    let value: Json | undefined = this.#schema;
    for (const token of tokens) {
      value = child(value, token);
      if (token === '$ref' && typeof value === 'string') {
        value = value.startsWith('#/') || value === '#' ? this.#valueAt(tokensOf(value)) : undefined;
      }
    }
    return value;
  }
}

const MAX_EXPECTED = 160;

/** Errors that say only that a subschema has errors. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'],
  ...['$ref', '$recursiveRef', '$dynamicRef', 'allOf', 'if', 'then', 'else', 'dependentSchemas'],
]);

/** Errors whose parts say less than the whole. */
const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains']);

function isSchema(value: unknown): value is { readonly [key: string]: Json } & Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function draftOf({ $schema }: Schema): SchemaDraft {
  if ($schema?.includes('draft-07') === true) return '7';
  if ($schema?.includes('draft-04') === true) return '4';
  return $schema?.includes('2019-09') === true ? '2019-09' : '2020-12';
}

/** Of the keys that are required, those that are not there. */
function missingOf(required: Json, document: Json, tokens: readonly string[]): Json {
  const value = tokens.reduce<Json | undefined>(child, document);
  if (!Array.isArray(required) || typeof value !== 'object' || value === null) return required;
  const missing = required.filter((key) => !Object.keys(value).includes(String(key)));
  return missing.map(String).join(', ');
}

function child(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(token)];
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value)).get(token);
}

function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `$ref` may be percent-encoded; a key may hold a bare percent sign. */
function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

function unusable(reason: string, cause?: unknown): Refusal {
  return new Refusal(
    'ARGUMENT_INVALID',
    `Cannot use this schema: ${reason}`,
    {},
    {
      advice: ['Give a JSON Schema (draft 2020-12 or draft-07) that is complete in one file'],
    },
    cause,
  );
}
