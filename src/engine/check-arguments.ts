// Checks arguments, and answers the tool's input. Throws one ARGUMENT_INVALID that names every problem: where it is, and what
// was expected. It never shows a value; names of unknown fields are cut and made visible.
import { z } from 'zod';
import { Refusal } from '../security/errors/refusal.ts';
import { quoted } from '../security/text/visible.ts';
import type { Tool } from '../tools/index.ts';
import { correctedCall, fieldsMeant } from './corrected-call.ts';

/** The most problems in a message: nobody corrects more at a time, and describing thousands would take seconds. */
const MAX_FAULTS = 100;

interface Fault {
  readonly path: string;
  readonly message: string;
}

export function checkArguments(tool: Tool, args: unknown): z.infer<Tool['input']> {
  const checked = tool.input.safeParse(args);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.slice(0, MAX_FAULTS);
  const faults = issues.flatMap((issue) => describe(issue, tool.input, args)).slice(0, MAX_FAULTS);
  const again = correctedCall(tool, args);
  throw new Refusal(
    'ARGUMENT_INVALID',
    `Cannot call ${tool.name}: ${summary(faults)}`,
    {},
    {
      problems: faults.map((fault) => ({ ...fault, code: 'ARGUMENT_INVALID', line: 0, column: 0 })),
      advice: [`${tool.name} takes ${fieldsOf(tool.input)}`],
      ...(again === undefined ? {} : { again }),
    },
  );
}

function summary(faults: readonly Fault[]): string {
  const [first] = faults;
  if (first !== undefined && faults.length === 1) return `${first.path}: ${first.message}`;
  const count = faults.length < MAX_FAULTS ? faults.length : `at least ${MAX_FAULTS}`;
  return `${count} problems with its arguments: ${[...new Set(faults.map(({ path }) => path))].join(', ')}`;
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType, args: unknown): readonly Fault[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownFields(schema, issue.path);
    return issue.keys.slice(0, MAX_FAULTS).map((key) => {
      const meant = fieldsMeant(key, known).join(' or ');
      const guess = meant === '' ? '' : `, did you mean ${meant}?`;
      return { path: showPath([...issue.path, key]), message: `no such field${guess}` };
    });
  }
  const value = valueAt(args, issue.path);
  const found = issue.code === 'invalid_type' && value !== undefined ? `, got ${kindOf(value)}` : '';
  const expected = `${expectation(issue)}${found}`;
  return [{ path: showPath(issue.path), message: value === undefined ? `missing, ${expected}` : expected }];
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${article(issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `expected at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `expected at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case 'invalid_union':
      // The message of a tool's author is shorter than all alternatives together.
      if (issue.message !== 'Invalid input') return issue.message;
      return (
        [...new Set(issue.errors.flat().filter(isAtTop).map(expectation))].join(', or ') || issue.message
      );
    // This is the message of the tool's author or of zod; it holds the rule, and never the value.
    default:
      return issue.message;
  }
}

function isAtTop(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0;
}

function unitOf(origin: string, count: number | bigint): string {
  const ending = count === 1 ? '' : 's';
  if (origin === 'string') return ` character${ending}`;
  return origin === 'array' ? ` item${ending}` : '';
}

function article(kind: string): string {
  if (kind === 'int') return 'an integer';
  if (kind === 'record') return 'an object';
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return article(Array.isArray(value) ? 'array' : typeof value);
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

function showPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  return path.reduce<string>((shown, key) => {
    if (typeof key === 'number') return `${shown}[${key}]`;
    const name = String(key);
    const safe = /^\w{1,64}$/.test(name) ? name : quoted(name);
    return shown === '' ? safe : `${shown}.${safe}`;
  }, '');
}

function fieldsOf(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(([name, field]) => {
    return field instanceof z.ZodType && field.safeParse(undefined).success ? `${name}?` : name;
  });
  return names.length === 0 ? 'no arguments' : names.join(', ');
}

/** The field names that the schema has at a path; none if it is no plain object there. */
function knownFields(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return knownFields(schema.unwrap(), path);
  }
  const [key, ...rest] = path;
  if (schema instanceof z.ZodArray) return knownFields(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return key === undefined ? Object.keys(schema.shape) : knownFields(schema.shape[String(key)], rest);
}
