// Whether an edit keeps the schemas that the operator has bound to a file.
import { counted, newViolations, readConfigFile } from '../adapters/index.ts';
import { Refusal, type SafePath } from '../security/index.ts';
import { boundSchemas } from './schemas.ts';
import type { CallContext } from './tool.ts';

export interface EditedText {
  readonly path: SafePath;
  readonly base: string;
  readonly after: string;
}

/**
 * Throws SCHEMA_VIOLATION for what the edit breaks. What was broken before does not stop it, or nobody could
 * mend such a file step by step; the answer is a note that says so.
 */
export function requireSchemas(
  { path, base: before, after }: EditedText,
  context: Pick<CallContext, 'policy' | 'sandbox'>,
): readonly string[] {
  const schemas = boundSchemas(path, context);
  if (schemas.length === 0 || before === after) return [];
  const { limits } = context.policy;
  const base = readConfigFile(path, before, limits).stream;
  const result = readConfigFile(path, after, limits).stream;
  return schemas.flatMap(({ name, schema }) => {
    const { problems, older } = newViolations(base, result, schema);
    const [first] = problems;
    if (first === undefined)
      return older === 0 ? [] : [`The file breaks ${name} as it did before, in ${counted(older, 'place')}.`];
    const rest = older === 0 ? '' : `; ${older} more ${older === 1 ? 'was' : 'were'} there before`;
    throw new Refusal(
      'SCHEMA_VIOLATION',
      `Cannot make this edit: the result would break ${name} in ${counted(problems.length, 'place')}${rest}`,
      { file: path.toString(), path: first.path, line: first.line, column: first.column },
      { problems },
    );
  });
}
