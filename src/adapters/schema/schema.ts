// Validates documents by JSON Schema (draft 2020-12, 2019-09 and draft-07). The validator interprets: no code is generated,
// nothing is fetched. A schema that refers to another file is refused.
import { createContext, Script } from 'node:vm';
import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { Refusal } from '../../security/errors/refusal.ts';
import type { SafePath } from '../../security/paths/safe-path.ts';
import type { ConfigFile } from '../formats/registry.ts';
import type { Json } from '../tree/json.ts';
import { faultOf } from './usable.ts';

export interface Violation {
  /** The JSON pointer tokens of the value in the document. */
  readonly at: readonly string[];
  /** The keyword that is broken; `false` where no value at all is allowed. */
  readonly keyword: string;
  /** The value that the keyword asks for, as the schema has it. */
  readonly expected: string;
}

export class CompiledSchema {
  readonly #validator: Validator;
  readonly #schema: Json;
  #leftMs = MAX_MS;

  /** Compiles a schema. Throws ARGUMENT_INVALID where it cannot be used with any value. */
  constructor(schema: unknown) {
    if (!isSchema(schema)) throw unusable('it is no JSON object');
    this.#schema = schema;
    this.#validator = compile(schema);
  }

  /** Returns the same schema with a time limit of its own, so that one text does not use up the time of another. */
  anew(): CompiledSchema {
    return new CompiledSchema(this.#schema);
  }

  /** Returns all violations, without those that only repeat deeper ones. Throws LIMIT_EXCEEDED when the time for this schema is up. */
  validate(value: Json): Violation[] {
    const errors = this.#run(value).errors.slice(0, MAX_ERRORS);
    const choices = errors
      .filter(({ keyword }) => CHOICES.has(keyword))
      .map(({ keywordLocation }) => `${keywordLocation}/`);
    const own = errors.filter(({ keyword, keywordLocation }) => {
      return !WRAPPERS.has(keyword) && !choices.some((choice) => keywordLocation.startsWith(choice));
    });
    const unique = new Map(
      own
        .filter((error) => !isRepeated(error, errors))
        .map((error) => [`${error.instanceLocation} ${error.keyword} ${error.keywordLocation}`, error]),
    );
    return [...unique.values()].flatMap((error) =>
      this.#expected(error, value).map((expected) => ({
        at: tokensOf(error.instanceLocation),
        keyword: error.keyword,
        expected: shorten(expected),
      })),
    );
  }

  #run(value: Json) {
    const start = performance.now();
    try {
      const done = withinTime(this.#leftMs, () => this.#validator.validate(value));
      if (done === undefined) throw tooSlow();
      return done.result;
    } catch (cause) {
      throw cause instanceof Refusal ? cause : unusable('it leads back into itself', cause);
    } finally {
      this.#leftMs -= performance.now() - start;
    }
  }

  /** Returns what is expected: one text for each missing key, so that a file can be mended key by key. */
  #expected({ keyword, keywordLocation, instanceLocation }: OutputUnit, document: Json): string[] {
    if (keyword === 'false') return ['no such key'];
    // The validator spells this keyword in its own way.
    const location = keywordLocation.replace(/dependantRequired$/, 'dependentRequired');
    const wanted = this.#valueAt(tokensOf(location)) ?? null;
    const instance = tokensOf(instanceLocation).reduce<Json | undefined>(childValue, document);
    const missing = missingKeys(keyword, wanted, instance);
    if (missing.length > 0) return missing;
    return [typeof wanted === 'string' ? wanted : JSON.stringify(wanted)];
  }

  /** Reads the value at a pointer; follows `$ref` within the schema, as the validator does. */
  #valueAt(tokens: readonly string[]): Json | undefined {
    let value: Json | undefined = this.#schema;
    for (const token of tokens) {
      value = childValue(value, token);
      if (token === '$ref' && typeof value === 'string') {
        value = value.startsWith('#/') || value === '#' ? this.#valueAt(tokensOf(value)) : undefined;
      }
    }
    return value;
  }
}

/** The most errors: no one reads more, and comparing them takes quadratic time. */
const MAX_ERRORS = 4_000;
const MAX_EXPECTED = 160;
/** The time in milliseconds for all checks of one text against one schema; a step of a call has time for two. */
const MAX_MS = 800;

/** Keywords whose errors say only that a subschema has errors. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'],
  ...['$ref', '$recursiveRef', '$dynamicRef', 'allOf', 'if', 'then', 'else', 'dependentSchemas'],
]);

/** Keywords whose parts say less than the whole. */
const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains']);

function isSchema(value: unknown): value is { readonly [key: string]: Json } & Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compile(schema: Schema): Validator {
  const fault = faultOf(schema);
  if (fault !== undefined) throw unusable(fault);
  try {
    return new Validator(schema, draftOf(schema), false);
  } catch (cause) {
    throw unusable('it is malformed', cause);
  }
}

function draftOf({ $schema }: Schema): SchemaDraft {
  if ($schema !== undefined && /draft-0[67]/.test($schema)) return '7';
  if ($schema?.includes('draft-04') === true) return '4';
  return $schema?.includes('2019-09') === true ? '2019-09' : '2020-12';
}

/** Returns the missing keys among those that `required`, or the presence of another key, asks for. */
function missingKeys(keyword: string, wanted: Json, instance: Json | undefined): string[] {
  if (typeof instance !== 'object' || instance === null || typeof wanted !== 'object' || wanted === null)
    return [];
  const asked =
    keyword === 'required'
      ? Object.values(wanted)
      : keyword === 'dependentRequired' || keyword === 'dependencies'
        ? Object.entries(wanted).flatMap(([key, needs]) =>
            Object.hasOwn(instance, key) && Array.isArray(needs) ? needs : [],
          )
        : [];
  return [...new Set(asked.map(String))].filter((key) => !Object.hasOwn(instance, key));
}

function shorten(text: string): string {
  return text.length <= MAX_EXPECTED ? text : `${text.slice(0, MAX_EXPECTED).toWellFormed()}…`;
}

/** True if an error only says that a part is not evaluated, and that part is wrong by itself. */
function isRepeated({ keyword, instanceLocation }: OutputUnit, errors: readonly OutputUnit[]): boolean {
  if (keyword !== 'false') return false;
  const parent = instanceLocation.slice(0, instanceLocation.lastIndexOf('/'));
  const asked = errors.filter((error) => error.instanceLocation === parent).map((error) => error.keyword);
  return (
    asked.some((name) => name.startsWith('unevaluated')) &&
    !asked.some((name) => name.startsWith('additional')) &&
    errors.some((error) => error.instanceLocation.startsWith(`${instanceLocation}/`))
  );
}

/** Follows one step of a JSON pointer. */
export function childValue(value: Json | undefined, token: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isList(value)) return value[Number(token)];
  return Object.hasOwn(value, token) ? value[token] : undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Decodes a token: `$ref` may be percent-encoded, but a key may hold a bare percent sign. */
function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

function tooSlow(): Refusal {
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot check this file: its schema takes longer than ${MAX_MS} ms`,
    {},
    { limit: { name: 'checking against a schema', allowed: MAX_MS, unit: 'ms' } },
  );
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

/**
 * Returns the result of `work`, or undefined if the time ran out: an outsider may have made it endless, by a pattern that
 * backtracks or a schema that leads back into itself. The script is one constant word: nothing of a request becomes code.
 */
function withinTime<Result>(maxMs: number, work: () => Result): { readonly result: Result } | undefined {
  let done: { readonly result: Result } | undefined;
  const run = () => {
    done = { result: work() };
  };
  try {
    const realm = createContext({ run }, { codeGeneration: { strings: false, wasm: false } });
    new Script('run()').runInContext(realm, { timeout: Math.max(Math.ceil(maxMs), 1) });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return undefined;
  }
  return done;
}

/** True for the error of the timeout; it comes from another realm, and is no instance of this one's Error. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/**
 * Returns the path of the schema that a file names for itself, as the agent would address it; `file` is undefined for a URL, and
 * outside of the root.
 */
export function ownSchemaOf(
  { format, stream }: ConfigFile,
  path: SafePath,
): { readonly file: string | undefined } | undefined {
  const named = format.ownSchema(stream);
  return named === undefined ? undefined : { file: resolve(named, path) };
}

/** Resolves the name as text, within the root; the result is checked as a path like any other. */
function resolve(named: string, path: SafePath): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(named) || named.startsWith('/')) return undefined;
  const components = path.components.slice(0, -1);
  for (const part of named.split('/')) {
    if (part === '..' && components.length === 0) return undefined;
    if (part === '..') components.pop();
    else if (part !== '.' && part !== '') components.push(part);
  }
  const relative = components.join('/');
  return path.root === undefined ? relative : `@${path.root}/${relative}`;
}
