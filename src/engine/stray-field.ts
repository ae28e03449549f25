// Moves a value with an unknown name to the one missing field that can hold it: `key` for `path`, `name` for `file`. Where two
// names or two fields come into question, or nothing is missing, the arguments stay as they are.
import type { z } from 'zod';
import { leniently } from './lenient-arguments.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Answers the arguments, with the value of the one unknown field moved to the only missing field that can hold it. */
export function withStrayMoved(schema: z.ZodObject, args: Arguments): Arguments {
  const [stray, another] = straysIn(schema, args);
  if (stray === undefined || another !== undefined) return args;
  const { [stray]: value, ...others } = args;
  if (issuesIn(schema, others).length === 0) return args;
  const moved = Object.keys(schema.shape)
    .filter((name) => args[name] === undefined)
    .map((name) => ({ ...others, [name]: value }))
    .filter((whole) => issuesIn(schema, whole).length === 0);
  return moved.length === 1 ? (moved[0] ?? args) : args;
}

/** The fields that the schema does not know; if there are none, those that it does not accept here, such as one of another operation. */
function straysIn(schema: z.ZodObject, args: Arguments): readonly string[] {
  const names = Object.keys(args);
  const unknown = names.filter((name) => !Object.hasOwn(schema.shape, name));
  if (unknown.length > 0) return unknown;
  const issues = issuesIn(schema, args);
  return names.filter((name) => {
    if (issues.some(({ path }) => path[0] === name)) return false;
    const { [name]: _, ...others } = args;
    return issuesIn(schema, others).length < issues.length;
  });
}

function issuesIn(schema: z.ZodObject, args: Arguments): readonly z.core.$ZodIssue[] {
  return schema.safeParse(leniently(schema, args)).error?.issues ?? [];
}
